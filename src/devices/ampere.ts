/** Compute capability 8.0, 8.6 and 8.7 ("Ampere"). From 8.0 on the driver keeps 1 KB of shared memory a block. */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C++ Programming Guide, columns 8.0 to 8.7; carve-outs from the Ampere Tuning Guide 1.4.2.2. */
const ampere = {
  ...modernLimits,
  sharedBytesReserved: 1 * KiB,
  sharedAllocationUnit: 128,
} as const

const ga100 = {
  ...ampere,
  l1Bytes: 192 * KiB,
  sharedBytesPerMultiprocessor: 164 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 100, 132, 164].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 163 * KiB,
} as const

const ga10x = {
  ...ampere,
  computeCapability: { major: 8, minor: 6 },
  l1Bytes: 128 * KiB,
  sharedBytesPerMultiprocessor: 100 * KiB,
  sharedCarveouts: [0, 8, 16, 32, 64, 100].map(kib => kib * KiB),
  sharedBytesPerBlockOptin: 99 * KiB,
  maxWarpsPerMultiprocessor: 48,
  maxBlocksPerMultiprocessor: 16,
} as const

/** NVIDIA A100 data sheet (40 GB: 1,555 GB/s) and Ampere white paper (108 SMs, 1410 MHz boost, 40 MB L2). */
export const a100: Device = {
  ...ga100,
  id: 'A100',
  name: 'NVIDIA A100-SXM4-40GB',
  computeCapability: { major: 8, minor: 0 },
  multiprocessors: 108,
  clockMHz: 1410,
  memoryClockMHz: 1215,
  memoryBusBits: 5120,
  memoryBytes: 40 * GiB,
  memoryBandwidthGBs: 1555,
  l2Bytes: 40 * MiB,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 32,
}

/** NVIDIA Jetson AGX Orin data sheet (64 GB: 2,048 cores at 1.3 GHz, LPDDR5 on 256 bits, 204.8 GB/s). */
export const jetsonOrin: Device = {
  ...ga100,
  id: 'Orin',
  name: 'Jetson AGX Orin',
  computeCapability: { major: 8, minor: 7 },
  multiprocessors: 16,
  clockMHz: 1300,
  memoryClockMHz: 3200,
  memoryBusBits: 256,
  memoryBytes: 64 * GiB,
  memoryBandwidthGBs: 205,
  l2Bytes: 4 * MiB,
  maxWarpsPerMultiprocessor: 48,
  maxBlocksPerMultiprocessor: 16,
}

/** NVIDIA Ampere GA102 white paper, GeForce RTX 3090: 82 SMs, 1695 MHz boost, 936 GB/s, 6 MB L2. */
export const rtx3090: Device = {
  ...ga10x,
  id: 'RTX3090',
  name: 'NVIDIA GeForce RTX 3090',
  multiprocessors: 82,
  clockMHz: 1695,
  memoryClockMHz: 9751,
  memoryBusBits: 384,
  memoryBytes: 24 * GiB,
  memoryBandwidthGBs: 936,
  l2Bytes: 6 * MiB,
}

/** NVIDIA GeForce RTX 3060 product page: 3,584 cores, 1.78 GHz boost, 12 GB of GDDR6 on 192 bits, 360 GB/s. */
export const rtx3060: Device = {
  ...ga10x,
  id: 'RTX3060',
  name: 'NVIDIA GeForce RTX 3060',
  multiprocessors: 28,
  clockMHz: 1777,
  memoryClockMHz: 7501,
  memoryBusBits: 192,
  memoryBytes: 12 * GiB,
  memoryBandwidthGBs: 360,
  l2Bytes: 3 * MiB,
}

/** NVIDIA A10 data sheet: 24 GB of GDDR6 on 384 bits, 600 GB/s; 72 SMs, 1695 MHz boost. */
export const a10: Device = {
  ...ga10x,
  id: 'A10',
  name: 'NVIDIA A10',
  multiprocessors: 72,
  clockMHz: 1695,
  memoryClockMHz: 6251,
  memoryBusBits: 384,
  memoryBytes: 24 * GiB,
  memoryBandwidthGBs: 600,
  l2Bytes: 6 * MiB,
}
