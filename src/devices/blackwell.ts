/** Compute capability 10.0 and 12.0 ("Blackwell"): the rules of 9.0 are assumed, so every counter is labelled `modelled`. */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C++ Programming Guide 13.0, columns 10.0 and 12.0; carve-outs from the Blackwell Tuning Guide. */
const blackwell = {
  ...modernLimits,
  sharedBytesReserved: 1 * KiB,
  sharedAllocationUnit: 128,
} as const

/** NVIDIA DGX B200 data sheet (8 TB/s and 180 GB a GPU); 148 SMs, 1965 MHz and 126 MB of L2 as the driver reports. */
export const b200: Device = {
  ...blackwell,
  id: 'B200',
  name: 'NVIDIA B200',
  computeCapability: { major: 10, minor: 0 },
  multiprocessors: 148,
  clockMHz: 1965,
  memoryClockMHz: 3996,
  memoryBusBits: 8192,
  memoryBytes: 180 * GiB,
  memoryBandwidthGBs: 8000,
  l2Bytes: 126 * MiB,
  l1Bytes: 256 * KiB,
  sharedBytesPerMultiprocessor: 228 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 100, 132, 164, 196, 228].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 227 * KiB,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 32,
}

/** NVIDIA RTX Blackwell GPU architecture white paper, GeForce RTX 5090: 170 SMs, 2407 MHz boost, 1792 GB/s, 96 MB L2. */
export const rtx5090: Device = {
  ...blackwell,
  id: 'RTX5090',
  name: 'NVIDIA GeForce RTX 5090',
  computeCapability: { major: 12, minor: 0 },
  multiprocessors: 170,
  clockMHz: 2407,
  memoryClockMHz: 14_001,
  memoryBusBits: 512,
  memoryBytes: 32 * GiB,
  memoryBandwidthGBs: 1792,
  l2Bytes: 96 * MiB,
  l1Bytes: 128 * KiB,
  sharedBytesPerMultiprocessor: 100 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 100].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 99 * KiB,
  maxWarpsPerMultiprocessor: 48,
  maxBlocksPerMultiprocessor: 24,
}
