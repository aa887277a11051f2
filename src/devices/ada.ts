/** Compute capability 8.9 ("Ada Lovelace", 2022): Ampere's multiprocessor behind a large L2. */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C++ Programming Guide, column 8.9; carve-outs from the Ada Tuning Guide 1.4.2. */
const ada = {
  ...modernLimits,
  computeCapability: { major: 8, minor: 9 },
  l1Bytes: 128 * KiB,
  sharedBytesPerMultiprocessor: 100 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 100].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 99 * KiB,
  sharedBytesReserved: 1 * KiB,
  sharedAllocationUnit: 128,
  maxWarpsPerMultiprocessor: 48,
  maxBlocksPerMultiprocessor: 24,
} as const

/** NVIDIA Ada GPU architecture white paper, GeForce RTX 4090: 128 SMs, 2520 MHz boost, 1008 GB/s, 72 MB L2. */
export const rtx4090: Device = {
  ...ada,
  id: 'RTX4090',
  name: 'NVIDIA GeForce RTX 4090',
  multiprocessors: 128,
  clockMHz: 2520,
  memoryClockMHz: 10_501,
  memoryBusBits: 384,
  memoryBytes: 24 * GiB,
  memoryBandwidthGBs: 1008,
  l2Bytes: 72 * MiB,
}

/** NVIDIA GeForce RTX 4060 product page: 3,072 cores, 2.46 GHz boost, 8 GB of GDDR6 on 128 bits, 272 GB/s, 24 MB L2. */
export const rtx4060: Device = {
  ...ada,
  id: 'RTX4060',
  name: 'NVIDIA GeForce RTX 4060',
  multiprocessors: 24,
  clockMHz: 2460,
  memoryClockMHz: 8501,
  memoryBusBits: 128,
  memoryBytes: 8 * GiB,
  memoryBandwidthGBs: 272,
  l2Bytes: 24 * MiB,
}

/** NVIDIA L4 data sheet: 24 GB of GDDR6 on 192 bits, 300 GB/s; 58 SMs, 2040 MHz boost, 48 MB L2. */
export const l4: Device = {
  ...ada,
  id: 'L4',
  name: 'NVIDIA L4',
  multiprocessors: 58,
  clockMHz: 2040,
  memoryClockMHz: 6251,
  memoryBusBits: 192,
  memoryBytes: 24 * GiB,
  memoryBandwidthGBs: 300,
  l2Bytes: 48 * MiB,
}

/** NVIDIA L40 data sheet: 48 GB of GDDR6 on 384 bits, 864 GB/s; 142 SMs, 2490 MHz boost, 96 MB L2. */
export const l40: Device = {
  ...ada,
  id: 'L40',
  name: 'NVIDIA L40',
  multiprocessors: 142,
  clockMHz: 2490,
  memoryClockMHz: 9001,
  memoryBusBits: 384,
  memoryBytes: 48 * GiB,
  memoryBandwidthGBs: 864,
  l2Bytes: 96 * MiB,
}
