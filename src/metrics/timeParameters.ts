/**
 * The time model's parameters: few, each with a meaning, each from a reading (docs/time-model.md lists them with it).
 * Fitted to whole sets of readings of an H200, never to one case. Other generations take latencies from published
 * microbenchmarks and H200's rates a cycle and multiprocessor, for want of readings.
 */
import type { Device } from '../devices/device.ts'
import { capabilityNumber } from '../devices/devices.ts'

export interface TimeParameters {
  /** Duration of a launch that does nothing, microseconds. */
  readonly launchUs: number
  /** Blocks that the device can start a cycle. */
  readonly blocksStartedPerCycle: number
  /** Share of the data sheet's DRAM bandwidth that a copy reaches. */
  readonly dramEfficiency: number
  /** Share of the bus's bandwidth that kernels reach in the host's memory, in each direction. */
  readonly hostLinkEfficiency: number
  /** Bytes a cycle and multiprocessor between L1 and L2. */
  readonly l2BytesPerCycle: number
  /** Lines that stores send to L2, a cycle and multiprocessor. */
  readonly storeLinesPerCycle: number
  /** Sectors of atomics that L2 takes, a cycle and multiprocessor. */
  readonly atomicSectorsPerCycle: number
  /** Cycles between two atomics on one 512-byte unit of L2. */
  readonly atomicUnitCycles: number
  /** Cycles of L1 for each 128-byte line that a load touches. */
  readonly l1CyclesPerLine: number
  /** Cycles from a load to its use. */
  readonly l1Latency: number
  readonly l2Latency: number
  readonly dramLatency: number
  /** To the host's memory and back. */
  readonly hostLatency: number
  readonly sharedLatency: number
  /** Cycles from an arithmetic instruction to the next that needs its result. */
  readonly aluLatency: number
  /** Cycles of a barrier: fixed, and for each warp of the block. */
  readonly barrierCycles: number
  readonly barrierCyclesPerWarp: number
  /** Cycles of a block's life beside its latencies: start, index arithmetic, last store, end. */
  readonly blockCycles: number
  readonly blockCyclesPerWarp: number
  /** Of these, cycles from a block's end until the next one in its place has its first warps. */
  readonly blockTurnCycles: number
  /** Share of a block's life for which a warp is gone before the block's last, where a throughput limits and nothing holds them together. */
  readonly warpSpread: number
  /** How much a loaded machine lengthens latencies: by this share of the demand on its throughputs over the time. */
  readonly queueing: number
  /** Ends of a launch at which a throughput waits for the machine to fill or to drain. */
  readonly ends: number
  /** How sharply the larger of latency and throughput wins: exponent of the norm that joins them. */
  readonly sharpness: number
}

const h200: TimeParameters = {
  launchUs: 1.5,
  blocksStartedPerCycle: 0.85,
  dramEfficiency: 0.9,
  hostLinkEfficiency: 0.89,
  l2BytesPerCycle: 21,
  storeLinesPerCycle: 0.28,
  atomicSectorsPerCycle: 0.39,
  atomicUnitCycles: 1.45,
  l1CyclesPerLine: 1,
  l1Latency: 40,
  l2Latency: 281,
  dramLatency: 680,
  hostLatency: 2400,
  sharedLatency: 29,
  aluLatency: 4,
  barrierCycles: 13,
  barrierCyclesPerWarp: 2,
  blockCycles: 460,
  blockCyclesPerWarp: 14,
  blockTurnCycles: 290,
  warpSpread: 0.2,
  queueing: 0.33,
  sharpness: 5,
  ends: 2,
}

type Latencies = Pick<TimeParameters, 'l1Latency' | 'l2Latency' | 'dramLatency' | 'sharedLatency' | 'aluLatency'>

/**
 * Latencies in cycles before Hopper. Sources: Wong et al. 2010 (GT200: 440 to memory, 38 shared, 24 arithmetic); Mei and Chu 2016
 * (Fermi, Kepler, Maxwell); Jia et al. 2018 and 2019 (Pascal, Volta, Turing); Abdelkhalik et al. 2022 (Ampere).
 */
const latenciesFrom: readonly (readonly [capability: number, latencies: Latencies])[] = [
  [10, { l1Latency: 440, l2Latency: 440, dramLatency: 440, sharedLatency: 38, aluLatency: 24 }],
  [20, { l1Latency: 80, l2Latency: 310, dramLatency: 600, sharedLatency: 50, aluLatency: 18 }],
  [30, { l1Latency: 127, l2Latency: 200, dramLatency: 350, sharedLatency: 33, aluLatency: 9 }],
  [50, { l1Latency: 82, l2Latency: 207, dramLatency: 370, sharedLatency: 28, aluLatency: 6 }],
  [60, { l1Latency: 82, l2Latency: 226, dramLatency: 470, sharedLatency: 24, aluLatency: 6 }],
  [70, { l1Latency: 28, l2Latency: 193, dramLatency: 440, sharedLatency: 19, aluLatency: 4 }],
  [75, { l1Latency: 32, l2Latency: 188, dramLatency: 440, sharedLatency: 19, aluLatency: 4 }],
  [80, { l1Latency: 33, l2Latency: 200, dramLatency: 470, sharedLatency: 23, aluLatency: 4 }],
  [89, { l1Latency: 33, l2Latency: 270, dramLatency: 540, sharedLatency: 23, aluLatency: 4 }],
]

export function timeParametersOf(device: Device): TimeParameters {
  const capability = capabilityNumber(device)
  if (capability >= 90) return h200
  const latencies = latenciesFrom.findLast(([from]) => capability >= from)![1]
  return { ...h200, ...latencies }
}
