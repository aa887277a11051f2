/**
 * Counts distinct numbers among a few dozen, without allocating: a warp touches at most 32 lanes x 4 words.
 * The access rules keep one of these per question they ask ("how many sectors?") and clear it for every access.
 */

/** A growing list of distinct values. Ascending values, the usual case, cost one comparison each. */
export class DistinctValues {
  readonly #values: Float64Array
  #count = 0
  #largest = -1

  /** @param capacity the most distinct values that will be added between two calls of `clear` */
  constructor(capacity: number) {
    this.#values = new Float64Array(capacity)
  }

  /** How many distinct values were added since the last `clear`. */
  get count(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
    this.#largest = -1
  }

  /** Adds a non-negative value; true when it is new. */
  add(value: number): boolean {
    if (value > this.#largest) this.#largest = value
    else if (this.indexOf(value) >= 0) return false
    this.#values[this.#count++] = value
    return true
  }

  /** Position of the value in order of first addition, -1 when it was not added. */
  indexOf(value: number): number {
    for (let index = this.#count - 1; index >= 0; index--) if (this.#values[index] === value) return index
    return -1
  }
}
