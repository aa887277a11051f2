/**
 * All that is modelled about one launch, in one call: cache traffic, then time. In: its counters, its program with how often
 * each block ran, and the accesses of a sample of its blocks. Out: the counters with `caches`, `time` and instructions set,
 * ready for `computeMetrics`, and what limits the launch.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Device } from '../devices/device.ts'
import type { AccessOp } from '../trace.ts'
import type { AccessTraces, HostShares } from './caches/accessTraces.ts'
import { scaleByCounters, simulateCaches } from './caches/caches.ts'
import { retries } from './certainty/doubts.ts'
import { metricInput } from './definition.ts'
import { heapMicroseconds } from './deviceCalls/heapCalls.ts'
import { printInstructions, printsMade } from './deviceCalls/prints.ts'
import { partsOfCalls } from './instructions/callWays.ts'
import { divergences, SLOTS_A_DIVERGENCE } from './instructions/divergences.ts'
import { blockFloats, noFloats } from './instructions/floatArithmetic.ts'
import { narrowPipes, SLOTS_A_WIDE_PRODUCT } from './instructions/narrowPipes.ts'
import {
  atomicOps,
  blocksInGrid,
  type CacheTraffic,
  type LaunchCounters,
  sumSites,
  threadsPerBlock,
} from './launchCounters.ts'
import { warpsPerBlock } from './occupancy/occupancy.ts'
import { runsOfBusiest } from './time/busiestBlock.ts'
import { coldConstants, constantCycles, constantReads, constantWaits } from './time/constantCache.ts'
import { fencePipeCycles } from './time/fences.ts'
import { changingSwaps } from './time/keptExtremes.ts'
import { blockInstructions, latencyChainOf } from './time/latencyChain.ts'
import { predictTime } from './time/time.ts'
import type { LatencyChain, PredictedTime } from './time/timeInput.ts'

export interface ModelledLaunch {
  readonly launch: LaunchCounters
  readonly predicted: PredictedTime
}

/** What the sample of a launch showed, for all of the launch. */
export interface LaunchTraffic {
  readonly caches: CacheTraffic
  /** Sectors of atomics sent to the slice of L2 that has most; what takes longer counts as more. */
  readonly hottestAtomicSlice: number
  /** Compare-and-swaps that change one word of global memory, one after the other, where loops make them. */
  readonly swapsOfWord: number
  /** Cycles of a block in loops of shared atomics. */
  readonly sharedLoopCycles: number
  /** Cycles of shared memory that a block takes for compare-and-swaps that fail. */
  readonly sharedTryCycles: number
  /** Cycles of all multiprocessors' L1s together for loads, if they have them (l1Loads.ts); absent: not known. */
  readonly l1LoadCycles?: number | undefined
  /** The longest warp of a block over the average one. */
  readonly imbalance: number
  /** Share of the grid's blocks that access memory: 0 to 1. */
  readonly workingBlocks: number
  readonly host: HostShares
  /** How often the word of the host's memory that most atomics go to is asked for. */
  readonly hostAtomics: number
}

const warpsOf = (launch: LaunchCounters) => blocksInGrid(launch) * warpsPerBlock(threadsPerBlock(launch))

const runsOf = ({ blocks }: LaunchCounters): readonly number[] => blocks.map(({ warps }) => warps)

function chainOf(
  launch: LaunchCounters,
  program: KernelProgram,
  imbalance?: number,
  runs = runsOf(launch),
  workingBlocks?: number,
  isAverage = false,
): LatencyChain {
  return latencyChainOf(
    program,
    runs,
    warpsOf(launch),
    imbalance === undefined
      ? undefined
      : {
          imbalance,
          loops: loopImbalance(launch),
          warps: warpsPerBlock(threadsPerBlock(launch)),
          isAverage,
          ...(workingBlocks !== undefined && { workingBlocks }),
        },
  )
}

/** Work of loops' further rounds by the longest warp of a block over the average one's. */
function loopImbalance({ loopWork, ...launch }: LaunchCounters): number {
  if (loopWork?.longest === undefined) return 1
  return (loopWork.longest * warpsPerBlock(threadsPerBlock(launch))) / loopWork.all
}

/** Fewer loads a wait are one after the other: by the next one, the line of the last is there. */
const LOADS_OF_CHAINS = 1.05

const loadsThroughL1 = (launch: LaunchCounters) =>
  sumSites(launch, 'global', ['load'], s => s.executed) + sumSites(launch, 'local', ['load'], s => s.executed)

const loadsOf = (launch: LaunchCounters) => loadsThroughL1(launch) + (launch.textures?.texelLoads ?? 0)

/**
 * Replays the accesses of a sample through the caches.
 * @param launch counters with `registersPerThread` known, `blocks` in the order of `program.kernel.blocks`
 * @param traces accesses of sampled blocks of this launch (all of them when it is small)
 * @returns undefined when registers are unknown, or when the device holds no block of the kernel
 */
export function trafficOf(
  launch: LaunchCounters,
  program: KernelProgram,
  traces: AccessTraces,
  device: Device,
): LaunchTraffic | undefined {
  const { occupancy } = metricInput(launch, device)
  if (!occupancy || occupancy.blocksPerMultiprocessor === 0) return undefined
  const scale = scaleByCounters(traces, launch)
  const { globalWaits, barriers } = chainOf(launch, program)
  const { grid } = launch
  const loadsAWait = loadsOf(launch) / Math.max(1, warpsOf(launch) * globalWaits)
  const order = {
    plane: grid.y * grid.z > 1 ? grid : undefined,
    isInStep: barriers > 0,
    isChained: loadsAWait < LOADS_OF_CHAINS,
  }
  const loadsPerWait = Math.max(1, Math.round(loadsAWait))
  const places = device.multiprocessors * occupancy.blocksPerMultiprocessor
  const hottest = traces.atomicSlices.hottest(
    { count: traces.blockCount, all: blocksInGrid(launch), scale: scale.atomics },
    blocksInGrid(launch) / places,
  )
  const host = traces.hostShares
  const { l1CyclesPerLoad } = traces
  const swaps = retries(program, 'shared') ? traces.sharedSwaps.cyclesOfBlock(traces.blockCount) : { waits: 0, pipe: 0 }
  return {
    caches: withLibrary(
      withoutHost(simulateCaches(device, occupancy, traces, blocksInGrid(launch), scale, loadsPerWait, order), host),
      launch,
    ),
    host,
    hostAtomics: host.atomics * hottest.operations,
    l1LoadCycles: l1CyclesPerLoad === undefined ? undefined : l1CyclesPerLoad * loadsThroughL1(launch),
    workingBlocks: Math.min(
      1,
      (traces.blockCount * Math.max(scale.loads, scale.stores, scale.atomics)) / blocksInGrid(launch),
    ),
    hottestAtomicSlice: hottest.sectors,
    swapsOfWord: retries(program, 'global') ? changingSwaps(program, hottest.visits) : 0,
    sharedTryCycles: swaps.pipe,
    sharedLoopCycles:
      traces.sharedLoops.cyclesOfBlock(
        traces.blockCount,
        sumSites(launch, 'shared', atomicOps, s => s.attempts ?? 0) / blocksInGrid(launch),
      ) + swaps.waits,
    imbalance: traces.imbalance(warpsPerBlock(threadsPerBlock(launch))),
  }
}

/** Records of printf go to L2, none of their sectors together (reading: prints). */
const withLibrary = (caches: CacheTraffic, { library }: LaunchCounters): CacheTraffic =>
  library ? { ...caches, l2WriteSectors: caches.l2WriteSectors + library.storeSectors } : caches

/** Memory of the host has no place in L2, nor in the device's DRAM (reading: simpleZeroCopy, no hits and no DRAM traffic). */
function withoutHost(caches: CacheTraffic, host: LaunchTraffic['host']): CacheTraffic {
  return {
    ...caches,
    l2ReadSectorHits: Math.round(caches.l2ReadSectorHits * (1 - host.loads)),
    dramReadBytes: Math.round(caches.dramReadBytes * (1 - host.loads)),
    dramScatteredBytes: Math.round((caches.dramScatteredBytes ?? 0) * (1 - host.loads)),
    dramWriteBytes: Math.round(caches.dramWriteBytes * (1 - host.stores)),
    dramScatteredWriteBytes: Math.round((caches.dramScatteredWriteBytes ?? 0) * (1 - host.stores)),
    dramPartialBytes: Math.round((caches.dramPartialBytes ?? 0) * (1 - host.stores)),
  }
}

/** The traffic of another launch of the same kernel and geometry, which did so much more or less of each kind of access. */
export function scaleTraffic(traffic: LaunchTraffic, before: LaunchCounters, now: LaunchCounters): LaunchTraffic {
  const ratio = (of: (launch: LaunchCounters) => number) => (of(before) === 0 ? 1 : of(now) / of(before))
  const sectors = (ops: readonly AccessOp[]) => (launch: LaunchCounters) =>
    sumSites(launch, 'global', ops, s => s.sectors) + sumSites(launch, 'local', ops, s => s.sectors)
  const [loads, stores, atomics] = [ratio(sectors(['load'])), ratio(sectors(['store'])), ratio(sectors(atomicOps))]
  const { caches } = traffic
  return {
    ...traffic,
    workingBlocks: Math.min(1, traffic.workingBlocks * Math.max(loads, stores, atomics)),
    l1LoadCycles: traffic.l1LoadCycles === undefined ? undefined : traffic.l1LoadCycles * loads,
    hottestAtomicSlice: traffic.hottestAtomicSlice * atomics,
    swapsOfWord: traffic.swapsOfWord * atomics,
    hostAtomics: traffic.hostAtomics * atomics,
    caches: {
      ...caches,
      l1GlobalLoadSectorHits: Math.round(caches.l1GlobalLoadSectorHits * loads),
      l1LocalLoadSectorHits: Math.round(caches.l1LocalLoadSectorHits * loads),
      l2ReadSectors: Math.round(caches.l2ReadSectors * loads),
      l2ReadSectorHits: Math.round(caches.l2ReadSectorHits * loads),
      l2ReadRequests: Math.round((caches.l2ReadRequests ?? 0) * loads),
      linesStoredUpon: Math.round((caches.linesStoredUpon ?? 0) * loads),
      l2WriteSectors: Math.round(caches.l2WriteSectors * stores),
      l2PartialSectors: Math.round((caches.l2PartialSectors ?? 0) * stores),
      storeSliceCycles: (caches.storeSliceCycles ?? 0) * stores,
      l2AtomicSectors: Math.round(caches.l2AtomicSectors * atomics),
      l2ReductionSectors: Math.round(caches.l2ReductionSectors * atomics),
      dramReadBytes: Math.round(caches.dramReadBytes * loads),
      dramScatteredBytes: Math.round((caches.dramScatteredBytes ?? 0) * loads),
      dramWriteBytes: Math.round(caches.dramWriteBytes * stores),
      dramScatteredWriteBytes: Math.round((caches.dramScatteredWriteBytes ?? 0) * stores),
      dramPartialBytes: Math.round((caches.dramPartialBytes ?? 0) * stores),
    },
  }
}

/**
 * @param skippedCycles of waits for the kernel's own clock, which the counters do not have (warpClocks.ts)
 * @returns undefined where {@link trafficOf} would
 */
export function timeLaunch(
  launch: LaunchCounters,
  program: KernelProgram,
  {
    caches,
    hottestAtomicSlice,
    swapsOfWord,
    sharedLoopCycles,
    sharedTryCycles,
    l1LoadCycles,
    imbalance,
    workingBlocks,
    host,
    hostAtomics,
  }: LaunchTraffic,
  device: Device,
  skippedCycles = 0,
): ModelledLaunch | undefined {
  const { occupancy } = metricInput(launch, device)
  if (!occupancy || occupancy.blocksPerMultiprocessor === 0) return undefined
  const executions = runsOf(launch)
  const lengths = blockInstructions(program, partsOfCalls(program, executions))
  const counted = { ...withInstructions(launch, program), caches }
  const chain = chainOf(launch, program, imbalance, executions, workingBlocks)
  const instructionsOf = (runs: readonly number[]) =>
    runs.reduce((sum, times, at) => sum + times * (lengths[at] ?? 0), 0)
  const instructions = instructionsOf(executions)
  const busiest = runsOfBusiest(launch, program)
  const pipes = narrowPipes(program, executions)
  const lostSlots = SLOTS_A_DIVERGENCE * divergences(program, executions) + SLOTS_A_WIDE_PRODUCT * pipes.wides
  const held = Math.min(occupancy.blocksPerMultiprocessor, blocksInGrid(launch) / device.multiprocessors)
  const warps = warpsOf(launch)
  const constants = constantReads(program, launch, warps, Math.min(device.multiprocessors, blocksInGrid(launch)))
  const predicted = predictTime(
    {
      prints: printsMade(program, launch.blocks),
      heapUs: heapMicroseconds(program, launch.blocks, warps),
      launch: counted,
      caches,
      occupancy,
      chain,
      averageChain: chainOf(launch, program, imbalance, executions, workingBlocks, true),
      busiest: busiest && {
        chain: chainOf(launch, program, imbalance, busiest),
        work: instructionsOf(busiest) / instructions,
      },
      instructions: instructions - printInstructions(program, launch.blocks),
      lostSlots,
      pipes,
      hottestAtomicSlice,
      swapsOfWord,
      sharedLoopCycles,
      sharedTryCycles,
      l1LoadCycles,
      workingBlocks,
      fenceCycles: fencePipeCycles(program, executions),
      constantCycles: constantCycles(constants, held),
      constantWaits: constantWaits(constants, warps),
      skippedCycles,
      coldCycles: (chain.coldCycles ?? 0) + coldConstants(constants),
      host,
      hostAtomics,
    },
    device,
  )
  return { launch: { ...counted, time: predicted }, predicted }
}

/** A launch that did so nearly what another one did that it takes as long: its own counters and traffic, the other's time. */
export function launchAsLong(
  launch: LaunchCounters,
  program: KernelProgram,
  { caches }: LaunchTraffic,
  { predicted }: ModelledLaunch,
): ModelledLaunch {
  return { launch: { ...withInstructions(launch, program), caches, time: predicted }, predicted }
}

function withInstructions(launch: LaunchCounters, program: KernelProgram): LaunchCounters {
  const lengths = blockInstructions(program, partsOfCalls(program, runsOf(launch)))
  const floats = blockFloats(program)
  const blocks = launch.blocks.map((block, index) => ({
    ...block,
    instructions: lengths[index] ?? 0,
    floats: floats[index] ?? noFloats,
  }))
  return { ...launch, blocks }
}

/** {@link trafficOf} and {@link timeLaunch}. */
export function modelLaunch(
  launch: LaunchCounters,
  program: KernelProgram,
  traces: AccessTraces,
  device: Device,
): ModelledLaunch | undefined {
  const traffic = trafficOf(launch, program, traces, device)
  return traffic && timeLaunch(launch, program, traffic, device)
}
