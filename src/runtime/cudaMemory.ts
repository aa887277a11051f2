/** The memory calls: allocation on both sides, copies, fills, symbols, pointer attributes. */
import { alignUp } from '../ir/types.ts'
import type { AddressBook } from './addresses.ts'
import type { CallResult, CudaContext, HostFunctions } from './context.ts'
import { type Extent, linear, MEMCPY_DEFAULT, runCopy, runFill } from './copies.ts'
import type { Registry } from './cudaRegistration.ts'
import { ALLOCATION_ALIGNMENT } from './deviceMemory.ts'
import type { MirroredMemory } from './mirroredMemory.ts'
import type { StreamTable } from './streamTable.ts'

export interface MemoryParts {
  readonly addresses: AddressBook
  readonly mirrored: MirroredMemory
  readonly registry: Registry
  readonly streams: StreamTable
}

const PINNED_ALIGNMENT = 512

export function memoryCalls(context: CudaContext, parts: MemoryParts): HostFunctions {
  return {
    ...allocationCalls(context, parts),
    ...hostAllocationCalls(context, parts),
    ...copyCalls(context, parts),
    ...symbolCalls(context, parts),
  }
}

function allocationCalls(context: CudaContext, { mirrored, addresses, streams }: MemoryParts): HostFunctions {
  const { host, memory, timeline } = context.parts
  const allocate = (out: number, bytes: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    if (bytes === 0) {
      host.setU32(out, 0)
      return 'cudaSuccess'
    }
    const address = memory.allocate(bytes, 'cudaMalloc')
    if (address === undefined) return 'cudaErrorMemoryAllocation'
    host.setU32(out, address)
    return 'cudaSuccess'
  }
  /** Rows padded to the allocation's alignment, as on real devices. */
  const allocatePitched = (out: number, pitchOut: number, width: number, rows: number): CallResult => {
    if (pitchOut === 0) return 'cudaErrorInvalidValue'
    const pitch = alignUp(width, ALLOCATION_ALIGNMENT)
    if (pitch * rows > 0xffff_ffff) return 'cudaErrorMemoryAllocation'
    const status = allocate(out, pitch * rows)
    if (status === 'cudaSuccess') host.setU32(pitchOut, pitch)
    return status
  }
  const free = (address: number): CallResult => {
    if (address === 0) return 'cudaSuccess'
    if (addresses.rangeFrom(address)?.kind === 'managed') {
      context.parts.hostFree(addresses.remove(address)!.allocated!)
      mirrored.remove(address)
      return 'cudaSuccess'
    }
    if (memory.free(address)) return 'cudaSuccess'
    context.mentionOnce(`cudaFree: no allocation starts there: ${addresses.describe(address)}`)
    return 'cudaErrorInvalidValue'
  }
  return {
    cudaMalloc: context.call((out: number, bytes: number) => allocate(out >>> 0, bytes >>> 0)),
    cudaMallocPitch: context.call((out: number, pitch: number, width: number, height: number) =>
      allocatePitched(out >>> 0, pitch >>> 0, width >>> 0, height >>> 0),
    ),
    __warplens_malloc_3d: context.call((out: number, pitch: number, width: number, height: number, depth: number) =>
      allocatePitched(out >>> 0, pitch >>> 0, width >>> 0, (height >>> 0) * (depth >>> 0)),
    ),
    cudaMallocAsync: context.call((out: number, bytes: number, stream: number) =>
      streams.has(stream) ? allocate(out >>> 0, bytes >>> 0) : 'cudaErrorInvalidResourceHandle',
    ),
    cudaFree: context.call((address: number) => {
      timeline.synchronizeDevice()
      return free(address >>> 0)
    }),
    cudaFreeAsync: context.call((address: number, stream: number) =>
      streams.has(stream) ? free(address >>> 0) : 'cudaErrorInvalidResourceHandle',
    ),
    cudaMemGetInfo: context.call((freeOut: number, totalOut: number) => {
      host.setU32(freeOut, memory.freeBytes)
      host.setU32(totalOut, memory.capacityBytes)
      return 'cudaSuccess'
    }),
    __warplens_pointer_attributes: context.call(
      (pointer: number, type: number, device: number, deviceOut: number, hostOut: number) => {
        const address = pointer >>> 0
        const range = addresses.rangeAt(address)
        const isDevice = memory.allocationAt(address) !== undefined
        const UNREGISTERED = 0
        host.setU32(type, range ? (range.kind === 'managed' ? 3 : 1) : isDevice ? 2 : UNREGISTERED)
        host.setU32(device, range || isDevice ? 0 : -2)
        host.setU32(deviceOut, range || isDevice ? address : 0)
        host.setU32(hostOut, isDevice ? 0 : range ? address : 0)
        return 'cudaSuccess'
      },
    ),
  }
}

/** Page-locked, mapped and managed memory: all of it host memory that the runtime remembers. */
function hostAllocationCalls(context: CudaContext, { addresses, mirrored }: MemoryParts): HostFunctions {
  const { host } = context.parts
  const allocate = (out: number, bytes: number, kind: 'pinned' | 'managed', flags: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    if (bytes === 0) {
      host.setU32(out, 0)
      return kind === 'managed' ? 'cudaErrorInvalidValue' : 'cudaSuccess'
    }
    const allocated = context.parts.hostMalloc(bytes + PINNED_ALIGNMENT) >>> 0
    if (allocated === 0) return 'cudaErrorMemoryAllocation'
    const address = alignUp(allocated, PINNED_ALIGNMENT)
    if (kind === 'managed') {
      if (!mirrored.add(address, bytes)) {
        context.parts.hostFree(allocated)
        return 'cudaErrorMemoryAllocation'
      }
      host.bytes(address, bytes).fill(0)
    }
    addresses.add({ address, bytes, kind, flags, allocated })
    host.setU32(out, address)
    return 'cudaSuccess'
  }
  const isHostRange = (address: number) => addresses.rangeAt(address) !== undefined
  const freeHost = (address: number): CallResult => {
    if (address === 0) return 'cudaSuccess'
    if (addresses.rangeFrom(address)?.kind !== 'pinned') return 'cudaErrorInvalidValue'
    mirrored.remove(address)
    context.parts.hostFree(addresses.remove(address)!.allocated!)
    return 'cudaSuccess'
  }
  return {
    cudaMallocHost: context.call((out: number, bytes: number) => allocate(out >>> 0, bytes >>> 0, 'pinned', 0)),
    cudaHostAlloc: context.call((out: number, bytes: number, flags: number) =>
      allocate(out >>> 0, bytes >>> 0, 'pinned', flags),
    ),
    cudaMallocManaged: context.call((out: number, bytes: number, flags: number) =>
      flags === 1 || flags === 2 ? allocate(out >>> 0, bytes >>> 0, 'managed', flags) : 'cudaErrorInvalidValue',
    ),
    cudaFreeHost: context.call((address: number) => freeHost(address >>> 0)),
    cudaHostRegister: context.call((address: number, bytes: number, flags: number) => {
      if (bytes === 0 || !addresses.isHost(address >>> 0, bytes >>> 0)) return 'cudaErrorInvalidValue'
      if (isHostRange(address >>> 0)) return 'cudaErrorHostMemoryAlreadyRegistered'
      addresses.add({ address: address >>> 0, bytes: bytes >>> 0, kind: 'registered', flags, allocated: undefined })
      return 'cudaSuccess'
    }),
    cudaHostUnregister: context.call((address: number) => {
      if (addresses.rangeFrom(address >>> 0)?.kind !== 'registered') return 'cudaErrorHostMemoryNotRegistered'
      mirrored.remove(address >>> 0)
      addresses.remove(address >>> 0)
      return 'cudaSuccess'
    }),
    cudaHostGetFlags: context.call((out: number, address: number) => {
      const range = addresses.rangeAt(address >>> 0)
      if (range === undefined) return 'cudaErrorInvalidValue'
      host.setU32(out, range.flags)
      return 'cudaSuccess'
    }),
    cudaHostGetDevicePointer: context.call((out: number, address: number, flags: number) => {
      const range = addresses.rangeAt(address >>> 0)
      if (range === undefined || flags !== 0) return 'cudaErrorInvalidValue'
      if (!mirrored.add(range.address, range.bytes)) return 'cudaErrorMemoryAllocation'
      host.setU32(out, address >>> 0)
      return 'cudaSuccess'
    }),
    cudaMemPrefetchAsync: context.call((address: number) =>
      isHostRange(address >>> 0) ? 'cudaSuccess' : 'cudaErrorInvalidValue',
    ),
    cudaMemAdvise: context.call((address: number) =>
      isHostRange(address >>> 0) ? 'cudaSuccess' : 'cudaErrorInvalidValue',
    ),
    cudaStreamAttachMemAsync: context.call(() => 'cudaSuccess'),
  }
}

function copyCalls(context: CudaContext, { addresses, streams }: MemoryParts): HostFunctions {
  const copy = (
    caller: string,
    to: number,
    toPitch: number,
    from: number,
    fromPitch: number,
    extent: Extent,
    kind: number,
    stream: number,
    isAsync: boolean,
    toRows = extent.height,
    fromRows = extent.height,
  ): CallResult => {
    if (!streams.has(stream)) return 'cudaErrorInvalidResourceHandle'
    return runCopy(context, addresses, {
      to: { address: to >>> 0, pitch: toPitch >>> 0, sliceRows: toRows },
      from: { address: from >>> 0, pitch: fromPitch >>> 0, sliceRows: fromRows },
      extent,
      kind,
      stream: streams.numberOf(stream),
      isAsync,
      caller,
    })
  }
  const flat = (
    caller: string,
    to: number,
    from: number,
    bytes: number,
    kind: number,
    stream: number,
    isAsync: boolean,
  ): CallResult =>
    copy(caller, to, bytes, from, bytes, { width: bytes >>> 0, height: 1, depth: 1 }, kind, stream, isAsync)
  const plane = (width: number, height: number): Extent => ({ width: width >>> 0, height: height >>> 0, depth: 1 })
  const fill = (
    caller: string,
    pointer: number,
    pitch: number,
    rows: number,
    value: number,
    extent: Extent,
    stream: number,
  ): CallResult =>
    streams.has(stream)
      ? runFill(
          context,
          addresses,
          { address: pointer >>> 0, pitch: pitch >>> 0, sliceRows: rows },
          extent,
          value,
          streams.numberOf(stream),
          caller,
        )
      : 'cudaErrorInvalidResourceHandle'
  return {
    cudaMemcpy: context.call((to: number, from: number, bytes: number, kind: number) =>
      flat('cudaMemcpy', to, from, bytes, kind, 0, false),
    ),
    cudaMemcpyAsync: context.call((to: number, from: number, bytes: number, kind: number, stream: number) =>
      flat('cudaMemcpyAsync', to, from, bytes, kind, stream, true),
    ),
    cudaMemcpyPeer: context.call((to: number, toDevice: number, from: number, fromDevice: number, bytes: number) =>
      toDevice | fromDevice
        ? 'cudaErrorInvalidDevice'
        : flat('cudaMemcpyPeer', to, from, bytes, MEMCPY_DEFAULT, 0, false),
    ),
    cudaMemcpyPeerAsync: context.call(
      (to: number, toDevice: number, from: number, fromDevice: number, bytes: number, stream: number) =>
        toDevice | fromDevice
          ? 'cudaErrorInvalidDevice'
          : flat('cudaMemcpyPeerAsync', to, from, bytes, MEMCPY_DEFAULT, stream, true),
    ),
    cudaMemcpy2D: context.call(
      (to: number, toPitch: number, from: number, fromPitch: number, width: number, height: number, kind: number) =>
        copy('cudaMemcpy2D', to, toPitch, from, fromPitch, plane(width, height), kind, 0, false),
    ),
    cudaMemcpy2DAsync: context.call(
      (
        to: number,
        toPitch: number,
        from: number,
        fromPitch: number,
        width: number,
        height: number,
        kind: number,
        stream: number,
      ) => copy('cudaMemcpy2DAsync', to, toPitch, from, fromPitch, plane(width, height), kind, stream, true),
    ),
    __warplens_memcpy_3d: context.call(
      (
        to: number,
        toPitch: number,
        toRows: number,
        from: number,
        fromPitch: number,
        fromRows: number,
        width: number,
        height: number,
        depth: number,
        kind: number,
        stream: number,
        isAsync: number,
        usesArray: number,
      ) => {
        if (usesArray !== 0) return context.unsupported('cudaMemcpy3D with a cudaArray')
        const extent = { width: width >>> 0, height: height >>> 0, depth: depth >>> 0 }
        return copy(
          'cudaMemcpy3D',
          to,
          toPitch,
          from,
          fromPitch,
          extent,
          kind,
          stream,
          isAsync !== 0,
          toRows >>> 0,
          fromRows >>> 0,
        )
      },
    ),
    cudaMemset: context.call((pointer: number, value: number, bytes: number) =>
      fill('cudaMemset', pointer, bytes, 1, value, plane(bytes, 1), 0),
    ),
    cudaMemsetAsync: context.call((pointer: number, value: number, bytes: number, stream: number) =>
      fill('cudaMemsetAsync', pointer, bytes, 1, value, plane(bytes, 1), stream),
    ),
    cudaMemset2D: context.call((pointer: number, pitch: number, value: number, width: number, height: number) =>
      fill('cudaMemset2D', pointer, pitch, height, value, plane(width, height), 0),
    ),
    cudaMemset2DAsync: context.call(
      (pointer: number, pitch: number, value: number, width: number, height: number, stream: number) =>
        fill('cudaMemset2DAsync', pointer, pitch, height, value, plane(width, height), stream),
    ),
    __warplens_memset_3d: context.call(
      (
        pointer: number,
        pitch: number,
        rows: number,
        value: number,
        width: number,
        height: number,
        depth: number,
        stream: number,
      ) => fill('cudaMemset3D', pointer, pitch, rows, value, { ...plane(width, height), depth: depth >>> 0 }, stream),
    ),
  }
}

function symbolCalls(context: CudaContext, { addresses, registry, streams }: MemoryParts): HostFunctions {
  const { host } = context.parts
  const transfer = (
    caller: string,
    symbol: number,
    other: number,
    bytes: number,
    offset: number,
    kind: number,
    stream: number,
    isAsync: boolean,
    toSymbol: boolean,
  ): CallResult => {
    const variable = registry.variableOf(symbol)
    if (variable === undefined) return 'cudaErrorInvalidSymbol'
    if (!streams.has(stream)) return 'cudaErrorInvalidResourceHandle'
    const length = bytes >>> 0
    if ((offset >>> 0) + length > variable.bytes) return 'cudaErrorInvalidValue'
    const inSymbol = linear(variable.address + (offset >>> 0), length)
    const elsewhere = linear(other >>> 0, length)
    return runCopy(context, addresses, {
      to: toSymbol ? inSymbol : elsewhere,
      from: toSymbol ? elsewhere : inSymbol,
      extent: { width: length, height: 1, depth: 1 },
      kind,
      stream: streams.numberOf(stream),
      isAsync,
      caller,
    })
  }
  return {
    cudaMemcpyToSymbol: context.call((symbol: number, from: number, bytes: number, offset: number, kind: number) =>
      transfer('cudaMemcpyToSymbol', symbol, from, bytes, offset, kind, 0, false, true),
    ),
    cudaMemcpyToSymbolAsync: context.call(
      (symbol: number, from: number, bytes: number, offset: number, kind: number, stream: number) =>
        transfer('cudaMemcpyToSymbolAsync', symbol, from, bytes, offset, kind, stream, true, true),
    ),
    cudaMemcpyFromSymbol: context.call((to: number, symbol: number, bytes: number, offset: number, kind: number) =>
      transfer('cudaMemcpyFromSymbol', symbol, to, bytes, offset, kind, 0, false, false),
    ),
    cudaMemcpyFromSymbolAsync: context.call(
      (to: number, symbol: number, bytes: number, offset: number, kind: number, stream: number) =>
        transfer('cudaMemcpyFromSymbolAsync', symbol, to, bytes, offset, kind, stream, true, false),
    ),
    cudaGetSymbolAddress: context.call((out: number, symbol: number) => {
      const variable = registry.variableOf(symbol)
      if (variable === undefined) return 'cudaErrorInvalidSymbol'
      host.setU32(out, variable.address)
      return 'cudaSuccess'
    }),
    cudaGetSymbolSize: context.call((out: number, symbol: number) => {
      const variable = registry.variableOf(symbol)
      if (variable === undefined) return 'cudaErrorInvalidSymbol'
      host.setU32(out, variable.bytes)
      return 'cudaSuccess'
    }),
  }
}
