/** Allocation on both sides: device memory, page-locked, mapped and managed memory; what a pointer points to. */
import { alignUp } from '../../ir/types.ts'
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { AddressBook, HostRange } from '../memory/addresses.ts'
import { ALLOCATION_ALIGNMENT } from '../memory/deviceMemory.ts'
import { memoryAdviceCalls } from '../memory/memoryAdvice.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import type { StreamTable } from '../timeline/streamTable.ts'
import { poolCalls } from './cudaPools.ts'

export interface AllocationParts {
  readonly addresses: AddressBook
  readonly mirrored: MirroredMemory
  readonly streams: StreamTable
}

/** What pools need of plain allocation. */
export interface AllocationCore {
  /** Writes the address to host memory at `out`. */
  readonly allocate: (out: number, bytes: number) => CallResult
  readonly free: (address: number) => CallResult
}

const PINNED_ALIGNMENT = 512
const MIB = 1024 * 1024
/** What a size of more than 32 bits comes as (include/warplens/wide_sizes.h) is beyond every allocation. */
const LARGEST_PRODUCT = 0xffff_fffe

export function allocationCalls(context: CudaContext, parts: AllocationParts): HostFunctions {
  return { ...deviceAllocationCalls(context, parts), ...hostAllocationCalls(context, parts) }
}

function deviceAllocationCalls(context: CudaContext, { mirrored, addresses, streams }: AllocationParts): HostFunctions {
  const { host, memory, timeline } = context.parts
  const allocate = (out: number, bytes: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    if (bytes === 0) {
      host.setU32(out, 0)
      return 'cudaSuccess'
    }
    const address = memory.allocate(bytes, 'cudaMalloc')
    if (address === undefined) {
      context.mentionOnce(
        `cudaMalloc: out of device memory: ${bytes > LARGEST_PRODUCT ? 'more than 4096' : Math.ceil(bytes / MIB)} MiB wanted, ` +
          `${Math.floor(memory.freeBytes / MIB)} of ${Math.floor(memory.capacityBytes / MIB)} MiB free, ${Math.floor(memory.largestFreeBytes / MIB)} of them ` +
          'in one piece (device addresses have 32 bits here)',
      )
      return 'cudaErrorMemoryAllocation'
    }
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
    if (context.graphMemory.owns(address)) {
      context.graphMemory.free(address)
      return 'cudaSuccess'
    }
    const range = addresses.rangeFrom(address)
    if (range?.kind === 'managed' && range.allocated !== undefined) {
      addresses.remove(address)
      context.parts.hostFree(range.allocated)
      mirrored.remove(address)
      return 'cudaSuccess'
    }
    if (memory.allocationAt(address)?.kind === 'cudaMalloc' && memory.free(address)) return 'cudaSuccess'
    context.mentionOnce(`cudaFree: no allocation starts there: ${addresses.describe(address)}`)
    return 'cudaErrorInvalidValue'
  }
  return {
    ...poolCalls(context, streams, { allocate, free }),
    cudaMalloc: context.call((out: number, bytes: number) => allocate(out >>> 0, bytes >>> 0)),
    cudaMallocPitch: context.call((out: number, pitch: number, width: number, height: number) =>
      allocatePitched(out >>> 0, pitch >>> 0, width >>> 0, height >>> 0),
    ),
    __warplens_malloc_3d: context.call((out: number, pitch: number, width: number, height: number, depth: number) =>
      allocatePitched(out >>> 0, pitch >>> 0, width >>> 0, (height >>> 0) * (depth >>> 0)),
    ),
    cudaFree: context.call((address: number) => {
      timeline.synchronizeDevice()
      return free(address >>> 0)
    }),
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
        host.setU32(device, isDevice ? memory.allocationAt(address)!.device : range ? 0 : -2)
        host.setU32(deviceOut, range || isDevice ? address : 0)
        host.setU32(hostOut, isDevice ? 0 : range ? address : 0)
        return 'cudaSuccess'
      },
    ),
    __warplens_address_range: context.call((pointer: number, base: number, bytes: number) => {
      const address = pointer >>> 0
      const range = addresses.rangeAt(address) ?? memory.allocationAt(address)
      if (range === undefined) return 'cudaErrorInvalidValue'
      host.setU32(base, range.address)
      host.setU32(bytes, range.bytes)
      return 'cudaSuccess'
    }),
  }
}

/** Page-locked, mapped and managed memory: all of it host memory that the runtime remembers. */
function hostAllocationCalls(context: CudaContext, { addresses, mirrored }: AllocationParts): HostFunctions {
  const { host } = context.parts
  const allocate = (out: number, bytes: number, kind: 'pinned' | 'managed', flags: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    if (bytes === 0) {
      host.setU32(out, 0)
      return kind === 'managed' ? 'cudaErrorInvalidValue' : 'cudaSuccess'
    }
    const room = alignUp(bytes, PINNED_ALIGNMENT)
    const allocated = context.parts.hostMalloc(room + PINNED_ALIGNMENT) >>> 0
    if (allocated === 0) return 'cudaErrorMemoryAllocation'
    const address = alignUp(allocated, PINNED_ALIGNMENT)
    if (kind === 'managed') {
      if (!isMirrored({ address, bytes, room }, 'cudaMallocManaged')) {
        context.parts.hostFree(allocated)
        return 'cudaErrorMemoryAllocation'
      }
      host.bytes(address, room).fill(0)
    }
    addresses.add({ address, bytes, room, kind, flags, allocated })
    host.setU32(out, address)
    return 'cudaSuccess'
  }
  const isMirrored = ({ address, bytes, room }: Pick<HostRange, 'address' | 'bytes' | 'room'>, caller: string) => {
    const is = mirrored.add(address, bytes, room)
    if (!is)
      context.mentionOnce(
        `${caller}: memory that host and device share lies in the first 2048 MiB of either, and there is no room for ${Math.ceil(bytes / MIB)} MiB`,
      )
    return is
  }
  const isHostRange = (address: number) => addresses.rangeAt(address) !== undefined
  const freeHost = (address: number): CallResult => {
    if (address === 0) return 'cudaSuccess'
    const range = addresses.rangeFrom(address)
    if (range?.kind !== 'pinned' || range.allocated === undefined) return 'cudaErrorInvalidValue'
    mirrored.remove(address)
    addresses.remove(address)
    context.parts.hostFree(range.allocated)
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
      const size = bytes >>> 0
      addresses.add({
        address: address >>> 0,
        bytes: size,
        room: size,
        kind: 'registered',
        flags,
        allocated: undefined,
      })
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
      if (!isMirrored(range, 'cudaHostGetDevicePointer')) return 'cudaErrorMemoryAllocation'
      host.setU32(out, address >>> 0)
      return 'cudaSuccess'
    }),
    ...memoryAdviceCalls(context, addresses),
    cudaStreamAttachMemAsync: context.call(() => 'cudaSuccess'),
  }
}
