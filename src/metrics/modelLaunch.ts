/**
 * All that is modelled about one launch, in one call: cache traffic, then time. In: its counters, its program with how often
 * each block ran, and the accesses of a sample of its blocks. Out: the counters with `caches`, `time` and instructions set,
 * ready for `computeMetrics`, and what limits the launch.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Device } from '../devices/device.ts'
import type { AccessTraces } from './accessTraces.ts'
import { scaleByCounters, simulateCaches } from './caches.ts'
import { metricInput } from './definition.ts'
import { blockInstructions, latencyChainOf } from './latencyChain.ts'
import { blocksInGrid, type LaunchCounters, sumSites, threadsPerBlock } from './launchCounters.ts'
import { warpsPerBlock } from './occupancy.ts'
import { type LatencyChain, type PredictedTime, predictTime } from './time.ts'

export interface ModelledLaunch {
  readonly launch: LaunchCounters
  readonly predicted: PredictedTime
}

/** The counters tell of the average warp; what waits for its block waits for the longest one. */
function ofLongestWarp(chain: LatencyChain, imbalance: number): LatencyChain {
  return {
    globalWaits: chain.globalWaits * imbalance,
    sharedWaits: chain.sharedWaits * imbalance,
    barriers: chain.barriers,
    dependentInstructions: chain.dependentInstructions * imbalance,
  }
}

/**
 * @param launch counters with `registersPerThread` known, `blocks` in the order of `program.kernel.blocks`
 * @param traces accesses of sampled blocks of this launch (all of them when it is small)
 * @returns undefined when registers are unknown, or when the device holds no block of the kernel
 */
export function modelLaunch(
  launch: LaunchCounters,
  program: KernelProgram,
  traces: AccessTraces,
  device: Device,
): ModelledLaunch | undefined {
  const { occupancy } = metricInput(launch, device)
  if (!occupancy || occupancy.blocksPerMultiprocessor === 0) return undefined
  const gridBlocks = blocksInGrid(launch)
  const scale = scaleByCounters(traces, launch)
  const lengths = blockInstructions(program)
  const blocks = launch.blocks.map((block, index) => ({ ...block, instructions: lengths[index] ?? 0 }))
  const warps = gridBlocks * warpsPerBlock(threadsPerBlock(launch))
  const hottest = traces.hottestAtomicUnit
  const averageChain = latencyChainOf(
    program,
    blocks.map(block => block.warps),
    warps,
  )
  const loads =
    sumSites(launch, 'global', ['load'], s => s.executed) + sumSites(launch, 'local', ['load'], s => s.executed)
  const loadsPerWait = Math.max(1, Math.round(loads / Math.max(1, warps * averageChain.globalWaits)))
  const caches = simulateCaches(device, occupancy, traces, gridBlocks, scale, loadsPerWait)
  const counted = { ...launch, blocks, caches }
  const predicted = predictTime(
    {
      launch: counted,
      caches,
      occupancy,
      chain: ofLongestWarp(averageChain, traces.imbalance(warpsPerBlock(threadsPerBlock(launch)))),
      instructions: blocks.reduce((sum, block) => sum + block.warps * block.instructions, 0),
      // What some blocks send to an address of their own does not add up.
      hottestAtomicUnit: hottest.sectors * (1 + (Math.max(1, scale.atomics) - 1) * hottest.blockShare),
    },
    device,
  )
  return { launch: { ...counted, time: predicted }, predicted }
}
