/** What is in registers already while a block runs. For passes that leave loads out. */
import type { Instruction, LoadInstruction, Type, Value } from '../../ir/ir.ts'
import { sameType, storeBytes } from '../../ir/types.ts'
import { type Address, addressKey, valueNumbering } from './address.ts'
import { areApartInMachine, type MemoryPlace } from './places.ts'

/** What is known to lie at an address: what was stored or loaded there last. */
interface Known {
  readonly root: string
  readonly offset: number
  readonly bytes: number
  readonly value: Value
  /** Where it is asked for: tells what other memories leave alone. */
  readonly place: MemoryPlace | undefined
}

/** Values in registers while a block runs, by address; forgets what a write may have changed. */
export class KnownValues {
  #values: Known[] = []
  readonly #idOf: (value: Value) => number

  constructor(idOf = valueNumbering()) {
    this.#idOf = idOf
  }

  copy(): KnownValues {
    const copy = this.emptied()
    copy.#values = [...this.#values]
    return copy
  }

  /** Of which nothing is known, with the same keys. */
  emptied(): KnownValues {
    return new KnownValues(this.#idOf)
  }

  keyOf(address: Address): string {
    return addressKey(address, this.#idOf)
  }

  find(address: Address, type: Type): Value | undefined {
    const root = this.keyOf(address)
    const known = this.#values.find(
      ({ root: other, offset, value }) =>
        other === root && offset === address.offset && isSameType(valueType(value), type),
    )
    return known?.value
  }

  add(address: Address, value: Value, place?: MemoryPlace): void {
    const [root, bytes] = [this.keyOf(address), storeBytes(valueType(value))]
    this.#values.push({ root, offset: address.offset, bytes, value, place })
  }

  /** A store: the same root tells by the offsets what it leaves alone, others may be the same memory. */
  store(address: Address, value: Value, place?: MemoryPlace): void {
    this.overwrite(address, valueType(value), place)
    this.add(address, value, place)
  }

  /** A store of a value that is not kept. */
  overwrite(address: Address, type: Type, place?: MemoryPlace): void {
    const [root, bytes] = [this.keyOf(address), storeBytes(type)]
    const { offset } = address
    this.#values = this.#values.filter(
      known =>
        (known.root === root && (known.offset >= offset + bytes || offset >= known.offset + known.bytes)) ||
        (place && known.place && areApartInMachine(place, known.place)),
    )
  }

  clear(): void {
    this.#values = []
  }
}

const valueType = (value: Value): Type => value.type

export function isSameType(a: Type, b: Type): boolean {
  return (a.kind === 'int' || a.kind === 'float' || a.kind === 'pointer') && sameType(a, b)
}

export const isPlain = (instruction: Instruction): instruction is LoadInstruction =>
  instruction.op === 'load' && !instruction.volatile && !instruction.atomic

/** Made by LLVM in front of a loop, of a sum that the loop keeps in a register. */
export const isPromoted = ({ name }: LoadInstruction): boolean => /\.promoted/.test(name)
