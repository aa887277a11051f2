/** What two accesses can have to do with each other: the same place, one beside it, or one apart from it. For passes that move accesses. */
import type { Func, Instruction, Type, Value } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'
import { type Address, addressKey, decomposeLinear, valueNumbering } from './address.ts'
import { isRelaxedAtomic } from './memoryEffects.ts'
import { inferSpaces, type PointerSpace } from './spaces.ts'

export interface MemoryPlace {
  readonly address: Address
  /** Of what the address is made, but for its constant offset. */
  readonly key: string
  readonly spaces: ReadonlySet<PointerSpace>
}

/** The places of a function's pointers. */
export class MemoryPlaces {
  readonly #final: (value: Value) => Value
  readonly #spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>
  readonly #numberOf = valueNumbering()
  readonly #places = new Map<Value, MemoryPlace>()

  /** @param final what a value is now, for passes that replace some */
  constructor(func: Func, final: (value: Value) => Value = value => value) {
    this.#final = final
    this.#spacesOf = inferSpaces(func)
  }

  of(pointer: Value): MemoryPlace {
    let place = this.#places.get(pointer)
    if (!place) {
      const address = decomposeLinear(pointer, this.#final)
      place = { address, key: addressKey(address, this.#numberOf), spaces: this.#spacesOf(pointer) }
      this.#places.set(pointer, place)
    }
    return place
  }

  /** After values were replaced. */
  forget(): void {
    this.#places.clear()
  }
}

export const isSamePlace = (one: MemoryPlace, other: MemoryPlace): boolean =>
  one.address.offset === other.address.offset && one.key === other.key

/** At a constant distance, each as long as its type. */
export function isBeside(one: MemoryPlace, oneType: Type, other: MemoryPlace, otherType: Type): boolean {
  if (one.key !== other.key) return false
  const [first, second] = [one.address.offset, other.address.offset]
  return first + storeBytes(oneType) <= second || second + storeBytes(otherType) <= first
}

/** In another memory, or by another argument where one of the two is `__restrict__`. */
export function isApart(one: MemoryPlace, other: MemoryPlace): boolean {
  if (![...one.spaces].some(space => other.spaces.has(space))) return true
  const [first, second] = [one.address.root, other.address.root]
  if (first.kind !== 'parameter' || second.kind !== 'parameter') return false
  return first !== second && (first.noalias === true || second.noalias === true)
}

type Access = Extract<Instruction, { op: 'load' | 'store' | 'atomicrmw' | 'cmpxchg' }>

/** What touches nothing but its place: not an atomic that orders others. */
export function isAccess(instruction: Instruction): instruction is Access {
  return instruction.op === 'load' || instruction.op === 'store' || isRelaxedAtomic(instruction)
}

/** Of what is loaded, stored or exchanged. */
export const accessedType = (access: Access): Type => (access.op === 'store' ? access.value.type : access.type)
