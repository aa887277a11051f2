/**
 * Tables in device memory that library headers declare and nobody defines: the matrices by which XORWOW's sequences are
 * skipped. They are computed when a program that uses one is loaded, since as text they would be read at each compilation.
 */

/** Rows of a matrix, and matrices of a table: one for each two bits of what is skipped. */
const BITS = 160
const WORDS = BITS / 32
const MATRICES = 32

/** Sequences are 2^67 numbers apart. */
const SEQUENCE_BITS = 67

const tables: ReadonlyMap<string, () => Uint32Array> = new Map([
  ['__warplens_xorwow_steps_by_fours', () => powersByFours(stepMatrix())],
  ['__warplens_xorwow_sequences_by_fours', () => powersByFours(squared(stepMatrix(), SEQUENCE_BITS))],
])

/** The words of the table that a header calls `name`; undefined where there is none. */
export function libraryTable(name: string): Uint32Array | undefined {
  return tables.get(name)?.()
}

/** Matrix i is the given one to the power 4^i. Rows of five words: a state is the sum of the rows at its bits. */
function powersByFours(first: Uint32Array): Uint32Array {
  const table = new Uint32Array(MATRICES * first.length)
  for (let index = 0, matrix = first; index < MATRICES; index++, matrix = squared(matrix, 2))
    table.set(matrix, index * first.length)
  return table
}

/** One step of the generator (`__warplens_step` of curand_device.h), as what becomes of each bit. */
function stepMatrix(): Uint32Array {
  const matrix = new Uint32Array(BITS * WORDS)
  for (let bit = 0; bit < BITS; bit++) {
    const state = new Uint32Array(WORDS)
    state[bit >> 5] = 1 << (bit & 31)
    const [first, second, third, fourth, last] = state as unknown as [number, number, number, number, number]
    const t = first ^ (first >>> 2)
    matrix.set([second, third, fourth, last, last ^ (last << 4) ^ t ^ (t << 1)], bit * WORDS)
  }
  return matrix
}

function squared(matrix: Uint32Array, times: number): Uint32Array {
  let square = matrix
  for (let time = 0; time < times; time++) square = product(square, square)
  return square
}

function product(left: Uint32Array, right: Uint32Array): Uint32Array {
  const result = new Uint32Array(left.length)
  for (let row = 0; row < left.length; row += WORDS) {
    let [first, second, third, fourth, last] = [0, 0, 0, 0, 0]
    for (let bit = 0; bit < BITS; bit++) {
      if (((left[row + (bit >> 5)]! >>> (bit & 31)) & 1) === 0) continue
      const from = bit * WORDS
      first ^= right[from]!
      second ^= right[from + 1]!
      third ^= right[from + 2]!
      fourth ^= right[from + 3]!
      last ^= right[from + 4]!
    }
    result.set([first, second, third, fourth, last], row)
  }
  return result
}
