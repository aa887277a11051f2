/**
 * What a checked kernel does where the launch's checker has nothing to say yet (checking/quiet.ts): accesses of memory that is known, and
 * those of shared memory that no other thread has to do with.
 */
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import {
  ASKS_UNWRITTEN,
  HAS_WRITES,
  NO_RUN,
  ROW_BYTES,
  ROW_DISTANCES,
  ROW_RUN,
  ROW_UNITS,
  ROWS,
  SINCE,
  UNIT_LOG2,
  UNWRITTEN,
} from '../checking/tagCode.ts'
import { FIRST_ROW } from '../checking/toldNumbers.ts'
import {
  ADDRESSES,
  QUIET_ADDRESSES,
  QUIET_ATOMICS_END,
  QUIET_CALLS_END,
  QUIET_CALLS_NEXT,
  QUIET_EVENT_BYTES,
  QUIET_EVENTS,
  QUIET_LANES_BYTES,
  QUIET_NEXT,
  QUIET_READS_END,
  QUIET_SHARED,
  QUIET_SHARED_BYTES,
  QUIET_WRITES_END,
} from '../slot.ts'
import { GROUP_LANES, GROUPS } from '../values/storage.ts'

/** What looks at the tags of lanes and of runs (checking/tagCode.ts). */
export interface TagCallables {
  readonly known: Callable
  readonly read: Callable
  readonly readRun: Callable
  readonly write: Callable
  readonly writeRun: Callable
  readonly atomic: Callable
}

const KEEP_PARAMETERS = [I32, I32, I32, I32, I32, I32, I32, I32] as const

/** Locals of an access that is kept. */
interface Kept {
  readonly quiet: number
  readonly tags: number
  readonly told: number
  readonly mask: number
  readonly warp: number
  readonly offset: number
  readonly at: number
  /** Where the tags' region has its row. */
  readonly row: number
}

/**
 * (quiet, tags, told, mask, warp, offset, least, span): keeps a read of a row in the block's shared memory, of `span` bytes from `offset` + `least`
 * on; 1 where it has to be told: it is not inside, or of what nobody wrote or another thread did, or nothing is kept, or there is no room.
 */
export function buildKeepRead(module: ModuleBuilder, code: TagCallables): Callable {
  const f = module.function(KEEP_PARAMETERS, [I32])
  const kept = beginKept(f, QUIET_READS_END)
  ifAsksUnwritten(f, kept.tags, () => {
    pushLanes(f, kept)
    f.i32(1).call(code.known)
    tellUnless(f)
  })
  f.get(kept.tags).memory(Op.i32_load, HAS_WRITES).if()
  pushNote(f, kept, code.read, code.readRun)
  tellUnless(f)
  f.end()
  keepAccess(f, kept)
  return f
}

/** The same of a write. */
export function buildKeepWrite(module: ModuleBuilder, code: TagCallables, noteReads: Callable): Callable {
  const f = module.function(KEEP_PARAMETERS, [I32])
  const kept = beginKept(f, QUIET_WRITES_END)
  beginWrites(f, kept, noteReads)
  pushNote(f, kept, code.write, code.writeRun)
  tellUnless(f)
  keepAccess(f, kept)
  return f
}

const ENDS = { read: QUIET_READS_END, write: QUIET_WRITES_END, atomic: QUIET_ATOMICS_END } as const

/** (slot, quiet, tags, told, mask, warp, width, units): the same of an access that is no row, its addresses in the slot. */
export function buildKeepLanes(
  module: ModuleBuilder,
  kind: keyof typeof ENDS,
  code: TagCallables,
  { noteReads, leavesRange }: { readonly noteReads: Callable; readonly leavesRange: Callable },
): Callable {
  const f = module.function(KEEP_PARAMETERS, [I32])
  const [slot, quiet, tags, told, mask, warp, width, units] = [0, 1, 2, 3, 4, 5, 6, 7]
  const [at, base] = f.many(I32, 2)
  f.get(quiet).memory(Op.i32_load, QUIET_NEXT).tee(at).i32(QUIET_LANES_BYTES).op(Op.i32_add)
  f.get(quiet).memory(Op.i32_load, ENDS[kind]).op(Op.i32_le_u)
  tellUnless(f)
  f.get(slot).get(mask).get(quiet).i32(QUIET_SHARED).op(Op.i32_add).get(width).call(leavesRange).op(Op.i32_eqz)
  tellUnless(f)
  f.i32(0).get(quiet).memory(Op.i32_load, QUIET_SHARED).op(Op.i32_sub).set(base)
  const note = (callable: Callable, pushUnits: () => void): void => {
    pushFirst(f, tags, warp)
    f.get(mask).get(base).get(slot)
    if (ADDRESSES > 0) f.i32(ADDRESSES).op(Op.i32_add)
    pushUnits()
    f.call(callable)
    tellUnless(f)
  }
  if (kind === 'read') {
    ifAsksUnwritten(f, tags, () => note(code.known, () => f.i32(1)))
    f.get(tags).memory(Op.i32_load, HAS_WRITES).if()
    note(code.read, () => f.get(units))
    f.end()
  } else {
    beginWrites(f, { quiet, tags }, noteReads)
    note(code[kind], () => f.get(units))
  }
  for (const [index, word] of [told, mask, warp, base, units].entries())
    f.get(at)
      .get(word)
      .memory(Op.i32_store, index * 4)
  for (let group = 0; group < GROUPS; group++)
    f.get(at)
      .get(slot)
      .memory(Op.v128_load, ADDRESSES + group * 16)
      .memory(Op.v128_store, QUIET_ADDRESSES + group * 16)
  f.get(quiet).get(at).i32(QUIET_LANES_BYTES).op(Op.i32_add).memory(Op.i32_store, QUIET_NEXT)
  f.i32(0)
  return f
}

/** (quiet, tags): notes the reads that are kept, of which nobody had to know before the epoch's first write. */
export function buildNoteReads(module: ModuleBuilder, code: TagCallables): Callable {
  const f = module.function([I32, I32], [])
  const [quiet, tags] = [0, 1]
  const [told, mask, warp, offset, at, row] = f.many(I32, 6)
  const kept: Kept = { quiet, tags, told, mask, warp, offset, at, row }
  const advance = (bytes: number): void => {
    f.get(at).i32(bytes).op(Op.i32_add).set(at)
  }
  f.get(quiet).i32(QUIET_EVENTS).op(Op.i32_add).set(at)
  const done = f.block()
  const again = f.loop()
  f.get(at).get(quiet).memory(Op.i32_load, QUIET_NEXT).op(Op.i32_ge_u).brIf(done)
  for (const [index, word] of [told, mask, warp, offset].entries())
    f.get(at)
      .memory(Op.i32_load, index * 4)
      .set(word)
  f.get(told).i32(FIRST_ROW).op(Op.i32_ge_s).if()
  setRow(f, kept)
  pushNote(f, kept, code.read, code.readRun)
  f.op(Op.drop)
  advance(QUIET_EVENT_BYTES)
  f.br(again).end()
  pushFirst(f, tags, warp)
  f.get(mask).get(offset).get(at).i32(QUIET_ADDRESSES).op(Op.i32_add).get(at).memory(Op.i32_load, 16).call(code.read)
  f.op(Op.drop)
  advance(QUIET_LANES_BYTES)
  f.br(again).end().end()
  return f
}

/** Emits what is done where reads of what nobody wrote are looked for, and there may be some. */
function ifAsksUnwritten(f: FunctionBuilder, tags: number, then: () => void): void {
  f.get(tags).memory(Op.i32_load, ASKS_UNWRITTEN).if()
  f.get(tags).memory(Op.i32_load, UNWRITTEN).if()
  then()
  f.end().end()
}

/** Before the epoch's first write, what was read comes to be known. */
function beginWrites(f: FunctionBuilder, { quiet, tags }: Pick<Kept, 'quiet' | 'tags'>, noteReads: Callable): void {
  f.get(tags).memory(Op.i32_load, HAS_WRITES).op(Op.i32_eqz).if()
  f.get(quiet).get(tags).call(noteReads)
  f.get(tags).i32(1).memory(Op.i32_store, HAS_WRITES).end()
}

/** Leaves where there is no room before `end`, or the access is not inside. */
function beginKept(f: FunctionBuilder, end: number): Kept {
  const [quiet, tags, told, mask, warp, offset, least, span] = [0, 1, 2, 3, 4, 5, 6, 7]
  const [at, row, bytes] = f.many(I32, 3)
  const kept: Kept = { quiet, tags, told, mask, warp, offset, at, row }
  f.get(quiet).memory(Op.i32_load, QUIET_NEXT).tee(at)
  f.get(quiet).memory(Op.i32_load, end).op(Op.i32_ge_u)
  f.get(quiet).memory(Op.i32_load, QUIET_SHARED_BYTES).tee(bytes).get(span).op(Op.i32_lt_u).op(Op.i32_or)
  f.get(offset).get(least).op(Op.i32_add).get(bytes).get(span).op(Op.i32_sub).op(Op.i32_gt_u).op(Op.i32_or)
  f.op(Op.i32_eqz)
  tellUnless(f)
  setRow(f, kept)
  return kept
}

function setRow(f: FunctionBuilder, { tags, told, row }: Kept): void {
  f.get(told).i32(FIRST_ROW).op(Op.i32_sub).i32(ROW_BYTES).op(Op.i32_mul).get(tags).op(Op.i32_add)
  f.i32(ROWS).op(Op.i32_add).set(row)
}

/** Pushes what functions of lanes take, but for the units. */
function pushLanes(f: FunctionBuilder, { tags, warp, mask, offset, row }: Kept): void {
  pushFirst(f, tags, warp)
  f.get(mask).get(offset).get(row).i32(ROW_DISTANCES).op(Op.i32_add)
}

function pushFirst(f: FunctionBuilder, tags: number, warp: number): void {
  f.get(tags).get(tags).memory(Op.i32_load, SINCE).get(warp).i32(5).op(Op.i32_shl).op(Op.i32_or)
}

/** Notes what the lanes do; pushes whether no other thread had to do with it. */
function pushNote(f: FunctionBuilder, kept: Kept, ofLanes: Callable, ofRun: Callable): void {
  const { tags, warp, mask, offset, row } = kept
  f.get(row).memory(Op.i32_load, ROW_RUN).i32(NO_RUN).op(Op.i32_eq).if(I32)
  pushLanes(f, kept)
  f.get(row).memory(Op.i32_load, ROW_UNITS).call(ofLanes)
  f.else()
  pushFirst(f, tags, warp)
  f.get(mask).get(offset).get(row).memory(Op.i32_load, ROW_RUN).op(Op.i32_add)
  f.get(tags).memory(Op.i32_load, UNIT_LOG2).op(Op.i32_shr_u).call(ofRun)
  f.end()
}

const tellUnless = (f: FunctionBuilder): void => {
  f.op(Op.i32_eqz).if().i32(1).op(Op.return).end()
}

function keepAccess(f: FunctionBuilder, { quiet, at, told, mask, warp, offset }: Kept): void {
  keep(f, at, [told, mask, warp, offset])
  f.get(quiet).get(at).i32(QUIET_EVENT_BYTES).op(Op.i32_add).memory(Op.i32_store, QUIET_NEXT)
  f.i32(0)
}

/** (quiet, told, mask, warp): keeps an arrival or a way; 1 where it has to be told, as nothing is kept, or there is no room. */
export function buildKeepCall(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [I32])
  const [quiet, told, mask, warp] = [0, 1, 2, 3]
  const at = f.local(I32)
  f.get(quiet).memory(Op.i32_load, QUIET_CALLS_NEXT).tee(at)
  f.get(quiet).memory(Op.i32_load, QUIET_CALLS_END).op(Op.i32_lt_u)
  tellUnless(f)
  keep(f, at, [told, mask, warp])
  f.get(quiet).get(at).i32(QUIET_EVENT_BYTES).op(Op.i32_add).memory(Op.i32_store, QUIET_CALLS_NEXT)
  f.i32(0)
  return f
}

const keep = (f: FunctionBuilder, at: number, words: readonly number[]): void => {
  for (const [index, word] of words.entries())
    f.get(at)
      .get(word)
      .memory(Op.i32_store, index * 4)
}

/** (slot, mask, range, width): 1 where a lane that runs has an address in the slot from which so many bytes are not in the range. */
export function buildLeavesRange(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [I32])
  const [slot, mask, range, width] = [0, 1, 2, 3]
  const start = f.local(V128)
  const last = f.local(V128)
  const outside = f.local(V128)
  f.get(range).memory(Op.i32_load, 4).get(width).op(Op.i32_lt_u).if().i32(1).op(Op.return).end()
  f.get(range).memory(Op.i32_load, 0).op(Op.i32x4_splat).set(start)
  f.get(range).memory(Op.i32_load, 4).get(width).op(Op.i32_sub).op(Op.i32x4_splat).set(last)
  for (let group = 0; group < GROUPS; group++) {
    f.get(slot)
      .memory(Op.v128_load, ADDRESSES + group * 16)
      .get(start)
      .op(Op.i32x4_sub)
      .get(last)
      .op(Op.i32x4_gt_u)
    const bits = [0, 1, 2, 3].map(lane => 1 << (group * GROUP_LANES + lane)) as [number, number, number, number]
    f.get(mask).op(Op.i32x4_splat).v128(bits).op(Op.v128_and).v128(bits).op(Op.i32x4_eq).op(Op.v128_and)
    if (group > 0) f.get(outside).op(Op.v128_or)
    f.set(outside)
  }
  f.get(outside).op(Op.v128_any_true)
  return f
}
