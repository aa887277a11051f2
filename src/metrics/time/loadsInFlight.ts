/**
 * How many loads a warp has on their way at once. In: the loads from global memory of a straight run, each with the number of waits that
 * it ends. Out: how many more waits there are since not all words have a register to come to.
 * Source: machine code of 56 loops of our own (nvcc 13.0, sm_90: sums of one to four arrays of 4 and 8 bytes, 4 to 64 rounds together),
 * run instruction by instruction with their scoreboards: 16 words at once where one array is read, 11 where two are, one of them by a stride
 * that is not known; 48 words of three arrays take 3.8 waits.
 */
import { addressKey, decomposeLinear, valueNumbering } from '../../analysis/facts/address.ts'
import type { LoadInstruction, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'

/** With so many registers a multiprocessor holds all its threads, and ptxas gives up loads at once to keep to them. */
const FULL_OCCUPANCY = 32
/** Counters, sums, descriptors. */
const OTHERS = 14
/** An array's address, and the one that a stride makes of it. */
const ADDRESS_WORDS = 2
const FEWEST = 8
const WORD_BYTES = 4

export class LoadsInFlight {
  private readonly registers: number
  private readonly idOf = valueNumbering()
  /** Words of the loads that end a path's n-th wait. */
  private readonly words: number[] = []
  /** By what an address begins with: what else it is made of. */
  private readonly keys = new Map<Value, Set<string>>()

  /** @param registers of a thread, estimated */
  constructor(registers: number) {
    this.registers = Math.max(FULL_OCCUPANCY, registers)
  }

  /** @param wait how many waits the load's own path has, it included */
  add(load: LoadInstruction, wait: number): void {
    const last = Math.ceil(wait)
    this.words[last] = (this.words[last] ?? 0) + Math.max(1, storeBytes(load.type) / WORD_BYTES)
    const address = decomposeLinear(load.pointer, value => value)
    const keys = this.keys.get(address.root) ?? new Set()
    keys.add(addressKey(address, this.idOf))
    this.keys.set(address.root, keys)
  }

  /** Waits beside those of the dependences. */
  get furtherWaits(): number {
    const addresses = [...this.keys.values()].reduce((sum, { size }) => sum + (size > 1 ? 2 : 1), 0)
    const room = Math.max(FEWEST, this.registers - OTHERS - ADDRESS_WORDS * addresses)
    return this.words.reduce((sum, words) => sum + Math.max(0, words / room - 1), 0)
  }
}
