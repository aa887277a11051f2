/**
 * Which sectors of which lines have been touched so far, and whether more than one block touched a line: what the whole L2
 * would still hold where a sample's part of it does not. A hash table in typed arrays, since there are as many lines as a
 * sample has accesses, and more.
 */
import type { SectorMask } from './sectoredCache.ts'

const NO_LINE = -1
const SEVERAL_BLOCKS = -1

export class TouchedLines {
  readonly #mask: number
  readonly #lines: Int32Array
  /** The only block that touched the line, or {@link SEVERAL_BLOCKS}. */
  readonly #block: Int32Array
  readonly #touched: Uint8Array

  /** @param most different lines, at most */
  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * most)))
    this.#mask = size - 1
    this.#lines = new Int32Array(size).fill(NO_LINE)
    this.#block = new Int32Array(size)
    this.#touched = new Uint8Array(size)
  }

  #slotOf(line: number): number {
    const lines = this.#lines
    let slot = (Math.imul(line, 0x9e3779b1) >>> 7) & this.#mask
    while (lines[slot] !== line && lines[slot] !== NO_LINE) slot = (slot + 1) & this.#mask
    return slot
  }

  /** Notes sectors that a block touches; those of them that another block had touched before. */
  touch(line: number, sectors: SectorMask, block: number): SectorMask {
    const slot = this.#slotOf(line)
    if (this.#lines[slot] === NO_LINE) {
      this.#lines[slot] = line
      this.#block[slot] = block
    }
    const byOthers = this.#block[slot] === block ? 0 : this.#touched[slot]! & sectors
    if (this.#block[slot] !== block) this.#block[slot] = SEVERAL_BLOCKS
    this.#touched[slot]! |= sectors
    return byOthers
  }

  /** Notes sectors; those of the line that were noted before. */
  add(line: number, sectors: SectorMask): SectorMask {
    const slot = this.#slotOf(line)
    const before = this.#touched[slot]!
    this.#lines[slot] = line
    this.#touched[slot] = before | sectors
    return before
  }
}
