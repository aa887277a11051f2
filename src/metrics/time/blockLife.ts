/**
 * How long a block lives on an otherwise idle memory system, one wait after the other. In: its chain of dependent waits, and the launch's
 * counters, which tell how long a wait is. Out: cycles.
 */
import { ALU } from '../instructions/latencies.ts'
import { allOps, sumSites } from '../launchCounters.ts'
import { linesOf, linesSent, SECTOR_BYTES, sharedWavefronts } from './throughputs.ts'
import type { BlockShape, BlockWork, TimeInput } from './timeInput.ts'
import type { TimeParameters } from './timeParameters.ts'

/** An atomic's answer, or a fence's, in latencies of a load from L2 (own: 558 and 600 cycles for one after the other, and 281). */
export const TRIP = 2

/**
 * What a wait takes longer than for one line, since lines come one after the other: so many a wait, and so many sectors from L2.
 * Own: local memory at places that lanes choose takes no longer for it (`latency.cu`, `c_local`).
 */
function burstCycles({ launch, caches, chain }: TimeInput, shape: BlockShape, p: TimeParameters): number {
  if (chain.globalWaits === 0) return 0
  const waits = shape.blocks * shape.warps * chain.globalWaits
  const loaded = sumSites(launch, 'global', ['load'], s => s.tags) / waits
  const lines = p.l1CyclesPerLine * loaded
  const fromL2 = (SECTOR_BYTES * caches.l2ReadSectors) / p.l2BytesPerCycle / waits
  // Each line of a load comes behind one of the warp's own stores of the round before (own: `rows.cu`, copies by one warp; `inMemory` of
  // machine_nests.cu, whose loads have one line, does not wait for the 32 that it stores).
  const stored = Math.min(loaded, linesSent(launch, caches) / waits)
  const stores = (1 - 1 / Math.max(1, chain.globalWaits)) * p.storeLineCycles * stored
  return Math.max(0, Math.max(lines, fromL2) - p.l1CyclesPerLine) + stores
}

/** Cycles from a wait for global loads to its end: a warp waits for the slowest line of the batch. */
export function globalLatency(
  { launch, caches, chain, host }: TimeInput,
  shape: BlockShape,
  p: TimeParameters,
): number {
  const sectors =
    sumSites(launch, 'global', ['load'], s => s.sectors) + sumSites(launch, 'local', ['load'], s => s.sectors)
  if ((sectors === 0 && !launch.textures) || chain.globalWaits === 0) return 0
  const levels = caches.loadLevels
  if (levels) {
    const last = Math.log2(Math.max(1, levels.dramLoads))
    const dramLatency = p.dramLatency * (1 + p.dramLatencyOfTwice * last)
    const hostShare = host?.loads ?? 0
    const beyondL1 = levels.l2 + levels.dram
    const onDevice = levels.l2 * p.l2Latency + levels.dram * dramLatency
    return levels.l1 * p.l1Latency + (1 - hostShare) * onDevice + hostShare * beyondL1 * p.hostLatency
  }
  const hits = caches.l1GlobalLoadSectorHits + caches.l1LocalLoadSectorHits
  const l1Miss = 1 - Math.min(1, hits / sectors)
  const l2Hit = caches.l2ReadSectors === 0 ? 1 : Math.min(1, caches.l2ReadSectorHits / caches.l2ReadSectors)
  const linesAWait = Math.max(1, linesOf(launch, 'load') / (shape.blocks * shape.warps * chain.globalWaits))
  const someMissL1 = 1 - (1 - l1Miss) ** linesAWait
  const someMissL2 = 1 - l2Hit ** Math.max(1, linesAWait * l1Miss)
  const afterL1 = (1 - someMissL2) * p.l2Latency + someMissL2 * p.dramLatency
  return (1 - someMissL1) * p.l1Latency + someMissL1 * afterL1
}

/** Cycles that a block takes to start and to end, and its warps with it. */
export function startCycles(
  { workingBlocks = 1, launch }: TimeInput,
  { warps }: BlockShape,
  p: TimeParameters,
): number {
  const working = p.blockCycles + p.blockCyclesPerWarp * warps
  const asked = launch.sites.length > 0 ? FIRST_QUESTION : 0
  const idle = p.idleBlockCycles + p.idleBlockCyclesPerWarp * warps + asked
  return workingBlocks * working + (1 - workingBlocks) * Math.min(working, idle)
}

/** Until a block knows that it has nothing to do: it asks for its place, and for the arguments (own: `blockStarts.cu`, `bounded`, `last`). */
const FIRST_QUESTION = 150

/** Cycles of a block's life on an otherwise idle memory system. */
export function blockLife(input: TimeInput, block: BlockWork, shape: BlockShape, p: TimeParameters): number {
  const { chain } = block
  const barriers = chain.barriers * (p.barrierCycles + p.barrierCyclesPerWarp * shape.warps)
  return (
    startCycles(input, shape, p) +
    chain.globalWaits * (globalLatency(input, shape, p) + burstCycles(input, shape, p)) +
    (chain.lookups ?? 0) * p.textureLatency +
    (chain.lookupCycles ?? 0) * p.textureLatencyPerCycle +
    chain.sharedWaits * p.sharedLatency +
    chain.l2Trips * TRIP * p.l2Latency +
    chain.dependentCycles * (p.aluLatency / ALU) +
    (input.constantWaits ?? 0) +
    (input.sharedLoopCycles ?? 0) +
    barriers +
    sharedBursts(input, block, shape, p)
  )
}

/**
 * Behind a barrier all warps of a block want shared memory at once: nothing of the block hides the pipe's time for their first
 * accesses. By the next ones they are apart, and the pipe's time goes on beside their own chains.
 */
function sharedBursts({ launch }: TimeInput, { chain, work }: BlockWork, shape: BlockShape, p: TimeParameters): number {
  if (chain.barriers === 0) return 0
  const all = (work * p.sharedCyclesPerWavefront * sharedWavefronts(launch)) / shape.blocks
  const accesses = work * sumSites(launch, 'shared', allOps, s => s.executed)
  const between = accesses / (shape.blocks * shape.warps * (chain.barriers + 1))
  const first = all / Math.max(1, between)
  const own = chain.dependentCycles * (p.aluLatency / ALU) + chain.sharedWaits * p.sharedLatency
  return first + Math.max(0, all - first - own)
}
