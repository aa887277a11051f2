/**
 * A set-associative cache of 128-byte lines with four 32-byte sectors, least recently used out first.
 * It knows addresses only, no data. Numbers of lines go in, masks of sectors come out. Used for L1 and L2 (caches.ts).
 */
import { LINE_BYTES } from './coalescing.ts'

/** Four bits, one a sector of the line. */
export type SectorMask = number

const ALL_SECTORS = 0b1111
const setBits = Uint8Array.from({ length: 16 }, (_, mask) => [1, 2, 4, 8].filter(bit => mask & bit).length)

export const sectorsIn = (mask: SectorMask): number => setBits[mask & ALL_SECTORS]!

/** What a look-up found, and what the new line pushed out. */
export interface Lookup {
  /** Sectors that were there. */
  hit: SectorMask
  /** Sectors that had been written and must now go to the next level; 0 when nothing dirty was pushed out. */
  writtenBack: SectorMask
  /** When the line last got a sector from the next level, in the caller's time. */
  filledAt: number
}

export class SectoredCache {
  readonly #ways: number
  readonly #sets: number
  readonly #lines: Float64Array
  readonly #valid: Uint8Array
  readonly #dirty: Uint8Array
  readonly #lastUse: Float64Array
  readonly #filledAt: Float64Array
  #clock = 0
  readonly #result: Lookup = { hit: 0, writtenBack: 0, filledAt: 0 }

  /** @param bytes capacity, rounded down to whole sets; at least one set */
  constructor(bytes: number, ways: number) {
    this.#ways = ways
    this.#sets = Math.max(1, Math.floor(bytes / (LINE_BYTES * ways)))
    const entries = this.#sets * ways
    this.#lines = new Float64Array(entries).fill(-1)
    this.#valid = new Uint8Array(entries)
    this.#dirty = new Uint8Array(entries)
    this.#lastUse = new Float64Array(entries)
    this.#filledAt = new Float64Array(entries)
  }

  /** GPUs hash lines over sets, so that power-of-two strides do not fall into one: a multiplicative hash stands for it. */
  #firstEntry(line: number): number {
    const hash = Math.imul(line ^ (line >>> 15), 0x9e3779b1) >>> 0
    return Math.floor((hash / 2 ** 32) * this.#sets) * this.#ways
  }

  #find(line: number): number {
    const first = this.#firstEntry(line)
    for (let entry = first; entry < first + this.#ways; entry++) if (this.#lines[entry] === line) return entry
    return -1
  }

  #victim(line: number): number {
    const first = this.#firstEntry(line)
    let oldest = first
    for (let entry = first; entry < first + this.#ways; entry++) {
      if (this.#lines[entry] === -1) return entry
      if (this.#lastUse[entry]! < this.#lastUse[oldest]!) oldest = entry
    }
    return oldest
  }

  /**
   * Looks for `wanted` sectors of a line and makes `filled` ones (a superset of the misses) present, dirty where `written`.
   * The returned object is reused by the next call.
   * @param now the caller's time, kept with lines that get sectors which they did not have
   */
  access(line: number, wanted: SectorMask, filled: SectorMask, written: SectorMask, now = 0): Lookup {
    let entry = this.#find(line)
    this.#result.writtenBack = 0
    if (entry < 0) {
      entry = this.#victim(line)
      this.#result.hit = 0
      this.#result.writtenBack = this.#dirty[entry]!
      this.#lines[entry] = line
      this.#valid[entry] = 0
      this.#dirty[entry] = 0
      this.#filledAt[entry] = Number.NEGATIVE_INFINITY
    } else {
      this.#result.hit = this.#valid[entry]! & wanted
    }
    this.#result.filledAt = this.#filledAt[entry]!
    if (filled & ~this.#valid[entry]! & ~written) this.#filledAt[entry] = now
    this.#valid[entry]! |= filled | written
    this.#dirty[entry]! |= written
    this.#lastUse[entry] = ++this.#clock
    return this.#result
  }

  /** Sectors of the line that are present; changes nothing. */
  present(line: number): SectorMask {
    const entry = this.#find(line)
    return entry < 0 ? 0 : this.#valid[entry]!
  }

  /** When the line last got a sector from the next level; long ago for one that is not here. */
  filledAt(line: number): number {
    const entry = this.#find(line)
    return entry < 0 ? Number.NEGATIVE_INFINITY : this.#filledAt[entry]!
  }

  /** Forgets a line, as L1 does for lines that an atomic changes. */
  invalidate(line: number): void {
    const entry = this.#find(line)
    if (entry < 0) return
    this.#lines[entry] = -1
    this.#valid[entry] = 0
    this.#dirty[entry] = 0
  }

  /** Dirty sectors still held. */
  dirtySectors(): number {
    let count = 0
    for (const mask of this.#dirty) count += sectorsIn(mask)
    return count
  }
}
