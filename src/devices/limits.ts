/**
 * Limits that whole families of GPUs share. Source of every value: CUDA C++ Programming Guide, appendix "Compute
 * Capabilities", table "Technical Specifications per Compute Capability" (version 13.0 for 7.5 on, 10.2 for 3.0 to 7.0,
 * 8.0 for 2.x, 6.5 for 1.x), and the allocation units of NVIDIA's occupancy calculator (CUDA_Occupancy_Calculator.xls).
 */

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB

/** Compute capability 3.5 and later; those that differ override. */
export const modernLimits = {
  sharedBytesPerBlock: 48 * KiB,
  maxThreadsPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [2 ** 31 - 1, 65_535, 65_535],
  registersPerMultiprocessor: 64 * KiB,
  registersPerBlock: 64 * KiB,
  maxRegistersPerThread: 255,
  registerAllocationUnit: 256,
  registerAllocation: 'warp',
  partitions: 4,
} as const
