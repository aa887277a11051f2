/**
 * Compute capability 1.x ("Tesla", 2006 to 2009): half-warps of 16 lanes, 16 banks, no cache for global memory.
 * The cards of the first seed document's time; the rules are in metrics/rules/olderCoalescing.ts and olderBanks.ts.
 */
import type { Device } from './device.ts'
import { GiB, KiB, MiB } from './limits.ts'

/** CUDA C Programming Guide 6.5, "Technical Specifications per Compute Capability", columns 1.0 to 1.3. */
const tesla = {
  l2Bytes: 0,
  l1Bytes: 0,
  sharedBytesPerMultiprocessor: 16 * KiB,
  sharedCarveouts: [16 * KiB],
  sharedBytesPerBlock: 16 * KiB,
  sharedBytesPerBlockOptin: 16 * KiB,
  /** A block's arguments and built-in variables live at the start of its shared memory: 16 bytes, arguments apart. */
  sharedBytesReserved: 16,
  sharedAllocationUnit: 512,
  maxThreadsPerBlock: 512,
  maxBlockDim: [512, 512, 64],
  maxGridDim: [65_535, 65_535, 1],
  maxBlocksPerMultiprocessor: 8,
  maxRegistersPerThread: 124,
  registerAllocation: 'block',
  partitions: 1,
} as const

/** NVIDIA Tesla C1060 board specification BD-04111-001: 240 cores at 1296 MHz, 800 MHz GDDR3 on 512 bits. */
export const c1060: Device = {
  ...tesla,
  id: 'C1060',
  name: 'Tesla C1060',
  computeCapability: { major: 1, minor: 3 },
  multiprocessors: 30,
  clockMHz: 1296,
  memoryClockMHz: 800,
  memoryBusBits: 512,
  memoryBytes: 4 * GiB,
  memoryBandwidthGBs: 102,
  maxWarpsPerMultiprocessor: 32,
  registersPerMultiprocessor: 16 * KiB,
  registersPerBlock: 16 * KiB,
  registerAllocationUnit: 512,
}

/** NVIDIA GeForce 8800 GTX product page: 128 cores at 1350 MHz, 900 MHz GDDR3 on 384 bits. The first CUDA card (1.0). */
export const gtx8800: Device = {
  ...tesla,
  id: '8800GTX',
  name: 'GeForce 8800 GTX',
  computeCapability: { major: 1, minor: 0 },
  multiprocessors: 16,
  clockMHz: 1350,
  memoryClockMHz: 900,
  memoryBusBits: 384,
  memoryBytes: 768 * MiB,
  memoryBandwidthGBs: 86.4,
  maxWarpsPerMultiprocessor: 24,
  registersPerMultiprocessor: 8 * KiB,
  registersPerBlock: 8 * KiB,
  registerAllocationUnit: 256,
}
