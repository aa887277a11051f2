/** What is in registers already while a block runs. For passes that leave loads out. */
import type { Instruction, LoadInstruction, StoreInstruction, Type, Value, VectorElement } from '../../ir/ir.ts'
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
  /** It was moved as an element of it, and all of it is there still. */
  readonly vector: VectorElement | undefined
  /** What moved it; `torn`: a vector of which a part was overwritten since. */
  readonly by: 'load' | 'store' | 'member' | 'torn'
  /** Stored where it had been loaded by itself, as by `q->x += a`. */
  readonly isChanged: boolean
}

/** A load or store, as far as it matters here. */
type Moved = Pick<LoadInstruction | StoreInstruction, 'op' | 'vector' | 'member'>

/** A double beside another: such vectors are taken apart once more, and the last store is found. */
const DOUBLE = 8

export const isSameElement = (a: VectorElement | undefined, b: VectorElement | undefined): boolean =>
  a !== undefined && a.bytes === b?.bytes && a.offset === b.offset

/**
 * Values in registers while a block runs, by address; forgets what a write may have changed.
 *
 * The machine's compiler finds an element of a vector that it loads where all of the vector was moved at once, where it was loaded by itself,
 * where it was changed in memory (`q->x += a`), and where each element was stored by its name (`q->x = a; q->y = b; float2 v = *q;`), since it
 * makes one store of those. It does not where some were stored, or all by another pointer (`((float *)q)[0] = a`): the vector is loaded (PTX of
 * 47 kernels, nvcc 13.0).
 */
export class KnownValues {
  #values: Known[] = []
  #lastStored: Known | undefined
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

  /** @param load that asks, where it may be of an element of a vector */
  find(address: Address, type: Type, load?: Moved): Value | undefined {
    const root = this.keyOf(address)
    const known = this.#at(root, address.offset, type)
    if (!known || !load?.vector) return known?.value
    return this.#isFoundByElement(known, load.vector, type) ? known.value : undefined
  }

  #at(root: string, offset: number, type: Type): Known | undefined {
    return this.#values.find(
      each => each.root === root && each.offset === offset && isSameType(valueType(each.value), type),
    )
  }

  #isFoundByElement(known: Known, vector: VectorElement, type: Type): boolean {
    if (isSameElement(known.vector, vector) || (known.by === 'load' && !known.vector)) return true
    const { bytes, root, offset } = known
    if (known.isChanged || (bytes === DOUBLE && known === this.#lastStored)) return true
    const start = offset - vector.offset
    return elementsOf(vector, bytes).every(at => this.#at(root, start + at, type)?.by === 'member')
  }

  /** @param access that moved the value; a load unless told */
  add(address: Address, value: Value, place?: MemoryPlace, access?: Moved, isChanged = false): Known {
    const [root, bytes] = [this.keyOf(address), storeBytes(valueType(value))]
    const by = access?.op === 'store' ? (access.member ? 'member' : 'store') : 'load'
    const known: Known = { root, offset: address.offset, bytes, value, place, vector: access?.vector, by, isChanged }
    this.#values.push(known)
    return known
  }

  /** A store: the same root tells by the offsets what it leaves alone, others may be the same memory. */
  store(address: Address, value: Value, place?: MemoryPlace, access?: Moved): void {
    const before = this.#at(this.keyOf(address), address.offset, valueType(value))
    const isChanged = before !== undefined && !before.vector && (before.by === 'load' || before.isChanged)
    this.overwrite(address, valueType(value), place, access)
    this.#lastStored = this.add(address, value, place, access, isChanged)
  }

  /** A store of a value that is not kept. */
  overwrite(address: Address, type: Type, place?: MemoryPlace, access?: Moved): void {
    const [root, bytes] = [this.keyOf(address), storeBytes(type)]
    const { offset } = address
    this.#lastStored = undefined
    const isBeside = (from: number, length: number): boolean => from >= offset + bytes || offset >= from + length
    const isTorn = ({ root: other, offset: at, vector }: Known): boolean => {
      if (!vector || other !== root || isBeside(at - vector.offset, vector.bytes)) return false
      const { vector: stored } = access ?? {}
      return stored?.bytes !== vector.bytes || offset - stored.offset !== at - vector.offset
    }
    this.#values = this.#values
      .filter(
        known =>
          (known.root === root && isBeside(known.offset, known.bytes)) ||
          (place && known.place && areApartInMachine(place, known.place)),
      )
      .map(known => (isTorn(known) ? { ...known, vector: undefined, by: 'torn' } : known))
  }

  clear(): void {
    this.#values = []
    this.#lastStored = undefined
  }
}

/** Where the elements of so many bytes of a vector begin. */
export const elementsOf = ({ bytes }: VectorElement, each: number): number[] =>
  Array.from({ length: bytes / each }, (_, at) => at * each)

const valueType = (value: Value): Type => value.type

export function isSameType(a: Type, b: Type): boolean {
  return (a.kind === 'int' || a.kind === 'float' || a.kind === 'pointer') && sameType(a, b)
}

export const isPlain = (instruction: Instruction): instruction is LoadInstruction =>
  instruction.op === 'load' && !instruction.volatile && !instruction.atomic

/** Made by LLVM in front of a loop, of a sum that the loop keeps in a register. */
export const isPromoted = ({ name }: LoadInstruction): boolean => /\.promoted/.test(name)
