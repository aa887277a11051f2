/**
 * Reads of constant memory at places that are found while the kernel runs (`table[i]` in a loop): LDC and ULDC; those at known places
 * are operands of other instructions and cost nothing, as do those of loops that are written out whole for them (constantLoops.ts). In: a kernel and how often its accesses ran. Out: how long the constant caches
 * take. Source: an H200, tables of 1 to 64 KB walked by 1 to 64 warps (docs/time-model.md, "Constant memory").
 */
import { addressKey, decomposeLinear, valueNumbering } from '../../analysis/facts/address.ts'
import { COUNTING } from '../../analysis/facts/countedRounds.ts'
import { isWarpUniform } from '../../analysis/facts/warpUniform.ts'
import { isKnownInRound, roundsForConstants } from '../../analysis/loops/constantLoops.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, terminatorOf } from '../../ir/graph.ts'
import type { Block, LoadInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { SPACE, sizeOf, storeBytes } from '../../ir/types.ts'
import { isConstantOperand } from '../instructions/instructionCosts.ts'
import type { LaunchCounters } from '../launchCounters.ts'
import { predicatedBlocks } from './latencyChain.ts'
import { isData } from './longestWarp.ts'

/** Of one request: up to 64 bits of every lane. */
const REQUEST_BYTES = 8
/** Cycles of a multiprocessor for a request, and for one that the first level has not. */
const HIT_CYCLES = 2
const MISS_CYCLES = 12
/** What is walked through without misses, however many blocks do. */
const CACHE_BYTES = 8192
/**
 * Warps of a block walk a table together, blocks each for itself: from so many blocks on a multiprocessor they push each other's lines
 * out, and with so many more every request misses.
 */
const BLOCKS_WITHOUT_MISSES = 4
const MORE_UNTIL_ALL_MISS = 8

/**
 * Reads at a place that is the warp's, in a loop that all its lanes go round together, have a cache of their own (ULDC; the stall `imc_miss`), which is
 * far smaller. Own: filters of 64 to 4,000 bytes over tiles and alone, by 1 to 8 blocks of 256 threads on a multiprocessor: 2 cycles a request up to
 * 256 bytes, 24 to 28 from 1,020 bytes and 8 blocks on.
 */
const WARP_HIT_BYTES = 256
const WARP_BYTES_UNTIL_ALL_MISS = 512
const WARP_MISS_CYCLES = 27
const MORE_UNTIL_ALL_WARPS_MISS = 4

/** Own: `cold.cu`, tables of 256 bytes to 32 KB walked once by one warp, in steps of 4 to 512 bytes (12 launches, 8 % off). */
const LINE_BYTES = 64
const FETCHED_BYTES = 256
/** The first read of 256 bytes waits for DRAM, the other lines of these for the level between. */
const FIRST_FETCH_CYCLES = 740
const FIRST_LINE_CYCLES = 115
/**
 * A warp waits for each word more that its lanes want, and longer where the first level has not got it. Own: `anywhere` and `followAnywhere`, tables
 * of 1, 4 and 32 KB read at places without order by 1 to 32 warps of each multiprocessor of an H100: 10, 57 and 92 cycles a word of one warp,
 * 2.2, 10 to 15 and 33 of all.
 */
const FURTHER_WORD_CYCLES = 10
const FIRST_LEVEL_BYTES = 2048
const MISSED_WORD_CYCLES = 100
const MISSED_WORD_PIPE_CYCLES = 33

export interface ConstantReads {
  /** Warp-level requests of the launch. */
  readonly requests: number
  /** Of these, the ones of whole warps at places of their own, and the bytes of all tables that one warp walks through so. */
  readonly warpRequests: number
  readonly warpBytes: number
  /** What one warp walks through of the largest table. */
  readonly bytesWalked: number
  /** Words that lanes want beside their warp's first. */
  readonly furtherWords: number
  /** Words at places that data choose which the first level has not got. */
  readonly missedWords: number
  /** Lines that a multiprocessor touches, and pieces of 256 bytes that it fetches, those that chance finds less what others fetch for it. */
  readonly lines: number
  readonly pieces: number
}

const noReads: ConstantReads = {
  requests: 0,
  warpRequests: 0,
  warpBytes: 0,
  bytesWalked: 0,
  furtherWords: 0,
  missedWords: 0,
  lines: 0,
  pieces: 0,
}
const known = new WeakMap<KernelProgram, boolean>()

/** Once a kernel: most have nothing there, and are launched many times. */
function readsConstants(program: KernelProgram): boolean {
  const before = known.get(program)
  if (before !== undefined) return before
  const isRead = program.kernel.blocks.some(({ instructions }) =>
    instructions.some(
      each =>
        each.op === 'load' &&
        (program.siteIds.get(each)?.constant !== undefined || tableOf(each, new Map<string, Table>()) !== undefined),
    ),
  )
  known.set(program, isRead)
  return isRead
}

/** What a launch reads of one table. */
interface Table {
  readonly size: number
  bytes: number
  warpBytes: number
  /** Offsets that are known. */
  readonly offsets: Set<number>
  /** Bytes of lines and of pieces that a warp's walk touches. */
  lineBytes: number
  pieceBytes: number
  /** Words at places that data choose, of the launch, and those that a multiprocessor finds at places of their own. */
  chosen: number
  scattered: number
}

/**
 * A read under a predicate takes its cycles though no lane wants it (`quasirandomGenerator`: 31 of them a round, of which two fifths have
 * lanes that want them; 26.8 us, 24 of which these are).
 * @param warps of the launch
 * @param multiprocessors that have blocks of it
 */
export function constantReads(
  program: KernelProgram,
  launch: LaunchCounters,
  warps: number,
  multiprocessors: number,
): ConstantReads {
  if (!readsConstants(program)) return noReads
  const { kernel, siteIds } = program
  const { sites } = launch
  const predicatedBy = predicatedBlocks(program)
  const comingTo = (block: Block): number => launch.blocks[kernel.blocks.indexOf(block)]!.warps
  let requests = 0
  let warpRequests = 0
  let furtherWords = 0
  const tables = new Map<string, Table>()
  for (const block of kernel.blocks) {
    const { instructions } = block
    const condition = predicatedBy.get(block)
    const idOf = valueNumbering()
    const asked = new Set<string>()
    const isWrittenOut = roundsForConstants(block) !== undefined
    for (const each of instructions) {
      const ids = siteIds.get(each) ?? {}
      const site = ids.constant
      if (each.op !== 'load') continue
      if (isConstantOperand(each)) {
        if (comingTo(block) > 0)
          tableOf(each, tables)?.offsets.add(decomposeLinear(each.pointer, value => value).offset)
        continue
      }
      if (site === undefined) continue
      const { executed: done = 0, bytes = 0 } = sites[site] ?? {}
      // Lanes that want different words get them one after the other (own: `compute_lut` of enjia, 32 words a request: 64 cycles and misses).
      const words = Math.max(1, bytes / Math.max(1, done * storeBytes(each.type)))
      // What may be in another memory is a read of constant memory only as often as it was one.
      const isAlways = condition !== undefined && Object.keys(ids).length === 1
      const executed = isAlways ? Math.max(done, comingTo(condition)) : done
      const address = decomposeLinear(each.pointer, value => value)
      const { terms } = address
      const isOperand = isWrittenOut && isKnownInRound(each)
      const pieces = isOperand ? 0 : Math.ceil(storeBytes(each.type) / REQUEST_BYTES)
      const together = condition === undefined && words === 1 ? loopOfWarps(program, block) : undefined
      const isOfWarp = together !== undefined && terms.every(({ index }) => isOfWarpIn(index, together))
      for (let piece = 0; piece < pieces; piece++) {
        const place = `${addressKey(address, idOf)}+${Math.floor(address.offset / REQUEST_BYTES) + piece}`
        if (!asked.has(place)) requests += words * executed
        if (!asked.has(place) && isOfWarp) warpRequests += executed
        asked.add(place)
      }
      furtherWords += (words - 1) * executed
      const table = tableOf(each, tables)
      if (!table) continue
      const read = words * (executed / warps)
      if (terms.some(({ index }) => isData(index) || (words > 1 && !isAffine(index)))) {
        table.chosen += words * executed
        // Warps that read one word each are taken to read the same.
        table.scattered += words > 1 ? (words * executed) / multiprocessors : read
      } else {
        table.bytes += read * storeBytes(each.type)
        if (isOfWarp && !isOperand) table.warpBytes += read * storeBytes(each.type)
        const step = Math.max(storeBytes(each.type), Math.min(...terms.map(({ scale }) => Math.abs(scale))))
        table.lineBytes += read * Math.min(step, LINE_BYTES)
        table.pieceBytes += read * Math.min(step, FETCHED_BYTES)
      }
    }
  }
  const all = [...tables.values()]
  return {
    requests,
    warpRequests,
    warpBytes: all.reduce((sum, { warpBytes, size }) => sum + Math.min(warpBytes, size), 0),
    bytesWalked: Math.max(0, ...all.map(({ bytes, size }) => Math.min(bytes, size))),
    furtherWords,
    missedWords: missedOf(all.filter(({ chosen }) => chosen > 0)),
    lines: all.reduce((sum, table) => sum + walked(table, LINE_BYTES) + found(table, LINE_BYTES), 0),
    pieces: all.reduce((sum, table) => sum + walked(table, FETCHED_BYTES) + fetchedByChance(table, multiprocessors), 0),
  }
}

/** The innermost loop around a block, where all lanes of a warp go the same ways in it. */
function loopOfWarps({ kernel, loops }: KernelProgram, block: Block): ReadonlySet<Block> | undefined {
  const at = kernel.blocks.indexOf(block)
  const around = loops.filter(({ first, last }) => first <= at && at <= last)
  if (around.length === 0) return undefined
  const { first, last } = around.reduce((a, b) => (b.last - b.first < a.last - a.first ? b : a))
  const blocks = new Set(kernel.blocks.slice(first, last + 1))
  const isTogether = [...blocks].every(each => {
    const branch = terminatorOf(each)
    return branch.op === 'br' || (branch.op === 'condbr' && isOfWarpIn(branch.condition, blocks))
  })
  return isTogether ? blocks : undefined
}

/** The same for all lanes of a warp that go round a loop together: made of its counters, and of what is the warp's. */
function isOfWarpIn(value: Value, loop: ReadonlySet<Block>, open: readonly Value[] = []): boolean {
  if (open.includes(value)) return true
  if (value.kind !== 'instruction' || !loop.has(value.block)) return isWarpUniform(value)
  const isPart = (part: Value) => isOfWarpIn(part, loop, [...open, value])
  if (value.op === 'phi') return value.incoming.every(incoming => isPart(incoming.value))
  return (COUNTING.has(value.op) || value.op === 'icmp') && operandsOf(value).every(isPart)
}

/** Made of thread numbers, arguments and counters by sums and products with constants; a hash is not. */
function isAffine(value: Value, open: readonly Value[] = []): boolean {
  if (value.kind !== 'instruction' || open.includes(value)) return true
  const isPart = (operand: Value) => isAffine(operand, [...open, value])
  switch (value.op) {
    case 'add':
    case 'sub':
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'phi':
      return operandsOf(value).every(isPart)
    case 'mul':
    case 'shl':
      return isPart(value.left) && value.right.kind !== 'instruction'
    case 'call':
      return calledName(value)?.startsWith('llvm.nvvm.read.ptx.sreg') ?? false
    default:
      return false
  }
}

function tableOf({ pointer }: LoadInstruction, tables: Map<string, Table>): Table | undefined {
  const { root } = decomposeLinear(pointer, value => value)
  if (root.kind !== 'address' || root.target.kind !== 'global') return undefined
  const { name, type, space } = root.target
  if (space !== SPACE.constant) return undefined
  const before = tables.get(name)
  if (before) return before
  const none = { bytes: 0, warpBytes: 0, lineBytes: 0, pieceBytes: 0, chosen: 0, scattered: 0 }
  const table: Table = { size: sizeOf(type), offsets: new Set<number>(), ...none }
  tables.set(name, table)
  return table
}

/** Of words at places that data choose, those that the first level has not got: it has a part of all these tables. */
function missedOf(tables: readonly Table[]): number {
  const sum = (of: (table: Table) => number) => tables.reduce((total, table) => total + of(table), 0)
  const bytes = sum(({ size }) => size)
  return bytes <= FIRST_LEVEL_BYTES ? 0 : sum(({ chosen }) => chosen) * (1 - FIRST_LEVEL_BYTES / bytes)
}

/** How many units of so many bytes are touched at known places and on a walk. */
function walked({ size, offsets, lineBytes, pieceBytes }: Table, unit: number): number {
  const known = new Set([...offsets].map(offset => Math.floor(offset / unit))).size
  return Math.min(
    Math.ceil(size / unit),
    Math.max(known, Math.ceil((unit === LINE_BYTES ? lineBytes : pieceBytes) / unit)),
  )
}

/** How many others chance finds. */
function found(table: Table, unit: number): number {
  const all = Math.ceil(table.size / unit)
  return (all - walked(table, unit)) * (1 - Math.exp(-table.scattered / all))
}

/** Multiprocessors that begin at different places fetch for each other: a level behind has then what the next one wants. */
function fetchedByChance(table: Table, multiprocessors: number): number {
  const pieces = found(table, FETCHED_BYTES)
  return Math.max(Math.min(1, pieces), pieces / multiprocessors)
}

/** Cycles that a warp waits for words that its lanes want one after the other. */
export const constantWaits = ({ furtherWords, missedWords }: ConstantReads, warps: number): number =>
  (FURTHER_WORD_CYCLES * furtherWords + (MISSED_WORD_CYCLES - FURTHER_WORD_CYCLES) * missedWords) / warps

/** Cycles that the first warp of a multiprocessor waits for tables that nobody has read before. */
export const coldConstants = ({ lines, pieces }: Pick<ConstantReads, 'lines' | 'pieces'>): number =>
  FIRST_FETCH_CYCLES * pieces + FIRST_LINE_CYCLES * Math.max(0, lines - pieces)

/** Cycles of one multiprocessor that has all of the reads. @param blocks that a multiprocessor has at once */
export function constantCycles(
  {
    requests,
    warpRequests,
    warpBytes,
    bytesWalked,
    missedWords,
  }: Omit<ConstantReads, 'furtherWords' | 'lines' | 'pieces'>,
  blocks: number,
): number {
  const crowdedBy = (more: number) => share((blocks - BLOCKS_WITHOUT_MISSES) / more)
  const misses = bytesWalked > CACHE_BYTES ? crowdedBy(MORE_UNTIL_ALL_MISS) : 0
  const warpMisses =
    share((warpBytes - WARP_HIT_BYTES) / WARP_BYTES_UNTIL_ALL_MISS) * crowdedBy(MORE_UNTIL_ALL_WARPS_MISS)
  return (
    (requests - warpRequests) * (HIT_CYCLES + misses * (MISS_CYCLES - HIT_CYCLES)) +
    warpRequests * (HIT_CYCLES + warpMisses * (WARP_MISS_CYCLES - HIT_CYCLES)) +
    missedWords * (MISSED_WORD_PIPE_CYCLES - HIT_CYCLES)
  )
}

const share = (part: number): number => Math.min(1, Math.max(0, part))
