/** The driver's virtual memory management (include/warplens/driver_virtual_memory.h), as calls of the host program. */
import type { CudaContext, HostFunctions } from '../context.ts'
import { GRANULARITY, VirtualMemory } from '../memory/virtualMemory.ts'

export function virtualMemoryCalls(context: CudaContext): HostFunctions {
  const { host, memory, devices } = context.parts
  const ranges = new VirtualMemory(memory)
  return {
    __warplens_reserve_addresses: context.call((out: number, bytes: number, wanted: number) => {
      if (out === 0 || bytes === 0 || bytes % GRANULARITY !== 0) return 'cudaErrorInvalidValue'
      const address = ranges.reserve(bytes, wanted >>> 0)
      if (address === undefined) return 'cudaErrorMemoryAllocation'
      host.setU32(out, address)
      return 'cudaSuccess'
    }),
    __warplens_return_addresses: context.call((address: number, bytes: number) =>
      ranges.giveBack(address >>> 0, bytes),
    ),
    __warplens_create_memory: context.call((out: number, bytes: number, device: number) => {
      if (device < 0 || device >= devices.count) return 'cudaErrorInvalidDevice'
      if (out === 0 || bytes === 0 || bytes % GRANULARITY !== 0) return 'cudaErrorInvalidValue'
      const handle = ranges.create(bytes, device)
      if (handle === undefined) return 'cudaErrorMemoryAllocation'
      host.setU32(out, handle)
      return 'cudaSuccess'
    }),
    __warplens_memory_device: context.call((handle: number, out: number) => {
      const device = ranges.deviceOf(handle)
      if (device === undefined) return 'cudaErrorInvalidValue'
      host.setU32(out, device)
      return 'cudaSuccess'
    }),
    __warplens_release_memory: context.call((handle: number) => ranges.release(handle)),
    __warplens_map_memory: context.call((address: number, bytes: number, handle: number) => {
      const result = ranges.map(address >>> 0, bytes, handle)
      if (result === 'cudaErrorNotSupported')
        context.parts.warn('cuMemMap: memory that is mapped at two places at the same time is not supported')
      return result
    }),
    __warplens_unmap_memory: context.call((address: number, bytes: number) => ranges.unmap(address >>> 0, bytes)),
    __warplens_open_memory: context.call((address: number, bytes: number, isOpen: number) =>
      ranges.open(address >>> 0, bytes, isOpen !== 0),
    ),
  }
}
