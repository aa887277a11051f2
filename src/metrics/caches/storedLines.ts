/**
 * Lines of a multiprocessor's stores that wait for more before they leave for L2. In: the lines that a store touches. Out: the sectors
 * that leave with what was stored before.
 *
 * Source: accessFloat3 (aos_soa.json) sends a third of its sectors, mvt (public) an eighth: one warp's stores to a line, one right
 * after the other. Of many warps' stores to the same lines (scripts/fidelity/cases/hotAddresses.cu) 76 % leave by themselves where
 * blocks have one warp, 64 % of 4, 35 % of 8 and 14 % of 32; the fewer the longer a warp goes on with it (9 % of stores of 4 rounds, 0.3 % of
 * 16) and the more lines it stores to at once (0.4 % of those of 8 lines and 4 rounds), up to 16; a store to 32 lines waits for none.
 * Of stores to lines of their own (`stores.cu`, `tile`: lanes fill K words each, one after the other) those leave together between which no more
 * than some 30 other lines were stored to: all of one warp's with K = 16, of four warps' with K = 6, of 16 warps' with K = 5 and of 64 warps' a quarter
 * with K = 4.
 * What a warp stored itself it does not store over while it waits: the line leaves first. So a warp's stores to the same words each
 * leave by themselves, those of several warps in step leave together (own, an H200, `sameWords.cu`: 16 rounds of 1 to 32 lanes with 0 to
 * 256 operations between, by 1 to 64 warps of each multiprocessor: 1.00 of them leave; of 2 and of 8 warps of a block that share a line
 * 0.50 and 0.125). Where many blocks are at one line (`hotAddresses.cu`) L2 is what they wait for, and they leave together all the same.
 */
import type { SectorMask } from './sectoredCache.ts'

/** A table a multiprocessor, where a newer line takes the place of an older one. */
const LINES = 4096
const LINES_SHIFT = 32 - 12

const PAIRS = 2 ** 17
const PAIRS_SHIFT = 32 - 17
const SEVERAL = -1

/** Lines of one store that can wait. */
export const MOST_WAITING_LINES = 16

/** Of the warps of a block that store to one line, one after the other, so many leave together. */
const WARPS_TOGETHER = 1 / 3
const FEWEST_TOGETHER = 1.33
/** Lines of one warp, one after the other, beyond which other warps' stores come before they have left. */
const LONG_STORE = 5

/** Different lines of a multiprocessor of which half wait; of 24 most do, of 48 none (`tile` of 4 warps). */
const MOST_LINES = 30
const ROOM_SHARPNESS = 8
/** A warp with so many, one after the other, is not the only one (own: of 4 stores in all, to 4 lines, 72 % leave together on a full multiprocessor). */
const MANY_STORES = 8

/**
 * Warps whose stores come between two of a warp that has nothing to wait for: one of each partition, and more where all they do is store.
 * @param warps of the multiprocessor
 * @param together those of a block that come to their stores at once, behind a barrier
 */
function warpsBetween(warps: number, together: number, onlyStores: boolean): number {
  const pressing = onlyStores ? 4 * (warps / 16) ** (2 / 3) : 4
  return Math.min(warps, Math.max(4, together, Math.round(pressing)))
}

export interface StoreTime {
  /** Accesses performed on the multiprocessor. */
  now: number
  /** Accesses after which a line has left. */
  readonly within: number
  warp: number
  block: number
  /** How often it has waited for L2 so far. */
  waits: number
  readonly warpsPerBlock: number
  /** Of the multiprocessor. */
  readonly warps: number
  /** Warps of a block that come to their stores at once. */
  readonly together: number
  /** The warp's stores right in front of this one. */
  storesBefore: number
  /** Lines that the warp stores to now and, with the same first line, right afterwards. */
  lines: number
}

const halfOf = (warp: number): number => (warp >> 5) & 1
const bitOf = (warp: number): number => 1 << (warp & 31)

/** What a store writes of one line. */
export interface StoredPart {
  readonly line: number
  readonly sectors: SectorMask
  /** Words of four bytes, as bits. */
  readonly words: number
}

export class StoredLines {
  /** A line's number and 1, or 0. */
  readonly #lines: Int32Array
  readonly #at: Int32Array
  readonly #sectors: Uint8Array
  /** Whose block stored to it last. */
  readonly #blocks: Int32Array
  /** Words that wait, and the warps that stored them: two times 32 bits. */
  readonly #words: Int32Array
  readonly #warps: Int32Array
  /** Which blocks stored to lines: a number and 1, or several; in a table in which a newer line takes the place of an older one. */
  readonly #storers = { lines: new Int32Array(PAIRS), blocks: new Int32Array(PAIRS) }
  /** The warps that stored to lines last, and which lines: a table in which a newer pair takes the place of an older one. */
  readonly #pairs = { lines: new Int32Array(PAIRS), warps: new Int32Array(PAIRS) }
  /** Warps that joined since it left last. */
  readonly #joined: Float32Array
  /** The lines of each multiprocessor that were stored to last, newest first; -1 for none. */
  readonly #newest: Int32Array
  /** Of the lines of the store at hand, by their order: 1 where it is among these. */
  readonly #isRecent = new Uint8Array(MOST_WAITING_LINES)
  #isFull = false
  #isOfSameBlock = false
  /** For how many stores there is room. */
  #room = 0.5

  constructor(multiprocessors: number) {
    const entries = LINES * multiprocessors
    this.#lines = new Int32Array(entries)
    this.#at = new Int32Array(entries)
    this.#sectors = new Uint8Array(entries)
    this.#blocks = new Int32Array(entries)
    this.#words = new Int32Array(entries)
    this.#warps = new Int32Array(2 * entries)
    this.#joined = new Float32Array(entries)
    this.#newest = new Int32Array(MOST_LINES * multiprocessors).fill(-1)
  }

  /** A store of some lines, `MOST_WAITING_LINES` at most; {@link add} then tells what leaves of each. */
  begin(
    multiprocessor: number,
    lines: Int32Array,
    from: number,
    to: number,
    { warps, waits, together, storesBefore }: StoreTime,
  ): void {
    const between = warpsBetween(warps, together, waits === 0 && storesBefore >= MANY_STORES)
    // Some find room all the same: so many of those that do not know.
    this.#room += 1 / (1 + (((to - from) * between) / MOST_LINES) ** ROOM_SHARPNESS)
    this.#isFull = storesBefore === 0 || this.#room < 1
    if (!this.#isFull) this.#room--
    for (let at = from; at < to; at++)
      this.#isRecent[at - from] = this.#isAmongNewest(multiprocessor, lines[at]!) ? 1 : 0
    for (let at = from; at < to; at++) this.#toFront(multiprocessor, lines[at]!)
  }

  #isAmongNewest(multiprocessor: number, line: number): boolean {
    const first = multiprocessor * MOST_LINES
    for (let at = first; at < first + MOST_LINES; at++) if (this.#newest[at] === line) return true
    return false
  }

  #toFront(multiprocessor: number, line: number): void {
    const newest = this.#newest
    const first = multiprocessor * MOST_LINES
    let before = line
    for (let at = first; at < first + MOST_LINES; at++) {
      const here = newest[at]!
      newest[at] = before
      if (here === line) return
      before = here
    }
  }

  /** A store to more lines than wait: each takes a place for a moment. */
  pass(multiprocessor: number): void {
    this.#newest.fill(-1, multiprocessor * MOST_LINES, (multiprocessor + 1) * MOST_LINES)
  }

  /** No line waits for a warp's next store: others' come before it. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Whether the line of the last {@link add} had been stored to by the same block before. */
  get isOfSameBlock(): boolean {
    return this.#isOfSameBlock
  }

  #entryOf(multiprocessor: number, line: number): number {
    return multiprocessor * LINES + ((Math.imul(line, 0x9e3779b1) >>> LINES_SHIFT) & (LINES - 1))
  }

  /** Adds sectors of a line, the store's `index`th, and its words there; the sectors that leave with others. */
  add(multiprocessor: number, index: number, { line, sectors, words }: StoredPart, time: StoreTime): SectorMask {
    const { now, within } = time
    const entry = this.#entryOf(multiprocessor, line)
    const hasRoom = !this.#isFull || this.#isRecent[index] === 1
    const isThere = hasRoom && this.#lines[entry] === line + 1 && now - this.#at[entry]! <= within
    const isShared = this.#isShared(line, time.block)
    const isWaiting = isThere && (isShared || !this.#isOwn(entry, words, time.warp))
    if (!isWaiting) this.#joined[entry] = 0
    this.#keep(entry, words, time.warp, isWaiting)
    const isFirst = this.#isFirst(line, time)
    this.#isOfSameBlock = this.#blocks[entry] === time.block
    this.#blocks[entry] = time.block
    const waiting = isWaiting && (!isFirst || this.#joins(entry, time)) ? this.#sectors[entry]! : 0
    this.#lines[entry] = line + 1
    this.#at[entry] = now
    this.#sectors[entry] = waiting | sectors
    return waiting
  }

  /** Whether a warp would store over what it stored itself. */
  #isOwn(entry: number, words: number, warp: number): boolean {
    return (this.#words[entry]! & words) !== 0 && (this.#warps[2 * entry + halfOf(warp)]! & bitOf(warp)) !== 0
  }

  #keep(entry: number, words: number, warp: number, isWaiting: boolean): void {
    if (!isWaiting) {
      this.#words[entry] = 0
      this.#warps.fill(0, 2 * entry, 2 * entry + 2)
    }
    this.#words[entry]! |= words
    this.#warps[2 * entry + halfOf(warp)]! |= bitOf(warp)
  }

  /** Whether blocks beside this one store to a line. */
  #isShared(line: number, block: number): boolean {
    const { lines, blocks } = this.#storers
    const at = Math.imul(line, 0x9e3779b1) >>> PAIRS_SHIFT
    if (lines[at] !== line + 1) {
      lines[at] = line + 1
      blocks[at] = block + 1
    } else if (blocks[at] !== block + 1) blocks[at] = SEVERAL
    return blocks[at] === SEVERAL
  }

  /** Of this warp to this line since it waited for L2. */
  #isFirst(line: number, { warp, waits }: StoreTime): boolean {
    const { lines, warps } = this.#pairs
    const visit = Math.imul(waits, 0x27d4eb2f) ^ warp
    const mixed = Math.imul(visit ^ Math.imul(line, 0x9e3779b1), 0x85ebca6b)
    const at = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> PAIRS_SHIFT
    if (lines[at] === line + 1 && warps[at] === visit) return false
    lines[at] = line + 1
    warps[at] = visit
    return true
  }

  /** A warp's first store joins the line unless enough have. */
  #joins(entry: number, { warpsPerBlock, lines }: StoreTime): boolean {
    const together = Math.max(FEWEST_TOGETHER, warpsPerBlock * WARPS_TOGETHER)
    this.#joined[entry]! += 1 / (1 + (lines / LONG_STORE) ** 2)
    if (this.#joined[entry]! < together) return true
    this.#joined[entry]! -= together
    return false
  }
}
