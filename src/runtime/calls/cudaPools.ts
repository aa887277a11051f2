/**
 * Stream-ordered allocation. Work is done when it is enqueued, so memory is taken and given back at the call; pools are what
 * the program sees of them: their use, now and at most, and the attributes that it sets.
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { StreamTable } from '../timeline/streamTable.ts'
import type { AllocationCore } from './cudaAllocation.ts'

interface Pool {
  usedBytes: bigint
  mostBytes: bigint
  releaseThreshold: bigint
  readonly reuse: Map<number, number>
}

/** cudaMemPoolAttr. */
const ATTRIBUTE = { lastReuse: 3, releaseThreshold: 4, reserved: 5, mostReserved: 6, used: 7, mostUsed: 8 } as const
const DEFAULT_POOL = 16
const HANDLE_STEP = 16

export function poolCalls(context: CudaContext, streams: StreamTable, memory: AllocationCore): HostFunctions {
  const { host } = context.parts
  const newPool = (): Pool => ({ usedBytes: 0n, mostBytes: 0n, releaseThreshold: 0n, reuse: new Map() })
  const pools = new Map<number, Pool>([[DEFAULT_POOL, newPool()]])
  const owners = new Map<number, { readonly pool: Pool; readonly bytes: bigint }>()
  let current = DEFAULT_POOL
  let nextHandle = DEFAULT_POOL + HANDLE_STEP

  const withPool = (handle: number, body: (pool: Pool) => CallResult): CallResult => {
    const pool = pools.get(handle)
    return pool === undefined ? 'cudaErrorInvalidValue' : body(pool)
  }
  const store = (out: number, value: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    host.setU32(out, value)
    return 'cudaSuccess'
  }
  const storeU64 = (out: number, value: bigint): CallResult => {
    host.setU32(out, Number(value & 0xffff_ffffn))
    host.setU32(out + 4, Number(value >> 32n))
    return 'cudaSuccess'
  }
  const onDevice = (device: number, body: () => CallResult): CallResult =>
    device === 0 ? body() : 'cudaErrorInvalidDevice'
  const allocate = (out: number, bytes: number, handle: number, stream: number): CallResult => {
    const info = streams.info(stream)
    if (info === undefined) return 'cudaErrorInvalidResourceHandle'
    return withPool(handle, pool => {
      const result = memory.allocate(out, bytes)
      if (result !== 'cudaSuccess' || bytes === 0) return result
      if (info.capture !== undefined) {
        const address = host.u32(out)
        context.graphMemory.adopt(address, bytes)
        return streams.enqueue(stream, 'memAlloc', () => {
          context.graphMemory.occupy(address)
          return 'cudaSuccess'
        })
      }
      pool.usedBytes += BigInt(bytes)
      if (pool.usedBytes > pool.mostBytes) pool.mostBytes = pool.usedBytes
      owners.set(host.u32(out), { pool, bytes: BigInt(bytes) })
      return result
    })
  }
  const free = (address: number, stream: number): CallResult => {
    const info = streams.info(stream)
    if (info === undefined) return 'cudaErrorInvalidResourceHandle'
    if (info.capture !== undefined)
      return streams.enqueue(stream, 'memFree', () => {
        context.graphMemory.free(address)
        return 'cudaSuccess'
      })
    const result = memory.free(address)
    const owner = owners.get(address)
    if (result === 'cudaSuccess' && owner !== undefined) {
      owner.pool.usedBytes -= owner.bytes
      owners.delete(address)
    }
    return result
  }
  const getAttribute = (pool: Pool, attribute: number, out: number): CallResult => {
    if (attribute >= 1 && attribute <= ATTRIBUTE.lastReuse) return store(out, pool.reuse.get(attribute) ?? 1)
    switch (attribute) {
      case ATTRIBUTE.releaseThreshold:
        return storeU64(out, pool.releaseThreshold)
      case ATTRIBUTE.reserved:
      case ATTRIBUTE.used:
        return storeU64(out, pool.usedBytes)
      case ATTRIBUTE.mostReserved:
      case ATTRIBUTE.mostUsed:
        return storeU64(out, pool.mostBytes)
      default:
        return 'cudaErrorInvalidValue'
    }
  }
  const setAttribute = (pool: Pool, attribute: number, from: number): CallResult => {
    const low = host.u32(from)
    if (attribute >= 1 && attribute <= ATTRIBUTE.lastReuse) pool.reuse.set(attribute, low)
    else if (attribute === ATTRIBUTE.releaseThreshold)
      pool.releaseThreshold = BigInt(low) | (BigInt(host.u32(from + 4)) << 32n)
    else if (attribute === ATTRIBUTE.mostReserved || attribute === ATTRIBUTE.mostUsed) {
      // The high marks can be set back, and to nothing else.
      if (low !== 0) return 'cudaErrorInvalidValue'
      pool.mostBytes = pool.usedBytes
    } else return 'cudaErrorInvalidValue'
    return 'cudaSuccess'
  }
  return {
    cudaMallocAsync: context.call((out: number, bytes: number, stream: number) =>
      allocate(out >>> 0, bytes >>> 0, current, stream),
    ),
    cudaMallocFromPoolAsync: context.call((out: number, bytes: number, pool: number, stream: number) =>
      allocate(out >>> 0, bytes >>> 0, pool, stream),
    ),
    cudaFreeAsync: context.call((address: number, stream: number) => free(address >>> 0, stream)),
    __warplens_create_pool: context.call((out: number, device: number) =>
      onDevice(device, () => {
        pools.set(nextHandle, newPool())
        const result = store(out, nextHandle)
        nextHandle += HANDLE_STEP
        return result
      }),
    ),
    cudaMemPoolDestroy: context.call((handle: number) => {
      if (handle === DEFAULT_POOL || !pools.delete(handle)) return 'cudaErrorInvalidValue'
      if (current === handle) current = DEFAULT_POOL
      return 'cudaSuccess'
    }),
    cudaMemPoolTrimTo: context.call((handle: number) => withPool(handle, () => 'cudaSuccess')),
    cudaMemPoolSetAttribute: context.call((handle: number, attribute: number, from: number) =>
      withPool(handle, pool => setAttribute(pool, attribute, from)),
    ),
    cudaMemPoolGetAttribute: context.call((handle: number, attribute: number, out: number) =>
      withPool(handle, pool => getAttribute(pool, attribute, out)),
    ),
    cudaDeviceGetDefaultMemPool: context.call((out: number, device: number) =>
      onDevice(device, () => store(out, DEFAULT_POOL)),
    ),
    cudaDeviceGetMemPool: context.call((out: number, device: number) => onDevice(device, () => store(out, current))),
    cudaDeviceSetMemPool: context.call((device: number, handle: number) =>
      onDevice(device, () =>
        withPool(handle, () => {
          current = handle
          return 'cudaSuccess'
        }),
      ),
    ),
  }
}
