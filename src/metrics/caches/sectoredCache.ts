/**
 * Set-associative caches of 128-byte lines with four 32-byte sectors, least recently used out first; several equal ones side
 * by side where there are several multiprocessors. They know addresses only, no data. Numbers of lines go in, masks of
 * sectors come out. Used for L1 and L2 (memoryHierarchy.ts), which look up a line once and then act on its entry.
 */
import { activeLanes, LINE_BYTES } from '../rules/coalescing.ts'

/** Four bits, one a sector of the line. */
export type SectorMask = number

const ALL_SECTORS = 0b1111
const setBits = Uint8Array.from({ length: 16 }, (_, mask) => [1, 2, 4, 8].filter(bit => mask & bit).length)

export const sectorsIn = (mask: SectorMask): number => setBits[mask & ALL_SECTORS]!

/** How many of a line's 32 words a mask has. */
export const wordsIn = (words: number): number => activeLanes(words)

/** The sectors of which all eight words of four bytes are among these, a bit each. */
export function wholeSectors(words: number): SectorMask {
  let whole = 0
  for (let sector = 0; sector < 4; sector++) if (((words >>> (8 * sector)) & 0xff) === 0xff) whole |= 1 << sector
  return whole
}

/**
 * What an atomic of lanes that go anywhere brings for a sector: itself, and now and then another (own: `anywhere.cu`, 44 to 47 bytes each). As
 * much more comes of a sector that is loaded and then stored to.
 */
export const SECTORS_AN_ATOMIC = 1.42

/** DRAM is read 64 bytes at a time: limits.json, strided by 16 floats reads 64 bytes a sector. */
export const withNeighbours = (sectors: SectorMask): SectorMask => (sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0)

const LONG_AGO = -(2 ** 30)

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
  /** How many entries each set uses, from its first on: most sets of a sample never fill, and looking through them is dear. */
  readonly #used: Uint8Array
  readonly #lines: Int32Array
  /** Four bits each: which sectors are there, and which of them were written. */
  readonly #valid: Uint8Array
  readonly #dirty: Uint8Array
  /** Words that were stored to lines which have no place of their own for them yet; of caches that {@link store} fills. */
  readonly #words: Int32Array
  readonly #lastUse: Int32Array
  readonly #filledAt: Int32Array
  #clock = 0
  readonly #result: Lookup = { hit: 0, writtenBack: 0, filledAt: 0 }

  /**
   * @param bytes capacity of one cache, rounded down to whole sets; at least one set
   * @param caches how many there are, told apart by the `cache` of each call
   */
  constructor(bytes: number, ways: number, caches = 1) {
    this.#ways = ways
    this.#sets = Math.max(1, Math.floor(bytes / (LINE_BYTES * ways)))
    const entries = this.#sets * ways * caches
    this.#used = new Uint8Array(this.#sets * caches)
    this.#lines = new Int32Array(entries)
    this.#valid = new Uint8Array(entries)
    this.#dirty = new Uint8Array(entries)
    this.#words = new Int32Array(entries)
    this.#lastUse = new Int32Array(entries)
    this.#filledAt = new Int32Array(entries)
  }

  /** GPUs hash lines over sets, so that power-of-two strides do not fall into one: a multiplicative hash stands for it. */
  #setOf(line: number, cache: number): number {
    const hash = Math.imul(line ^ (line >>> 15), 0x9e3779b1) >>> 0
    return Math.floor((hash / 2 ** 32) * this.#sets) + cache * this.#sets
  }

  /** The line's entry; where it is absent a negative number, which says its set. Changes nothing. `line` is less than 2^31. */
  find(line: number, cache = 0): number {
    const set = this.#setOf(line, cache)
    const lines = this.#lines
    const first = set * this.#ways
    const end = first + this.#used[set]!
    for (let entry = first; entry < end; entry++) if (lines[entry] === line) return entry
    return ~set
  }

  /** An unused entry of the set, from now on used, or the one that was used longest ago. */
  #victim(set: number): number {
    const first = set * this.#ways
    const used = this.#used[set]!
    if (used < this.#ways) {
      this.#used[set] = used + 1
      return first + used
    }
    const lastUse = this.#lastUse
    let oldest = first
    for (let entry = first + 1; entry < first + used; entry++) if (lastUse[entry]! < lastUse[oldest]!) oldest = entry
    return oldest
  }

  /** Gives an entry to another line, of which nothing is there yet. */
  #begin(at: number, line: number): void {
    this.#lines[at] = line
    this.#valid[at] = 0
    this.#dirty[at] = 0
    this.#words[at] = 0
    this.#filledAt[at] = LONG_AGO
  }

  /**
   * Uses a line: `wanted` sectors are looked for, `filled` ones (a superset of the misses) made present, dirty where `written`.
   * The returned object is reused by the next call.
   * @param entry what {@link find} said of the line
   * @param now the caller's time, kept with lines that get sectors which they did not have
   */
  use(entry: number, line: number, wanted: SectorMask, filled: SectorMask, written: SectorMask, now = 0): Lookup {
    const result = this.#result
    let at = entry
    result.writtenBack = 0
    if (at < 0) {
      at = this.#victim(~at)
      result.hit = 0
      result.writtenBack = this.#dirty[at]!
      this.#begin(at, line)
    } else {
      result.hit = this.#valid[at]! & wanted
    }
    result.filledAt = this.#filledAt[at]!
    if (filled & ~this.#valid[at]! & ~written) this.#filledAt[at] = now
    this.#valid[at]! |= filled | written
    this.#dirty[at]! |= written
    this.#lastUse[at] = ++this.#clock
    return result
  }

  /**
   * Keeps what is written through to the next level: the line takes a place, and a sector is there once all of its words were stored.
   * @param words of four bytes, a bit each
   */
  store(line: number, words: number, cache = 0): void {
    let at = this.find(line, cache)
    if (at < 0) this.#begin((at = this.#victim(~at)), line)
    this.#words[at]! |= words
    this.#valid[at]! |= wholeSectors(this.#words[at]!)
    this.#lastUse[at] = ++this.#clock
  }

  /** {@link find} and {@link use} in one. */
  access(line: number, wanted: SectorMask, filled: SectorMask, written: SectorMask, now = 0, cache = 0): Lookup {
    return this.use(this.find(line, cache), line, wanted, filled, written, now)
  }

  /** Sectors of an entry that are present. */
  sectorsAt(entry: number): SectorMask {
    return entry < 0 ? 0 : this.#valid[entry]!
  }

  /** When the entry's line last got a sector from the next level; long ago for one that is not here. */
  filledAt(entry: number): number {
    return entry < 0 ? LONG_AGO : this.#filledAt[entry]!
  }

  /** Forgets all lines of one cache, written or not. */
  clear(cache: number): void {
    this.#used.fill(0, cache * this.#sets, (cache + 1) * this.#sets)
  }

  /** Forgets a line, as L1 does for lines that an atomic changes. */
  invalidate(line: number, cache = 0): void {
    const entry = this.find(line, cache)
    if (entry < 0) return
    // The set's last entry takes its place: where in a set a line lies makes no difference.
    const set = Math.floor(entry / this.#ways)
    const last = set * this.#ways + --this.#used[set]!
    for (const field of [this.#lines, this.#valid, this.#dirty, this.#words, this.#lastUse, this.#filledAt])
      field[entry] = field[last]!
    this.#dirty[last] = 0
  }
}
