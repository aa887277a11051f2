/** A GPU as a table of numbers: what cudaGetDeviceProperties tells, what the memory rules and the time model need. */
export interface Device {
  /** What `--device` takes, for example `H200`. */
  readonly id: string
  /** What the driver calls it, for example `NVIDIA H200`. */
  readonly name: string
  readonly computeCapability: { readonly major: number; readonly minor: number }
  readonly multiprocessors: number
  readonly clockMHz: number
  readonly memoryClockMHz: number
  readonly memoryBusBits: number
  readonly memoryBytes: number
  /** GB/s from the data sheet. */
  readonly memoryBandwidthGBs: number
  /** 0 where the machine has none. */
  readonly l2Bytes: number
  /** Where it is known that L2 has a clock of its own: at another `clockMHz` its latencies and rates stay as they are in time. */
  readonly l2ClockMHz?: number
  /** Microseconds of a launch that does nothing (gpu__time_duration), where it was read. */
  readonly emptyLaunchUs?: number
  /** L1 (unified with shared memory where the generation does so), bytes a multiprocessor; 0 where global loads bypass it. */
  readonly l1Bytes: number
  /** Shared memory a multiprocessor can give to blocks, and the carve-outs that the driver chooses from. */
  readonly sharedBytesPerMultiprocessor: number
  readonly sharedCarveouts: readonly number[]
  readonly sharedBytesPerBlock: number
  readonly sharedBytesPerBlockOptin: number
  /** What the driver keeps of each block's shared memory. */
  readonly sharedBytesReserved: number
  readonly sharedAllocationUnit: number
  readonly maxThreadsPerBlock: number
  readonly maxBlockDim: readonly [number, number, number]
  readonly maxGridDim: readonly [number, number, number]
  readonly maxWarpsPerMultiprocessor: number
  readonly maxBlocksPerMultiprocessor: number
  readonly registersPerMultiprocessor: number
  readonly registersPerBlock: number
  readonly maxRegistersPerThread: number
  /** Registers are given out in this unit, to a warp (2.x on) or to a block (1.x). */
  readonly registerAllocationUnit: number
  readonly registerAllocation: 'warp' | 'block'
  /** Schedulers (sub-partitions) a multiprocessor. */
  readonly partitions: number
}
