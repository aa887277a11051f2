/**
 * How long a launch takes on a device: the larger of what its throughputs and what its latencies demand, with queueing
 * between them. In: the launch's counters with cache traffic, its occupancy, and its chain of dependent waits.
 * Out: seconds, the limiter by name, every limiter's share. All of it is labelled `modelled`; docs/time-model.md has the
 * reasons, the parameters with their readings, and the errors. Source: MEMORY_MODEL.md section 6.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import type { HostShares } from '../caches/accessTraces.ts'
import { BUFFER_PACKETS } from '../deviceCalls/prints.ts'
import { ALU } from '../instructions/latencies.ts'
import { type NarrowPipes, SLOTS_A_WIDE_PRODUCT } from '../instructions/narrowPipes.ts'
import {
  allOps,
  atomicOps,
  blocksInGrid,
  type CacheTraffic,
  type CountedSite,
  type LaunchCounters,
  type LaunchTime,
  sumSites,
  threadsPerBlock,
} from '../launchCounters.ts'
import { type Occupancy, warpsPerBlock } from '../occupancy/occupancy.ts'
import { busBandwidthGBs } from './copyTime.ts'
import { type TimeParameters, timeParametersOf } from './timeParameters.ts'

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
  /** Of the average warp of a block, where `chain` is that of the longest one; absent: all do the same, or wait for each other. */
  readonly averageChain?: LatencyChain | undefined
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
  /** Compare-and-swaps that succeed at one word of global memory in loops; absent: none. */
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

const SECTOR_BYTES = 32
/** As {@link TimeParameters.sharpness}, of what L2 and what one multiprocessor demands of lines that are stored. */
const STORE_SHARPNESS = 3
const WARP_LANES = 32
/** An atomic's answer, or a fence's, in latencies of a load from L2 (own: 558 and 600 cycles for one after the other, and 281). */
export const TRIP = 2
/** What printf takes is a matter of the multiprocessor's clock (13 launches of unseen19 at 1,590 MHz: 0.84 of their time in its microseconds at 1,980). */
const PRINTS_READ_AT_MHZ = 1980
/** Its code is not in the instruction cache. */
const FIRST_PRINT_US = 6
const QUEUED_PRINT_US = 2.6
const QUEUED_LANE_US = 0.29
/** Until the host has printed a packet, once the buffer is full (own: 2.8 to 4.6, a matter of the host). */
const PRINTED_LANE_US = 3.5

interface Shape {
  readonly blocks: number
  readonly warps: number
  /** Multiprocessors that get a block. */
  readonly active: number
  /** Work of the busiest multiprocessor over the average one's. */
  readonly imbalance: number
  /** Blocks that a multiprocessor has at once. */
  readonly places: number
  /** How many blocks one place of a multiprocessor runs, one after the other. */
  readonly rounds: number
  /** Of a block's life, the part in which an average warp of it has not ended. */
  readonly stay: number
}

type BlockShape = Pick<Shape, 'blocks' | 'warps'>

function shapeOf(input: TimeInput, device: Device, p: TimeParameters): Shape {
  const { launch, occupancy, busiest } = input
  const blocks = blocksInGrid(launch)
  const active = Math.min(device.multiprocessors, blocks)
  const most = Math.ceil(blocks / active)
  const warps = warpsPerBlock(threadsPerBlock(launch))
  const stay = stayOfWarps(input, { blocks, warps }, p)
  const places = placesOf(occupancy, stay)
  return {
    blocks,
    warps,
    active,
    // One of them has at least the block with most work.
    imbalance: (Math.max(most, busiest?.work ?? 1) * active) / blocks,
    places,
    rounds: Math.max(1, most / places),
    stay,
  }
}

function stayOfWarps(input: TimeInput, block: BlockShape, p: TimeParameters): number {
  if (!input.averageChain) return 1
  const lifeOf = (chain: LatencyChain) => blockLife(input, { chain, work: 1 }, block, p)
  return Math.min(1, lifeOf(input.averageChain) / lifeOf(input.chain))
}

/**
 * A warp that ends gives its place and its registers to warps of the next block, which starts when all of its warps have some; shared
 * memory and the place of a block are its own to its end (reading: ajayn-Day3-prefix_sum_optimized, one warp of eight works: 32 blocks).
 */
function placesOf({ limits, blocksPerMultiprocessor }: Occupancy, stay: number): number {
  const whenOthersEnded = (limit: number) => Math.max(blocksPerMultiprocessor, (limit - 1) / stay + 1)
  const { warps, registers, sharedMemory, blocks } = limits
  return Math.min(whenOthersEnded(warps), whenOthersEnded(registers), sharedMemory, blocks)
}

const sharedWavefronts = (launch: LaunchCounters) =>
  sumSites(launch, 'shared', allOps, s => s.wavefronts + (s.attemptWavefronts ?? 0))
const linesOf = (launch: LaunchCounters, op: 'load' | 'store') =>
  sumSites(launch, 'global', [op], s => s.tags) + sumSites(launch, 'local', [op], s => s.tags)

/** Lines that stores send to L2. */
const linesSent = (launch: LaunchCounters, caches: CacheTraffic) =>
  linesOf(launch, 'store') * (caches.storeLinesSent ?? 1)

/** Seconds that instructions alone would take. */
function computeRates(input: TimeInput, device: Device, shape: Shape, p: TimeParameters) {
  const onActive = (device.clockMHz * 1e6 * shape.active) / shape.imbalance
  return {
    issue: (input.instructions + (input.lostSlots ?? 0)) / device.partitions / onActive,
    ...pipeRates(input.pipes, onActive / WARP_LANES, p),
    tensor: ((input.pipes?.tensor ?? 0) * p.tensorCycles) / device.partitions / onActive,
    constants: (input.constantCycles ?? 0) / onActive,
  }
}

/**
 * Sums of integers go to the pipe of logic or to that of products. Multiply-adds of floats fill two pipes as fast as they are issued.
 * @param rate cycles a second of all multiprocessors, over the lanes of a warp
 */
function pipeRates(pipes: NarrowPipes | undefined, rate: number, p: TimeParameters) {
  if (!pipes) return { integers: 0, multiplies: 0, doubles: 0, specials: 0 }
  const logic = pipes.integers / p.integerLanes
  const products = pipes.multiplies / p.multiplyLanes
  const sums = pipes.sums / p.integerLanes
  return {
    integers: Math.max(logic, (logic + products + sums) / 2) / rate,
    multiplies: products / rate,
    doubles: pipes.doubles / p.doubleLanes / rate,
    specials: pipes.specials / p.specialLanes / rate,
  }
}

/** Unified with shared memory since Volta, with its banks. */
const UNIFIED_L1 = 70

function l1CyclesOfLoads(input: TimeInput, device: Device, p: TimeParameters): number {
  const { launch, caches, l1LoadCycles, pipes } = input
  const filling = p.l1CyclesPerFilledSector * caches.l2ReadSectors
  if (capabilityNumber(device) < UNIFIED_L1 || l1LoadCycles === undefined)
    return p.l1CyclesPerLine * linesOf(launch, 'load') + filling
  // Loads come to L1 one a cycle, less what wide products keep from being handed over.
  const loads = sumSites(launch, 'global', ['load'], s => s.executed)
  return Math.max(l1LoadCycles + filling, loads + (SLOTS_A_WIDE_PRODUCT / device.partitions) * (pipes?.wides ?? 0))
}

/** Seconds that each throughput of memory alone would take. */
function memoryRates(input: TimeInput, device: Device, shape: Shape, p: TimeParameters) {
  const { launch, caches } = input
  const clock = device.clockMHz * 1e6
  const everywhere = clock * device.multiprocessors
  const onActive = (clock * shape.active) / shape.imbalance
  const l1Cycles =
    p.sharedCyclesPerWavefront * sharedWavefronts(launch) +
    l1CyclesOfLoads(input, device, p) +
    p.l1CyclesPerLine * linesOf(launch, 'store') +
    (input.sharedTryCycles ?? 0) * blocksInGrid(launch) +
    (input.pipes?.exchanges ?? 0)
  const l2Writes = caches.l2WriteSectors + (caches.l2PartialSectors ?? 0) * (p.l2PartialFactor - 1)
  const l2Cycles = SECTOR_BYTES * (caches.l2ReadSectors / p.l2BytesPerCycle + l2Writes / p.l2WriteBytesPerCycle)
  const scattered = caches.dramScatteredBytes ?? 0
  const inPart = caches.dramPartialBytes ?? 0
  const dramBytes =
    caches.dramReadBytes +
    caches.dramWriteBytes +
    scattered * (p.dramScatteredFactor - 1) +
    (caches.dramScatteredWriteBytes ?? 0) * (p.dramScatteredWriteFactor - 1) +
    inPart * (p.dramPartialFactor - 1)
  const storeLines = linesSent(launch, caches)
  return {
    l1AndShared: (l1Cycles + (input.fenceCycles ?? 0)) / onActive,
    textures: (launch.textures?.cycles ?? 0) / onActive,
    l2: Math.max(l2Cycles, requestsOfL2(caches, storeLines) / p.l2RequestsPerCycle) / everywhere,
    stores: Math.max(
      // A multiprocessor waits for L2, which has the others' too (own: `long.cu`, 8 to 128 of them).
      norm(
        storeLines / p.storeLinesPerCycle / everywhere,
        (p.storeLineCycles * storeLines) / onActive,
        STORE_SHARPNESS,
      ),
      ((caches.storeSliceCycles ?? 0) * p.storeSliceFactor) / clock,
    ),
    atomics: Math.max(
      sumSites(launch, 'global', atomicOps, s => (s.form === 'compare' ? SECTORS_A_SWAP : 1) * s.sectors) /
        p.atomicSectorsPerCycle /
        everywhere,
      sumSites(launch, 'global', atomicOps, cyclesOfAtomics) / onActive,
      sumSites(launch, 'global', ['atomic'], cyclesOfWarp) /
        (blocksInGrid(launch) * warpsPerBlock(threadsPerBlock(launch))) /
        clock,
    ),
    atomicContention: Math.max((input.hottestAtomicSlice * p.atomicSectorCycles) / clock, swapSeconds(input)),
    hostLink: hostLinkSeconds(input, device, p),
    dram: dramBytes / (device.memoryBandwidthGBs * 1e9 * p.dramEfficiency),
  }
}

/** What a compare-and-swap has of L2's throughput. Own: `hotSwaps.cu`, by all multiprocessors. */
const SECTORS_A_SWAP = 2.4
/**
 * Cycles in which a multiprocessor hands over sectors of atomics, each with what goes there and what comes back; and a request at least, where something
 * comes back. Own: `hotSwaps.cu`, one warp and four of a multiprocessor at words and sectors of their own.
 */
const SECTOR_OF_SUM_CYCLES = 1.4
const SECTOR_OF_SWAP_CYCLES = 2.8
const ANSWER_CYCLES = 11
const ANSWER_OF_SWAP_CYCLES = 14
/** From one such request of a warp to its next, though it does not wait (own: one warp alone). */
const ANSWER_OF_WARP_CYCLES = 35
const SWAP_OF_WARP_CYCLES = 41

const cyclesOfWarp = ({ form, executed }: CountedSite): number => {
  if (form === 'aggregated') return 0
  return (form === 'compare' ? SWAP_OF_WARP_CYCLES : ANSWER_OF_WARP_CYCLES) * executed
}

function cyclesOfAtomics({ op, form, executed, sectors }: CountedSite): number {
  if (form === 'aggregated') return SECTOR_OF_SUM_CYCLES * executed
  if (form === 'compare') return Math.max(ANSWER_OF_SWAP_CYCLES * executed, SECTOR_OF_SWAP_CYCLES * sectors)
  return Math.max(op === 'red' ? 0 : ANSWER_CYCLES * executed, SECTOR_OF_SUM_CYCLES * sectors)
}

/**
 * Requests that slices of L2 look up one after the other, a line each: L1's, and what these make the two halves of L2 ask of each other.
 * Own: volumes read and written by rows of 2 to 32 words (`mix.cu`, `shapes.cu`): 1.3 to 1.5 lookups a load from DRAM, 1.5 a store. Stores to a part
 * of a line that comes from DRAM for others take 1.1 to 4.5 more (the same in place; with whole lines, and out of L2, none do).
 */
function requestsOfL2(caches: CacheTraffic, storeLines: number): number {
  const { l2ReadRequests = 0, l2ReadSectors, l2ReadSectorHits, storeLinesAmongLoads = 0 } = caches
  const aStore = LOOKUPS_A_STORE + LOOKUPS_AMONG_LOADS * storeLinesAmongLoads
  return l2ReadRequests + LOOKUPS_A_MISS * (l2ReadSectors - l2ReadSectorHits) + aStore * storeLines
}
const LOOKUPS_A_MISS = 0.6
const LOOKUPS_A_STORE = 1.5
const LOOKUPS_AMONG_LOADS = 2.7

/**
 * Of the lanes that want to swap one word one succeeds at a time, and the more of them try, the longer it takes (own: sums of doubles
 * by 256, 2,048 and 16,384 threads: 83, 1,168 and 29,548 us).
 */
const SWAP_US = 0.3
const SWAP_BESIDE_OTHERS_US = 9.1e-5

function swapSeconds({ swapsOfWord: swaps = 0, launch }: TimeInput): number {
  const threads = blocksInGrid(launch) * threadsPerBlock(launch)
  return 1e-6 * swaps * (SWAP_US + SWAP_BESIDE_OTHERS_US * Math.min(swaps, threads))
}

/** Both directions of the bus at once; what loads find in L1 does not go over it. */
function hostLinkSeconds({ caches, host, hostAtomics = 0 }: TimeInput, device: Device, p: TimeParameters): number {
  if (!host) return 0
  const sectors = Math.max(caches.l2ReadSectors * host.loads, caches.l2WriteSectors * host.stores)
  const copied = (SECTOR_BYTES * sectors) / (busBandwidthGBs(device) * 1e9 * p.hostLinkEfficiency)
  return copied + 1e-6 * HOST_ATOMIC_US * hostAtomics
}

/** There and back, one after the other at one word (readings: unseen25, 2,048 sums of blocks at a word of the host's in 2,133 us; unseen29, `map_test`: 32 lanes' sums of floats in 33). */
const HOST_ATOMIC_US = 1.04

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
function globalLatency({ launch, caches, chain, host }: TimeInput, shape: BlockShape, p: TimeParameters): number {
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

/** Cycles of a block's life on an otherwise idle memory system. */
function blockLife(input: TimeInput, block: BlockWork, shape: BlockShape, p: TimeParameters): number {
  const { chain } = block
  const barriers = chain.barriers * (p.barrierCycles + p.barrierCyclesPerWarp * shape.warps)
  return (
    p.blockCycles +
    p.blockCyclesPerWarp * shape.warps +
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

/**
 * printf takes a place in a buffer of the host's, one call after the other, with a lock: its first call, those of the longest warp,
 * those of the others, which wait for their turn, and in a full buffer for the host. Own: 1 to 3,072 calls of whole warps; few lanes:
 * `simplePrintf`.
 */
function printSeconds({ chain, prints }: TimeInput, clockMHz: number): number {
  if (!prints || prints.calls === 0) return 0
  const others = 1 - Math.min(1, chain.prints / prints.calls)
  const queue = others * Math.max(QUEUED_PRINT_US * prints.calls, QUEUED_LANE_US * prints.lanes)
  const beyond = PRINTED_LANE_US * Math.max(0, prints.lanes - BUFFER_PACKETS)
  return 1e-6 * ((PRINTS_READ_AT_MHZ / clockMHz) * (FIRST_PRINT_US + chain.printUs + queue) + beyond)
}

/** Latencies grow with the load: T = A (1 + q B / T), solved for T. A: latency when idle, B: the throughputs' demand. */
function queued(idle: number, demand: number, queueing: number): number {
  return (idle + Math.sqrt(idle * idle + 4 * queueing * idle * demand)) / 2
}

const norm = (a: number, b: number, exponent: number): number => (a ** exponent + b ** exponent) ** (1 / exponent)

/**
 * Warps that a multiprocessor with work has, on average: Little's law over the lives of its blocks. A block's place is empty
 * between its end and the first instructions of the next; where the device cannot start blocks fast enough, places stay empty
 * longer. Warps of a block start one after the other, and end so without a barrier, the more unevenly the more a throughput
 * limits them, since the oldest go first.
 * @param stretched seconds that all blocks' lives take one after the other in a place, under load
 * @param working seconds of the launch without its overhead, and of these, those in which an average multiprocessor has work
 * @param busiest seconds of the throughputs together
 * @param computing seconds of issue and of the pipes of arithmetic
 */
function residentWarps(
  { chain }: TimeInput,
  shape: Shape,
  p: TimeParameters,
  clock: number,
  {
    stretched,
    working,
    active,
    busiest,
    computing,
  }: Readonly<Record<'stretched' | 'working' | 'active' | 'busiest' | 'computing', number>>,
): number {
  const blocks = shape.blocks / shape.active
  const held = Math.min(shape.places, blocks)
  const inStep = chain.barriers > 0
  const empty = (1 - 1 / shape.rounds) * (p.blockTurnCycles + (inStep ? 0 : p.blockCyclesPerWarp * shape.warps))
  const life = Math.max(0, (stretched * clock) / shape.rounds - empty)
  // Where all blocks are there at once, nothing takes the place of warps that are ahead (own: 14 kernels limited by arithmetic, 57 to 63 %).
  const computeSpread = (shape.rounds === 1 ? 2 : 1) * p.warpSpread
  const gone = inStep
    ? 0
    : Math.min(1, Math.max(p.warpSpread * (busiest / working), computeSpread * (computing / working) ** 3))
  const average = (blocks * life * (1 - gone)) / (active * clock)
  return shape.warps * shape.stay * Math.min(held, average)
}

/**
 * Seconds at each end of a launch in which the machine is not yet, or no more, full: a block's start and one trip to memory.
 * A throughput's own time counts from the first request to the last.
 */
function endsOf(input: TimeInput, shape: Shape, p: TimeParameters, clock: number): number {
  const wait = Math.min(1, input.chain.globalWaits) * globalLatency(input, shape, p)
  return (p.ends * (p.blockCycles + p.blockCyclesPerWarp * shape.warps + wait)) / clock
}

/**
 * Share of a launch's time in which an average one of the multiprocessors that get blocks has some: few wait for the busiest block,
 * the others for average ones.
 * @param lives the average blocks' lives over the launch's: 0 to 1
 */
function activeTime({ busiest }: TimeInput, { blocks, active }: Shape, lives: number): number {
  const waiting = Math.min(active, Math.ceil(blocks / (busiest?.work ?? 1)))
  return (waiting + (active - waiting) * lives) / active
}

/**
 * Share of the blocks that start only when others have ended: where the first have all the work and take all places, those that return at once
 * wait for them (readings: `karho`'s rows by warps, 522,240 empty blocks behind 2,048: 0.72 of their time before).
 */
function startedBehind({ busiest }: TimeInput, { blocks, active, places }: Shape): number {
  const working = blocks / (busiest?.work ?? 1)
  if (working > MOST_WORKING * blocks) return 0
  return WAITING * Math.min(1, Math.max(0, (2 * working) / (active * places) - 1))
}
/** The others come as the first of these end, not the last (0.55 to 0.75 of them in the four readings). */
const WAITING = 0.7
/** Of a launch's blocks, where the others are taken to return at once. */
const MOST_WORKING = 0.25

/** @throws RangeError when the device holds no block of the kernel */
export function predictTime(input: TimeInput, device: Device): PredictedTime {
  if (input.occupancy.blocksPerMultiprocessor === 0)
    throw new RangeError('a block of this kernel does not fit a multiprocessor')
  const p = timeParametersOf(device)
  const clock = device.clockMHz * 1e6
  const shape = shapeOf(input, device, p)
  const compute = computeRates(input, device, shape, p)
  const memory = memoryRates(input, device, shape, p)
  const rates = { ...compute, ...memory }
  const largest = (of: Readonly<Record<string, number>>, exponent = p.sharpness) =>
    Object.values(of).reduce((sum, rate) => norm(sum, rate, exponent), 0)
  const busiest = largest(memory)
  const demand = Math.hypot(...Object.values(memory)) // a queue forms at each of them
  const lives = shape.rounds * blockLife(input, { chain: input.chain, work: 1 }, shape, p)
  const longest = input.busiest ? blockLife(input, input.busiest, shape, p) : 0
  const idle = (Math.max(lives, longest) + (input.coldCycles ?? 0) + (input.skippedCycles ?? 0)) / clock
  const average = Math.min(1, lives / longest)
  const activePart = activeTime(input, shape, average)
  const latency = queued(idle, demand, p.queueing)
  const blockStart = shape.blocks / p.blocksStartedPerCycle / clock
  const ends = endsOf(input, shape, p, clock)
  const inWarps =
    norm(latency, largest(compute, p.issueSharpness), p.issueSharpness) +
    printSeconds(input, device.clockMHz) +
    1e-6 * (input.heapUs ?? 0)
  const together = (bound: number) => norm(inWarps, bound + Math.min(bound, ends), p.sharpness)
  const behind = startedBehind(input, shape)
  const working = together(Math.max(busiest, (1 - behind) * blockStart)) + behind * blockStart
  const launch = p.launchUs * 1e-6
  const seconds = launch + working
  const limits: Record<Limiter, number> = { ...rates, blockStart, latency, launch }
  const limiter = (Object.keys(limits) as Limiter[]).reduce((a, b) => (limits[b] > limits[a] ? b : a))
  // Of the busiest multiprocessor's time, what the average one has.
  const everywhere = shape.active / shape.imbalance / device.multiprocessors
  return {
    seconds,
    cycles: seconds * clock,
    averageActiveWarps: residentWarps(input, shape, p, clock, {
      stretched: average * together(busiest),
      working,
      active: activePart * working,
      busiest: largest(rates),
      computing: largest(compute, p.issueSharpness),
    }),
    activeShare: (((activePart * working) / seconds) * shape.active) / device.multiprocessors,
    busy: {
      issue:
        (everywhere *
          Math.max(rates.issue, rates.integers, rates.multiplies, rates.doubles, rates.specials, rates.tensor)) /
        seconds,
      l1: (everywhere * rates.l1AndShared) / seconds,
      l2: Math.max(rates.l2, rates.stores, rates.atomics) / seconds,
    },
    limiter,
    limits,
  }
}
