/** The device calls: one device or several of a kind, their attributes from the device table, limits, versions, synchronisation. */
import { WARP_LANES } from '../../addressSpace.ts'
import type { Device } from '../../devices/device.ts'
import { textureLimits } from '../../devices/textureLimits.ts'
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import { errorCode } from '../cudaErrors.ts'
import { FACT } from '../program/deviceFacts.ts'

/** What include/driver_types.h says: CUDART_VERSION. */
const CUDA_VERSION = 12080

/** cudaDeviceAttr numbers (include/driver_types.h) to values; one that is not here reads 0. Kilohertz and bytes as CUDA has them. */
export function attributeTable(device: Device, memoryBytes: number): ReadonlyMap<number, number> {
  const { major, minor } = device.computeCapability
  const capability = major * 10 + minor
  return new Map([
    [1, device.maxThreadsPerBlock],
    [2, device.maxBlockDim[0]],
    [3, device.maxBlockDim[1]],
    [4, device.maxBlockDim[2]],
    [5, device.maxGridDim[0]],
    [6, device.maxGridDim[1]],
    [7, device.maxGridDim[2]],
    [8, device.sharedBytesPerBlock],
    [9, 65536],
    [10, WARP_LANES],
    [11, 0x7fff_ffff],
    [12, device.registersPerBlock],
    [13, device.clockMHz * 1000],
    [14, 512],
    [15, 1],
    [16, device.multiprocessors],
    ...textureLimits(capability),
    [19, 1],
    [30, 512],
    [31, major >= 2 ? 1 : 0],
    [36, device.memoryClockMHz * 1000],
    [37, device.memoryBusBits],
    [38, device.l2Bytes],
    [39, device.maxWarpsPerMultiprocessor * WARP_LANES],
    [40, major >= 2 ? 3 : 1],
    [41, major >= 2 ? 1 : 0],
    [51, 32],
    [75, major],
    [76, minor],
    [78, capability >= 35 ? 1 : 0],
    [79, device.l1Bytes > 0 ? 1 : 0],
    [80, device.l1Bytes > 0 ? 1 : 0],
    [81, device.sharedBytesPerMultiprocessor],
    [82, device.registersPerMultiprocessor],
    [83, capability >= 30 ? 1 : 0],
    [87, capability === 90 || capability === 80 || capability === 70 || capability === 60 ? 2 : 32],
    [89, capability >= 60 ? 1 : 0],
    [90, capability >= 60 ? 1 : 0],
    [91, capability >= 60 ? 1 : 0],
    [95, capability >= 60 ? 1 : 0],
    [97, device.sharedBytesPerBlockOptin],
    [99, 1],
    [102, 1], // cuMemCreate and its kind: cudaVirtualMemory.ts
    [106, device.maxBlocksPerMultiprocessor],
    ...(capability >= 80 ? persistingLimits(device, capability) : []),
    [111, device.sharedBytesReserved],
    [115, capability >= 60 ? 1 : 0],
    [120, capability >= 90 ? 1 : 0],
    [126, capability >= 90 ? 4 : 1],
    [131, -1],
    [10000, memoryBytes],
  ])
}

/** What of L2 can be set aside, in bytes, and how long a window for it can be: read on an H200; the guide has A100's. */
function persistingLimits({ l2Bytes }: Device, capability: number): readonly (readonly [number, number])[] {
  return [
    [108, (l2Bytes / 8) * (capability >= 90 ? 5 : 6)],
    [109, 2 ** 27],
  ]
}

/** cudaLimit numbers to what a real device starts with. */
export const DEFAULT_LIMITS: readonly number[] = [1024, 1024 * 1024, 8 * 1024 * 1024, 2, 2048, 64, 0]

/** cudaLimitMallocHeapSize: can be set before the first launch of a kernel that calls malloc. */
const MALLOC_HEAP_SIZE = 2

export function deviceCalls(context: CudaContext): HostFunctions {
  const { host, device, devices, image, memory, timeline } = context.parts
  const attributes = attributeTable(device, memory.capacityBytes)
  const limits = [...DEFAULT_LIMITS]
  let flags = 0
  let cacheConfig = 0
  let sharedMemConfig = 1
  const store = (out: number, value: number): CallResult => {
    if (out === 0) return 'cudaErrorInvalidValue'
    host.setU32(out, value)
    return 'cudaSuccess'
  }
  const check = (ordinal: number): CallResult => (devices.has(ordinal) ? 'cudaSuccess' : 'cudaErrorInvalidDevice')
  const onDevice = (ordinal: number, body: () => CallResult): CallResult => {
    const status = check(ordinal)
    return status === 'cudaSuccess' ? body() : status
  }
  const synchronize = (): CallResult => {
    timeline.synchronizeDevice()
    return 'cudaSuccess'
  }
  const reset = context.call(synchronize) as () => number
  return {
    cudaGetDeviceCount: context.call((out: number) => store(out, devices.count)),
    cudaGetDevice: context.call((out: number) => store(out, devices.current)),
    cudaSetDevice: context.call((ordinal: number) => devices.switchTo(ordinal)),
    cudaInitDevice: context.call(check),
    cudaSetValidDevices: context.call(() => 'cudaSuccess'),
    __warplens_check_device: context.call(check),
    __warplens_device_attribute: (key: number) => attributes.get(key) ?? 0,
    __warplens_device_name: (to: number, capacity: number) => {
      host.setText(to >>> 0, device.name, capacity >>> 0)
      return undefined
    },
    cudaDeviceGetAttribute: context.call((out: number, key: number, ordinal: number) =>
      onDevice(ordinal, () => store(out, attributes.get(key) ?? 0)),
    ),
    cudaDeviceGetPCIBusId: context.call((to: number, length: number, ordinal: number) =>
      onDevice(ordinal, () => {
        if (length < 13) return 'cudaErrorInvalidValue'
        host.setText(to >>> 0, `0000:0${ordinal.toString(16)}:00.0`, length)
        return 'cudaSuccess'
      }),
    ),
    cudaDeviceGetByPCIBusId: context.call((out: number, text: number) => {
      const ordinal = ordinalOfBus(host.text(text))
      if (ordinal === undefined) return 'cudaErrorInvalidValue'
      return onDevice(ordinal, () => store(out, ordinal))
    }),
    cudaDeviceSynchronize: context.call(synchronize),
    cudaThreadSynchronize: context.call(synchronize),
    cudaDeviceReset: () => (context.forgetFault() ? errorCode('cudaSuccess') : reset()),
    cudaThreadExit: context.call(synchronize),
    cudaProfilerStart: context.call(() => 'cudaSuccess'),
    cudaProfilerStop: context.call(() => 'cudaSuccess'),
    cudaSetDeviceFlags: context.call((value: number) => {
      flags = value
      return 'cudaSuccess'
    }),
    cudaGetDeviceFlags: context.call((out: number) => store(out, flags)),
    cudaDeviceGetLimit: context.call((out: number, limit: number) =>
      limits[limit] === undefined ? 'cudaErrorInvalidValue' : store(out, limits[limit]),
    ),
    cudaDeviceSetLimit: context.call((limit: number, value: number) => {
      if (limits[limit] === undefined) return 'cudaErrorInvalidValue'
      if (limit === MALLOC_HEAP_SIZE && !context.heap.resize(value >>> 0)) return 'cudaErrorInvalidValue'
      limits[limit] = value >>> 0
      image.setFact(FACT.limits + limit, value, memory)
      return 'cudaSuccess'
    }),
    cudaDeviceGetCacheConfig: context.call((out: number) => store(out, cacheConfig)),
    cudaDeviceSetCacheConfig: context.call((value: number) => {
      cacheConfig = value
      return 'cudaSuccess'
    }),
    cudaDeviceGetSharedMemConfig: context.call((out: number) => store(out, sharedMemConfig)),
    cudaDeviceSetSharedMemConfig: context.call((value: number) => {
      if (value < 0 || value > 2) return 'cudaErrorInvalidValue'
      // Only Kepler has 8-byte banks; elsewhere the call succeeds and changes nothing.
      if (device.computeCapability.major === 3) sharedMemConfig = value === 2 ? 2 : 1
      return 'cudaSuccess'
    }),
    cudaDriverGetVersion: context.call((out: number) => store(out, CUDA_VERSION)),
    cudaRuntimeGetVersion: context.call((out: number) => store(out, CUDA_VERSION)),
    cudaDeviceCanAccessPeer: context.call((out: number, from: number, to: number) =>
      onDevice(from, () => onDevice(to, () => store(out, devices.canAccess(from, to) ? 1 : 0))),
    ),
    cudaDeviceGetP2PAttribute: context.call((out: number, attribute: number, from: number, to: number) => {
      if (!devices.canAccess(from, to)) return 'cudaErrorInvalidDevice'
      const value = PEER_ATTRIBUTES[attribute]
      return value === undefined ? 'cudaErrorInvalidValue' : store(out, value)
    }),
    cudaDeviceEnablePeerAccess: context.call((peer: number, flags: number) => devices.enablePeer(peer, flags)),
    cudaDeviceDisablePeerAccess: context.call((peer: number) => devices.disablePeer(peer)),
  }
}

/** cudaDeviceP2PAttr of any two devices: the best rank, and access, atomics and arrays of one another. */
const PEER_ATTRIBUTES: Readonly<Record<number, number>> = { 1: 0, 2: 1, 3: 1, 4: 1 }

/** Of `[domain]:[bus]:[device].[function]`, `[domain]:[bus]:[device]` or `[bus]:[device].[function]`, in hexadecimal. */
function ordinalOfBus(text: string): number | undefined {
  const hex = '([0-9a-f]+)'
  const whole = new RegExp(`^${hex}:${hex}:${hex}(?:\\.${hex})?$`, 'i').exec(text)
  const short = new RegExp(`^${hex}:${hex}\\.${hex}$`, 'i').exec(text)
  const bus = whole?.[2] ?? short?.[1]
  return bus === undefined ? undefined : Number.parseInt(bus, 16)
}
