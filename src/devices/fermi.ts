/** Compute capability 2.0 ("Fermi", 2010): whole warps, 32 banks, the first L1 and L2 caches. */
import type { Device } from './device.ts'
import { GiB, KiB } from './limits.ts'

/** CUDA C Programming Guide 8.0, "Technical Specifications per Compute Capability", column 2.x. */
const fermi = {
  computeCapability: { major: 2, minor: 0 },
  l2Bytes: 768 * KiB,
  /** 64 KB are split between L1 and shared memory; 48 KB shared is the default (Programming Guide F.4.1). */
  l1Bytes: 16 * KiB,
  sharedBytesPerMultiprocessor: 48 * KiB,
  sharedCarveouts: [16 * KiB, 48 * KiB],
  sharedBytesPerBlock: 48 * KiB,
  sharedBytesPerBlockOptin: 48 * KiB,
  sharedBytesReserved: 0,
  sharedAllocationUnit: 128,
  maxThreadsPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [65_535, 65_535, 65_535],
  maxWarpsPerMultiprocessor: 48,
  maxBlocksPerMultiprocessor: 8,
  registersPerMultiprocessor: 32 * KiB,
  registersPerBlock: 32 * KiB,
  maxRegistersPerThread: 63,
  registerAllocationUnit: 64,
  registerAllocation: 'warp',
  partitions: 2,
} as const

/** NVIDIA Tesla C2050 board specification BD-04983-001: 1.15 GHz, 1.5 GHz GDDR5 on 384 bits, 144 GB/s. */
export const c2050: Device = {
  ...fermi,
  id: 'C2050',
  name: 'Tesla C2050',
  multiprocessors: 14,
  clockMHz: 1150,
  memoryClockMHz: 1500,
  memoryBusBits: 384,
  memoryBytes: 3 * GiB,
  memoryBandwidthGBs: 144,
}

/** NVIDIA Tesla M2090 board specification BD-05766-001: 1.3 GHz, 1.85 GHz GDDR5 on 384 bits, 177 GB/s. */
export const m2090: Device = {
  ...fermi,
  id: 'M2090',
  name: 'Tesla M2090',
  multiprocessors: 16,
  clockMHz: 1300,
  memoryClockMHz: 1848,
  memoryBusBits: 384,
  memoryBytes: 6 * GiB,
  memoryBandwidthGBs: 177,
}
