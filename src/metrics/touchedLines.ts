/**
 * Which sectors of which lines have been touched so far, and whether more than one block touched a line: what the whole L2
 * would still hold where a sample's part of it does not. A hash table in typed arrays, since there are as many lines as a
 * sample has accesses, and more.
 */
import { type SectorMask, withNeighbours } from './sectoredCache.ts'

const NO_LINE = -1
const SEVERAL_BLOCKS = -1
const SMALLEST = 4096

export class TouchedLines {
  #mask = SMALLEST - 1
  #count = 0
  #lines = new Int32Array(SMALLEST).fill(NO_LINE)
  /** The only block that touched the line, or {@link SEVERAL_BLOCKS}. */
  #block = new Int32Array(SMALLEST)
  #touched = new Uint8Array(SMALLEST)

  /** The line's slot, made where there is none. */
  #slotOf(line: number, block: number): number {
    let slot = this.#find(line)
    if (this.#lines[slot] === line) return slot
    if (2 * ++this.#count > this.#lines.length) {
      this.#grow()
      slot = this.#find(line)
    }
    this.#lines[slot] = line
    this.#block[slot] = block
    return slot
  }

  #find(line: number): number {
    const lines = this.#lines
    let slot = (Math.imul(line, 0x9e3779b1) >>> 7) & this.#mask
    while (lines[slot] !== line && lines[slot] !== NO_LINE) slot = (slot + 1) & this.#mask
    return slot
  }

  #grow(): void {
    const [lines, blocks, touched] = [this.#lines, this.#block, this.#touched]
    const size = 4 * lines.length
    this.#mask = size - 1
    this.#lines = new Int32Array(size).fill(NO_LINE)
    this.#block = new Int32Array(size)
    this.#touched = new Uint8Array(size)
    for (let from = 0; from < lines.length; from++) {
      const line = lines[from]!
      if (line === NO_LINE) continue
      const to = this.#find(line)
      this.#lines[to] = line
      this.#block[to] = blocks[from]!
      this.#touched[to] = touched[from]!
    }
  }

  /** Notes sectors that a block touches; those of them that another block had touched before. */
  touch(line: number, sectors: SectorMask, block: number): SectorMask {
    const slot = this.#slotOf(line, block)
    const before = this.#touched[slot]!
    this.#touched[slot] = before | sectors
    if (this.#block[slot] === block) return 0
    this.#block[slot] = SEVERAL_BLOCKS
    return before & sectors
  }

  /** Notes sectors; those of the line that were noted before. */
  add(line: number, sectors: SectorMask): SectorMask {
    const slot = this.#slotOf(line, SEVERAL_BLOCKS)
    const before = this.#touched[slot]!
    this.#touched[slot] = before | sectors
    return before
  }

  /** Notes sectors with the ones that DRAM brings beside those that are new; what was not there before, these included. */
  fetch(line: number, sectors: SectorMask): SectorMask {
    const slot = this.#slotOf(line, SEVERAL_BLOCKS)
    const before = this.#touched[slot]!
    const missing = sectors & ~before
    if (missing === 0) return 0
    const fetched = withNeighbours(missing) & ~before
    this.#touched[slot] = before | fetched
    return fetched
  }
}
