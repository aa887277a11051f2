/**
 * The time model's parameters: few, each with a meaning, each from a reading (docs/time-model.md lists them with it).
 * Fitted to whole sets of readings of an H200, never to one case. Other generations take latencies from published
 * microbenchmarks and H200's rates a cycle and multiprocessor, for want of readings.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'

export interface TimeParameters {
  /** What a launch takes beside its first block's life, microseconds. */
  readonly launchUs: number
  /** Blocks that the device can start a cycle. */
  readonly blocksStartedPerCycle: number
  /** Share of the data sheet's DRAM bandwidth that a copy reaches. */
  readonly dramEfficiency: number
  /** How many times as long DRAM takes for what is read in no order. */
  readonly dramScatteredFactor: number
  /** The same for what is written back in no order, a sector of a line. */
  readonly dramScatteredWriteFactor: number
  /** The same for single sectors of lines that are filled and written back. */
  readonly dramPartialFactor: number
  /** Share of the bus's bandwidth that kernels reach in the host's memory, in each direction. */
  readonly hostLinkEfficiency: number
  /** Bytes a cycle and multiprocessor from L2 to L1, and back. */
  readonly l2BytesPerCycle: number
  readonly l2WriteBytesPerCycle: number
  /** Requests that L2 looks up, a cycle and multiprocessor. */
  readonly l2RequestsPerCycle: number
  /** How many times as long L2 takes for a sector that not all of is written. */
  readonly l2PartialFactor: number
  /** Lines that stores send to L2, a cycle and multiprocessor, where all of them do. */
  readonly storeLinesPerCycle: number
  /** Cycles between two such lines of one multiprocessor. */
  readonly storeLineCycles: number
  /** Cycles of a slice of L2, in the multiprocessors' when the parameters were read (hotSlices.ts), to theirs now. */
  readonly storeSliceFactor: number
  /** Sectors of atomics that L2 takes, a cycle and multiprocessor. */
  readonly atomicSectorsPerCycle: number
  /** Cycles between two sectors of atomics on one slice of L2. */
  readonly atomicSectorCycles: number
  /** Cycles of L1 for each 128-byte line that a load touches, where its banks are not known (l1Loads.ts), or a store. */
  readonly l1CyclesPerLine: number
  /** Cycles of L1 for each sector that comes from L2: 64 bytes a cycle. */
  readonly l1CyclesPerFilledSector: number
  /** Results a cycle and multiprocessor: comparisons, logic and shifts; products of 32 bits; arithmetic in double precision; special functions. */
  readonly integerLanes: number
  readonly multiplyLanes: number
  readonly doubleLanes: number
  readonly specialLanes: number
  /** Cycles of a tensor core for one of an H200's. */
  readonly tensorCycles: number
  /** Cycles of a multiprocessor's shared memory for each wavefront. */
  readonly sharedCyclesPerWavefront: number
  /** Cycles from a load to its use. */
  readonly l1Latency: number
  readonly l2Latency: number
  readonly dramLatency: number
  /** What a warp waits longer for twice as many loads out of DRAM, since it waits for the last of them: over {@link dramLatency}. */
  readonly dramLatencyOfTwice: number
  /** To the host's memory and back. */
  readonly hostLatency: number
  readonly sharedLatency: number
  /** Cycles that a lookup of a texture takes longer than a load that ends at the same level: fixed, and for each cycle of the unit. */
  readonly textureLatency: number
  readonly textureLatencyPerCycle: number
  /** Cycles from an arithmetic instruction to the next that needs its result. */
  readonly aluLatency: number
  /** Cycles of a barrier: fixed, and for each warp of the block. */
  readonly barrierCycles: number
  readonly barrierCyclesPerWarp: number
  /** Cycles of a block's life beside its latencies: start, index arithmetic, last store, end. */
  readonly blockCycles: number
  readonly blockCyclesPerWarp: number
  /** The same of a block that accesses no memory, most often since it is behind the end of the data. */
  readonly idleBlockCycles: number
  readonly idleBlockCyclesPerWarp: number
  /** Of these, cycles from a block's end until the next one in its place has its first warps. */
  readonly blockTurnCycles: number
  /** Share of a block's life for which a warp is gone before the block's last, where a throughput limits and nothing holds them together. */
  readonly warpSpread: number
  /** How much a loaded memory system lengthens latencies: by this share of the demand on its throughputs over the time. */
  readonly queueing: number
  /** Ends of a launch at which a throughput waits for the machine to fill or to drain. */
  readonly ends: number
  /** How sharply the larger of latency and throughput wins: exponent of the norm that joins them. */
  readonly sharpness: number
  /** The same between latency and the pipes of instructions: warps wait for each other's, and the scheduler is not always fed. */
  readonly issueSharpness: number
}

const h200: TimeParameters = {
  launchUs: 1.3,
  blocksStartedPerCycle: 0.85,
  dramEfficiency: 0.9,
  dramScatteredFactor: 1.55,
  dramScatteredWriteFactor: 4.95,
  dramPartialFactor: 2.75,
  hostLinkEfficiency: 0.89,
  l2BytesPerCycle: 21,
  l2WriteBytesPerCycle: 17,
  l2RequestsPerCycle: 0.63,
  l2PartialFactor: 1.5,
  storeLinesPerCycle: 0.28,
  storeLineCycles: 2,
  storeSliceFactor: 1,
  atomicSectorsPerCycle: 0.39,
  atomicSectorCycles: 1.45,
  l1CyclesPerLine: 1.15,
  l1CyclesPerFilledSector: 0.5,
  integerLanes: 64,
  multiplyLanes: 64,
  doubleLanes: 64,
  specialLanes: 16,
  tensorCycles: 1,
  sharedCyclesPerWavefront: 1,
  l1Latency: 40,
  l2Latency: 281,
  dramLatency: 680,
  dramLatencyOfTwice: 0.06,
  hostLatency: 2400,
  sharedLatency: 29,
  textureLatency: 58,
  textureLatencyPerCycle: 2.5,
  aluLatency: 4,
  barrierCycles: 13,
  barrierCyclesPerWarp: 2,
  blockCycles: 460,
  blockCyclesPerWarp: 14,
  idleBlockCycles: 300,
  idleBlockCyclesPerWarp: 1.75,
  blockTurnCycles: 290,
  warpSpread: 0.2,
  queueing: 0.25,
  sharpness: 5,
  issueSharpness: 3,
  ends: 2,
}

type OfGeneration = Pick<
  TimeParameters,
  | 'l1Latency'
  | 'l2Latency'
  | 'dramLatency'
  | 'sharedLatency'
  | 'aluLatency'
  | 'sharedCyclesPerWavefront'
  | 'storeLinesPerCycle'
  | 'dramEfficiency'
>

const ofGeneration = (
  [l1Latency, l2Latency, dramLatency, sharedLatency, aluLatency]: readonly [number, number, number, number, number],
  dramEfficiency: number,
  sharedCyclesPerWavefront = h200.sharedCyclesPerWavefront,
  storeLinesPerCycle = h200.storeLinesPerCycle,
): OfGeneration => ({
  l1Latency,
  l2Latency,
  dramLatency,
  sharedLatency,
  aluLatency,
  dramEfficiency,
  sharedCyclesPerWavefront,
  storeLinesPerCycle,
})

/**
 * Before Hopper: latencies in cycles to L1, L2, DRAM, shared memory and the next arithmetic instruction; DRAM's share of its data
 * sheet's rate; cycles that a wavefront of shared memory takes. Sources: Wong et al. 2010 (GT200: 440 to memory, 38 shared, 24
 * arithmetic); Mei and Chu 2016 (Fermi, Kepler, Maxwell; on Maxwell each way of a bank conflict adds 2 cycles); Jia et al. 2018
 * and 2019 (Pascal, Volta, Turing; bandwidth measured: K80 78, M60 79, P100 70, P4 84, V100 83, T4 69 %); Abdelkhalik et al.
 * 2022 (Ampere). Lines that stores send, a cycle and multiprocessor, on Maxwell and Pascal: document 004's naive transpose on a
 * Quadro P2000, 16.8 million in 4.45 ms. What is not known of a generation is the H200's.
 */
const generationsFrom: readonly (readonly [capability: number, parameters: OfGeneration])[] = [
  [10, ofGeneration([440, 440, 440, 38, 24], 0.78)],
  [20, ofGeneration([80, 310, 600, 50, 18], 0.78)],
  [30, ofGeneration([127, 200, 350, 33, 9], 0.78)],
  [50, ofGeneration([82, 207, 370, 28, 6], 0.79, 2, 0.35)],
  [60, ofGeneration([82, 226, 470, 24, 6], 0.7, 2, 0.35)],
  [61, ofGeneration([82, 226, 470, 24, 6], 0.84, 2, 0.35)],
  [70, ofGeneration([28, 193, 440, 19, 4], 0.83)],
  [75, ofGeneration([32, 188, 440, 19, 4], 0.69)],
  [80, ofGeneration([33, 200, 470, 23, 4], 0.9)],
  [89, ofGeneration([33, 270, 540, 23, 4], 0.9)],
]

/**
 * CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions": results a cycle and multiprocessor of comparisons,
 * logic and shifts (the least of them), of products of 32 bits (several instructions on 1.x, 5.x and 6.x: of 16 bits, three of them), of
 * additions and products in double precision, and of reciprocals, roots and the like. 1.x has no or one unit for doubles.
 */
const lanesFrom: readonly (readonly [
  capability: number,
  integer: number,
  multiply: number,
  double: number,
  special: number,
])[] = [
  [10, 8, 2, 1, 2],
  [20, 16, 16, 16, 4],
  [21, 16, 16, 4, 8],
  [30, 32, 32, 8, 32],
  [35, 64, 32, 64, 32],
  [50, 64, 128 / 3, 4, 32],
  [60, 32, 64 / 3, 32, 16],
  [61, 64, 128 / 3, 4, 32],
  [70, 64, 64, 32, 16],
  [75, 64, 64, 2, 16],
  [80, 64, 64, 32, 16],
  [86, 64, 64, 2, 16],
  [90, 64, 64, 64, 16],
  [120, 64, 64, 2, 16],
]

/**
 * Products of half that the tensor cores of a multiprocessor do a cycle: white papers of V100 (8 cores, 64 each), Turing (8, 64), A100 (4, 256),
 * GA102 and Ada (4, 128); Hopper by mma.sync: `tensorTimes.cu`, 2,048 in 7.2 cycles of each of four. What comes after is taken to be like these.
 */
const tensorProductsFrom: readonly (readonly [capability: number, products: number])[] = [
  [70, 512],
  [80, 1024],
  [86, 512],
  [90, (4 * 2048) / 7.2],
  [120, 512],
]
const tensorProducts = (capability: number): number =>
  tensorProductsFrom.findLast(([from]) => capability >= from)?.[1] ?? tensorProductsFrom[0]![1]

/** Of each clock of the multiprocessors when the parameters were read: L2's is its own. */
const READ_AT = 1980 / 1710
/** Cycles of the multiprocessor in a trip to L2 or to DRAM: what does not stay the same in time when its clock is another one. */
const OWN_CYCLES = 135

/**
 * At another clock of the multiprocessors. Own: an H100 held at 1,590 and free at 1,980 MHz: DRAM in 577 and 686 cycles, an atomic's answer
 * in 408 and 473; 65,536 empty blocks 41.7 us at both; L2 reads 6.8 and 7.0 TB/s, writes 5.7 and 5.8; 64 atomics of 270,336 threads 197 us at both.
 */
function atClock(p: TimeParameters, { clockMHz, l2ClockMHz }: Device): TimeParameters {
  if (l2ClockMHz === undefined) return p
  const scale = clockMHz / l2ClockMHz / READ_AT
  const trip = (cycles: number) => OWN_CYCLES + (cycles - OWN_CYCLES) * scale
  return {
    ...p,
    l2Latency: trip(p.l2Latency),
    dramLatency: trip(p.dramLatency),
    hostLatency: trip(p.hostLatency),
    blocksStartedPerCycle: p.blocksStartedPerCycle / scale,
    l2BytesPerCycle: p.l2BytesPerCycle / scale,
    l2WriteBytesPerCycle: p.l2WriteBytesPerCycle / scale,
    l2RequestsPerCycle: p.l2RequestsPerCycle / scale,
    storeLinesPerCycle: p.storeLinesPerCycle / scale,
    storeSliceFactor: scale,
    atomicSectorsPerCycle: p.atomicSectorsPerCycle / scale,
    atomicSectorCycles: p.atomicSectorCycles * scale,
  }
}

/** Of 96 slices; an H100 has 80 of them (own: naiveGmem of transpose.cu takes 284 us there and 248 on an H200). */
const H200_L2_BYTES = 60 * 2 ** 20

/** Life of a block that does nothing, of a launch's time. */
const EMPTY_BLOCK_US = (h200.blockCycles + h200.blockCyclesPerWarp) / 1980

export function timeParametersOf(device: Device): TimeParameters {
  const capability = capabilityNumber(device)
  const [, integerLanes, multiplyLanes, doubleLanes, specialLanes] = lanesFrom.findLast(([from]) => capability >= from)!
  const generation: Partial<OfGeneration> =
    capability >= 90 ? {} : generationsFrom.findLast(([from]) => capability >= from)![1]
  const slices = capability >= 90 && capability < 100 ? device.l2Bytes / H200_L2_BYTES : 1
  const storeLinesPerCycle = slices * (generation.storeLinesPerCycle ?? h200.storeLinesPerCycle)
  const l2RequestsPerCycle = slices * h200.l2RequestsPerCycle
  return atClock(
    {
      ...h200,
      ...(device.emptyLaunchUs !== undefined && { launchUs: device.emptyLaunchUs - EMPTY_BLOCK_US }),
      ...generation,
      l2RequestsPerCycle,
      storeLinesPerCycle,
      integerLanes,
      multiplyLanes,
      doubleLanes,
      specialLanes,
      tensorCycles: tensorProducts(90) / tensorProducts(capability),
    },
    device,
  )
}
