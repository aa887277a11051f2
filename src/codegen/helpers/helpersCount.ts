/**
 * Counts one access with arbitrary addresses by the rules of 7.0 and later, as WebAssembly: the same numbers as
 * metrics/rules/accessModel.ts (tests compare them), kept apart from the kernel's code because they are long.
 */
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import {
  ADDRESSES,
  DESTINATIONS,
  EVICTED,
  EVICTED_ADDRESSES,
  HISTOGRAM_BINS,
  PARTIAL_BIN,
  PARTIAL_ENTRIES,
  PARTIAL_MASK,
  PARTIAL_TIMES,
  SITE_FIELDS,
  SORTED,
} from '../slot.ts'
import { sortWords } from './helpersSort.ts'

/** Spreads keys over a table. */
export const HASH = 0x9e3779b1 | 0
const PARTIAL_TRIES = 8

/** Adds an i32 to one of the site's counters, or so many times that i32. */
export function addToCounter(
  f: FunctionBuilder,
  counters: number,
  field: (typeof SITE_FIELDS)[number],
  amount: () => void,
  times?: number,
): void {
  const offset = SITE_FIELDS.indexOf(field) * 8
  f.get(counters).get(counters).memory(Op.i64_load, offset)
  amount()
  f.op(Op.i64_extend_i32_u)
  if (times !== undefined) f.get(times).op(Op.i64_extend_i32_u).op(Op.i64_mul)
  f.op(Op.i64_add).memory(Op.i64_store, offset)
}

/** Loads the slot's addresses; lanes that do not run get `fill`, or the address of one that does. */
function loadAddresses(
  f: FunctionBuilder,
  slot: number,
  mask: number,
  fill?: number,
  at: number = ADDRESSES,
): number[] {
  const vectors = f.many(V128, 8)
  const load = (group: number): FunctionBuilder => f.get(slot).memory(Op.v128_load, at + group * 16)
  f.get(mask).i32(-1).op(Op.i32_eq).if()
  vectors.forEach((vector, group) => load(group).set(vector))
  f.else()
  const filler = f.local(V128)
  if (fill !== undefined) f.i32(fill).op(Op.i32x4_splat).set(filler)
  else
    f.get(slot)
      .get(mask)
      .op(Op.i32_ctz)
      .i32(2)
      .op(Op.i32_shl)
      .op(Op.i32_add)
      .memory(Op.v128_load32_splat, at)
      .set(filler)
  vectors.forEach((vector, group) => {
    const bits = [0, 1, 2, 3].map(lane => 1 << (group * 4 + lane)) as [number, number, number, number]
    load(group).get(filler)
    f.get(mask)
      .op(Op.i32x4_splat)
      .v128(bits)
      .op(Op.v128_and)
      .v128(bits)
      .op(Op.i32x4_eq)
      .op(Op.v128_bitselect)
      .set(vector)
  })
  f.end()
  f.release(V128, filler)
  return vectors
}

/**
 * Locals with how many of 32 ascending words differ from their predecessor after dropping so many low bits, the first included;
 * at most four of them. The caller releases them.
 */
function countDistinct(f: FunctionBuilder, vectors: readonly number[], shifts: readonly number[]): number[] {
  const sums = f.many(V128, shifts.length)
  const [changed, zero] = f.many(V128, 2)
  f.v128([0, 0, 0, 0]).set(zero)
  for (const sum of sums) f.get(zero).set(sum)
  vectors.forEach((vector, index) => {
    // The first word has itself for a predecessor: it is added in the end.
    if (index === 0) f.get(vector).get(vector).shuffle32(0, 0, 1, 2)
    else
      f.get(vectors[index - 1]!)
        .get(vector)
        .shuffle32(3, 4, 5, 6)
    f.get(vector).op(Op.v128_xor).set(changed)
    shifts.forEach((shift, which) => {
      // What is equal is -1.
      f.get(sums[which]!).get(changed)
      if (shift > 0) f.i32(shift).op(Op.i32x4_shr_u)
      f.get(zero).op(Op.i32x4_eq).op(Op.i32x4_sub).set(sums[which]!)
    })
  })
  // Up to 32 each: a byte of a word.
  const [all, ...others] = sums as [number, ...number[]]
  others.forEach((sum, index) =>
    f
      .get(all)
      .get(sum)
      .i32(8 * (index + 1))
      .op(Op.i32x4_shl)
      .op(Op.i32x4_add)
      .set(all),
  )
  f.get(all).get(all).get(all).shuffle32(2, 3, 0, 1).op(Op.i32x4_add).set(all)
  const counts = shifts.map(() => f.local(I32))
  const equal = f.local(I32)
  f.get(all).get(all).get(all).shuffle32(1, 0, 3, 2).op(Op.i32x4_add).lane(Op.i32x4_extract_lane, 0).set(equal)
  counts.forEach((count, which) =>
    f
      .i32(32 + 1)
      .get(equal)
      .i32(8 * which)
      .op(Op.i32_shr_u)
      .i32(0xff)
      .op(Op.i32_and)
      .op(Op.i32_sub)
      .set(count),
  )
  f.release(V128, ...sums, changed, zero)
  f.release(I32, equal)
  return counts
}

/** Traps (unreachable) when an address is not a multiple of the width. */
function trapMisaligned(f: FunctionBuilder, vectors: readonly number[], widthLog2: number): void {
  vectors.forEach((vector, index) => {
    f.get(vector)
    if (index > 0) f.op(Op.v128_or)
  })
  f.i32(1).get(widthLog2).op(Op.i32_shl).i32(1).op(Op.i32_sub).op(Op.i32x4_splat).op(Op.v128_and).op(Op.v128_any_true)
  f.if().op(Op.unreachable).end()
}

/** (slot, mask, widthLog2): the same for the addresses of lanes that run, without counting. */
export function buildTrapMisaligned(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32], [])
  const [slot, mask, widthLog2] = [0, 1, 2]
  trapMisaligned(f, loadAddresses(f, slot, mask), widthLog2)
  return f
}

function sortUnlessSorted(f: FunctionBuilder, vectors: readonly number[]): void {
  pushIsUnsorted(f, vectors)
  f.if()
  sortWords(f, vectors)
  f.end()
}

/** Pushes 1 when some word is smaller than the one before it: the smaller of the two is then not the one before. */
function pushIsUnsorted(f: FunctionBuilder, vectors: readonly number[]): void {
  const before = f.local(V128)
  vectors.forEach((vector, index) => {
    if (index === 0) f.get(vector).get(vector).shuffle32(0, 0, 1, 2)
    else
      f.get(vectors[index - 1]!)
        .get(vector)
        .shuffle32(3, 4, 5, 6)
    f.tee(before).get(vector).op(Op.i32x4_min_u).get(before).op(Op.v128_xor)
    if (index > 0) f.op(Op.v128_or)
  })
  f.op(Op.v128_any_true)
  f.release(V128, before)
}

/** (slot, counters, mask, widthLog2): a load or store. Traps (unreachable) on a misaligned address. */
export function buildCountGlobal(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2] = [0, 1, 2, 3]
  const vectors = loadAddresses(f, slot, mask)
  trapMisaligned(f, vectors, widthLog2)
  countMove(f, vectors, { counters, mask, widthLog2 })
  return f
}

/** (slot, counters, mask, widthLog2, times): so many loads or stores alike, of known alignment, at the slot's {@link EVICTED_ADDRESSES}. */
export function buildCountEvicted(module: ModuleBuilder, isLocal: boolean): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2, times] = [0, 1, 2, 3, 4]
  const vectors = loadAddresses(f, slot, mask, undefined, EVICTED_ADDRESSES)
  countMove(f, vectors, { counters, mask, widthLog2, times, isLocal })
  return f
}

/**
 * (slot, counters, mask, widthLog2): a load of constant memory, which has neither sectors nor wavefronts (metrics/rules/accessModel.ts,
 * noCounts). Traps (unreachable) on a misaligned address.
 */
export function buildCountConstant(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2] = [0, 1, 2, 3]
  const active = f.local(I32)
  const vectors = loadAddresses(f, slot, mask)
  trapMisaligned(f, vectors, widthLog2)
  sortUnlessSorted(f, vectors)
  const [addresses] = countDistinct(f, vectors, [0]) as [number]
  f.get(mask).op(Op.i32_popcnt).set(active)
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(active))
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl))
  return f
}

/**
 * (slot, counters, mask, widthLog2, base): a load or store of local memory, of which lanes have `laneBytes` each from `base`. Traps
 * (unreachable) on a misaligned address.
 */
export function buildCountLocal(module: ModuleBuilder, laneBytes: number): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2, base] = [0, 1, 2, 3, 4]
  trapMisaligned(f, loadAddresses(f, slot, mask), widthLog2)
  for (let group = 0; group < 8; group++) {
    f.get(slot)
    f.get(slot).memory(Op.v128_load, ADDRESSES + group * 16)
    f.get(base).op(Op.i32x4_splat).op(Op.i32x4_sub)
    f.v128(fourLanes(lane => (group * 4 + lane) * laneBytes)).op(Op.i32x4_sub)
    pushInterleaved(f, group)
    f.memory(Op.v128_store, SORTED + group * 16)
  }
  const vectors = loadAddresses(f, slot, mask, undefined, SORTED)
  countMove(f, vectors, { counters, mask, widthLog2, isLocal: true })
  return f
}

/** From four lanes' offsets in their local memory to where the hardware has them: word w of lane l at (32 w + l) x 4. */
export function pushInterleaved(f: FunctionBuilder, group: number): void {
  const offsets = f.local(V128)
  f.tee(offsets).i32(2).op(Op.i32x4_shr_s).i32(7).op(Op.i32x4_shl)
  f.get(offsets).i32(3).op(Op.i32x4_splat).op(Op.v128_and).op(Op.v128_or)
  f.v128(fourLanes(lane => (group * 4 + lane) * 4)).op(Op.i32x4_add)
  f.release(V128, offsets)
}

export function fourLanes(value: (lane: number) => number): [number, number, number, number] {
  return [value(0), value(1), value(2), value(3)]
}

/** Locals with what a move is; local memory has each word of a wide access in a line of its own. */
interface Move {
  readonly counters: number
  readonly mask: number
  readonly widthLog2: number
  readonly times?: number
  readonly isLocal?: boolean
}

function countMove(
  f: FunctionBuilder,
  vectors: readonly number[],
  { counters, mask, widthLog2, times, isLocal = false }: Move,
): void {
  const active = f.local(I32)
  f.get(mask).op(Op.i32_popcnt).set(active)
  sortUnlessSorted(f, vectors)
  const [addresses, sectors, lines] = countDistinct(f, vectors, [0, 5, 7]) as [number, number, number]
  const pushPieces = (count: number): void => {
    f.get(count)
    if (isLocal)
      f.get(widthLog2).i32(2).op(Op.i32_sub).i32(0).get(widthLog2).i32(2).op(Op.i32_gt_u).op(Op.select).op(Op.i32_shl)
  }
  addToCounter(f, counters, 'executed', () => f.i32(1), times)
  addToCounter(f, counters, 'threads', () => f.get(active), times)
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl), times)
  addToCounter(f, counters, 'sectors', () => pushPieces(sectors), times)
  addToCounter(f, counters, 'sectorsIdeal', () => pushIdealSectors(f, active, widthLog2), times)
  addToCounter(f, counters, 'tags', () => pushPieces(lines), times)
}

/** Bits of a shared window's 32-byte sectors; the line's low bits are above them. */
const DESTINATION_BITS = 13

/**
 * (slot, counters, mask): a copy of 16 bytes a lane past the L1 (metrics/rules/coalescing.ts, copiedSectors): the distinct pairs of a line
 * at the source and a sector at the destination. Lines that are multiples of 64 MB apart are one here.
 */
export function buildCountBypass(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32], [])
  const [slot, counters, mask] = [0, 1, 2]
  const [active, widthLog2] = f.many(I32, 2)
  f.get(mask).op(Op.i32_popcnt).set(active)
  f.i32(4).set(widthLog2)
  for (let group = 0; group < 8; group++) {
    f.get(slot)
    f.get(slot).memory(Op.v128_load, ADDRESSES + group * 16)
    f.i32(7).op(Op.i32x4_shr_u).i32(DESTINATION_BITS).op(Op.i32x4_shl)
    f.get(slot).memory(Op.v128_load, DESTINATIONS + group * 16)
    f.i32(32 - DESTINATION_BITS - 5)
      .op(Op.i32x4_shl)
      .i32(32 - DESTINATION_BITS)
      .op(Op.i32x4_shr_u)
    f.op(Op.v128_or).memory(Op.v128_store, SORTED + group * 16)
  }
  const sources = loadAddresses(f, slot, mask)
  trapMisaligned(f, sources, widthLog2)
  sortWords(f, sources)
  const [addresses, lines] = countDistinct(f, sources, [0, 7]) as [number, number]
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(active))
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl))
  addToCounter(f, counters, 'tags', () => f.get(lines))
  addToCounter(f, counters, 'sectorsIdeal', () => pushIdealSectors(f, active, widthLog2))
  f.release(V128, ...sources)
  const pairs = loadAddresses(f, slot, mask, undefined, SORTED)
  sortWords(f, pairs)
  const [sectors] = countDistinct(f, pairs, [0]) as [number]
  addToCounter(f, counters, 'sectors', () => f.get(sectors))
  return f
}

function pushIdealSectors(f: FunctionBuilder, active: number, widthLog2: number): void {
  f.get(active).get(widthLog2).op(Op.i32_shl).i32(31).op(Op.i32_add).i32(5).op(Op.i32_shr_u)
}

/**
 * (slot, counters, mask, widthLog2): an atomic or reduction in global memory. A sector is sent as often as its most wanted
 * address is hit (metrics/rules/coalescing.ts, atomicSectorsSent).
 */
export function buildCountAtomic(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  countAtomic(f)
  return f
}

/** (slot, counters, mask, widthLog2, times): so many alike, at the slot's {@link EVICTED_ADDRESSES}. */
export function buildCountEvictedAtomic(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  countAtomic(f, EVICTED_ADDRESSES, 4)
  return f
}

function countAtomic(f: FunctionBuilder, from = ADDRESSES, times?: number): void {
  const [slot, counters, mask, widthLog2] = [0, 1, 2, 3]
  const [active, at, end, address, previous, run, most, sent, addresses, lines] = f.many(I32, 10)
  f.get(mask).op(Op.i32_popcnt).set(active)
  // Lanes that do not run sort to the end, where the loop does not come.
  const vectors = loadAddresses(f, slot, mask, -1, from)
  sortWords(f, vectors)
  vectors.forEach((vector, group) =>
    f
      .get(slot)
      .get(vector)
      .memory(Op.v128_store, SORTED + group * 16),
  )
  f.get(slot).set(at)
  f.get(slot).get(active).i32(2).op(Op.i32_shl).op(Op.i32_add).set(end)
  f.i32(-1).set(previous)
  const again = f.loop()
  f.get(at).memory(Op.i32_load, SORTED).set(address)
  f.get(address).get(previous).op(Op.i32_eq).if()
  f.get(run).i32(1).op(Op.i32_add).set(run)
  f.else()
  f.i32(1).set(run)
  f.get(addresses).i32(1).op(Op.i32_add).set(addresses)
  f.get(address).get(previous).op(Op.i32_xor).i32(5).op(Op.i32_shr_u).if().i32(0).set(most).end()
  f.get(lines)
    .get(address)
    .get(previous)
    .op(Op.i32_xor)
    .i32(7)
    .op(Op.i32_shr_u)
    .i32(0)
    .op(Op.i32_ne)
    .op(Op.i32_add)
    .set(lines)
  f.end()
  f.get(run).get(most).op(Op.i32_gt_u).if()
  f.get(run).set(most)
  f.get(sent).i32(1).op(Op.i32_add).set(sent)
  f.end()
  f.get(address).set(previous)
  f.get(at).i32(4).op(Op.i32_add).tee(at).get(end).op(Op.i32_lt_u).brIf(again)
  f.end()
  addToCounter(f, counters, 'executed', () => f.i32(1), times)
  addToCounter(f, counters, 'threads', () => f.get(active), times)
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl), times)
  addToCounter(f, counters, 'sectors', () => f.get(sent), times)
  addToCounter(f, counters, 'sectorsIdeal', () => pushIdealSectors(f, active, widthLog2), times)
  addToCounter(f, counters, 'tags', () => f.get(lines), times)
}

/**
 * (slot, table, mask, bin): one more access of these lanes with these low address bits; slot.ts, PARTIAL_ENTRIES. A key may stand
 * in any of a few neighbouring entries, so that two frequent ones do not drive each other out. Says whether another one had to make
 * room, which is then at {@link EVICTED}.
 */
export function buildCountPartial(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [I32])
  const [slot, table, mask, bin] = [0, 1, 2, 3]
  const [hash, entry, tries, times] = f.many(I32, 4)
  f.get(mask)
    .i32(HASH)
    .op(Op.i32_mul)
    .get(bin)
    .i32(0x85ebca6b | 0)
    .op(Op.i32_mul)
    .op(Op.i32_xor)
  f.i32(32 - Math.log2(PARTIAL_ENTRIES))
    .op(Op.i32_shr_u)
    .set(hash)
  const full = f.block()
  const probe = f.loop()
  f.get(table).get(hash).i32(4).op(Op.i32_shl).op(Op.i32_add).set(entry)
  f.get(entry).memory(Op.i32_load, PARTIAL_TIMES).set(times)
  f.get(entry)
    .memory(Op.i32_load, PARTIAL_MASK)
    .get(mask)
    .op(Op.i32_eq)
    .get(entry)
    .memory(Op.i32_load, PARTIAL_BIN)
    .get(bin)
    .op(Op.i32_eq)
    .op(Op.i32_and)
    .if()
  f.get(entry).get(times).i32(1).op(Op.i32_add).memory(Op.i32_store, PARTIAL_TIMES)
  f.i32(0).op(Op.return).end()
  f.get(times).op(Op.i32_eqz).brIf(full)
  f.get(tries).i32(1).op(Op.i32_add).tee(tries).i32(PARTIAL_TRIES).op(Op.i32_eq).brIf(full)
  f.get(hash)
    .i32(1)
    .op(Op.i32_add)
    .i32(PARTIAL_ENTRIES - 1)
    .op(Op.i32_and)
    .set(hash)
  f.br(probe).end().end()
  f.get(slot).get(entry).memory(Op.v128_load).memory(Op.v128_store, EVICTED)
  f.get(entry).get(mask).memory(Op.i32_store, PARTIAL_MASK)
  f.get(entry).get(bin).memory(Op.i32_store, PARTIAL_BIN)
  f.get(entry).i32(1).memory(Op.i32_store, PARTIAL_TIMES)
  f.get(times).i32(0).op(Op.i32_ne)
  return f
}

/** (histogram, scalar, step, times): one more in the bin of the scalar's low bits, of those a step before it, and so on. */
export function buildCountSteps(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [histogram, scalar, step, times] = [0, 1, 2, 3]
  const bin = f.local(I32)
  const next = f.loop()
  f.get(scalar)
    .i32(HISTOGRAM_BINS - 1)
    .op(Op.i32_and)
    .i32(2)
    .op(Op.i32_shl)
    .get(histogram)
    .op(Op.i32_add)
    .tee(bin)
  f.get(bin).memory(Op.i32_load, 0).i32(1).op(Op.i32_add).memory(Op.i32_store, 0)
  f.get(scalar).get(step).op(Op.i32_sub).set(scalar)
  f.get(times).i32(1).op(Op.i32_sub).tee(times).brIf(next)
  f.end()
  return f
}
