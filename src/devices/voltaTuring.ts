/** Compute capability 7.0 and 7.5 ("Volta", "Turing"): one memory for L1 and shared, sectors of 32 bytes counted per warp. */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C++ Programming Guide, column 7.0; carve-outs from the Volta Tuning Guide 1.4.3.2. */
const volta = {
  ...modernLimits,
  computeCapability: { major: 7, minor: 0 },
  l1Bytes: 128 * KiB,
  sharedBytesPerMultiprocessor: 96 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 96].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 96 * KiB,
  sharedBytesReserved: 0,
  sharedAllocationUnit: 256,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 32,
} as const

/** CUDA C++ Programming Guide, column 7.5; carve-outs from the Turing Tuning Guide 1.4.3.2. */
const turing = {
  ...modernLimits,
  computeCapability: { major: 7, minor: 5 },
  l1Bytes: 96 * KiB,
  sharedBytesPerMultiprocessor: 64 * KiB,
  sharedCarveouts: [32 * KiB, 64 * KiB],
  sharedBytesPerBlockOptin: 64 * KiB,
  sharedBytesReserved: 0,
  sharedAllocationUnit: 256,
  maxWarpsPerMultiprocessor: 32,
  maxBlocksPerMultiprocessor: 16,
} as const

/** NVIDIA Tesla V100 data sheet (SXM2 16 GB: 900 GB/s) and Volta white paper (80 SMs, 1530 MHz boost, 6 MB L2). */
export const v100: Device = {
  ...volta,
  id: 'V100',
  name: 'Tesla V100-SXM2-16GB',
  multiprocessors: 80,
  clockMHz: 1530,
  memoryClockMHz: 877,
  memoryBusBits: 4096,
  memoryBytes: 16 * GiB,
  memoryBandwidthGBs: 900,
  l2Bytes: 6 * MiB,
}

/** NVIDIA TITAN V product page: 1455 MHz boost, 12 GB of HBM2 on 3072 bits, 652.8 GB/s, 4.5 MB L2. */
export const titanV: Device = {
  ...volta,
  id: 'TITANV',
  name: 'NVIDIA TITAN V',
  multiprocessors: 80,
  clockMHz: 1455,
  memoryClockMHz: 850,
  memoryBusBits: 3072,
  memoryBytes: 12 * GiB,
  memoryBandwidthGBs: 653,
  l2Bytes: 4.5 * MiB,
}

/** NVIDIA T4 data sheet: 2,560 cores, 1590 MHz boost, 16 GB of GDDR6 on 256 bits, 320 GB/s. */
export const t4: Device = {
  ...turing,
  id: 'T4',
  name: 'Tesla T4',
  multiprocessors: 40,
  clockMHz: 1590,
  memoryClockMHz: 5001,
  memoryBusBits: 256,
  memoryBytes: 16 * GiB,
  memoryBandwidthGBs: 320,
  l2Bytes: 4 * MiB,
}

/** NVIDIA Turing white paper, table of GeForce RTX 2080 Ti: 68 SMs, 1545 MHz boost, 616 GB/s, 5.5 MB L2. */
export const rtx2080Ti: Device = {
  ...turing,
  id: 'RTX2080Ti',
  name: 'NVIDIA GeForce RTX 2080 Ti',
  multiprocessors: 68,
  clockMHz: 1545,
  memoryClockMHz: 7000,
  memoryBusBits: 352,
  memoryBytes: 11 * GiB,
  memoryBandwidthGBs: 616,
  l2Bytes: 5.5 * MiB,
}
