/**
 * The memory of one execution slot: what a worker needs while it runs blocks, in the system region of device memory
 * (addressSpace.ts). Fixed part first, at these byte offsets; then what depends on the kernel ({@link KernelLayout}).
 */
import { alignUp } from '../ir/types.ts'

/** A kernel module's function that fills memory with zeros: (offset, bytes). */
export const CLEAR = 'clear'
/**
 * Another one that looks for what is not zero: (offset, end), a piece's size apart, gives the offset of the next piece of
 * {@link USED_BYTES} with a bit set, or `end`.
 */
export const NEXT_USED = 'nextUsed'
export const USED_BYTES = 16

/** 32 byte offsets of lanes' addresses in device memory. */
export const ADDRESSES = 0
/**
 * Values on their way to memory: element c of lane l at VALUES + 128 c + 4 l, or + 256 c + 8 l for 64-bit elements.
 * At most 16 elements of a byte each.
 */
export const VALUES = 128
/** Values from memory, laid out likewise. */
export const RESULTS = VALUES + 2048
/** 32 bytes: words that fall in each bank, for conflicts. */
export const BANKS = RESULTS + 2048
/** u32: stamp of the sets below; a new stamp empties them. */
export const STAMP = BANKS + 32
/** u32 each: the linear index of the block at hand, and of its warp; read when a launch stops. */
export const CURRENT_BLOCK = STAMP + 4
export const CURRENT_WARP = STAMP + 8
/** u32 each, two of each, used in turns: what the threads at a barrier with a reduction contributed. */
export const BARRIER_COUNT = STAMP + 16
/** u32: not 0 while accesses are shown to an observer, one by one (kernels compiled for it). */
export const OBSERVING = STAMP + 12
export const BARRIER_AND = STAMP + 24
export const BARRIER_OR = STAMP + 32
/** A set of up to 64 addresses (entry: u32 key, u32 stamp), open addressing. */
export const SETS = BANKS + 128
export const SET_ENTRIES = 128
export const SET_BYTES = SET_ENTRIES * 8
/** 32 addresses in ascending order. */
export const SORTED = SETS + SET_BYTES
/** Arguments and results of calls out of WebAssembly: 8 bytes a lane, 256 bytes an argument. */
export const CALL_ARGUMENTS = SORTED + 128
export const MOST_CALL_ARGUMENTS = 16
export const CALL_RESULTS = CALL_ARGUMENTS + MOST_CALL_ARGUMENTS * 256
/** Copies of what loads read whose lanes at rest point out of memory (deferredLoads.ts). */
export const IMAGES = CALL_RESULTS + 4 * 256
export const IMAGES_BYTES = 8192
/** The factors of a matrix product as helpersMatrix.ts multiplies them, then operands whose words lie apart. */
export const FACTOR_A = alignUp(IMAGES + IMAGES_BYTES, 256)
export const FACTOR_B = FACTOR_A + 2048
export const OPERANDS = FACTOR_B + 2048
export const OPERAND_BYTES = 2048
/** Values of several warps that are written together (gatheredStores.ts), 128 bytes a warp. */
export const GATHERED = OPERANDS + 4 * OPERAND_BYTES
export const GATHERED_BYTES = 16 * 128
/** u32 each: the turns that an access takes of each bank; then as many for lanes that take none. */
export const BANK_TURNS = GATHERED + GATHERED_BYTES
/** u32 each: where the word of a lane has its stamp, less the stamps' offset, and where its bank has its turns, less theirs. */
export const LANE_STAMPS = BANK_TURNS + 2 * 32 * 4
export const LANE_BANKS = LANE_STAMPS + 32 * 4
/**
 * i64 each, of kernels with loops: the work of loops' further rounds by the blocks so far, of the one of them that had most, what
 * the block at hand had left or got of fuel, and the sum of the most that one warp of each block did between two barriers (loopWork.ts).
 */
export const LOOP_WORK = LANE_BANKS + 32 * 4
export const MOST_LOOP_WORK = LOOP_WORK + 8
export const BLOCK_FUEL = LOOP_WORK + 16
export const LONGEST_LOOP_WORK = LOOP_WORK + 24
/** An entry that had to leave a table of partial accesses, and the addresses that it stands for, as ADDRESSES. */
export const EVICTED = alignUp(LONGEST_LOOP_WORK + 8, 16)
export const EVICTED_ADDRESSES = EVICTED + 16
/** u32: not 0 while nobody else runs blocks of the launch. */
export const ALONE = EVICTED_ADDRESSES + 128
export const FIXED_BYTES = alignUp(ALONE + 4, 256)

/** Where a copy's bytes go, as ADDRESSES: nothing else is on its way to memory while it is counted. */
export const DESTINATIONS = VALUES

/** u64 counters of a site, in this order; see trace.ts for their meaning. */
export const SITE_FIELDS = [
  'executed',
  'threads',
  'bytes',
  'sectors',
  'sectorsIdeal',
  'tags',
  'wavefronts',
  'wavefrontsIdeal',
] as const
export const SITE_BYTES = SITE_FIELDS.length * 8

/**
 * Full-warp accesses whose lanes differ by a vector that the launch fixes are counted by the low 7 bits of the scalar part:
 * u32 each. Everything that the rules of memory look at follows from these bits and the vector.
 */
export const HISTOGRAM_BINS = 128
export const HISTOGRAM_BYTES = HISTOGRAM_BINS * 4

export const RUN_STEP_BYTES = 4

/**
 * The same for accesses of some lanes: a table with an entry (u32 mask, u32 low bits, u32 count, 4 bytes unused) for each mask
 * and alignment met lately; what has to make room is counted at once (evictedPartials.ts).
 */
export const PARTIAL_ENTRIES = 32
export const PARTIALS_BYTES = PARTIAL_ENTRIES * 16
export const PARTIAL_MASK = 0
export const PARTIAL_BIN = 4
export const PARTIAL_TIMES = 8

/**
 * A site's last pattern of arbitrary addresses (helpersRepeat.ts): 32 distances, u32 each, from the line of 128 bytes that holds
 * the first lane's address; then, at these offsets: u32 whether there is one, u32 accesses to count without looking, u32 misses
 * in a row, u32 where the highest lane's 4 bytes end, u64 repetitions, the counters of one access.
 */
export const PATTERN_KNOWN = 128
export const PATTERN_REST = 132
export const PATTERN_MISSES = 136
export const PATTERN_TOP = 140
export const PATTERN_HITS = 144
export const PATTERN_COUNTS = 152
export const PATTERN_BYTES = 256

/** Offsets from the slot's start of what depends on the kernel. */
export interface KernelLayout {
  readonly siteCounters: number
  /** Two u64 a block of the kernel: warp-level executions, active lanes. */
  readonly blockCounters: number
  /** One u64 a block of the kernel: executions by all lanes that the block counters do not have yet. */
  readonly fullExecutions: number
  /** One histogram a site. */
  readonly histograms: number
  /** The same for accesses that are counted a block at a time (warpRuns.ts). */
  readonly runs: number
  /** One u32 a site: the step of its run, where the launch decides it. */
  readonly runSteps: number
  /** One table of partial accesses a site. */
  readonly partials: number
  /** One pattern a site. */
  readonly patterns: number
  /** Of a kernel that times itself, u32 for each warp and each block of the kernel: passages since the clock was told of them. */
  readonly passages: number
  /** What checked kernels need not tell ({@link layoutQuiet}). */
  readonly quiet: number
  /** For each word of shared memory, u32: the stamp of the pass that touched it last. */
  readonly wordStamps: number
  /** Of checked kernels, tags of shared memory (checking/tagCode.ts). */
  readonly tags: number
  /** 128 bytes each, as many as the kernel turns out to need. */
  readonly laneTables: number
}

/** The most that any GPU gives to a block. */
const MOST_SHARED_WORDS = (256 * 1024) / 4

/**
 * What checked kernels keep for themselves (codegen/checking/quiet.ts), from {@link KernelLayout}.quiet on, u32 each: where the next access
 * of shared memory is kept, and where there is no more room for reads, writes and atomic operations; the same two for calls; where shared
 * memory begins and its bytes. Then the accesses, the calls, and of each site the start and the bytes of the memory where its accesses are
 * nothing to tell.
 */
export const QUIET_NEXT = 0
export const QUIET_READS_END = 4
export const QUIET_WRITES_END = 8
export const QUIET_ATOMICS_END = 12
export const QUIET_CALLS_NEXT = 16
export const QUIET_CALLS_END = 20
export const QUIET_SHARED = 24
export const QUIET_SHARED_BYTES = 28
export const QUIET_EVENTS = 32
/** u32 each: what would be told, the lanes, the warp, of a row in shared memory the address in the block's window. */
export const QUIET_EVENT_BYTES = 16
/** Of an access that is no row: the same, the units of a lane, and behind them the addresses of the lanes. */
export const QUIET_ADDRESSES = 32
export const QUIET_LANES_BYTES = QUIET_ADDRESSES + 128
export const MOST_QUIET_EVENTS = 8192
export const QUIET_CALLS = QUIET_EVENTS + MOST_QUIET_EVENTS * QUIET_EVENT_BYTES
export const MOST_QUIET_CALLS = 512
export const QUIET_RANGES = QUIET_CALLS + MOST_QUIET_CALLS * QUIET_EVENT_BYTES
export const QUIET_RANGE_BYTES = 8

/**
 * @param timedWarps warps of a block, in a kernel that times itself; else 0
 * @param tagBytes of a kernel that tells a launch's checker of its accesses, else undefined
 */
export function layoutSlot(
  sites: number,
  blocks: number,
  usesShared: boolean,
  timedWarps: number,
  tagBytes: number | undefined,
): KernelLayout {
  const siteCounters = FIXED_BYTES
  const blockCounters = siteCounters + sites * SITE_BYTES
  const fullExecutions = blockCounters + blocks * 16
  const histograms = alignUp(fullExecutions + blocks * 8, 128)
  const runs = histograms + sites * HISTOGRAM_BYTES
  const runSteps = runs + sites * HISTOGRAM_BYTES
  const partials = alignUp(runSteps + sites * RUN_STEP_BYTES, 16)
  const patterns = partials + sites * PARTIALS_BYTES
  const passages = patterns + sites * PATTERN_BYTES
  const quiet = alignUp(passages + timedWarps * blocks * 4, 16)
  const wordStamps = alignUp(quiet + (tagBytes !== undefined ? QUIET_RANGES + sites * QUIET_RANGE_BYTES : 0), 16)
  const tags = wordStamps + (usesShared ? MOST_SHARED_WORDS * 4 : 0)
  const laneTables = alignUp(tags + (tagBytes ?? 0), 16)
  return {
    siteCounters,
    blockCounters,
    fullExecutions,
    histograms,
    runs,
    runSteps,
    partials,
    patterns,
    passages,
    quiet,
    wordStamps,
    tags,
    laneTables,
  }
}

/** The area that all slots of a launch share, at LAUNCH_OFFSET: grid dimensions, thread index table, arguments. */
export const LAUNCH_OFFSET = 0x1_0000
export const LAUNCH_GRID = 0
export const LAUNCH_DYNAMIC_SHARED = 12
/** Static and dynamic shared memory of a block. */
export const LAUNCH_SHARED_BYTES = 16
/** Blocks of a cluster along each axis. */
export const LAUNCH_CLUSTER = 20
/** From the shared memory of a block to that of the next one of its cluster. */
export const LAUNCH_WINDOW_STRIDE = 32
export const LAUNCH_PARAMETERS = 64
export const LAUNCH_PARAMETER_BYTES = 32_768
export const LAUNCH_THREADS = LAUNCH_PARAMETERS + LAUNCH_PARAMETER_BYTES
export const LAUNCH_BYTES = LAUNCH_THREADS + 32 * 3 * 128
export const SLOTS_OFFSET = alignUp(LAUNCH_OFFSET + LAUNCH_BYTES, 0x1_0000)
