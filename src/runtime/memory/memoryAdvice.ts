/**
 * What a program said of its managed memory (cudaMemAdvise, cudaMemPrefetchAsync), page by page: nothing that is counted depends
 * on it, but programs ask what holds (cudaMemRangeGetAttribute; CUDA Runtime API, Memory Management).
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { AddressBook, HostRange } from './addresses.ts'

const PAGE_BYTES = 4096
const CPU = -1
/** cudaInvalidDeviceId: none, or not the same one everywhere. */
const NO_DEVICE = -2
/** cudaMemoryAdvise: the advice that sets, by number; the next number takes it back. */
const SET = { readMostly: 1, preferredLocation: 3, accessedBy: 5 } as const
/** cudaMemRangeAttribute. */
const ATTRIBUTE = {
  readMostly: 1,
  preferredLocation: 2,
  accessedBy: 3,
  lastPrefetch: 4,
  preferredLocationType: 5,
  preferredLocationId: 6,
  lastPrefetchType: 7,
  lastPrefetchId: 8,
} as const
/** cudaMemLocationType. */
const LOCATION = { invalid: 0, device: 1, host: 2 } as const

interface Remark {
  readonly from: number
  readonly to: number
  readonly topic: string
  readonly value: number
}

/** The latest remark on a topic is what holds for the pages that it was about. Pages begin where the allocation does. */
class Remarks {
  readonly #start: number
  readonly #remarks: Remark[] = []

  constructor({ address }: HostRange) {
    this.#start = address
  }

  add(address: number, bytes: number, topic: string, value: number): void {
    const from = address - ((address - this.#start) % PAGE_BYTES)
    this.#remarks.push({ from, to: address + bytes, topic, value })
  }

  /** What holds for all of the bytes; `otherwise` where nothing was said, undefined where it is not the same for all. */
  valueIn(address: number, bytes: number, topic: string, otherwise: number): number | undefined {
    const about = this.#remarks.filter(remark => remark.topic === topic)
    const edges = about.flatMap(({ from, to }) => [from, to]).filter(edge => edge > address && edge < address + bytes)
    const values = [address, ...edges].map(
      at => about.findLast(({ from, to }) => at >= from && at < to)?.value ?? otherwise,
    )
    return values.every(value => value === values[0]) ? values[0] : undefined
  }
}

export function memoryAdviceCalls(context: CudaContext, addresses: AddressBook): HostFunctions {
  const { host, devices } = context.parts
  const kept = new WeakMap<HostRange, Remarks>()
  const remarksOn = (range: HostRange): Remarks => {
    const remarks = kept.get(range) ?? new Remarks(range)
    kept.set(range, remarks)
    return remarks
  }
  const isDevice = (device: number): boolean => device >= 0 && device < devices.count
  const withRange = (address: number, body: (range: HostRange) => CallResult): CallResult => {
    const range = addresses.rangeAt(address)
    return range === undefined ? 'cudaErrorInvalidValue' : body(range)
  }
  const advise = (remarks: Remarks, address: number, bytes: number, advice: number, device: number): void => {
    const isSet = advice % 2
    const setting = advice - 1 + isSet
    if (setting === SET.readMostly) remarks.add(address, bytes, 'readMostly', isSet)
    if (setting === SET.preferredLocation)
      remarks.add(address, bytes, 'preferredLocation', isSet === 1 ? device : NO_DEVICE)
    if (setting === SET.accessedBy) remarks.add(address, bytes, `accessedBy ${device}`, isSet)
  }
  /** The words that the attribute has room for. */
  const read = (remarks: Remarks, attribute: number, address: number, bytes: number, room: number): number[] => {
    const valueOn = (topic: string, none: number): number => remarks.valueIn(address, bytes, topic, none) ?? none
    const preferred = valueOn('preferredLocation', NO_DEVICE)
    const prefetched = valueOn('prefetch', NO_DEVICE)
    switch (attribute) {
      case ATTRIBUTE.readMostly:
        return [valueOn('readMostly', 0)]
      case ATTRIBUTE.preferredLocation:
        return [preferred]
      case ATTRIBUTE.lastPrefetch:
        return [prefetched]
      case ATTRIBUTE.preferredLocationType:
        return [locationType(preferred)]
      case ATTRIBUTE.preferredLocationId:
        return [Math.max(preferred, 0)]
      case ATTRIBUTE.lastPrefetchType:
        return [locationType(prefetched)]
      case ATTRIBUTE.lastPrefetchId:
        return [Math.max(prefetched, 0)]
      default: {
        const all = [CPU, ...Array.from({ length: devices.count }, (_, device) => device)]
        const accessing = all.filter(device => valueOn(`accessedBy ${device}`, 0) === 1)
        return Array.from({ length: room }, (_, index) => accessing[index] ?? NO_DEVICE)
      }
    }
  }
  return {
    cudaMemPrefetchAsync: context.call((address: number, bytes: number, device: number) =>
      withRange(address >>> 0, range => {
        remarksOn(range).add(address >>> 0, bytes >>> 0, 'prefetch', device)
        return 'cudaSuccess'
      }),
    ),
    cudaMemAdvise: context.call((address: number, bytes: number, advice: number, device: number) =>
      withRange(address >>> 0, range => {
        advise(remarksOn(range), address >>> 0, bytes >>> 0, advice, device)
        return 'cudaSuccess'
      }),
    ),
    cudaMemRangeGetAttribute: context.call(
      (out: number, outBytes: number, attribute: number, address: number, bytes: number) =>
        withRange(address >>> 0, range => {
          const end = (address >>> 0) + (bytes >>> 0)
          const isList = attribute === ATTRIBUTE.accessedBy
          const hasRoom = isList ? outBytes > 0 && outBytes % 4 === 0 : outBytes === 4
          const isAttribute = Object.values(ATTRIBUTE).some(number => number === attribute)
          const isManaged = range.kind === 'managed' && end <= range.address + range.bytes
          if (out === 0 || !hasRoom || !isAttribute || !isManaged || bytes === 0) return 'cudaErrorInvalidValue'
          const words = read(remarksOn(range), attribute, address >>> 0, bytes >>> 0, outBytes / 4)
          for (const [index, word] of words.entries()) host.setU32(out + 4 * index, word >>> 0)
          return 'cudaSuccess'
        }),
    ),
  }

  function locationType(device: number): number {
    if (device === CPU) return LOCATION.host
    return isDevice(device) ? LOCATION.device : LOCATION.invalid
  }
}
