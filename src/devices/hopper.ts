/**
 * Compute capability 9.0: H100, H200, GH200. H200's row was read off the card (driver 580.159, MEMORY_MODEL.md section 5
 * and the readings under truth/h200); it is the device that every `exact` label refers to.
 */
import type { Device } from './device.ts'
import { KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", column 9.0. */
const hopper = {
  ...modernLimits,
  computeCapability: { major: 9, minor: 0 },
  l1Bytes: 256 * KiB,
  sharedBytesPerMultiprocessor: 228 * KiB,
  /** Hopper Tuning Guide 1.4.3.2, unified shared memory / L1 / texture cache. */
  sharedCarveouts: [0, 8, 16, 32, 64, 100, 132, 164, 196, 228].map(kib => kib * KiB),
  /** lts__cycles_elapsed of an H100 (driver 580.159), at 1,590 and at 1,980 MHz of its multiprocessors. */
  l2ClockMHz: 1710,
  sharedBytesPerBlockOptin: 227 * KiB,
  sharedBytesReserved: 1 * KiB,
  sharedAllocationUnit: 128,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 32,
} as const

export const h200: Device = {
  ...hopper,
  id: 'H200',
  name: 'NVIDIA H200',
  multiprocessors: 132,
  clockMHz: 1980,
  /** These three read off a card by cudaGetDeviceProperties (driver 580.159); HBM3e, double data rate. */
  memoryClockMHz: 3201,
  memoryBusBits: 6016,
  memoryBytes: 150_109_880_320,
  /** NVIDIA H200 data sheet: 4.8 TB/s. */
  memoryBandwidthGBs: 4800,
  /** As the driver reports. */
  l2Bytes: 60 * MiB,
  /** limits.json, `nothing`. */
  emptyLaunchUs: 1.536,
}

/** NVIDIA H100 data sheet, SXM5 80 GB. */
export const h100: Device = {
  ...hopper,
  id: 'H100',
  name: 'NVIDIA H100 80GB HBM3',
  multiprocessors: 132,
  clockMHz: 1980,
  memoryClockMHz: 2619,
  memoryBusBits: 5120,
  memoryBytes: 80 * 1024 * MiB,
  memoryBandwidthGBs: 3350,
  l2Bytes: 50 * MiB,
  /** Own (`cold.cu`): an empty kernel, and one store by a warp. */
  emptyLaunchUs: 2.112,
}

/** NVIDIA GH200 data sheet, 96 GB of HBM3; the processor's own memory is not modelled. */
export const gh200: Device = {
  ...hopper,
  id: 'GH200',
  name: 'NVIDIA GH200 480GB',
  multiprocessors: 132,
  clockMHz: 1980,
  memoryClockMHz: 2619,
  memoryBusBits: 6144,
  memoryBytes: 96 * 1024 * MiB,
  memoryBandwidthGBs: 4000,
  l2Bytes: 60 * MiB,
}
