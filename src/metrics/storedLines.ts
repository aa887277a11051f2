/**
 * Lines of a multiprocessor's stores that wait for more before they leave for L2. In: the lines that a store touches. Out: the sectors
 * that leave with what was stored before.
 *
 * Source: accessFloat3 (aos_soa.json) sends a third of its sectors, mvt (public) an eighth: one warp's stores to a line, one right
 * after the other. Of many warps' stores to the same lines (scripts/fidelity/cases/hotAddresses.cu) 76 % leave by themselves where
 * blocks have one warp, 64 % of 4, 35 % of 8 and 14 % of 32; the fewer the longer a warp goes on with it (9 % of stores of 4 rounds, 0.3 % of
 * 16) and the more lines it stores to at once (0.4 % of those of 8 lines and 4 rounds), up to 16; a store to 32 lines waits for none.
 */
import type { SectorMask } from './sectoredCache.ts'

/** A table a multiprocessor, where a newer line takes the place of an older one. */
const LINES = 4096

const PAIRS = 2 ** 17
const PAIRS_SHIFT = 32 - 17

/** Lines of one store that can wait. */
export const MOST_WAITING_LINES = 16

/** Of the warps of a block that store to one line, one after the other, so many leave together. */
const WARPS_TOGETHER = 1 / 3
const FEWEST_TOGETHER = 1.33
/** Lines of one warp, one after the other, beyond which other warps' stores come before they have left. */
const LONG_STORE = 5

export interface StoreTime {
  /** Accesses performed on the multiprocessor. */
  now: number
  /** Accesses after which a line has left. */
  readonly within: number
  warp: number
  /** How often it has waited for L2 so far. */
  waits: number
  readonly warpsPerBlock: number
  /** Lines that the warp stores to now and, with the same first line, right afterwards. */
  lines: number
}

export class StoredLines {
  /** A line's number and 1, or 0. */
  readonly #lines: Int32Array
  readonly #at: Int32Array
  readonly #sectors: Uint8Array
  /** The warps that stored to lines last, and which lines: a table in which a newer pair takes the place of an older one. */
  readonly #pairs = { lines: new Int32Array(PAIRS), warps: new Int32Array(PAIRS) }
  /** Warps that joined since it left last. */
  readonly #joined: Float32Array

  constructor(multiprocessors: number) {
    const entries = LINES * multiprocessors
    this.#lines = new Int32Array(entries)
    this.#at = new Int32Array(entries)
    this.#sectors = new Uint8Array(entries)
    this.#joined = new Float32Array(entries)
  }

  /** Adds sectors of a line; the ones that leave with others. */
  add(multiprocessor: number, line: number, sectors: SectorMask, time: StoreTime): SectorMask {
    const { now, within } = time
    const entry = multiprocessor * LINES + (line & (LINES - 1))
    const isWaiting = this.#lines[entry] === line + 1 && now - this.#at[entry]! <= within
    if (!isWaiting) this.#joined[entry] = 0
    const isFirst = this.#isFirst(line, time)
    const waiting = isWaiting && (!isFirst || this.#joins(entry, time)) ? this.#sectors[entry]! : 0
    this.#lines[entry] = line + 1
    this.#at[entry] = now
    this.#sectors[entry] = waiting | sectors
    return waiting
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
