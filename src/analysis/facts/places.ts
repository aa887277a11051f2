/** What two accesses can have to do with each other: the same place, one beside it, or one apart from it. For passes that move accesses. */
import { intConstant } from '../../ir/build.ts'
import type { Block, Func, Instruction, PhiInstruction, SourceMember, Type, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { type Address, addressKey, decomposeLinear, isSameRoot, valueNumbering, withValues } from './address.ts'
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

  /** Where it was on the way from one block to the next, whose phis it has; undefined where no value tells. */
  onWay({ address, spaces }: MemoryPlace, from: Block, to: Block): MemoryPlace | undefined {
    const moved = withValues(address, value => before(value, from, to), this.#final)
    return moved && { address: moved, key: addressKey(moved, this.#numberOf), spaces }
  }

  /** After values were replaced. */
  forget(): void {
    this.#places.clear()
  }
}

/** What a value was on that way: another one, or the same and a constant. */
function before(value: Value, from: Block, to: Block): { readonly value: Value; readonly plus: number } | undefined {
  const phi = counterOf(value)
  if (phi?.block !== to) return { value, plus: 0 }
  const { value: earlier } = phi.incoming.find(({ block }) => block === from)!
  if (phi === value) return { value: earlier, plus: 0 }
  // Of 64 bits, in an index of 32.
  if (earlier.kind === 'int') return { value: intConstant(value.type, earlier.value), plus: 0 }
  const isCounted = earlier.kind === 'instruction' && earlier.op === 'add' && earlier.left === phi
  if (!isCounted || earlier.right.kind !== 'int') return undefined
  return { value, plus: Number(BigInt.asIntN(32, earlier.right.value)) }
}

/** A phi, also where its low half is an index. */
export function counterOf(value: Value): PhiInstruction | undefined {
  if (value.kind !== 'instruction') return undefined
  if (value.op === 'trunc') return counterOf(value.value)
  return value.op === 'phi' ? value : undefined
}

export const isSamePlace = (one: MemoryPlace, other: MemoryPlace): boolean =>
  one.address.offset === other.address.offset && one.key === other.key

/** At a constant distance, each as long as its type. */
export function isBeside(one: MemoryPlace, oneType: Type, other: MemoryPlace, otherType: Type): boolean {
  return one.key === other.key && doNotOverlap(one, storeBytes(oneType), other, storeBytes(otherType))
}

/** Of places with one key. */
function doNotOverlap(one: MemoryPlace, oneBytes: number, other: MemoryPlace, otherBytes: number): boolean {
  const distance = other.address.offset - one.address.offset
  return distance >= oneBytes || -distance >= otherBytes
}

export function isInOtherMemory(one: MemoryPlace, other: MemoryPlace): boolean {
  return ![...one.spaces].some(space => other.spaces.has(space))
}

/** In another memory, in another variable, or by another argument where one of the two is `__restrict__`. */
export function isApart(one: MemoryPlace, other: MemoryPlace): boolean {
  if (isInOtherMemory(one, other)) return true
  const [first, second] = [one.address.root, other.address.root]
  if (isVariable(first) && isVariable(second)) return first.target !== second.target
  if (first.kind !== 'parameter' || second.kind !== 'parameter') return false
  return first !== second && (first.noalias === true || second.noalias === true)
}

/**
 * The same, as far as ptxas sees it: all of a block's shared memory is one array to it at a place that {@link isFound} (machine code of 16
 * unrolled loops over two arrays; reading: apsp2 of unseen27).
 */
export function areApartInMachine(one: MemoryPlace, other: MemoryPlace): boolean {
  const areShared = one.spaces.has('shared') && other.spaces.has('shared')
  return isApart(one, other) && !(areShared && (isFound(one.address) || isFound(other.address)))
}

/**
 * While the kernel runs: in shared memory ptxas sees no difference between two of the program's arrays there (machine code of 5 loops and
 * straight runs: every load stays behind the store before it).
 */
export const isFound = ({ root, terms }: Address): boolean => terms.length > 0 || root.kind === 'instruction'

/** Dynamic shared memory has as many names as it is declared by. */
const isVariable = (root: Value): root is Value & { readonly kind: 'address' } =>
  root.kind === 'address' && root.target.kind === 'global' && !root.target.external

/** What an access touches. */
export interface Touched {
  readonly place: MemoryPlace
  readonly bytes: number
  readonly member: SourceMember | undefined
}

/**
 * What LLVM there knows when it joins accesses: other memories, arguments and offsets are apart, members of a structure too
 * (frontend/passes/memberAliases.ts), and elements of rows of one array: `s[4 * i]` is not `s[4 * k + 1]` (PTX of 60 kernels).
 */
export function areApart(one: Touched, other: Touched): boolean {
  if (isApart(one.place, other.place)) return true
  const { address: first } = one.place
  const { address: second } = other.place
  if (one.place.key === other.place.key) return doNotOverlap(one.place, one.bytes, other.place, other.bytes)
  if (one.member?.structure === other.member?.structure && one.member?.place !== other.member?.place) return true
  const row = isSameRoot(first.root, second.root) ? rowOf(first, second) : 1
  const within = (((second.offset - first.offset) % row) + row) % row
  return within >= one.bytes && row - within >= other.bytes
}

/** Beyond the widest access nothing changes. */
const LONGEST_ROW = 64

/** The bytes, a power of two, of which the distance of two addresses of one array is a multiple, but for their constant offsets. */
function rowOf(first: Address, second: Address): number {
  let row = LONGEST_ROW
  for (const { scale } of [...first.terms, ...second.terms]) while (scale % row !== 0) row /= 2
  return row
}

type Access = Extract<Instruction, { op: 'load' | 'store' | 'atomicrmw' | 'cmpxchg' }>

/** What touches nothing but its place: not an atomic that orders others. */
export function isAccess(instruction: Instruction): instruction is Access {
  return instruction.op === 'load' || instruction.op === 'store' || isRelaxedAtomic(instruction)
}

/** Of what is loaded, stored or exchanged. */
export const accessedType = (access: Access): Type => (access.op === 'store' ? access.value.type : access.type)
