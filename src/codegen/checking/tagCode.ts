/**
 * Tags of one block's shared memory, two for each unit, the least that the kernel accesses: the thread that wrote it last and the thread that read it
 * since all threads met last. WebAssembly looks at them: each function here notes what some lanes of a warp do, a unit after the other, or four
 * at a time where the lanes' units follow each other. Functions of lanes are (region, first, mask, base, distances, units), those of runs (region,
 * first, mask, unit), where `first` is the tag of lane 0; both say whether no other thread had to do with it. Who begins epochs: check/sharedTags.ts.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { type Callable, type FunctionBuilder, I32, ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'

/** The low bits of a tag are the thread, or one of the two below; the others are the epoch. */
export const EPOCH = 1 << 11
export const SEVERAL_THREADS = 1024
/** Any threads, by atomic operations alone. */
export const ATOMICALLY = 1025

/** Words at the start of a region: the first tag of the epoch, of the block, units without a tag of the block, log2 of a unit's bytes. */
export const SINCE = 0
export const BLOCK_SINCE = 4
export const UNWRITTEN = 8
export const UNIT_LOG2 = 12
/** Where the tags of those who write begin, and how much further those of readers are. */
export const WRITERS = 16
export const APART = 20
/** Whether somebody has written in the epoch, and whether reads of what nobody wrote are looked for. */
export const HAS_WRITES = 24
export const ASKS_UNWRITTEN = 28
/** The distances of the lanes of an access that is no row's. */
export const DISTANCES = 32
/** Of each row: where its run begins or NO_RUN, units of an access, and the distances of its lanes. */
export const ROWS = 160
export const ROW_RUN = 0
export const ROW_UNITS = 4
export const ROW_DISTANCES = 16
export const ROW_BYTES = ROW_DISTANCES + 128
/** Further ones have no place there. */
export const MOST_ROWS = 128
export const NO_RUN = -(2 ** 31)
const TAGS = ROWS + MOST_ROWS * ROW_BYTES
/** What a run may look at behind the last unit. */
const RUN_BYTES = 128
/** The most that any GPU gives to a block. */
const MOST_SHARED_BYTES = 256 * 1024

export interface TagLayout {
  readonly units: number
  readonly writers: number
  readonly readers: number
  readonly bytes: number
}

export function layoutTags(sharedBytes: number, unitLog2: number): TagLayout {
  const units = (sharedBytes + (1 << unitLog2) - 1) >> unitLog2
  const readers = TAGS + units * 4 + RUN_BYTES
  return { units, writers: TAGS, readers, bytes: readers + units * 4 + RUN_BYTES }
}

/** Bytes of the tags of any block of a kernel; 0 where it has nothing in shared memory. */
export function mostTagBytes(program: KernelProgram): number {
  const unitLog2 = unitLog2Of(program)
  return unitLog2 === undefined ? 0 : layoutTags(MOST_SHARED_BYTES, unitLog2).bytes
}

/** log2 of the bytes of the least that a kernel accesses in shared memory, of words at most; undefined where it does not. */
export function unitLog2Of({ sites }: KernelProgram): number | undefined {
  const widths = sites.filter(({ space }) => space === 'shared').map(({ width }) => width)
  return widths.length === 0 ? undefined : Math.log2(Math.min(4, ...widths))
}

/** Units of an access of so many bytes. */
export const unitsOf = (width: number, unitLog2: number): number => width >> unitLog2 || 1

/** The distance of lane 0 where the units of all lanes follow each other; else NO_RUN. */
export function runOf(distances: Int32Array, width: number, unitLog2: number): number {
  const first = distances[0]!
  const isRun = unitsOf(width, unitLog2) === 1 && distances.every((at, lane) => at === first + (lane << unitLog2))
  return isRun ? first : NO_RUN
}

const GROUPS = 8

export const LANE_FUNCTIONS = ['read', 'write', 'atomic', 'written', 'known'] as const
export type LaneFunction = (typeof LANE_FUNCTIONS)[number]
export const RUN_FUNCTIONS = ['readRun', 'writeRun'] as const
export type RunFunction = (typeof RUN_FUNCTIONS)[number]

/** The functions by their names; any memory will do. */
export function tagModule(): WebAssembly.Module {
  const module = new ModuleBuilder()
  for (const name of LANE_FUNCTIONS) buildLanes(module, name, name)
  for (const name of RUN_FUNCTIONS) buildRun(module, name, name)
  return new WebAssembly.Module(module.finish({ initialPages: 1, maximumPages: 65536 }))
}

/** Locals of a function that looks at one unit. */
interface Unit {
  readonly region: number
  readonly since: number
  readonly own: number
  /** Where the writer's tag is, and the reader's, and both. */
  readonly at: number
  readonly readerAt: number
  readonly writer: number
  readonly reader: number
}

export function buildLanes(module: ModuleBuilder, name: LaneFunction, exportName?: string): Callable {
  const f = module.function([I32, I32, I32, I32, I32, I32], [I32], exportName)
  const [region, first, mask, base, distances, units] = [0, 1, 2, 3, 4, 5]
  const [since, own, at, readerAt, writer, reader] = f.many(I32, 6)
  const [lane, left, apart] = f.many(I32, 3)
  const unit: Unit = { region, since, own, at, readerAt, writer, reader }
  f.get(region).memory(Op.i32_load, SINCE).set(since)
  f.get(region).memory(Op.i32_load, APART).set(apart)
  const done = f.block()
  const again = f.loop()
  f.get(mask).op(Op.i32_eqz).brIf(done)
  f.get(mask).op(Op.i32_ctz).tee(lane).get(first).op(Op.i32_or).set(own)
  f.get(mask).get(mask).i32(1).op(Op.i32_sub).op(Op.i32_and).set(mask)
  f.get(distances).get(lane).i32(2).op(Op.i32_shl).op(Op.i32_add).memory(Op.i32_load).get(base).op(Op.i32_add)
  f.get(region).memory(Op.i32_load, UNIT_LOG2).op(Op.i32_shr_u).i32(2).op(Op.i32_shl)
  f.get(region).memory(Op.i32_load, WRITERS).op(Op.i32_add).set(at)
  f.get(units).set(left)
  const nextUnit = f.loop()
  f.get(at).get(apart).op(Op.i32_add).set(readerAt)
  f.get(at).memory(Op.i32_load).set(writer)
  if (name !== 'written' && name !== 'known') f.get(readerAt).memory(Op.i32_load).set(reader)
  NOTES[name](f, unit)
  f.get(at).i32(4).op(Op.i32_add).set(at)
  f.get(left).i32(1).op(Op.i32_sub).tee(left).brIf(nextUnit)
  f.end().br(again).end().end().i32(1)
  return f
}

const NOTES: Readonly<Record<LaneFunction, (f: FunctionBuilder, unit: Unit) => void>> = {
  read: (f, { since, own, writer, readerAt, reader }) => {
    pushIsOther(f, writer, since, own)
    leaveIf(f)
    f.get(reader).get(own).op(Op.i32_ne).if()
    f.get(readerAt)
    f.get(own).get(since).i32(SEVERAL_THREADS).op(Op.i32_or).get(reader).get(since).op(Op.i32_lt_s).op(Op.select)
    f.memory(Op.i32_store).end()
  },
  write: (f, unit) => {
    const { since, own, writer, reader, at } = unit
    pushIsOther(f, writer, since, own)
    pushIsOther(f, reader, since, own)
    f.op(Op.i32_or)
    leaveIf(f)
    noteFirst(f, unit)
    f.get(at).get(own).memory(Op.i32_store)
  },
  atomic: (f, unit) => {
    const { since, own, writer, reader, at } = unit
    pushIsOther(f, reader, since, own)
    pushIsOther(f, writer, since, own)
    f.get(writer).get(since).i32(ATOMICALLY).op(Op.i32_or).op(Op.i32_ne).op(Op.i32_and).op(Op.i32_or)
    leaveIf(f)
    f.get(writer).get(since).op(Op.i32_lt_s).if()
    noteFirst(f, unit)
    f.get(at).get(since).i32(ATOMICALLY).op(Op.i32_or).memory(Op.i32_store).end()
  },
  /** Only that somebody writes. */
  written: (f, unit) => {
    noteFirst(f, unit)
    f.get(unit.at).get(unit.since).i32(SEVERAL_THREADS).op(Op.i32_or).memory(Op.i32_store)
  },
  /** Whether somebody of the block has written all that is read. */
  known: (f, { region, writer }) => {
    f.get(writer).get(region).memory(Op.i32_load, BLOCK_SINCE).op(Op.i32_lt_s)
    leaveIf(f)
  },
}

/** Pushes whether a tag is another thread's, of this epoch. */
function pushIsOther(f: FunctionBuilder, tag: number, since: number, own: number): void {
  f.get(tag).get(since).op(Op.i32_ge_s).get(tag).get(own).op(Op.i32_ne).op(Op.i32_and)
}

const leaveIf = (f: FunctionBuilder): void => {
  f.if().i32(0).op(Op.return).end()
}

/** A unit that nobody of the block has written before is one fewer of these. */
function noteFirst(f: FunctionBuilder, { region, writer }: Unit): void {
  f.get(region).get(region).memory(Op.i32_load, UNWRITTEN)
  f.get(writer).get(region).memory(Op.i32_load, BLOCK_SINCE).op(Op.i32_lt_s).op(Op.i32_sub)
  f.memory(Op.i32_store, UNWRITTEN)
}

/** Where another thread had to do with it, tags are no more than a mark that somebody of the block has written there. */
export function buildRun(module: ModuleBuilder, name: RunFunction, exportName?: string): Callable {
  const f = module.function([I32, I32, I32, I32], [I32], exportName)
  const [region, first, mask, unit] = [0, 1, 2, 3]
  const [at, readerAt] = f.many(I32, 2)
  const [since, blockSince, hit, fresh, own, writer, reader, lanes] = f.many(V128, 8)
  f.get(region).memory(Op.i32_load, SINCE).op(Op.i32x4_splat).set(since)
  f.get(region).memory(Op.i32_load, BLOCK_SINCE).op(Op.i32x4_splat).set(blockSince)
  f.get(region).memory(Op.i32_load, WRITERS).get(unit).i32(2).op(Op.i32_shl).op(Op.i32_add).tee(at)
  f.get(region).memory(Op.i32_load, APART).op(Op.i32_add).set(readerAt)
  const pushIsOtherOf = (tag: number): void => {
    f.get(tag).get(since).op(Op.i32x4_ge_s).get(tag).get(own).op(Op.i32x4_ne).op(Op.v128_and)
  }
  const pushSeveral = (): void => {
    f.get(since).i32(SEVERAL_THREADS).op(Op.i32x4_splat).op(Op.v128_or)
  }
  /** Stores what is on the stack for the lanes that run, behind the address that is below it. */
  const storeOver = (before: number, offset: number): void => {
    f.get(before).get(lanes).op(Op.v128_bitselect).memory(Op.v128_store, offset)
  }
  for (let group = 0; group < GROUPS; group++) {
    const offset = group * 16
    const [a, b, c, d] = [0, 1, 2, 3].map(lane => group * 4 + lane) as [number, number, number, number]
    const bits: [number, number, number, number] = [1 << a, 1 << b, 1 << c, 1 << d]
    f.get(mask).op(Op.i32x4_splat).v128(bits).op(Op.v128_and).v128(bits).op(Op.i32x4_eq).set(lanes)
    f.get(first).op(Op.i32x4_splat).v128([a, b, c, d]).op(Op.v128_or).set(own)
    f.get(at).memory(Op.v128_load, offset).set(writer)
    f.get(readerAt).memory(Op.v128_load, offset).set(reader)
    pushIsOtherOf(writer)
    if (name === 'writeRun') {
      pushIsOtherOf(reader)
      f.op(Op.v128_or)
    }
    f.get(lanes).op(Op.v128_and).get(hit).op(Op.v128_or).set(hit)
    if (name === 'readRun') {
      f.get(readerAt)
      pushSeveral()
      f.get(own)
      pushIsOtherOf(reader)
      f.op(Op.v128_bitselect)
      storeOver(reader, offset)
    } else {
      f.get(fresh).get(writer).get(blockSince).op(Op.i32x4_lt_s).get(lanes).op(Op.v128_and).op(Op.i32x4_sub).set(fresh)
      f.get(at).get(own)
      storeOver(writer, offset)
    }
  }
  if (name === 'writeRun') {
    f.get(fresh).op(Op.v128_any_true).if()
    f.get(region).get(region).memory(Op.i32_load, UNWRITTEN)
    for (const lane of [0, 1, 2, 3]) f.get(fresh).lane(Op.i32x4_extract_lane, lane).op(Op.i32_sub)
    f.memory(Op.i32_store, UNWRITTEN).end()
  }
  f.get(hit).op(Op.v128_any_true).op(Op.i32_eqz)
  return f
}
