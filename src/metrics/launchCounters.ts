/**
 * What the metrics are computed from: one launch, its sites with their counters, and what models added to it.
 * In: a launch's outcome as the executors report it (launch.ts, trace.ts). Out: sums over sites. Nothing here knows names.
 */
import type { TextureLookup } from '../ir/ir.ts'
import type { Dim3, LoopWork } from '../launch.ts'
import type { AccessOp, Site, SiteCounters, Space } from '../trace.ts'
import type { Doubt } from './certainty/doubts.ts'

export type CountedSite = Site & SiteCounters

/** What functions of the machine's library, printf and malloc, add to a launch's own; sectors of 32 bytes. */
export interface LibraryTraffic {
  readonly loadRequests: number
  readonly loadSectors: number
  readonly storeRequests: number
  readonly storeSectors: number
}

/** Of those that there are; undefined where there is none. */
export function sumOfTraffic(parts: readonly (LibraryTraffic | undefined)[]): LibraryTraffic | undefined {
  const all = parts.filter(part => part !== undefined)
  if (all.length <= 1) return all[0]
  const sum = (of: (part: LibraryTraffic) => number) => all.reduce((total, part) => total + of(part), 0)
  return {
    loadRequests: sum(part => part.loadRequests),
    loadSectors: sum(part => part.loadSectors),
    storeRequests: sum(part => part.storeRequests),
    storeSectors: sum(part => part.storeSectors),
  }
}

export function timesTraffic(traffic: LibraryTraffic, times: number): LibraryTraffic {
  return {
    loadRequests: times * traffic.loadRequests,
    loadSectors: times * traffic.loadSectors,
    storeRequests: times * traffic.storeRequests,
    storeSectors: times * traffic.storeSectors,
  }
}

/** One basic block of the kernel: how often warps ran it, with how many lanes, and how long it is. */
export interface BlockCount {
  /** Warp-level executions. */
  readonly warps: number
  /** Active lanes, summed over them. */
  readonly threads: number
  /** Instructions of the block as the machine would have them (estimated from the IR); absent where nobody counted. */
  readonly instructions?: number
  /** Of these, floating-point arithmetic by kind; absent where nobody counted. */
  readonly floats?: FloatCounts
}

/** Floating-point arithmetic as the machine names it: f in single, d in double precision. */
export const floatKinds = ['fadd', 'fmul', 'ffma', 'dadd', 'dmul', 'dfma'] as const
export type FloatKind = (typeof floatKinds)[number]
export type FloatCounts = Readonly<Record<FloatKind, number>>

/** Traffic below the L1, as the cache model (caches.ts) predicts it. Sectors are 32 bytes. */
export interface CacheTraffic {
  readonly l1GlobalLoadSectorHits: number
  readonly l1LocalLoadSectorHits: number
  /** L1 read misses that reach L2. */
  readonly l2ReadSectors: number
  readonly l2ReadSectorHits: number
  /** Lines, up to four sectors each, in which L1 asks for them; absent: not known. */
  readonly l2ReadRequests?: number
  /** Stores write through to L2. */
  readonly l2WriteSectors: number
  /** Of these, the ones that not all of is written; absent: none. */
  readonly l2PartialSectors?: number
  /** Share of the lines of stores that go to L2 by themselves, not with others: 0 to 1; absent: all. */
  readonly storeLinesSent?: number
  /** Share of those lines that are stored in part while they come from DRAM for others: 0 to 1; absent: none. */
  readonly storeLinesAmongLoads?: number
  /** Lines that a thread stores to while it still waits for a part of them from DRAM, and so many of one load; absent: none. */
  readonly linesStoredUpon?: number
  readonly linesStoredUponByLoad?: number
  /** Cycles that stores take of the slice of L2 that has most of them (hotSlices.ts); absent: not known. */
  readonly storeSliceCycles?: number
  readonly l2AtomicSectors: number
  readonly l2ReductionSectors: number
  readonly dramReadBytes: number
  /** Of these, what is read in no order; absent: none. */
  readonly dramScatteredBytes?: number
  readonly dramWriteBytes: number
  /** Of these, what is written back in no order; absent: none. */
  readonly dramScatteredWriteBytes?: number
  /** Of both, what stores to single sectors of lines make DRAM do, a part of a sector each; absent: none. */
  readonly dramPartialBytes?: number
  /**
   * Shares of the waits for loads that end with L1, L2 and DRAM; hits on lines that are on their way wait with the miss before them. And
   * how many loads out of DRAM such a wait is for.
   */
  readonly loadLevels?: Readonly<Record<'l1' | 'l2' | 'dram' | 'dramLoads', number>>
}

/** A launch's predicted duration (time.ts). */
export interface LaunchTime {
  readonly seconds: number
  /** Clock cycles of a multiprocessor. */
  readonly cycles: number
  /** Warps resident on an active multiprocessor, averaged over the time that it is active. */
  readonly averageActiveWarps: number
  /** Share of the duration in which a multiprocessor has work, averaged over them: 0 to 1. */
  readonly activeShare: number
  /** Shares of the duration in which parts of the machine are busy, averaged over the device: 0 to 1. */
  readonly busy: Readonly<Record<BusyPart, number>>
}

/** Parts of the machine whose throughput the time model knows beside DRAM's: instruction issue, L1 with shared memory, L2. */
export type BusyPart = 'issue' | 'l1' | 'l2'

/** Warp-level instructions of the texture units of one kind, and their requests. */
export interface TextureAccesses {
  readonly instructions: number
  readonly requests: number
}

/** What a launch asks of the texture units. */
export interface TextureWork extends Readonly<Record<TextureLookup['kind'], TextureAccesses>> {
  /** Of the texture units, all multiprocessors together. */
  readonly cycles: number
  /** Reads and writes of texels, as observers see them: a filter reads several a lookup. */
  readonly texelLoads: number
  readonly texelStores: number
}

export interface LaunchCounters {
  readonly sites: readonly CountedSite[]
  readonly blocks: readonly BlockCount[]
  /** Absent where no loop went round more than once, or nobody watched. */
  readonly loopWork?: LoopWork
  readonly grid: Dim3
  readonly block: Dim3
  readonly staticSharedBytes: number
  readonly dynamicSharedBytes: number
  /** Percent of a multiprocessor's shared memory that the program asked for with cudaFuncSetAttribute. */
  readonly preferredCarveout?: number | undefined
  /** Undefined where nobody stated or estimated it: metrics that need it are then left out. */
  readonly registersPerThread?: number
  /** `measured`: from the user or the machine compiler's listing; `estimated`: from the IR. */
  readonly registersSource?: 'measured' | 'estimated'
  /** Why some counters may differ from the hardware's in this kernel. */
  readonly doubts?: readonly Doubt[]
  /** Kepler's shared memory mode; 4 where unset. */
  readonly sharedBankBytes?: 4 | 8
  /** Absent where the kernel has neither printf nor a heap. */
  readonly library?: LibraryTraffic | undefined
  /** Absent where the kernel has neither textures nor surfaces. */
  readonly textures?: TextureWork | undefined
  readonly caches?: CacheTraffic
  readonly time?: LaunchTime
}

export const threadsPerBlock = ({ block }: Pick<LaunchCounters, 'block'>): number => block.x * block.y * block.z
export const blocksInGrid = ({ grid }: Pick<LaunchCounters, 'grid'>): number => grid.x * grid.y * grid.z

/** Atomics of both kinds: with a result (ATOM) and without (RED). */
export const atomicOps: readonly AccessOp[] = ['atomic', 'red']
export const allOps: readonly AccessOp[] = ['load', 'store', 'atomic', 'red']

/** Sum of `of` over the launch's sites in one space with one of the operations. */
export function sumSites(
  { sites }: Pick<LaunchCounters, 'sites'>,
  space: Space,
  ops: readonly AccessOp[],
  of: (site: CountedSite) => number,
): number {
  let sum = 0
  for (const site of sites) if (site.space === space && ops.includes(site.op)) sum += of(site)
  return sum
}

/** Bytes that the program asked for: a broadcast counts once a lane. */
export const requestedBytes = (site: CountedSite): number => site.threads * site.width
