/**
 * Launches and what programs ask about kernels: argument marshalling, the checks of a real runtime in its order, function
 * attributes, occupancy.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { compiledCluster } from '../../clusters.ts'
import { sizeOf, storeBytes } from '../../ir/types.ts'
import type { Dim3 } from '../../launch.ts'
import { occupancyOf } from '../../metrics/occupancy/occupancy.ts'
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import { clusterCalls, withClusters } from '../launches/clusterLaunches.ts'
import { GridFamily } from '../launches/gridFamily.ts'
import { checkShape, type GridShape, mostThreads, type ShapeProblem } from '../launches/gridShapes.ts'
import { mentionOverruns } from '../launches/overruns.ts'
import type { AddressBook } from '../memory/addresses.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import { type CallConfiguration, type Registry, readDim3 } from '../program/cudaRegistration.ts'
import type { KernelState, KernelTable } from '../program/kernelTable.ts'
import type { Operation, StreamTable } from '../timeline/streamTable.ts'
import type { ArrayTable } from './cudaArrays.ts'

export interface LaunchParts {
  readonly kernels: KernelTable
  readonly registry: Registry
  readonly streams: StreamTable
  readonly addresses: AddressBook
  readonly arrays: ArrayTable
  readonly mirrored: MirroredMemory
}

export function launchCalls(context: CudaContext, parts: LaunchParts): HostFunctions {
  const { host } = context.parts
  const launchAt = (
    stub: number,
    grid: number,
    block: number,
    args: number,
    shared: number,
    stream: number,
    isCooperative: boolean,
    cluster?: Dim3,
  ) => {
    const shape = {
      grid: readDim3(host, grid),
      block: readDim3(host, block),
      dynamicSharedBytes: shared >>> 0,
      cluster,
    }
    const operation = prepareLaunch(context, parts, stub, shape, args, isCooperative)
    return typeof operation === 'string' ? operation : parts.streams.enqueue(stream, 'kernel', operation)
  }
  return {
    cudaLaunchKernel: context.call(
      (stub: number, grid: number, block: number, args: number, shared: number, stream: number) =>
        launchAt(stub, grid, block, args, shared, stream, false),
    ),
    cudaLaunchCooperativeKernel: context.call(
      (stub: number, grid: number, block: number, args: number, shared: number, stream: number) =>
        launchAt(stub, grid, block, args, shared, stream, true),
    ),
    __warplens_launch_clusters: context.call(
      (
        stub: number,
        grid: number,
        block: number,
        args: number,
        shared: number,
        stream: number,
        isCooperative: number,
        cluster: number,
      ) => launchAt(stub, grid, block, args, shared, stream, isCooperative !== 0, readDim3(host, cluster)),
    ),
    ...clusterCalls(context, parts.kernels),
    ...attributeCalls(context, parts),
    ...occupancyCalls(context, parts),
  }
}

/** Checks a launch and takes its arguments; what it gives launches, now or whenever a graph is. */
export function prepareLaunch(
  context: CudaContext,
  parts: LaunchParts,
  stub: number,
  given: GridShape,
  args: number,
  isCooperative: boolean,
): Operation | CallResult {
  const { launching } = parts.registry
  parts.registry.launching = undefined
  const kernel = parts.kernels.find(stub)
  if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
  const shape = withClusters(kernel, given)
  const problem = checkShape(context, kernel, shape, isCooperative)
  if (problem !== undefined) {
    mentionProblem(context, kernel, problem, launching)
    return problem.error
  }
  const parameters = marshal(context, parts, kernel.program, args >>> 0)
  const run = (stream: number): CallResult => {
    launch(context, parts, kernel, shape, parameters, stream)
    // Whoever checks the program says it of each store.
    if (!context.parts.checks) mentionOverruns(context, parts.mirrored, kernel, parameters, launching)
    return 'cudaSuccess'
  }
  return Object.assign(run, {
    title: () => context.parts.displayName(kernel.name),
    words: () => {
      const { grid, block, dynamicSharedBytes } = shape
      const list = argumentList(context, kernel.program, parameters)
      return [stub, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamicSharedBytes, list]
    },
  })
}

/** `<<<>>>` gives no result: a program that does not ask for it goes on as if the kernel had run. */
function mentionProblem(
  context: CudaContext,
  { name }: KernelState,
  { error, reason }: ShapeProblem,
  launching: CallConfiguration | undefined,
): void {
  if (reason === undefined) return
  const { callSite, displayName } = context.parts
  const where = launching && (() => launching.stack && callSite(launching.stack))
  context.mentionOnce(`kernel ${displayName(name)} is not launched (${error}): ${reason}`, where)
}

/** The arguments as a program hands them over, a list of their addresses: copies that stay, as those of a graph's node do. */
function argumentList(context: CudaContext, program: KernelProgram, values: Uint8Array): number {
  const { host, hostMalloc } = context.parts
  const { parameters } = program.kernel
  if (parameters.length === 0) return 0
  const copy = hostMalloc(values.length)
  host.bytes(copy, values.length).set(values)
  const list = hostMalloc(4 * parameters.length)
  for (const { index } of parameters) host.setU32(list + 4 * index, copy + program.parameterOffsets[index]!)
  return list
}

/** Runs a grid with all that it launches, as one launch. */
function launch(
  context: CudaContext,
  parts: LaunchParts,
  kernel: KernelState,
  shape: GridShape,
  parameters: Uint8Array,
  stream: number,
): void {
  parts.mirrored.toDevice()
  context.heap.prepare()
  try {
    new GridFamily(context, parts, stream).run({ kernel, shape, parameters })
  } finally {
    parts.mirrored.toHost()
  }
}

/** `args` points to one host pointer for each parameter; both sides lay types out alike, so bytes are copied as they are. */
function marshal(context: CudaContext, parts: LaunchParts, program: KernelProgram, args: number): Uint8Array {
  const { host } = context.parts
  const buffer = new Uint8Array(program.parameterBytes)
  for (const parameter of program.kernel.parameters) {
    const bytes = parameter.byval ? sizeOf(parameter.byval.type) : storeBytes(parameter.type)
    const from = host.u32(args + 4 * parameter.index)
    const value = host.bytes(from, bytes)
    buffer.set(value, program.parameterOffsets[parameter.index]!)
    if (parameter.byval) shareMembers(parts, value)
    if (parameter.type.kind !== 'pointer' || parameter.byval) continue
    shareHostMemory(parts, host.u32(from))
    checkOwner(context, program, host.u32(from))
  }
  return buffer
}

/** On a GPU such a kernel stops at its first access; here all devices' memory is one. */
function checkOwner(context: CudaContext, { kernel }: KernelProgram, pointer: number): void {
  const { devices, memory, displayName } = context.parts
  const owner = devices.count > 1 ? memory.allocationAt(pointer)?.device : undefined
  if (owner === undefined || owner === devices.current || devices.isPeer(owner)) return
  context.mentionOnce(
    `kernel ${displayName(kernel.name)} runs on device ${devices.current} and is given memory of device ${owner} without peer access: a GPU would stop it with an illegal address`,
  )
}

/** With unified addressing a kernel may be given page-locked host memory as it is. */
function shareHostMemory({ addresses, mirrored }: LaunchParts, pointer: number): void {
  const range = addresses.rangeAt(pointer)
  if (range !== undefined) mirrored.add(range.address, range.bytes, range.room)
}

/** A structure or a lambda may hold such pointers; a number that looks like one costs a copy and no more. */
function shareMembers(parts: LaunchParts, structure: Uint8Array): void {
  if (!parts.addresses.hasRanges) return
  const words = new DataView(structure.buffer, structure.byteOffset, structure.byteLength)
  for (let at = 0; at + 4 <= structure.byteLength; at += 4) shareHostMemory(parts, words.getUint32(at, true))
}

const FUNC_MAX_DYNAMIC_SHARED = 8
const FUNC_CARVEOUT = 9
const FUNC_LARGE_CLUSTERS = 14
/** How blocks of a cluster go to multiprocessors: nothing that is counted depends on it. */
const FUNC_CLUSTER_SCHEDULING = 15

function attributeCalls(context: CudaContext, { kernels }: LaunchParts): HostFunctions {
  const { device, host } = context.parts
  const withKernel = (stub: number, body: (kernel: KernelState) => CallResult): CallResult => {
    const kernel = kernels.find(stub)
    return kernel === undefined ? 'cudaErrorInvalidDeviceFunction' : body(kernel)
  }
  const set = (kernel: KernelState, attribute: number, value: number): CallResult => {
    if (attribute === FUNC_MAX_DYNAMIC_SHARED) {
      if (value < 0 || value + kernel.program.shared.staticBytes > device.sharedBytesPerBlockOptin)
        return 'cudaErrorInvalidValue'
      kernel.maxDynamicSharedBytes = value
      return 'cudaSuccess'
    }
    if (attribute === FUNC_CARVEOUT) {
      if (value < -1 || value > 100) return 'cudaErrorInvalidValue'
      kernel.preferredCarveout = value < 0 ? undefined : value
      return 'cudaSuccess'
    }
    if (attribute === FUNC_LARGE_CLUSTERS) {
      kernel.allowsLargeClusters = value !== 0
      return 'cudaSuccess'
    }
    if (attribute === FUNC_CLUSTER_SCHEDULING) return value >= 0 && value <= 2 ? 'cudaSuccess' : 'cudaErrorInvalidValue'
    return attribute > FUNC_CARVEOUT && attribute < FUNC_LARGE_CLUSTERS
      ? context.unsupported('cudaFuncSetAttribute for required dimensions of thread block clusters')
      : 'cudaErrorInvalidValue'
  }
  /** Keys are the field numbers that include/warplens/host_structures.h uses. */
  const attributesOf = ({
    program,
    registersPerThread,
    registersFor,
    maxDynamicSharedBytes,
    preferredCarveout,
    allowsLargeClusters,
  }: KernelState): readonly number[] => {
    const cluster = compiledCluster(program.kernel)
    const capability = device.computeCapability.major * 10 + device.computeCapability.minor
    const dynamic = maxDynamicSharedBytes ?? device.sharedBytesPerBlock - program.shared.staticBytes
    const threads = Math.min(
      device.maxThreadsPerBlock,
      mostThreads(program),
      Math.floor(device.registersPerBlock / Math.max(1, registersFor(device.maxThreadsPerBlock)) / 32) * 32,
    )
    return [
      program.shared.staticBytes,
      0,
      program.localBytes,
      threads,
      registersPerThread,
      capability,
      capability,
      0,
      dynamic,
      preferredCarveout ?? -1,
      cluster ? 1 : 0,
      ...[cluster?.x ?? 0, cluster?.y ?? 0, cluster?.z ?? 0],
      0,
      allowsLargeClusters ? 1 : 0,
    ]
  }
  return {
    cudaFuncSetAttribute: context.call((stub: number, attribute: number, value: number) =>
      withKernel(stub, kernel => set(kernel, attribute, value)),
    ),
    cudaFuncSetCacheConfig: context.call((stub: number) => withKernel(stub, () => 'cudaSuccess')),
    cudaFuncSetSharedMemConfig: context.call((stub: number) => withKernel(stub, () => 'cudaSuccess')),
    __warplens_function_attribute: context.call((stub: number, key: number, out: number) =>
      withKernel(stub, kernel => {
        host.setU32(out, attributesOf(kernel)[key] ?? 0)
        return 'cudaSuccess'
      }),
    ),
  }
}

function occupancyCalls(context: CudaContext, { kernels }: LaunchParts): HostFunctions {
  const { device, host } = context.parts
  const maxActive = (out: number, stub: number, blockSize: number, dynamicShared: number): CallResult => {
    const kernel = kernels.find(stub)
    if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
    if (blockSize <= 0) return 'cudaErrorInvalidValue'
    const sharedBytes = kernel.program.shared.staticBytes + (dynamicShared >>> 0)
    const fits = blockSize <= device.maxThreadsPerBlock && sharedBytes <= device.sharedBytesPerBlockOptin
    host.setU32(
      out,
      fits
        ? occupancyOf(device, { threads: blockSize, registersPerThread: kernel.registersFor(blockSize), sharedBytes })
            .blocksPerMultiprocessor
        : 0,
    )
    return 'cudaSuccess'
  }
  return {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor: context.call(
      (out: number, stub: number, blockSize: number, shared: number) => maxActive(out, stub, blockSize, shared),
    ),
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: context.call(
      (out: number, stub: number, blockSize: number, shared: number) => maxActive(out, stub, blockSize, shared),
    ),
    cudaOccupancyAvailableDynamicSMemPerBlock: context.call((out: number, stub: number, blocks: number) => {
      const kernel = kernels.find(stub)
      if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
      if (blocks <= 0) return 'cudaErrorInvalidValue'
      const unit = device.sharedAllocationUnit
      const perBlock =
        Math.floor(device.sharedBytesPerMultiprocessor / blocks / unit) * unit - device.sharedBytesReserved
      const bytes = Math.min(perBlock, device.sharedBytesPerBlock) - kernel.program.shared.staticBytes
      host.setU32(out, Math.max(0, bytes))
      return 'cudaSuccess'
    }),
  }
}
