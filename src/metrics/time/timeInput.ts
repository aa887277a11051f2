/**
 * What the time model is told of a launch and what it says: the contract of time.ts. Counts are of whole launches unless they say otherwise,
 * cycles are the device's own; what is absent takes nothing. All of it is labelled `modelled`. With the shape of a launch, which the
 * model's parts share.
 */
import type { HostShares } from '../caches/accessTraces.ts'
import type { NarrowPipes } from '../instructions/narrowPipes.ts'
import type { CacheTraffic, LaunchCounters, LaunchTime } from '../launchCounters.ts'
import type { Occupancy } from '../occupancy/occupancy.ts'

/** What an average warp waits for one after the other; from the program's dependences, not from counters. */
export interface LatencyChain {
  /** Times that the warp waits for global or local loads; loads issued before the first is used are one wait. */
  readonly globalWaits: number
  /** Of these, the times that it waits for the texture unit, and the unit's cycles for what it waits for; absent: none. */
  readonly lookups?: number
  readonly lookupCycles?: number
  /** Times that it waits for shared memory. */
  readonly sharedWaits: number
  readonly barriers: number
  /** Times that it waits for L2 to answer an atomic, or that it has all stores (`__threadfence`). */
  readonly l2Trips: number
  /** Calls of printf by the longest warp, and the microseconds that they take it alone. */
  readonly prints: number
  readonly printUs: number
  /** Cycles of instructions that each need the one before, of branches and of loops: on an H200 (`latencies.ts`). */
  readonly dependentCycles: number
  /** Cycles more of the first warp that comes by, since nobody has fetched the code before; absent: none. */
  readonly coldCycles?: number
}

/** What one block of a grid has to do. */
export interface BlockWork {
  readonly chain: LatencyChain
  /** Its instructions over the average block's. */
  readonly work: number
}

export interface TimeInput {
  readonly launch: LaunchCounters
  readonly caches: CacheTraffic
  readonly occupancy: Occupancy
  readonly chain: LatencyChain
  /** Of the average warp of a block, where `chain` is that of the longest one, for which others wait at barriers. */
  readonly averageChain: LatencyChain
  /** The block that has most; absent: all do the same. */
  readonly busiest?: BlockWork | undefined
  /** Warp instructions issued, all warps together, without those of printf. */
  readonly instructions: number
  /** Slots in which nothing was issued since lanes parted, likewise; absent: none. */
  readonly lostSlots?: number
  /** Of these, the ones for narrower pipes; absent: none. */
  readonly pipes?: NarrowPipes
  /** Packets of printf: those of all warps together, and of their lanes; absent: none. */
  readonly prints?: { readonly calls: number; readonly lanes: number }
  /** Microseconds of malloc and free (heapCalls.ts); absent: none. */
  readonly heapUs?: number
  /** Sectors of atomics sent to the slice of L2 that has most (hotSlices.ts); 0 without atomics. */
  readonly hottestAtomicSlice: number
  /** Compare-and-swaps that change one word of global memory in loops; absent: none. */
  readonly swapsOfWord?: number
  /** Cycles that the constant caches take, all multiprocessors together; absent: none. */
  readonly constantCycles?: number
  /** Cycles that an average warp waits for words of constant memory that its lanes want one after the other; absent: none. */
  readonly constantWaits?: number
  /** Cycles that the first block of a multiprocessor waits for code and tables that nobody has fetched before; absent: none. */
  readonly coldCycles?: number
  /** Cycles of sleep, and of waits for the kernel's own clock that no warp went round for (warpClocks.ts); absent: none. */
  readonly skippedCycles?: number
  /** Cycles of a block in the loops that stand for shared atomics (sharedLoops.ts); absent: none. */
  readonly sharedLoopCycles?: number
  /** Cycles of its multiprocessor's shared memory that a block takes for compare-and-swaps that fail; absent: none. */
  readonly sharedTryCycles?: number
  /** Cycles of all L1s together for loads that they have; absent: told from the lines that loads touch. */
  readonly l1LoadCycles?: number | undefined
  /** Share of the grid's blocks that access memory; absent: all. */
  readonly workingBlocks?: number
  /** Cycles of memory pipes that fences take, all multiprocessors together (fences.ts); absent: none. */
  readonly fenceCycles?: number
  /** What goes over the bus to the host's memory; absent: nothing. */
  readonly host?: HostShares
  /** Atomics at the host's word that most of them go to. */
  readonly hostAtomics?: number
}

export type Limiter =
  | 'issue'
  | 'integers'
  | 'multiplies'
  | 'doubles'
  | 'specials'
  | 'tensor'
  | 'constants'
  | 'l1AndShared'
  | 'textures'
  | 'l2'
  | 'stores'
  | 'atomics'
  | 'atomicContention'
  | 'dram'
  | 'hostLink'
  | 'blockStart'
  | 'latency'
  | 'launch'

export interface PredictedTime extends LaunchTime {
  readonly limiter: Limiter
  /** Seconds that each limiter alone would take. */
  readonly limits: Readonly<Record<Limiter, number>>
}

export interface Shape {
  readonly blocks: number
  readonly warps: number
  /** Multiprocessors that get a block. */
  readonly active: number
  /** Work of the busiest multiprocessor over the average one's. */
  readonly imbalance: number
  /** Blocks that a multiprocessor has at once, on average over the rounds. */
  readonly places: number
  /** How many blocks one place of a multiprocessor runs, one after the other. */
  readonly rounds: number
  /** Of a block's life, the part in which an average warp of it has not ended. */
  readonly stay: number
}

export type BlockShape = Pick<Shape, 'blocks' | 'warps'>
