/** Compute capability 5.2 to 6.1 ("Maxwell", "Pascal"): sectored L1 shared with texture, a shared memory of its own. */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C Programming Guide 10.2, columns 5.2 to 6.1; L1 sizes from the Maxwell and Pascal Tuning Guides 1.4.2. */
const common = {
  ...modernLimits,
  l1Bytes: 48 * KiB,
  sharedBytesPerMultiprocessor: 96 * KiB,
  sharedCarveouts: [96 * KiB],
  sharedBytesPerBlockOptin: 48 * KiB,
  sharedBytesReserved: 0,
  sharedAllocationUnit: 256,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 32,
} as const

/** NVIDIA GeForce GTX 980 white paper: 1216 MHz boost, 7.01 GHz effective GDDR5 on 256 bits, 224 GB/s, 2 MB L2. */
export const gtx980: Device = {
  ...common,
  id: 'GTX980',
  name: 'GeForce GTX 980',
  computeCapability: { major: 5, minor: 2 },
  multiprocessors: 16,
  clockMHz: 1216,
  memoryClockMHz: 3505,
  memoryBusBits: 256,
  memoryBytes: 4 * GiB,
  memoryBandwidthGBs: 224,
  l2Bytes: 2 * MiB,
}

/** NVIDIA Quadro P2000 data sheet (1,024 cores, 5 GB on 160 bits, 140 GB/s); boost clock from the card's own query. */
export const p2000: Device = {
  ...common,
  id: 'P2000',
  name: 'Quadro P2000',
  computeCapability: { major: 6, minor: 1 },
  multiprocessors: 8,
  clockMHz: 1480,
  memoryClockMHz: 3504,
  memoryBusBits: 160,
  memoryBytes: 5 * GiB,
  memoryBandwidthGBs: 140,
  l2Bytes: 1.25 * MiB,
}

/** NVIDIA Tesla P100 data sheet (SXM2 16 GB: 732 GB/s, 1480 MHz boost) and Pascal white paper (56 SMs, 64 KB shared, 24 KB L1, 2 partitions). */
export const p100: Device = {
  ...common,
  id: 'P100',
  name: 'Tesla P100-SXM2-16GB',
  computeCapability: { major: 6, minor: 0 },
  multiprocessors: 56,
  clockMHz: 1480,
  memoryClockMHz: 715,
  memoryBusBits: 4096,
  memoryBytes: 16 * GiB,
  memoryBandwidthGBs: 732,
  l2Bytes: 4 * MiB,
  l1Bytes: 24 * KiB,
  sharedBytesPerMultiprocessor: 64 * KiB,
  sharedCarveouts: [64 * KiB],
  partitions: 2,
}
