/** Grids and blocks of a launch: whether the device takes them, and how much of it they fill. */
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Dim3 } from '../../launch.ts'
import { occupancyOf } from '../../metrics/occupancy/occupancy.ts'
import type { CallResult, CudaContext } from '../context.ts'
import type { KernelState } from '../program/kernelTable.ts'
import { checkClusters } from './clusterLaunches.ts'

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

/** Why a launch cannot be: the error that a real runtime gives, and what of the launch is wrong where that says too little. */
export interface ShapeProblem {
  readonly error: CallResult
  readonly reason?: string
}

/** Undefined for a launch that can be. */
export function checkShape(
  context: CudaContext,
  kernel: KernelState,
  shape: GridShape,
  isCooperative: boolean,
): ShapeProblem | undefined {
  return checkSizes(context, kernel, shape) ?? checkResidence(context, kernel, shape, isCooperative)
}

function checkSizes(
  { parts: { device } }: CudaContext,
  kernel: KernelState,
  { grid, block, dynamicSharedBytes }: GridShape,
): ShapeProblem | undefined {
  const configuration = (reason: string): ShapeProblem => ({ error: 'cudaErrorInvalidConfiguration', reason })
  const value = (reason: string): ShapeProblem => ({ error: 'cudaErrorInvalidValue', reason })
  const threads = block.x * block.y * block.z
  if (grid.x * grid.y * grid.z === 0) return configuration(`a grid of ${times(grid)} blocks`)
  if (threads === 0) return configuration(`a block of ${times(block)} threads`)
  if (!isWithin(grid, device.maxGridDim))
    return configuration(`a grid of ${times(grid)} blocks, ${device.maxGridDim.join(' x ')} at most`)
  if (threads > device.maxThreadsPerBlock)
    return configuration(
      `a block of ${times(block)}${block.y * block.z > 1 ? ` = ${threads}` : ''} threads, ${device.maxThreadsPerBlock} at most`,
    )
  if (!isWithin(block, device.maxBlockDim))
    return configuration(`a block of ${times(block)} threads, ${device.maxBlockDim.join(' x ')} at most`)
  const bound = mostThreads(kernel.program)
  if (threads > bound) return value(`a block of ${threads} threads, and the kernel's __launch_bounds__ say ${bound}`)
  const { staticBytes } = kernel.program.shared
  const limit = kernel.maxDynamicSharedBytes ?? device.sharedBytesPerBlock - staticBytes
  // A kernel whose static shared memory alone is too much never came to be with nvcc: gridFamily.ts refuses it.
  if (dynamicSharedBytes <= Math.max(limit, 0)) return undefined
  const most = device.sharedBytesPerBlockOptin - staticBytes
  const beside = staticBytes > 0 ? ` beside ${staticBytes} of static` : ''
  const rule =
    dynamicSharedBytes <= most
      ? `${Math.max(limit, 0)} at most without cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ${dynamicSharedBytes}) before it`
      : `${most} at most on ${device.name}`
  return value(`${dynamicSharedBytes} bytes of dynamic shared memory${beside}, ${rule}`)
}

/** What depends on how many blocks a multiprocessor holds. */
function checkResidence(
  context: CudaContext,
  kernel: KernelState,
  shape: GridShape,
  isCooperative: boolean,
): ShapeProblem | undefined {
  const { device } = context.parts
  const { grid, block, dynamicSharedBytes } = shape
  const threads = block.x * block.y * block.z
  const registersPerThread = kernel.registersFor(threads)
  const registers = Math.ceil(threads / 32) * 32 * registersPerThread
  if (registers > device.registersPerBlock) {
    const reason = `${threads} threads of ${registersPerThread} registers, ${device.registersPerBlock} a block at most`
    return { error: 'cudaErrorLaunchOutOfResources', reason }
  }
  const error = checkClusters(context, kernel, shape)
  if (error !== undefined) return { error }
  if (!isCooperative) return undefined
  const sharedBytes = kernel.program.shared.staticBytes + dynamicSharedBytes
  const resident = occupancyOf(device, { threads, registersPerThread, sharedBytes }).blocksPerMultiprocessor
  const most = resident * device.multiprocessors
  const blocks = grid.x * grid.y * grid.z
  if (blocks <= most) return undefined
  const reason = `a cooperative grid of ${blocks} blocks, and ${device.name} holds ${most} of them at once`
  return { error: 'cudaErrorCooperativeLaunchTooLarge', reason }
}

/** As a program writes it: without trailing ones. */
function times({ x, y, z }: Dim3): string {
  if (z !== 1) return `${x} x ${y} x ${z}`
  return y === 1 ? `${x}` : `${x} x ${y}`
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
