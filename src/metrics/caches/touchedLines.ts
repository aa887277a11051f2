/**
 * Which sectors of which lines have been touched so far, and whether more than one block touched a line: what the whole L2
 * would still hold where a sample's part of it does not. Lines go by their numbers in the sample ({@link numberLines}): there
 * are as many as it has accesses, and more, and each is asked for several times.
 */
import { type SectorMask, withNeighbours } from './sectoredCache.ts'

const SEVERAL_BLOCKS = -1
const SMALLEST = 4096

/** The lines of a sample, numbered from 0 in the order in which they come. */
export interface NumberedLines {
  /** The number of each of the sample's lines. */
  readonly numbers: Int32Array
  /** How many different lines there are. */
  readonly count: number
}

/** By a hash table in typed arrays, in one loop that the engine soon compiles. @param count of `lines`, how many count */
export function numberLines(lines: Int32Array, count: number): NumberedLines {
  let slots = SMALLEST
  while (slots < 2 * count) slots *= 2
  const table = new Int32Array(slots) // a line's number and 1, or 0
  const lineOf = new Int32Array(count + 1)
  const numbers = new Int32Array(count)
  let different = 0
  for (let at = 0; at < count; at++) {
    const line = lines[at]!
    let slot = (Math.imul(line, 0x9e3779b1) >>> 7) & (slots - 1)
    let found = table[slot]!
    while (found !== 0 && lineOf[found] !== line) {
      slot = (slot + 1) & (slots - 1)
      found = table[slot]!
    }
    if (found === 0) {
      found = ++different
      table[slot] = found
      lineOf[found] = line
    }
    numbers[at] = found - 1
  }
  return { numbers, count: different }
}

export class TouchedLines {
  /** The only block that touched the line, and 1; 0 where none did, or {@link SEVERAL_BLOCKS}. */
  readonly #block: Int32Array
  readonly #touched: Uint8Array

  /** @param lines how many different ones there are */
  constructor(lines: number) {
    this.#block = new Int32Array(lines)
    this.#touched = new Uint8Array(lines)
  }

  /** Notes sectors that a block touches; those of them that another block had touched before. */
  touch(line: number, sectors: SectorMask, block: number): SectorMask {
    const before = this.#touched[line]!
    this.#touched[line] = before | sectors
    const toucher = this.#block[line]!
    if (toucher === block + 1) return 0
    this.#block[line] = toucher === 0 ? block + 1 : SEVERAL_BLOCKS
    return before & sectors
  }

  /** Notes sectors; those of the line that were noted before. */
  add(line: number, sectors: SectorMask): SectorMask {
    const before = this.#touched[line]!
    this.#touched[line] = before | sectors
    return before
  }

  /** Notes sectors with the ones that DRAM brings beside those that are new; what was not there before, these included. */
  fetch(line: number, sectors: SectorMask): SectorMask {
    const before = this.#touched[line]!
    const missing = sectors & ~before
    if (missing === 0) return 0
    const fetched = withNeighbours(missing) & ~before
    this.#touched[line] = before | fetched
    return fetched
  }
}
