/**
 * Compute capability 3.x ("Kepler", 2012): global loads go past L1 to L2 (3.0 always, 3.5 unless asked), and shared memory
 * has banks of 8 bytes with a 4-byte mode.
 */
import type { Device } from './device.ts'
import { GiB, KiB, MiB, modernLimits } from './limits.ts'

/** CUDA C Programming Guide 10.2, "Technical Specifications per Compute Capability", columns 3.0 and 3.5. */
const kepler = {
  ...modernLimits,
  /** Global loads bypass L1 by default: Kepler Tuning Guide 1.4.3.1. */
  l1Bytes: 0,
  sharedBytesPerMultiprocessor: 48 * KiB,
  sharedCarveouts: [16 * KiB, 32 * KiB, 48 * KiB],
  sharedBytesPerBlockOptin: 48 * KiB,
  sharedBytesReserved: 0,
  sharedAllocationUnit: 256,
  maxWarpsPerMultiprocessor: 64,
  maxBlocksPerMultiprocessor: 16,
} as const

/** NVIDIA Tesla K40 board specification BD-06902-001: 745 MHz, 3 GHz GDDR5 on 384 bits, 288 GB/s. */
export const k40: Device = {
  ...kepler,
  id: 'K40',
  name: 'Tesla K40c',
  computeCapability: { major: 3, minor: 5 },
  multiprocessors: 15,
  clockMHz: 745,
  memoryClockMHz: 3004,
  memoryBusBits: 384,
  memoryBytes: 12 * GiB,
  memoryBandwidthGBs: 288,
  l2Bytes: 1.5 * MiB,
}

/** NVIDIA GeForce GTX 680 white paper (2012): 1006 MHz base, 6008 MHz effective GDDR5 on 256 bits, 192.26 GB/s. */
export const gtx680: Device = {
  ...kepler,
  id: 'GTX680',
  name: 'GeForce GTX 680',
  computeCapability: { major: 3, minor: 0 },
  multiprocessors: 8,
  clockMHz: 1058,
  memoryClockMHz: 3004,
  memoryBusBits: 256,
  memoryBytes: 2 * GiB,
  memoryBandwidthGBs: 192,
  l2Bytes: 512 * KiB,
  maxRegistersPerThread: 63,
}
