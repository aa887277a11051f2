/**
 * Thread block clusters of launches: the dimensions that hold, the errors of a real runtime, and how many clusters the device holds.
 * Source: CUDA C++ Programming Guide, "Thread Block Clusters"; CUDA Runtime API, cudaLaunchAttributeClusterDimension, "Occupancy".
 */
import { clusterSize, compiledCluster, isMultiple } from '../../clusters.ts'
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import type { Dim3 } from '../../launch.ts'
import { occupancyOf } from '../../metrics/occupancy/occupancy.ts'
import { type CallResult, type CudaContext, type HostFunctions, refuse } from '../context.ts'
import { readDim3 } from '../program/cudaRegistration.ts'
import type { KernelState, KernelTable } from '../program/kernelTable.ts'
import type { GridShape } from './gridShapes.ts'

/** Every device with clusters takes so many blocks; more where the program has said cudaFuncAttributeNonPortableClusterSizeAllowed. */
const PORTABLE_SIZE = 8
const LARGEST_SIZE = 16
/** A cluster stays within a GPC: 9 texture processing clusters of 2 multiprocessors at most (NVIDIA H100 architecture white paper). */
const MULTIPROCESSORS_OF_GPC = 18

/** The shape with the clusters that the launch has: those of its attribute, else those that the kernel was compiled for. */
export function withClusters(kernel: KernelState, shape: GridShape): GridShape {
  const cluster = shape.cluster ?? compiledCluster(kernel.program.kernel)
  return clusterSize(cluster) === 1 ? shape : { ...shape, cluster }
}

/** The error of a launch whose clusters cannot be; undefined for one that can. The shape is one of {@link withClusters}. */
export function checkClusters(context: CudaContext, kernel: KernelState, shape: GridShape): CallResult | undefined {
  const { grid, cluster } = shape
  if (!cluster) return undefined
  const { device, displayName } = context.parts
  const compiled = compiledCluster(kernel.program.kernel)
  if (clusterSize(cluster) === 1)
    return compiled && isOther(compiled, cluster) ? 'cudaErrorInvalidClusterSize' : undefined
  if (capabilityNumber(device) < 90) {
    const { major, minor } = device.computeCapability
    const what = `${device.name} has ${major}.${minor}`
    // nvcc does not compile such a kernel for the device; a launch with the attribute fails there.
    if (compiled)
      refuse(
        'unsupported-cluster',
        `kernel ${displayName(kernel.name)} has __cluster_dims__, which need compute capability 9.0 or later (H100, H200): ${what}`,
      )
    context.mentionOnce(
      `thread block clusters need compute capability 9.0 or later (H100, H200), and ${what}: the launch returns cudaErrorNotSupported`,
    )
    return 'cudaErrorNotSupported'
  }
  if (compiled && isOther(compiled, cluster)) return 'cudaErrorInvalidClusterSize'
  if (clusterSize(cluster) === 0 || !isMultiple(grid, cluster) || clusterSize(cluster) > largestSize(kernel))
    return 'cudaErrorInvalidClusterSize'
  return activeClusters(device, kernel, shape) === 0 ? 'cudaErrorInvalidClusterSize' : undefined
}

const isOther = (one: Dim3, other: Dim3): boolean => one.x !== other.x || one.y !== other.y || one.z !== other.z

const largestSize = ({ allowsLargeClusters }: KernelState): number =>
  allowsLargeClusters ? LARGEST_SIZE : PORTABLE_SIZE

/**
 * Clusters that the device holds at a time: modelled, since chips of a kind differ in the multiprocessors of their GPCs. They are taken to
 * be as even as pairs of multiprocessors allow.
 */
function activeClusters(
  device: Device,
  kernel: KernelState,
  { block, cluster, dynamicSharedBytes }: GridShape,
): number {
  const threads = block.x * block.y * block.z
  const { blocksPerMultiprocessor } = occupancyOf(device, {
    threads,
    registersPerThread: kernel.registersFor(threads),
    sharedBytes: kernel.program.shared.staticBytes + dynamicSharedBytes,
    preferredCarveout: kernel.preferredCarveout,
  })
  const groups = Math.ceil(device.multiprocessors / MULTIPROCESSORS_OF_GPC)
  const pairs = Math.floor(device.multiprocessors / 2)
  let clusters = 0
  for (let group = 0; group < groups; group++) {
    const own = 2 * (Math.floor(pairs / groups) + (group < pairs % groups ? 1 : 0))
    clusters += Math.floor((own * blocksPerMultiprocessor) / clusterSize(cluster))
  }
  return clusters
}

export function clusterCalls(context: CudaContext, kernels: KernelTable): HostFunctions {
  const { device, host } = context.parts
  const shapeAt = (grid: number, block: number, shared: number, cluster: number): GridShape => ({
    grid: readDim3(host, grid),
    block: readDim3(host, block),
    dynamicSharedBytes: shared >>> 0,
    cluster: readDim3(host, cluster),
  })
  return {
    __warplens_active_clusters: context.call(
      (out: number, stub: number, grid: number, block: number, shared: number, cluster: number) => {
        const kernel = kernels.find(stub)
        if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
        const shape = shapeAt(grid, block, shared, cluster)
        const compiled = compiledCluster(kernel.program.kernel)
        if (clusterSize(shape.cluster) > largestSize(kernel) || (compiled && isOther(compiled, shape.cluster!)))
          return 'cudaErrorInvalidClusterSize'
        host.setU32(out, capabilityNumber(device) < 90 ? 0 : activeClusters(device, kernel, shape))
        return 'cudaSuccess'
      },
    ),
    __warplens_largest_cluster: context.call(
      (out: number, stub: number, grid: number, block: number, shared: number) => {
        const kernel = kernels.find(stub)
        if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
        const compiled = compiledCluster(kernel.program.kernel)
        let size = compiled ? clusterSize(compiled) : largestSize(kernel)
        const isPossible = (): boolean => {
          const shape = { ...shapeAt(grid, block, shared, grid), cluster: { x: size, y: 1, z: 1 } }
          return activeClusters(device, kernel, shape) > 0
        }
        while (size > 1 && !isPossible()) size = Math.floor(size / 2)
        host.setU32(out, capabilityNumber(device) < 90 ? 1 : size)
        return 'cudaSuccess'
      },
    ),
  }
}
