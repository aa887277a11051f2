/** Copies and fills between the two memories: direction checks, rectangular ranges, and their place on the timeline. */
import { type CallResult, type CudaContext, ProgramStopped } from '../context.ts'
import type { CopyDirection } from '../timeline/timeline.ts'
import type { AddressBook } from './addresses.ts'
import { hex } from './deviceMemory.ts'

/** A box of bytes: `height` rows of `width` bytes, `depth` slices of `sliceRows` rows, rows `pitch` bytes apart. */
export interface Box {
  readonly address: number
  readonly pitch: number
  readonly sliceRows: number
}
export interface Extent {
  readonly width: number
  readonly height: number
  readonly depth: number
}

export const MEMCPY_DEFAULT = 4
/** cudaMemcpyKind 0 to 3: what the program says of the two sides. */
const KINDS = [
  { name: 'cudaMemcpyHostToHost', to: 'host', from: 'host' },
  { name: 'cudaMemcpyHostToDevice', to: 'device', from: 'host' },
  { name: 'cudaMemcpyDeviceToHost', to: 'host', from: 'device' },
  { name: 'cudaMemcpyDeviceToDevice', to: 'device', from: 'device' },
] as const

/** What a direction says of the side that is not the symbol: cudaMemcpyToSymbol and FromSymbol take no others (reading: as below). */
export function suitsSymbol(kind: number, toSymbol: boolean): boolean {
  const said = KINDS[kind]
  return said === undefined || (toSymbol ? said.to : said.from) === 'device'
}

export function linear(address: number, bytes: number): Box {
  return { address, pitch: bytes, sliceRows: 1 }
}

/** Bytes from a box's first to one past its last. */
function spanOf(box: Box, extent: Extent): number {
  return ((extent.depth - 1) * box.sliceRows + extent.height - 1) * box.pitch + extent.width
}

/** What to do once the arguments are known to be good. */
export interface Copy {
  readonly to: Box
  readonly from: Box
  readonly extent: Extent
  /** cudaMemcpyKind. */
  readonly kind: number
  readonly stream: number
  readonly isAsync: boolean
  /** The call's name, for messages. */
  readonly caller: string
}

/** Copies at once; host and timeline wait or not as the real call would. */
export function runCopy(context: CudaContext, addresses: AddressBook, copy: Copy): CallResult {
  const { to, from, extent } = copy
  const bytes = extent.width * extent.height * extent.depth
  if (copy.kind < 0 || copy.kind > MEMCPY_DEFAULT) return 'cudaErrorInvalidMemcpyDirection'
  if (bytes === 0) return 'cudaSuccess'
  if (to.pitch < extent.width || from.pitch < extent.width) return 'cudaErrorInvalidPitchValue'
  const toSpan = spanOf(to, extent)
  const fromSpan = spanOf(from, extent)
  const toPlace = placeOf(context, addresses, copy, 'destination', to.address, toSpan)
  const fromPlace = placeOf(context, addresses, copy, 'source', from.address, fromSpan)
  if (toPlace === undefined || fromPlace === undefined) return 'cudaErrorInvalidValue'
  if (fromPlace === 'device' && toPlace === 'host') tellChecks(context, copy)
  const source = addresses.view(fromPlace, from.address, fromSpan, 'read')
  moveBytes(copy, addresses.view(toPlace, to.address, toSpan), source)
  const { timeline, times, memory } = context.parts
  if (toPlace === 'device' && bytes === toSpan)
    memory.overwrote(to.address, bytes, fromPlace === 'device' ? memory.contentsAt(from.address) : undefined)
  const hostSide = toPlace === 'device' ? from : to
  const direction: CopyDirection = `${fromPlace}-to-${toPlace}`
  const pinned = direction === 'device-to-device' || addresses.rangeAt(hostSide.address) !== undefined
  const info = { direction, bytes, pinned }
  timeline.addCopy(info, copy.stream, times.copyUs(info))
  const hostWaits = copy.isAsync ? !pinned : direction !== 'device-to-device'
  if (hostWaits) timeline.synchronizeStream(copy.stream)
  return 'cudaSuccess'
}

function tellChecks({ parts: { checks, callSite, memory } }: CudaContext, { from, extent, caller }: Copy): void {
  if (!checks) return
  const { width, height, depth } = extent
  const isDense = from.pitch === width && (depth === 1 || from.sliceRows === height)
  const rows = Array.from(
    { length: isDense ? 1 : height * depth },
    (_, row) => from.address + (Math.floor(row / height) * from.sliceRows + (row % height)) * from.pitch,
  )
  const rowBytes = isDense ? width * height * depth : width
  const describe = (address: number) => memory.describe(address)
  checks.copies({ name: caller, rows, rowBytes, range: callSite(new Error()), describe })
}

/**
 * Which memory a side of a copy is in; undefined where it is not in what the direction says. Addresses are unified: what the direction calls
 * the host's may be the device's, and the copy goes through. What it calls the device's must be memory that the driver knows, so not
 * what malloc returned (reading of an H200: test/cases/host_copy_directions.cu).
 */
function placeOf(
  context: CudaContext,
  addresses: AddressBook,
  { kind, caller }: Copy,
  side: 'destination' | 'source',
  address: number,
  span: number,
): 'host' | 'device' | undefined {
  const direction = KINDS[kind]
  const said = direction?.[side === 'destination' ? 'to' : 'from']
  const isHost = addresses.isHost(address, span)
  const isDevice = addresses.isDevice(address, span)
  if (said === undefined && addresses.isBoth(address, span))
    throw new ProgramStopped({
      code: 'two-memories',
      severity: 'error',
      message: `${caller}: the ${side} ${hex(address)} is an address of host memory and one of device memory`,
      notes: ['each has up to 4 GiB of 32-bit addresses: beyond 2 GiB of one, a copy has to say its direction'],
    })
  if (said === 'device' && isDevice) return 'device'
  if (said !== 'device' && isHost) return 'host'
  if (said !== 'device' && isDevice) {
    if (direction)
      context.mentionOnce(
        `${caller}: the ${side} is device memory, and the direction ${direction.name}; the copy is made all the same, as on the machine`,
      )
    return 'device'
  }
  context.mentionOnce(
    `${caller}: the ${side} is not ${span} bytes of ${said ?? 'device'} memory: ${addresses.describe(address)}`,
  )
  return undefined
}

function moveBytes({ to, from, extent }: Copy, target: Uint8Array, source: Uint8Array): void {
  const isDense =
    extent.height * extent.depth === 1 ||
    (to.pitch === extent.width && from.pitch === extent.width && extent.depth === 1)
  if (isDense) {
    target.set(source)
    return
  }
  for (let slice = 0; slice < extent.depth; slice++) {
    for (let row = 0; row < extent.height; row++) {
      const toStart = (slice * to.sliceRows + row) * to.pitch
      const fromStart = (slice * from.sliceRows + row) * from.pitch
      target.set(source.subarray(fromStart, fromStart + extent.width), toStart)
    }
  }
}

/** cudaMemset and its forms. Asynchronous to the host, as the real ones are for device memory. */
export function runFill(
  context: CudaContext,
  addresses: AddressBook,
  box: Box,
  extent: Extent,
  value: number,
  stream: number,
  caller: string,
): CallResult {
  const bytes = extent.width * extent.height * extent.depth
  if (bytes === 0) return 'cudaSuccess'
  if (box.pitch < extent.width) return 'cudaErrorInvalidPitchValue'
  const span = spanOf(box, extent)
  if (!addresses.isDevice(box.address, span)) {
    context.mentionOnce(`${caller}: not ${span} bytes of device memory: ${addresses.describe(box.address)}`)
    return 'cudaErrorInvalidValue'
  }
  const target = addresses.view('device', box.address, span)
  for (let slice = 0; slice < extent.depth; slice++) {
    for (let row = 0; row < extent.height; row++) {
      const start = (slice * box.sliceRows + row) * box.pitch
      target.fill(value & 0xff, start, start + extent.width)
    }
  }
  const { timeline, times, memory } = context.parts
  if (bytes === span) memory.overwrote(box.address, bytes)
  timeline.addMemset(bytes, stream, times.copyUs({ direction: 'device-to-device', bytes: bytes / 2, pinned: true }))
  return 'cudaSuccess'
}
