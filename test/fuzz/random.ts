/** A small seeded random number generator (mulberry32): the same seed gives the same choices on every machine. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** A 32-bit unsigned integer. */
  word(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.word() / 2 ** 32) * limit)
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.word() < probability * 2 ** 32
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}
