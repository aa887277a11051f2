/**
 * How many blocks and warps a multiprocessor holds at once, and what limits them.
 * In: a device and what a block needs. Out: the four limits that Nsight Compute prints as `launch__occupancy_limit_*`,
 * theoretical occupancy, waves. Equal to the readings of all launches under truth/h200 (test/metrics/occupancy.test.ts).
 * Source: NVIDIA's occupancy calculator; MEMORY_MODEL.md section 5.
 */
import type { Device } from '../../devices/device.ts'

const WARP_LANES = 32

/** What a block asks of a multiprocessor. */
export interface BlockNeeds {
  readonly threads: number
  readonly registersPerThread: number
  /** Static and dynamic shared memory of a block, without what the driver keeps. */
  readonly sharedBytes: number
  /** cudaFuncAttributePreferredSharedMemoryCarveout, 0 to 100; absent where the program leaves it to the driver. */
  readonly preferredCarveout?: number | undefined
}

export type OccupancyLimiter = 'registers' | 'sharedMemory' | 'blocks' | 'warps'

export interface Occupancy {
  /** Blocks a multiprocessor that each resource alone would allow. */
  readonly limits: Readonly<Record<OccupancyLimiter, number>>
  readonly blocksPerMultiprocessor: number
  readonly warpsPerMultiprocessor: number
  /** Percent of the warps that a multiprocessor can hold. */
  readonly theoreticalPercent: number
  /** The resources whose limit is the least one. */
  readonly limiters: readonly OccupancyLimiter[]
  /** Shared memory that a block takes, with the driver's share and rounded up to the allocation unit. */
  readonly sharedBytesPerBlock: number
  /** The carve-out that the program prefers or the driver chooses: shared memory of a multiprocessor while this kernel runs. */
  readonly sharedCarveoutBytes: number
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit

export const warpsPerBlock = (threads: number): number => Math.ceil(threads / WARP_LANES)

/** Blocks that the register file allows; registers go to warps of one partition (2.x on) or to whole blocks (1.x). */
function registerLimit(device: Device, { threads, registersPerThread }: BlockNeeds): number {
  if (registersPerThread === 0) return Number.POSITIVE_INFINITY
  const warps = warpsPerBlock(threads)
  if (device.registerAllocation === 'block') {
    const perBlock = roundUp(roundUp(warps, 2) * WARP_LANES * registersPerThread, device.registerAllocationUnit)
    return Math.floor(device.registersPerMultiprocessor / perBlock)
  }
  const perWarp = roundUp(registersPerThread * WARP_LANES, device.registerAllocationUnit)
  const warpsPerPartition = Math.floor(device.registersPerMultiprocessor / device.partitions / perWarp)
  return Math.floor((warpsPerPartition * device.partitions) / warps)
}

/** Shared memory that a block takes of a multiprocessor, bytes. */
export function sharedBytesTaken(device: Device, sharedBytes: number): number {
  return roundUp(sharedBytes, device.sharedAllocationUnit) + device.sharedBytesReserved
}

/** The driver leaves L1 a little under half of the unified memory unless blocks need more: 124 of 256 KB on an H200. */
const LARGEST_GENEROUS_CARVEOUT = 0.53

/** Of the blocks that a multiprocessor can hold, those that room is wanted for: between 29 and 30 of 32 (826 launches, one mismatch). */
const MOST_WANTED = 15 / 16

/** Carve-out of kernels without shared memory, by their warps a block, as read on an H200. */
function carveoutWithoutShared(warps: number, otherLimit: number): number {
  if (otherLimit <= 1 || warps >= 24) return 8 * 1024
  return (warps >= 16 ? 16 : 32) * 1024
}

/**
 * The driver's choice among the carve-outs for a kernel that asks for none. Fitted to the readings of
 * truth/h200 (318 launches, no mismatch), to 472 of our own (test/metrics/readings/carveout.json, one mismatch) and to public
 * programs (scripts/fidelity; reading: scan2, radixsort): room for twice the blocks that the other limits allow, except where only
 * one fits or a block is of the largest size, and for 30 where 32 could be;
 * not more than about half of the unified memory for that; but always enough for as many blocks as can be.
 */
function chooseCarveout(device: Device, needs: BlockNeeds, perBlock: number, otherLimit: number): number {
  const smallestFrom = (bytes: number) =>
    device.sharedCarveouts.find(carveout => carveout >= bytes) ?? device.sharedBytesPerMultiprocessor
  const unified = device.l1Bytes > device.sharedBytesPerMultiprocessor && device.sharedCarveouts.length > 2
  if (!unified) return device.sharedBytesPerMultiprocessor
  // A hint: the next size that there is, and one block has to fit (CUDA C++ Programming Guide, "Shared Memory" of capability 7.x).
  if (needs.preferredCarveout !== undefined)
    return smallestFrom(Math.max((device.sharedBytesPerMultiprocessor * needs.preferredCarveout) / 100, perBlock))
  if (needs.sharedBytes === 0) return smallestFrom(carveoutWithoutShared(warpsPerBlock(needs.threads), otherLimit))
  const doubled = otherLimit > 1 && needs.threads < device.maxThreadsPerBlock
  const wantedBlocks = Math.min(
    doubled ? 2 * otherLimit : otherLimit,
    (MOST_WANTED * device.maxBlocksPerMultiprocessor) | 0,
  )
  const largest = Math.floor(device.sharedBytesPerMultiprocessor / perBlock)
  const generousCap = Math.max(
    ...device.sharedCarveouts.filter(size => size <= LARGEST_GENEROUS_CARVEOUT * device.l1Bytes),
  )
  // Of what a block asks for, not of what it gets (reading: 128 threads with 8 and 16 bytes).
  const asked = needs.sharedBytes + device.sharedBytesReserved
  const generous = Math.min(smallestFrom(wantedBlocks * asked), generousCap)
  return Math.max(generous, smallestFrom(Math.min(otherLimit, largest) * perBlock))
}

/** Occupancy of a kernel; all limits are 0 or more, and `blocksPerMultiprocessor` is 0 when a block does not fit at all. */
export function occupancyOf(device: Device, needs: BlockNeeds): Occupancy {
  const warps = warpsPerBlock(needs.threads)
  const registers = registerLimit(device, needs)
  const blocks = device.maxBlocksPerMultiprocessor
  const byWarps = Math.floor(device.maxWarpsPerMultiprocessor / warps)
  const perBlock = sharedBytesTaken(device, needs.sharedBytes)
  const carveout = chooseCarveout(device, needs, perBlock, Math.min(registers, blocks, byWarps))
  const sharedMemory = perBlock === 0 ? blocks : Math.floor(carveout / perBlock)
  const limits = { registers: Math.min(registers, 2 ** 31 - 1), sharedMemory, blocks, warps: byWarps }
  const least = Math.min(...Object.values(limits))
  const limiters = (Object.keys(limits) as OccupancyLimiter[]).filter(name => limits[name] === least)
  return {
    limits,
    blocksPerMultiprocessor: least,
    warpsPerMultiprocessor: least * warps,
    theoreticalPercent: (100 * least * warps) / device.maxWarpsPerMultiprocessor,
    limiters,
    sharedBytesPerBlock: perBlock,
    sharedCarveoutBytes: carveout,
  }
}

export interface Waves {
  /** Blocks of the grid over the blocks that the whole GPU holds: `launch__waves_per_multiprocessor`. */
  readonly waves: number
  /** Share of the last wave's places that stay empty: 0 when the grid is a whole number of waves. */
  readonly tailIdleShare: number
}

/** @throws RangeError when the GPU holds no block of the kernel */
export function wavesOf(device: Device, occupancy: Occupancy, gridBlocks: number): Waves {
  const places = device.multiprocessors * occupancy.blocksPerMultiprocessor
  if (places === 0) throw new RangeError('a block of this kernel does not fit a multiprocessor')
  const waves = gridBlocks / places
  return { waves, tailIdleShare: Math.ceil(waves) - waves }
}
