/** Address-ordered ranges that are free: first fit, neighbours joined when released. Offsets and sizes in bytes. */
import { alignUp } from '../../ir/types.ts'

export interface FreeRange {
  start: number
  end: number
}

export class FreeRanges {
  readonly #ranges: FreeRange[]

  constructor(ranges: readonly FreeRange[]) {
    this.#ranges = ranges.map(range => ({ ...range }))
  }

  /** The lowest aligned place for so many bytes; undefined where there is none. Takes nothing. */
  find(bytes: number, align: number): number | undefined {
    for (const range of this.#ranges) {
      const start = alignUp(range.start, align)
      if (start + bytes <= range.end) return start
    }
    return undefined
  }

  get largestBytes(): number {
    return Math.max(0, ...this.#ranges.map(({ start, end }) => end - start))
  }

  has({ start, end }: FreeRange): boolean {
    return this.#ranges.some(range => range.start === start && range.end === end)
  }

  /** Whether all of it is free. */
  holds(start: number, end: number): boolean {
    return this.#ranges.some(range => range.start <= start && end <= range.end)
  }

  /** All of it is free. */
  take(start: number, end: number): void {
    const index = this.#ranges.findIndex(range => range.start <= start && end <= range.end)
    const range = this.#ranges[index]!
    const left = [
      { start: range.start, end: start },
      { start: end, end: range.end },
    ].filter(part => part.end > part.start)
    this.#ranges.splice(index, 1, ...left)
  }

  release(start: number, end: number): void {
    let at = this.#ranges.findIndex(range => range.start > start)
    if (at < 0) at = this.#ranges.length
    this.#ranges.splice(at, 0, { start, end })
    const next = this.#ranges[at + 1]
    if (next?.start === end) {
      this.#ranges[at]!.end = next.end
      this.#ranges.splice(at + 1, 1)
    }
    const previous = this.#ranges[at - 1]
    if (previous?.end === start) {
      previous.end = this.#ranges[at]!.end
      this.#ranges.splice(at, 1)
    }
  }
}
