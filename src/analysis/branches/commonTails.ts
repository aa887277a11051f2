/**
 * How far the ends of two arms are alike, so that nvcc makes them once behind both. In: two blocks that lead to one behind them. Out: pairs
 * of instructions, the last first. Read off the machine code of 146 kernels of such arms (61 alike before):
 *
 * - Of an instruction one operand may differ, which is chosen: of a load the array or an index, of a store only an index, or the value.
 * - A store whose value is chosen needs an address that each arm computes right in front of it: not where the index was computed for
 *   another access of the arm, nor where the arm had an access to that place before (`+=` in one arm, `-=` in the other), nor where its
 *   value comes from no load and the index is new.
 * - An index that one arm computed before for another access, and the other one not, ends the walk. So does one that differs from that of
 *   an access behind by a constant.
 */
import { operandsOf, users } from '../../ir/graph.ts'
import type { Block, Func, GepInstruction, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { sameType } from '../../ir/types.ts'
import { addressKey, decompose, isComputed, valueNumbering } from '../facts/address.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { widenedIndices } from './branchStores.ts'

export type Pair = readonly [Instruction, Instruction]

/** Whether two stores of different values may become one; and where their address is made in front of the arms, at least by then. */
export type MayChoose = (stores: readonly StoreInstruction[]) => boolean | 'made in front'

/** Of two arms of one block each. */
export class CommonTail {
  private readonly idOf = valueNumbering()
  private readonly usersOf: ReturnType<typeof users>
  /** What is alike: of either arm's the other arm's. */
  private readonly partners = new Map<Value, Instruction>()
  private readonly pairs: readonly Pair[]

  constructor(
    func: Func,
    private readonly arms: readonly [Block, Block],
    private readonly behind: Block,
    private readonly inFront: readonly Block[],
  ) {
    this.usersOf = users(func)
    this.pairs = this.alike()
  }

  /** As many of the pairs as need one chosen operand each at most. */
  profitable(mayChoose: MayChoose): readonly Pair[] {
    const end = this.pairs.findIndex(([one, other]) => {
      if (one.op !== 'store' || other.op !== 'store') return this.chosenOperands(one, other) > 1
      if (!this.isChosen(one.value, other.value) && !this.areChosen(one.value, other.value)) return false
      const answer = mayChoose([one, other])
      return answer === 'made in front'
        ? !this.isSame(one.pointer, other.pointer)
        : !answer || !this.isOneAddress(one, other)
    })
    return this.pairs.slice(0, end < 0 ? undefined : end)
  }

  /** Whether the two need a phi, if no more than their operands are alike. */
  isChosen(one: Value, other: Value): boolean {
    if (this.isSame(one, other) || (one.kind === 'instruction' && this.partners.get(one) === other)) return false
    if (one.kind !== 'instruction' || other.kind !== 'instruction') return true
    const isHere = one.block === this.arms[0] && other.block === this.arms[1]
    if (!isHere || !isAddressPart(one) || !isOneOperation(one, other)) return true
    return this.chosenOperands(one, other) > 1
  }

  /** Whether two vectors have an element that needs one: what mergeAccesses.ts puts together is single values to nvcc. */
  private areChosen(one: Value, other: Value): boolean {
    if (one.kind !== 'instruction' || other.kind !== 'instruction') return false
    if (one.op !== 'insertelement' || other.op !== 'insertelement') return false
    return this.isChosen(one.value, other.value) || this.areChosen(one.vector, other.vector)
  }

  isSame(one: Value, other: Value): boolean {
    if (one === other) return true
    if (!sameType(one.type, other.type) || one.kind !== other.kind) return false
    if (one.kind === 'float' && other.kind === 'float') return one.bits === other.bits
    if (one.kind === 'address' && other.kind === 'address')
      return one.target === other.target && one.offset === other.offset
    if (one.type.kind === 'pointer') return this.placeOf(one) === this.placeOf(other)
    return one.kind === 'zero' || this.idOf(one) === this.idOf(other)
  }

  private alike(): Pair[] {
    const pairs: Pair[] = []
    const [first, second] = this.arms.map(arm => arm.instructions.slice(0, -1)) as [Instruction[], Instruction[]]
    for (;;) {
      const [one, other] = [this.takeLast(first), this.takeLast(second)]
      if (!one || !other || !this.isAlike(one, other)) return pairs
      this.partners.set(one, other)
      this.partners.set(other, one)
      pairs.push([one, other])
      if (this.isEnd(one, other, pairs)) return pairs
    }
  }

  /** What accesses memory, or what goes behind the arms needs for more than an address. */
  private takeLast(instructions: Instruction[]): Instruction | undefined {
    const isNeeded = (value: Instruction) => (user: Instruction) =>
      user.block === this.behind || (this.partners.has(user) && !('pointer' in user && user.pointer === value))
    for (let last = instructions.pop(); last; last = instructions.pop())
      if (last.op === 'load' || mayWrite(last) || this.usersOf.get(last)?.some(isNeeded(last))) return last
    return undefined
  }

  private isAlike(one: Instruction, other: Instruction): boolean {
    if (one.op === 'store' && other.op === 'store') {
      const isOneArray = this.isSame(decompose(one.pointer).root, decompose(other.pointer).root)
      return isOneArray && isMovable(one) && isMovable(other) && sameType(one.value.type, other.value.type)
    }
    if (one.op === 'load' || other.op === 'load') {
      if (one.op !== 'load' || other.op !== 'load' || !isMovable(one) || !isMovable(other)) return false
      if (!sameType(one.pointer.type, other.pointer.type)) return false
    } else if (mayWrite(one) || one.op === 'phi' || one.op === 'alloca') return false
    return isOneOperation(one, other) && this.areUsedAlike(one, other)
  }

  /** Whether all that uses them goes behind the arms, or is a phi of both there. */
  private areUsedAlike(one: Instruction, other: Instruction): boolean {
    const isPhi = (user: Instruction) =>
      user.op === 'phi' &&
      user.block === this.behind &&
      user.incoming.every(
        ({ value, block }) => (value === one || value === other) === (block === this.arms[0] || block === this.arms[1]),
      ) &&
      user.incoming.some(({ value, block }) => value === one && block === this.arms[0]) &&
      user.incoming.some(({ value, block }) => value === other && block === this.arms[1])
    const isMoving = (user: Instruction): boolean => {
      if (isPhi(user) || this.partners.has(user)) return true
      return isAddressPart(user) && this.arms.includes(user.block) && (this.usersOf.get(user) ?? []).every(isMoving)
    }
    return [one, other].every(each => (this.usersOf.get(each) ?? []).every(isMoving))
  }

  private isEnd(one: Instruction, other: Instruction, pairs: readonly Pair[]): boolean {
    if (!('pointer' in one) || !('pointer' in other)) return false
    if (isSharedArray(decompose(one.pointer).root)) return false
    const [own, theirs] = [one, other].map(each =>
      this.newIndices(each.pointer).map(index => this.isComputedBefore(each, index)),
    )
    if (own!.some((isBefore, at) => isBefore !== theirs![at])) return true
    if (one.op === 'load' && this.isChosen(one.pointer, other.pointer)) return true
    return pairs.some(([each]) => 'pointer' in each && this.isBeside(each.pointer, one.pointer))
  }

  /** Whether they differ by a constant. */
  private isBeside(pointer: Value, other: Value): boolean {
    const [one, two] = [decompose(pointer), decompose(other)]
    return one.offset !== two.offset && addressKey(one, this.idOf) === addressKey(two, this.idOf)
  }

  /**
   * What the arm widens to 64 bits for an address, and nothing in front did, but for constants. Behind another branch it is widened once for
   * both arms, whether or not the code there needs it (PTX of 330 pairs).
   */
  private newIndices(pointer: Value): string[] {
    if (this.inFront.length > 1) return []
    return this.indicesOf(pointer).filter(
      index =>
        !this.inFront.some(({ instructions }) =>
          accessesOf(instructions).some(each => this.indicesOf(each.pointer).includes(index)),
        ),
    )
  }

  private indicesOf(pointer: Value): string[] {
    return widenedIndices(pointer, this.idOf)
      .map(index => index.replace(/\+.*/, ''))
      .filter(index => index !== '')
  }

  private isComputedBefore(access: Instruction, index: string): boolean {
    return accessesBefore(access).some(({ pointer }) => this.indicesOf(pointer).includes(index))
  }

  /** Whether each arm computes the same address right in front of its store, or one of another index that is new to it. */
  private isOneAddress(...stores: readonly [StoreInstruction, StoreInstruction]): boolean {
    const [one, other] = stores.map(({ pointer }) => pointer) as [Value, Value]
    if (!this.isSame(one, other)) {
      if (this.isChosen(one, other) || decompose(one).offset !== decompose(other).offset) return false
      if (stores.some(({ pointer }) => this.newIndices(pointer).length < this.indicesOf(pointer).length)) return false
    }
    return stores.every(store => this.isNextToAddress(store))
  }

  private isNextToAddress(access: StoreInstruction): boolean {
    if (isSharedArray(decompose(access.pointer).root)) return true
    const indices = this.newIndices(access.pointer)
    if (indices.some(index => this.isComputedBefore(access, index))) return false
    const isHere = ({ pointer }: { pointer: Value }) => this.isSame(pointer, access.pointer)
    const isFirst = (arm: Block) => firstLoads(arm).some(isHere)
    const isInFront =
      this.inFront.some(({ instructions }) => accessesOf(instructions).some(isHere)) || this.arms.every(isFirst)
    if (!isInFront && accessesBefore(access).some(isHere)) return false
    return !accessesOf(access.block.instructions).some(each => this.isBeside(each.pointer, access.pointer))
  }

  private chosenOperands(one: Instruction, other: Instruction): number {
    const theirs = operandsOf(other)
    const offsets = one.op === 'gep' && other.op === 'gep' && one.offset !== other.offset ? 1 : 0
    return offsets + operandsOf(one).filter((value, at) => this.isChosen(value, theirs[at]!)).length
  }

  private placeOf(pointer: Value): string {
    const address = decompose(pointer)
    return `${addressKey(address, this.idOf)}:${address.offset}`
  }
}

type Access = Instruction & { readonly pointer: Value }

const accessesOf = (instructions: readonly Instruction[]): Access[] =>
  instructions.filter((each): each is Access => 'pointer' in each)

const accessesBefore = (access: Instruction): Access[] =>
  accessesOf(access.block.instructions.slice(0, access.block.instructions.indexOf(access)))

/** What an arm loads before it writes anything: in front of the arms, where both do. */
function firstLoads({ instructions }: Block): Access[] {
  const end = instructions.findIndex(mayWrite)
  return accessesOf(instructions.slice(0, end < 0 ? undefined : end))
}

const isMovable = (access: LoadInstruction | StoreInstruction): boolean =>
  isPlainAccess(access) && !('copiedTo' in access) && !('matrixWords' in access) && !('copied' in access)

export const isAddressPart = (value: Instruction): boolean =>
  value.op === 'gep' || value.op === 'bitcast' || value.op === 'addrspacecast' || isComputed(value)

/** Whether they do the same to their operands. */
function isOneOperation(one: Instruction, other: Instruction): boolean {
  if (one.op !== other.op || !sameType(one.type, other.type)) return false
  const [own, theirs] = [operandsOf(one), operandsOf(other)]
  if (own.length !== theirs.length || !own.every((value, at) => sameType(value.type, theirs[at]!.type))) return false
  if ('predicate' in one && 'predicate' in other && one.predicate !== other.predicate) return false
  if ('contract' in one && 'contract' in other && one.contract !== other.contract) return false
  if (one.op === 'call' && other.op === 'call') return one.callee === other.callee && !isTogether(one)
  if (one.op === 'gep' && other.op === 'gep') return isOneForm(one, other)
  return /^(load|store|select|freeze|fneg|fma|[if]cmp)$/.test(one.op) || 'nuw' in one || 'value' in one
}

function isOneForm(one: GepInstruction, other: GepInstruction): boolean {
  if ((one.offset === 0) !== (other.offset === 0)) return false
  return one.terms.every(({ scale }, at) => scale === other.terms[at]!.scale)
}

/** Whether lanes have to be there together. */
function isTogether(call: Instruction & { readonly op: 'call' }): boolean {
  return (
    call.callee.kind !== 'function' ||
    call.callee.attributes.has('convergent') ||
    /^llvm\.(nvvm\.(shfl|vote|match|redux|activemask|barrier)|lifetime|assume)/.test(call.callee.name)
  )
}
