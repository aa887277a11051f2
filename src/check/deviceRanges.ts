/**
 * The memory that a kernel may reach, and which of its bytes somebody has written. In: the allocations as they come and go, and what the host
 * writes. Ranges are offsets in the device's memory (addressSpace.ts), so that they are in order and do not wrap around.
 */
import { offsetOf } from '../addressSpace.ts'

/** No padding between the members of a structure is so long, and aligned so. */
export const LONGEST_PADDING = 16

export interface DeviceRange {
  readonly start: number
  readonly end: number
  /** Which bytes were written, a bit each from the start on; undefined where nobody keeps that, or all were. */
  written: Uint8Array | undefined
  /** Since somebody looked whether all are. */
  isChanged: boolean
}

export class DeviceRanges {
  /** In order of their starts. */
  private ranges: DeviceRange[] = []
  private starts: Float64Array = new Float64Array(0)
  private isStale = true
  private readonly byStart = new Map<number, DeviceRange>()
  /** Reachable for the launch at hand alone: host memory. */
  private others: readonly DeviceRange[] = []

  add(address: number, bytes: number, isUnwritten: boolean): void {
    const start = offsetOf(address)
    // Whole words of 32 bits.
    const written = isUnwritten ? new Uint8Array(((bytes + 31) >> 5) << 2) : undefined
    this.byStart.set(start, { start, end: start + bytes, written, isChanged: false })
    this.isStale = true
  }

  remove(address: number): void {
    this.isStale = this.byStart.delete(offsetOf(address)) || this.isStale
  }

  setOthers(others: readonly { readonly address: number; readonly bytes: number }[]): void {
    if (others.length === 0 && this.others.length === 0) return
    this.others = others.map(({ address, bytes }) => {
      const start = offsetOf(address)
      return { start, end: start + bytes, written: undefined, isChanged: false }
    })
    this.isStale = true
  }

  /** Who wrote what is not known any more. */
  forgetUnwritten(): void {
    for (const range of this.byStart.values()) range.written = undefined
  }

  /** Looks which ranges have been written as a whole by now: of those nobody has to know more. */
  forgetWritten(): void {
    for (const range of this.byStart.values()) {
      if (!range.isChanged || !range.written) continue
      range.isChanged = false
      if (areAllWritten(range)) range.written = undefined
    }
  }

  wrote(address: number, bytes: number): void {
    const start = offsetOf(address)
    const range = this.at(start)
    if (range?.written) markWritten(range, start, bytes)
  }

  /**
   * What nobody has written of so many bytes from an address on: how many, and where the first are. Pieces of {@link LONGEST_PADDING} bytes
   * count, of which no byte was written.
   */
  unwrittenOf(address: number, bytes: number): { readonly bytes: number; readonly first: number } {
    const from = offsetOf(address)
    const range = this.at(from)
    let count = 0
    let first = -1
    if (range?.written) {
      const { start, end } = range
      const pieces = new Uint16Array(range.written.buffer)
      const to = Math.min(from + bytes, end)
      for (let piece = Math.floor((from - start) / LONGEST_PADDING); start + piece * LONGEST_PADDING < to; piece++) {
        if (pieces[piece] !== 0) continue
        const at = Math.max(start + piece * LONGEST_PADDING, from)
        count += Math.min(start + (piece + 1) * LONGEST_PADDING, to) - at
        if (first < 0) first = address + at - from
      }
    }
    return { bytes: count, first }
  }

  /** The range that holds an offset. */
  at(offset: number): DeviceRange | undefined {
    const range = this.lastFrom(offset)
    return range && offset < range.end ? range : undefined
  }

  private lastFrom(offset: number): DeviceRange | undefined {
    if (this.isStale) this.sort()
    const { starts } = this
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return this.ranges[low - 1]
  }

  private sort(): void {
    this.ranges = [...this.byStart.values(), ...this.others].sort((a, b) => a.start - b.start)
    this.starts = Float64Array.from(this.ranges, ({ start }) => start)
    this.isStale = false
  }
}

export function markWritten(range: DeviceRange, offset: number, bytes: number): void {
  const { start, end, written } = range
  if (!written) return
  range.isChanged = true
  const from = Math.max(offset, start) - start
  const to = Math.min(offset + bytes, end) - start
  if (from === 0 && to === end - start) {
    range.written = undefined
    return
  }
  const first = Math.min((from + 7) & ~7, to)
  const last = Math.max(to & ~7, first)
  for (let bit = from; bit < first; bit++) written[bit >> 3]! |= 1 << (bit & 7)
  written.fill(0xff, first >> 3, last >> 3)
  for (let bit = last; bit < to; bit++) written[bit >> 3]! |= 1 << (bit & 7)
}

function areAllWritten({ start, end, written }: DeviceRange): boolean {
  const bytes = end - start
  const words = bytes >> 5
  const all = new Int32Array(written!.buffer)
  for (let word = 0; word < words; word++) if (all[word] !== -1) return false
  for (let bit = words << 5; bit < bytes; bit++) if (!((written![bit >> 3]! >> (bit & 7)) & 1)) return false
  return true
}

/** Whether all of the bytes were written. */
export function areWritten({ start, written }: DeviceRange, offset: number, bytes: number): boolean {
  if (!written) return true
  for (let bit = offset - start; bit < offset - start + bytes; bit++)
    if (!((written[bit >> 3]! >> (bit & 7)) & 1)) return false
  return true
}

/** Whether any of the bytes was written. */
export function isAnyWritten({ start, written }: DeviceRange, offset: number, bytes: number): boolean {
  if (!written) return true
  for (let bit = offset - start; bit < offset - start + bytes; bit++)
    if ((written[bit >> 3]! >> (bit & 7)) & 1) return true
  return false
}
