/**
 * Launches and what programs ask about kernels: argument marshalling, the checks of a real runtime in its order, function
 * attributes, occupancy.
 */
import { DEVICE_BASE } from '../addressSpace.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { sizeOf, storeBytes } from '../ir/types.ts'
import type { Dim3, LaunchOutcome } from '../launch.ts'
import { occupancyOf } from '../metrics/occupancy.ts'
import { countAggregated } from '../trace.ts'
import type { AddressBook } from './addresses.ts'
import { type CallResult, type CudaContext, type HostFunctions, ProgramStopped, refuse } from './context.ts'
import type { ArrayTable } from './cudaArrays.ts'
import { type Registry, readDim3 } from './cudaRegistration.ts'
import { type ChildGrid, DeviceLaunches } from './deviceLaunches.ts'
import { describeFault, errorOfFault } from './faults.ts'
import type { KernelState, KernelTable } from './kernelTable.ts'
import type { LaunchRecord } from './launchRecord.ts'
import type { MirroredMemory } from './mirroredMemory.ts'
import type { Operation, StreamTable } from './streamTable.ts'

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
  ) => {
    const shape = { grid: readDim3(host, grid), block: readDim3(host, block), dynamicSharedBytes: shared >>> 0 }
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
    ...attributeCalls(context, parts),
    ...occupancyCalls(context, parts),
  }
}

/** Checks a launch and takes its arguments; what it gives launches, now or whenever a graph is. */
export function prepareLaunch(
  context: CudaContext,
  parts: LaunchParts,
  stub: number,
  shape: LaunchShape,
  args: number,
  isCooperative: boolean,
): Operation | CallResult {
  const kernel = parts.kernels.find(stub)
  if (kernel === undefined) return 'cudaErrorInvalidDeviceFunction'
  const problem = checkShape(context, kernel, shape, isCooperative)
  if (problem !== undefined) return problem
  const parameters = marshal(context, parts, kernel.program, args >>> 0)
  const run = (stream: number): CallResult => {
    launch(context, parts, kernel, shape, parameters, stream)
    return 'cudaSuccess'
  }
  return Object.assign(run, {
    words: () => {
      const { grid, block, dynamicSharedBytes } = shape
      const list = argumentList(context, kernel.program, parameters)
      return [stub, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamicSharedBytes, list]
    },
  })
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

export interface LaunchShape {
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
}

/** The error that a real runtime gives for a launch that cannot be; undefined for one that can. */
function checkShape(
  context: CudaContext,
  kernel: KernelState,
  shape: LaunchShape,
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
  const limit = kernel.maxDynamicSharedBytes ?? device.sharedBytesPerBlock - kernel.program.shared.staticBytes
  // A kernel whose static shared memory alone is too much never came to be with nvcc: `execute` refuses it.
  if (shape.dynamicSharedBytes > Math.max(limit, 0)) return 'cudaErrorInvalidValue'
  const registers = Math.ceil(threads / 32) * 32 * kernel.registersPerThread
  if (registers > device.registersPerBlock) return 'cudaErrorLaunchOutOfResources'
  if (isCooperative) {
    const sharedBytes = kernel.program.shared.staticBytes + shape.dynamicSharedBytes
    const resident = occupancyOf(device, {
      threads,
      registersPerThread: kernel.registersPerThread,
      sharedBytes,
    }).blocksPerMultiprocessor
    if (grid.x * grid.y * grid.z > resident * device.multiprocessors) return 'cudaErrorCooperativeLaunchTooLarge'
  }
  return undefined
}

function isWithin(size: Dim3, [x, y, z]: readonly [number, number, number]): boolean {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= x && size.y <= y && size.z <= z
}

/** Runs a grid and all that it launches, and reports each as a launch of its own. */
function launch(
  context: CudaContext,
  parts: LaunchParts,
  kernel: KernelState,
  shape: LaunchShape,
  parameters: Uint8Array,
  stream: number,
): void {
  parts.mirrored.toDevice()
  context.heap.prepare()
  try {
    runFamily(context, parts, { kernel, shape, parameters }, stream)
  } finally {
    parts.mirrored.toHost()
  }
}

function runFamily(context: CudaContext, parts: LaunchParts, first: ChildGrid, stream: number): void {
  // The next grid stands last. A grid's children come with all of theirs before the next child, its tail launches after them.
  const grids = [first]
  for (let grid = grids.pop(); grid && !context.failure; grid = grids.pop()) {
    const { done, waitedFor, children } = execute(context, parts, grid, true)
    report(context, done, stream)
    for (const child of waitedFor) report(context, child, stream)
    grids.push(...[...children.pending, ...children.tail].reverse())
  }
}

interface DoneGrid extends ChildGrid {
  readonly outcome: LaunchOutcome
  readonly wallMs: number
}

interface ExecutedGrid {
  readonly done: DoneGrid
  /** Children that have run already, since the grid waited for them. */
  readonly waitedFor: readonly DoneGrid[]
  readonly children: DeviceLaunches
}

function execute(context: CudaContext, parts: LaunchParts, grid: ChildGrid, isObserved: boolean): ExecutedGrid {
  const { device, memory, image, model, executor, times, printDevice, deadline } = context.parts
  const { kernel, shape, parameters } = grid
  const { program, preferredCarveout } = kernel
  if (program.shared.staticBytes > device.sharedBytesPerBlock) {
    refuse(
      'too-much-shared-memory',
      `kernel ${context.parts.displayName(kernel.name)} has ${program.shared.staticBytes} bytes of static shared memory, ${device.sharedBytesPerBlock} at most: nvcc does not compile it; more takes extern __shared__ and cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`,
    )
  }
  const waitedFor: DoneGrid[] = []
  const runNow = (child: ChildGrid): void => {
    const ran = execute(context, parts, child, false)
    waitedFor.push(ran.done, ...ran.waitedFor)
    for (const next of [...ran.children.pending, ...ran.children.tail]) runNow(next)
  }
  const check = (child: KernelState, childShape: LaunchShape): CallResult | undefined =>
    checkShape(context, child, childShape, false)
  const children = new DeviceLaunches(context, parts.kernels, check, runNow)
  const isHostMemory = (address: number) => {
    const range = address < DEVICE_BASE ? parts.addresses.rangeAt(address) : undefined
    return range !== undefined && range.kind !== 'managed'
  }
  const host = parts.addresses.hasRanges && { isHostMemory }
  const observer = isObserved
    ? times.observeLaunch?.({
        program,
        ...shape,
        preferredCarveout,
        parameters,
        ...host,
        allocationAt: address => memory.allocationAt(address),
        arrayAt: address => parts.arrays.find(memory.allocationAt(address)?.address ?? 0),
      })
    : undefined
  const start = performance.now()
  const ran = executor.execute({
    ...(observer && { observer }),
    program,
    heap: context.heap,
    children,
    ...shape,
    parameters,
    memory: memory.memory,
    symbols: image.loaded.symbols,
    model,
    deadline,
    print: printDevice,
    clockHz: device.clockMHz * 1e6,
  })
  const outcome = { ...ran, sites: countAggregated(program.sites, ran.sites) }
  return { done: { ...grid, outcome, wallMs: performance.now() - start }, waitedFor, children }
}

function report(context: CudaContext, { kernel, shape, outcome, wallMs }: DoneGrid, stream: number): void {
  const { timeline, times } = context.parts
  const { program } = kernel
  const record: LaunchRecord = {
    index: context.launchCount,
    kernel: kernel.name,
    program,
    grid: shape.grid,
    block: shape.block,
    sharedBytes: { static: program.shared.staticBytes, dynamic: shape.dynamicSharedBytes },
    preferredCarveout: kernel.preferredCarveout,
    stream,
    outcome,
    wallMs,
  }
  context.keep(record)
  timeline.addKernel(record.index, stream, times.kernelUs(record), deviceShare(context, kernel, shape))
  context.parts.onLaunch(record)
  reportFault(context, kernel, outcome)
}

function reportFault(context: CudaContext, kernel: KernelState, { fault }: LaunchOutcome): void {
  if (fault === undefined) return
  const diagnostic = describeFault(fault, context.parts.displayName(kernel.name), context.parts.memory)
  if (fault.kind === 'unsupported') throw new ProgramStopped(diagnostic)
  context.fault(errorOfFault(fault), diagnostic)
}

/** The part of the device that the launch's blocks can fill. */
function deviceShare(
  context: CudaContext,
  kernel: KernelState,
  { grid, block, dynamicSharedBytes }: LaunchShape,
): number {
  const { device } = context.parts
  const sharedBytes = kernel.program.shared.staticBytes + dynamicSharedBytes
  const threads = block.x * block.y * block.z
  const resident = occupancyOf(device, {
    threads,
    registersPerThread: kernel.registersPerThread,
    sharedBytes,
    preferredCarveout: kernel.preferredCarveout,
  }).blocksPerMultiprocessor
  return Math.min(1, (grid.x * grid.y * grid.z) / Math.max(1, resident * device.multiprocessors))
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
  if (range !== undefined) mirrored.add(range.address, range.bytes)
}

/** A structure or a lambda may hold such pointers; a number that looks like one costs a copy and no more. */
function shareMembers(parts: LaunchParts, structure: Uint8Array): void {
  if (!parts.addresses.hasRanges) return
  const words = new DataView(structure.buffer, structure.byteOffset, structure.byteLength)
  for (let at = 0; at + 4 <= structure.byteLength; at += 4) shareHostMemory(parts, words.getUint32(at, true))
}

const FUNC_MAX_DYNAMIC_SHARED = 8
const FUNC_CARVEOUT = 9

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
    return attribute > FUNC_CARVEOUT && attribute <= 15
      ? context.unsupported('cudaFuncSetAttribute for thread block clusters')
      : 'cudaErrorInvalidValue'
  }
  /** Keys are the field numbers that include/warplens/host_structures.h uses. */
  const attributesOf = ({
    program,
    registersPerThread,
    maxDynamicSharedBytes,
    preferredCarveout,
  }: KernelState): readonly number[] => {
    const capability = device.computeCapability.major * 10 + device.computeCapability.minor
    const dynamic = maxDynamicSharedBytes ?? device.sharedBytesPerBlock - program.shared.staticBytes
    const threads = Math.min(
      device.maxThreadsPerBlock,
      Math.floor(device.registersPerBlock / Math.max(1, registersPerThread) / 32) * 32,
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
        ? occupancyOf(device, { threads: blockSize, registersPerThread: kernel.registersPerThread, sharedBytes })
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
