/**
 * What a launch demands of each throughput: seconds that issue, each pipe, each cache, the slices of L2, DRAM and the bus to the host would
 * take alone. In: its counters with cache traffic, how many multiprocessors have work and how unevenly. Out: seconds by limiter; how they
 * come together is time.ts's. Source: docs/time-model.md, and the readings beside each constant.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import { L2_SLICES } from '../caches/hotSlices.ts'
import { type NarrowPipes, SLOTS_A_WIDE_PRODUCT } from '../instructions/narrowPipes.ts'
import {
  allOps,
  atomicOps,
  blocksInGrid,
  type CacheTraffic,
  type CountedSite,
  type LaunchCounters,
  sumSites,
  threadsPerBlock,
} from '../launchCounters.ts'
import { warpsPerBlock } from '../occupancy/occupancy.ts'
import { busBandwidthGBs } from './copyTime.ts'
import type { Shape, TimeInput } from './timeInput.ts'
import type { TimeParameters } from './timeParameters.ts'

export const SECTOR_BYTES = 32
/** As {@link TimeParameters.sharpness}, of what L2 and what one multiprocessor demands of lines that are stored. */
const STORE_SHARPNESS = 3
const WARP_LANES = 32

export const sharedWavefronts = (launch: LaunchCounters) =>
  sumSites(launch, 'shared', allOps, s => s.wavefronts + (s.attemptWavefronts ?? 0))
export const linesOf = (launch: LaunchCounters, op: 'load' | 'store') =>
  sumSites(launch, 'global', [op], s => s.tags) + sumSites(launch, 'local', [op], s => s.tags)

/** Lines that stores send to L2. */
export const linesSent = (launch: LaunchCounters, caches: CacheTraffic) =>
  linesOf(launch, 'store') * (caches.storeLinesSent ?? 1)

/** Seconds that instructions alone would take. */
export function computeRates(input: TimeInput, device: Device, shape: Shape, p: TimeParameters) {
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
export function memoryRates(input: TimeInput, device: Device, shape: Shape, p: TimeParameters) {
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
 * Seconds in which stores to lines of which L2 waits for the other half from DRAM stop the line's slice, and so all that wants something of that
 * slice; what several wait for at the same time comes together. Own: `inPlace.cu`, rows of 1,000 words changed in place by 16 to 1,310 warps of an
 * H200; other generations were not read.
 */
export function stoppedSeconds(
  { caches, occupancy }: TimeInput,
  device: Device,
  { blocks, warps, active }: Shape,
): number {
  const { linesStoredUpon = 0, linesStoredUponByLoad = 0 } = caches
  if (Math.floor(capabilityNumber(device) / 10) !== 9) return 0
  const warpsAtOnce = warps * Math.min(blocks, active * occupancy.blocksPerMultiprocessor)
  const atOnce = (warpsAtOnce * linesStoredUponByLoad) / L2_SLICES
  const alone = (1e-9 * STOPPED_NS * linesStoredUpon) / L2_SLICES
  return alone / Math.max(1, atOnce / STOPPED_ALONE) ** STOPPED_TOGETHER
}
const STOPPED_NS = 165
/** Stops of one slice that take their time one after the other; of more, the longer they wait the more come together. */
const STOPPED_ALONE = 26
const STOPPED_TOGETHER = 0.65

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

export const norm = (a: number, b: number, exponent: number): number =>
  (a ** exponent + b ** exponent) ** (1 / exponent)
