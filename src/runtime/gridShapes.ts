/** Grids and blocks of a launch: whether the device takes them, and how much of it they fill. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Dim3 } from '../launch.ts'
import { occupancyOf } from '../metrics/occupancy.ts'
import { checkClusters } from './clusterLaunches.ts'
import type { CallResult, CudaContext } from './context.ts'
import type { KernelState } from './kernelTable.ts'

export interface GridShape {
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
  /** Blocks of a cluster along each axis (clusterLaunches.ts); absent: every block is a cluster of its own. */
  readonly cluster?: Dim3 | undefined
}

/** Threads of a block that a kernel was compiled for (`__launch_bounds__`): a launch of more fails (read on an H100). */
export function mostThreads({ kernel }: KernelProgram): number {
  const bounds = [...kernel.attributes].find(each => each.startsWith(BOUNDS))
  if (bounds === undefined) return Number.POSITIVE_INFINITY
  const sizes = bounds.slice(BOUNDS.length).split(',').map(Number)
  return sizes.reduce((product, size) => product * size, 1)
}

const BOUNDS = 'nvvm.maxntid='

/** The error that a real runtime gives for a launch that cannot be; undefined for one that can. */
export function checkShape(
  context: CudaContext,
  kernel: KernelState,
  shape: GridShape,
  isCooperative: boolean,
): CallResult | undefined {
  const { device } = context.parts
  const { grid, block } = shape
  const threads = block.x * block.y * block.z
  if (
    !isWithin(grid, device.maxGridDim) ||
    !isWithin(block, device.maxBlockDim) ||
    threads > device.maxThreadsPerBlock
  ) {
    return 'cudaErrorInvalidConfiguration'
  }
  if (threads > mostThreads(kernel.program)) return 'cudaErrorInvalidValue'
  const limit = kernel.maxDynamicSharedBytes ?? device.sharedBytesPerBlock - kernel.program.shared.staticBytes
  // A kernel whose static shared memory alone is too much never came to be with nvcc: gridFamily.ts refuses it.
  if (shape.dynamicSharedBytes > Math.max(limit, 0)) return 'cudaErrorInvalidValue'
  const registers = Math.ceil(threads / 32) * 32 * kernel.registersFor(threads)
  if (registers > device.registersPerBlock) return 'cudaErrorLaunchOutOfResources'
  const problem = checkClusters(context, kernel, shape)
  if (problem !== undefined) return problem
  if (isCooperative) {
    const sharedBytes = kernel.program.shared.staticBytes + shape.dynamicSharedBytes
    const resident = occupancyOf(device, {
      threads,
      registersPerThread: kernel.registersFor(threads),
      sharedBytes,
    }).blocksPerMultiprocessor
    if (grid.x * grid.y * grid.z > resident * device.multiprocessors) return 'cudaErrorCooperativeLaunchTooLarge'
  }
  return undefined
}

function isWithin(size: Dim3, [x, y, z]: readonly [number, number, number]): boolean {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= x && size.y <= y && size.z <= z
}

/** The part of the device that the launch's blocks can fill. */
export function deviceShare(
  { parts: { device } }: CudaContext,
  kernel: KernelState,
  { grid, block, dynamicSharedBytes }: GridShape,
): number {
  const sharedBytes = kernel.program.shared.staticBytes + dynamicSharedBytes
  const threads = block.x * block.y * block.z
  const resident = occupancyOf(device, {
    threads,
    registersPerThread: kernel.registersFor(threads),
    sharedBytes,
    preferredCarveout: kernel.preferredCarveout,
  }).blocksPerMultiprocessor
  return Math.min(1, (grid.x * grid.y * grid.z) / Math.max(1, resident * device.multiprocessors))
}
