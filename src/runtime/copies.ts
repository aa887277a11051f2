/** Copies and fills between the two memories: direction checks, rectangular ranges, and their place on the timeline. */
import type { AddressBook } from './addresses.ts'
import type { CallResult, CudaContext } from './context.ts'
import type { CopyDirection } from './timeline.ts'

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
/** cudaMemcpyKind 0 to 3: is the destination on the device, is the source. */
const KINDS = [
  { toDevice: false, fromDevice: false },
  { toDevice: true, fromDevice: false },
  { toDevice: false, fromDevice: true },
  { toDevice: true, fromDevice: true },
] as const

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
  const kind = KINDS[copy.kind] ?? {
    toDevice: !addresses.isHost(to.address, toSpan),
    fromDevice: !addresses.isHost(from.address, fromSpan),
  }
  const sides = [
    { what: 'destination', address: to.address, span: toSpan, onDevice: kind.toDevice },
    { what: 'source', address: from.address, span: fromSpan, onDevice: kind.fromDevice },
  ]
  for (const side of sides) {
    const good = side.onDevice ? addresses.isDevice(side.address, side.span) : addresses.isHost(side.address, side.span)
    if (good) continue
    const place = side.onDevice ? 'device' : 'host'
    context.mentionOnce(
      `${copy.caller}: the ${side.what} is not ${side.span} bytes of ${place} memory: ${addresses.describe(side.address)}`,
    )
    return 'cudaErrorInvalidValue'
  }
  moveBytes(addresses, copy, toSpan, fromSpan)
  const hostSide = kind.toDevice ? from : to
  const direction = directionOf(kind.toDevice, kind.fromDevice)
  const pinned = direction === 'device-to-device' || addresses.rangeAt(hostSide.address) !== undefined
  const { timeline, times } = context.parts
  const info = { direction, bytes, pinned }
  timeline.addCopy(info, copy.stream, times.copyUs(info))
  const hostWaits = copy.isAsync ? !pinned : direction !== 'device-to-device'
  if (hostWaits) timeline.synchronizeStream(copy.stream)
  return 'cudaSuccess'
}

function moveBytes(addresses: AddressBook, copy: Copy, toSpan: number, fromSpan: number): void {
  const { to, from, extent } = copy
  const target = addresses.view(to.address, toSpan)
  const source = addresses.view(from.address, fromSpan)
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

function directionOf(toDevice: boolean, fromDevice: boolean): CopyDirection {
  if (toDevice) return fromDevice ? 'device-to-device' : 'host-to-device'
  return fromDevice ? 'device-to-host' : 'host-to-host'
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
  const target = addresses.view(box.address, span)
  for (let slice = 0; slice < extent.depth; slice++) {
    for (let row = 0; row < extent.height; row++) {
      const start = (slice * box.sliceRows + row) * box.pitch
      target.fill(value & 0xff, start, start + extent.width)
    }
  }
  const { timeline, times } = context.parts
  timeline.addMemset(bytes, stream, times.copyUs({ direction: 'device-to-device', bytes: bytes / 2, pinned: true }))
  return 'cudaSuccess'
}
