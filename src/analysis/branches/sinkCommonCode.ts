/**
 * What both arms of an `if` end with, once behind them: nvcc walks the two from their ends as long as they do the same (the sinking of
 * LLVM 7's SimplifyCFG, before common expressions are known), stores, loads and what is computed, where an instruction needs one operand
 * chosen at most: `if (c) { o[t] = a; o[t] += x * v[t]; } else { o[t] = b; o[t] += x * v[t]; }` loads `v[t]` once and stores twice.
 * In: a kernel with accesses merged, and a block behind two arms of one block each. Out: the same with such code moved behind the arms.
 * The rules beside LLVM's are commonTails.ts'.
 */
import { intConstant } from '../../ir/build.ts'
import { cloneInstruction, operandsOf, replaceOperands, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../ir/types.ts'
import { phisOf, replaceValues } from '../rewriting/blocks.ts'
import type { Branches } from './branchStores.ts'
import { CommonTail, isAddressPart, type MayChoose, type Pair } from './commonTails.ts'

/**
 * @param inFront blocks that are done whenever the arms are
 * @param mayChoose whether two stores of different values may become one
 */
export function sinkCommonCode(
  func: Func,
  { ways, behind }: Branches,
  inFront: readonly Block[],
  mayChoose: MayChoose,
): void {
  const arms = ways.map(({ from }) => from) as [Block, Block]
  const tail = new CommonTail(func, arms, behind, inFront)
  const alike = tail.profitable(mayChoose)
  // What is computed in front of the first access may stay where it is, for the counters; alone it does (readings: latency.cu, c_branch).
  const pairs = alike.slice(0, alike.findLastIndex(([one]) => 'pointer' in one) + 1)
  if (pairs.length > 0) new Move(arms, behind, tail).make(func, pairs)
}

/** Whether each way is one block of its own. */
export function areSingleBlocks({ ways }: Branches): boolean {
  return ways.every(({ from, first, blocks }) => first === from && blocks.length === 1)
}

class Move {
  private readonly phis: PhiInstruction[] = []
  private readonly made: Instruction[] = []
  private readonly moved = new Map<Value, Instruction>()
  private readonly copies = new Map<Value, Instruction>()

  constructor(
    private readonly arms: readonly [Block, Block],
    private readonly behind: Block,
    private readonly tail: CommonTail,
  ) {}

  /** @param pairs the last first */
  make(func: Func, pairs: readonly Pair[]): void {
    for (const [one, other] of [...pairs].reverse()) {
      const made = this.merged(one, other)
      if (isAccess(made) && isAccess(other)) {
        made.align = Math.min(made.align, other.align)
        if (other.narrowed) made.narrowed = true
        if (other.unsure) made.unsure = true
      }
      this.moved.set(one, made)
    }
    const replaced = new Map<Value, Value>()
    for (const phi of phisOf(this.behind)) {
      const made = this.moved.get(phi.incoming.find(({ block }) => block === this.arms[0])!.value)
      if (made) replaced.set(phi, made)
    }
    const rest = this.behind.instructions.filter(each => !replaced.has(each))
    const last = phisOf(this.behind).length - replaced.size
    this.behind.instructions = [...this.phis, ...rest.slice(0, last), ...this.made, ...rest.slice(last)]
    for (const each of pairs.flat()) each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
    replaceValues(func.blocks, replaced)
    for (const arm of this.arms) dropUnusedAddresses(func, arm)
  }

  /** The one instruction for both. */
  private merged(one: Instruction, other: Instruction): Instruction {
    const made = cloneInstruction(one, this.behind)
    const theirs = operandsOf(other)
    let at = 0
    replaceOperands(made, value => this.resolved(value, theirs[at++]!))
    if (made.op === 'gep' && other.op === 'gep' && made.offset !== other.offset) {
      const index = this.choose(intConstant(I32, made.offset), intConstant(I32, other.offset))
      made.offset = 0
      made.terms.push({ index, scale: 1 })
    }
    this.made.push(made)
    return made
  }

  private resolved(one: Value, other: Value): Value {
    const known = this.moved.get(one)
    if (known) return known
    if (this.tail.isSame(one, other)) return this.copy(one)
    if (this.tail.isChosen(one, other)) return this.choose(one, other)
    const made = this.merged(one as Instruction, other as Instruction)
    this.moved.set(one, made)
    return made
  }

  /** A value of an arm is made again. */
  private copy(value: Value): Value {
    if (value.kind !== 'instruction' || value.block !== this.arms[0]) return value
    const known = this.copies.get(value)
    if (known) return known
    const made = cloneInstruction(value, this.behind)
    replaceOperands(made, operand => this.copy(operand))
    this.made.push(made)
    this.copies.set(value, made)
    return made
  }

  private choose(one: Value, other: Value): PhiInstruction {
    const [first, second] = this.arms
    const incoming = [
      { value: one, block: first },
      { value: other, block: second },
    ]
    const isKnown = (phi: PhiInstruction) =>
      incoming.every(({ value, block }) =>
        phi.incoming.some(each => each.block === block && this.isOne(each.value, value)),
      )
    const known = [...this.phis, ...phisOf(this.behind)].find(isKnown)
    if (known) return known
    const place = { kind: 'instruction', name: '', block: this.behind, location: undefined } as const
    const phi: PhiInstruction = { ...place, op: 'phi', type: one.type, incoming }
    this.phis.push(phi)
    return phi
  }

  private isOne(a: Value, b: Value): boolean {
    return a === b || (a.kind !== 'instruction' && this.tail.isSame(a, b))
  }
}

const isAccess = (each: Instruction): each is LoadInstruction | StoreInstruction =>
  each.op === 'load' || each.op === 'store'

function dropUnusedAddresses(func: Func, arm: Block): void {
  const usersOf = users(func)
  const dropped = new Set<Instruction>()
  const isUsed = (value: Instruction) => (usersOf.get(value) ?? []).some(user => !dropped.has(user))
  for (const each of [...arm.instructions].reverse()) if (isAddressPart(each) && !isUsed(each)) dropped.add(each)
  arm.instructions = arm.instructions.filter(each => !dropped.has(each))
}
