/**
 * Loads that ptxas moves behind a branch. In: a kernel as nvcc's own part leaves it (sinkValues.ts), accesses merged. Out: the same
 * with loads that only one way out of a branch needs at the beginning of that way, also where they are used in loops or behind later
 * branches: `x = a[i]; if (i >= n) return; for (...) use(x);` loads behind the return (reading: hec-mergeVS). Read off the machine
 * code of 280 kernels:
 *
 * - Of two ways that do not meet in one of them, the second gets such loads, which follows the branch in the machine code; a way that
 *   goes on to the other one gets them always. A condition `a && b` is two branches, which both lead to the second way; of `a || b`, to the
 *   first.
 * - What is computed from a load goes along, instruction by instruction, where that needs no register more: one that has the value
 *   once, the other operands one constant or values that the way needs anyhow. Not so addresses: a load whose value is part of another
 *   one's address stays, as do minima, bits counted, divisions and roots.
 * - A load stays in front of what may write its memory, but what nothing in the kernel writes (LDG.CONSTANT) goes past all stores
 *   and barriers.
 */
import { calledName, dominators, predecessors, successors, terminatorOf, users } from '../../ir/graph.ts'
import type { BinaryInstruction, Block, CondBrInstruction, Func, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { decompose } from '../facts/address.ts'
import { constantMemory } from '../facts/constantLoads.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { isCast, placesOf } from '../rewriting/blocks.ts'
import { dropFronts, innermostLoops, makeFronts, moveTo } from './sinkValues.ts'

export function sinkLoads(func: Func): void {
  const fronts = makeFronts(func)
  const tree = dominators(func)
  const usersOf = users(func)
  const loopOf = innermostLoops(func)
  const before = predecessors(func)
  const isConstant = constantMemory(func)

  const isNeeded = (value: Instruction, user: Instruction, target: Block) =>
    placesOf(user, value).every(place => tree.dominates(target, place))
  const isLiveIn = (value: Value, target: Block) =>
    (usersOf.get(value) ?? []).some(user => placesOf(user, value).some(place => tree.dominates(target, place)))
  const needsOneRegister = (instruction: Instruction, target: Block) =>
    operandsOf(instruction).filter(each => isVariable(each) && !isLiveIn(each, target)).length <= 1

  /** What may go to the way out, last one first. */
  const goingTo = (target: Block, block: Block): Set<Instruction> => {
    const going = new Set<Instruction>()
    const writes: Instruction[] = []
    for (const instruction of block.instructions.slice(0, -1).reverse()) {
      const mayGo =
        instruction.op === 'load'
          ? isOrdinary(instruction) && (isConstant(instruction.pointer) || isFree(instruction.pointer, writes))
          : isComputation(instruction) && needsOneRegister(instruction, target)
      const uses = mayGo ? (usersOf.get(instruction) ?? []) : []
      if (uses.length > 0 && uses.every(user => going.has(user) || isNeeded(instruction, user, target)))
        going.add(instruction)
      if (mayWrite(instruction)) writes.push(instruction)
    }
    return going
  }

  for (let isMoved = true; isMoved; ) {
    isMoved = false
    for (const block of func.blocks) {
      const last = terminatorOf(block)
      const target = last.op === 'condbr' ? wayForLoads(last, before) : undefined
      if (!target || (loopOf.get(target) !== loopOf.get(block) && loopOf.get(target)?.blocks.has(block) === false))
        continue
      const going = goingTo(target, block)
      const moved = new Set<Instruction>()
      for (const instruction of block.instructions)
        if (
          going.has(instruction) &&
          (instruction.op === 'load' || operandsOf(instruction).some(each => isIn(each, moved)))
        )
          moved.add(instruction)
      for (const instruction of [...moved].reverse()) moveTo(target, instruction)
      isMoved ||= moved.size > 0
    }
  }
  dropFronts(func, fronts)
}

/** Not a constant of the code. */
const isVariable = ({ kind }: Value): boolean => kind === 'instruction' || kind === 'parameter'

const isIn = (value: Value, set: ReadonlySet<Instruction>): boolean => value.kind === 'instruction' && set.has(value)

/** The way that loads may go to, if there is one. */
function wayForLoads(last: CondBrInstruction, before: ReadonlyMap<Block, readonly Block[]>): Block | undefined {
  const { condition, ifTrue, ifFalse, block } = last
  if (ifTrue === ifFalse) return undefined
  const kind = combinationOf(condition)
  const mayGo = (way: Block, other: Block): boolean =>
    before.get(way)!.length === 1 && (way === ifFalse || goesOnTo(way, other, block))
  if (kind !== 'and' && mayGo(ifFalse, ifTrue)) return ifFalse
  return kind !== 'or' && mayGo(ifTrue, ifFalse) ? ifTrue : undefined
}

function combinationOf(condition: Value): 'and' | 'or' | undefined {
  if (condition.kind !== 'instruction') return undefined
  if (condition.op === 'and' || condition.op === 'or') return condition.op
  if (condition.op !== 'select') return undefined
  const isTrue = (value: Value, wanted: bigint) => value.kind === 'int' && value.value === wanted
  return isTrue(condition.ifFalse, 0n) ? 'and' : isTrue(condition.ifTrue, 1n) ? 'or' : undefined
}

/** Whether one way leads to the other, not through the branch itself. */
function goesOnTo(way: Block, other: Block, branch: Block): boolean {
  const seen = new Set<Block>([branch, way])
  const pending = [way]
  for (let block = pending.pop(); block; block = pending.pop())
    for (const next of successors(terminatorOf(block))) {
      if (next === other) return true
      if (seen.has(next)) continue
      seen.add(next)
      pending.push(next)
    }
  return false
}

function isOrdinary(instruction: Instruction): boolean {
  return isPlainAccess(instruction) && !('copiedTo' in instruction) && !('matrixWords' in instruction)
}

/** Whether a load may go past these writes. */
function isFree(pointer: Value, writes: readonly Instruction[]): boolean {
  const { root } = decompose(pointer)
  return writes.every(write => 'pointer' in write && isOtherSpace(root, decompose(write.pointer).root))
}

const isOtherSpace = (a: Value, b: Value): boolean =>
  (a.kind === 'parameter' && isSharedArray(b)) || (b.kind === 'parameter' && isSharedArray(a))

/** One instruction of the machine that does nothing to its operand but compute. */
function isComputation(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'icmp':
    case 'fcmp':
    case 'freeze':
    case 'fneg':
    case 'extractvalue':
    case 'extractelement':
      return true
    case 'select':
      return isVariable(instruction.ifTrue) || isVariable(instruction.ifFalse)
    case 'call':
      return /^llvm\.(f?abs|floor|ceil|trunc|rint|nearbyint)\./.test(calledName(instruction) ?? '')
    default:
      if ('nuw' in instruction) return !/div|rem/.test(instruction.op) && !hasTwoConstants(instruction)
      return 'value' in instruction && isCast(instruction)
  }
}

/** `a * 3 + 1` is one instruction, with one constant in it. */
function hasTwoConstants({ op, left, right }: BinaryInstruction): boolean {
  const isProduct = (value: Value) =>
    value.kind === 'instruction' && /^(f?mul|shl)$/.test(value.op) && 'nuw' in value && !isVariable(value.right)
  return (
    /^(f?add|f?sub|or)$/.test(op) &&
    ((isProduct(left) && !isVariable(right)) || (isProduct(right) && !isVariable(left)))
  )
}
