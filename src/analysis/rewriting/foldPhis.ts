/**
 * What all ways into a block compute in the same manner, computed once behind them: loads, conversions, operations with one equal
 * operand, as LLVM's InstCombine folds a phi. In: a phi of instructions that nothing else uses. Out: a phi of their operands.
 */
import { cloneInstruction, operandsOf, replaceOperands, type users } from '../../ir/graph.ts'
import type { Block, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { sameType } from '../../ir/types.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { phisOf, replaceValues } from './blocks.ts'

const CONVERSIONS: ReadonlySet<string> = new Set(
  'zext sext trunc fpext fptrunc fptosi fptoui sitofp uitofp bitcast fneg'.split(' '),
)
const OPERATIONS: ReadonlySet<string> = new Set('add sub mul shl lshr ashr and or xor fadd fsub fmul fdiv'.split(' '))

/** @param usersOf may be of before the phi, when the only user was what the phi stands for */
export function foldPhi(blocks: readonly Block[], phi: PhiInstruction, usersOf: ReturnType<typeof users>): void {
  const { block, incoming } = phi
  const computed = incoming.map(({ value }) => value).filter(value => value.kind === 'instruction')
  const [first] = computed
  if (!first || computed.length < incoming.length) return
  const isOfOneUse = (value: Instruction, way: number) =>
    value.block === incoming[way]!.block && usersOf.get(value)?.length === 1 && mayMoveBehind(value)
  if (!computed.every(isOfOneUse) || !computed.every(each => isAlike(each, first))) return
  const operands = computed.map(operandsOf)
  const different = operands[0]!.flatMap((value, at) => (operands.every(each => isSame(each[at]!, value)) ? [] : [at]))
  const [at] = different
  if (at === undefined || different.length > 1) return

  const own: PhiInstruction = {
    ...phi,
    type: operands[0]![at]!.type,
    incoming: incoming.map(({ block: from }, way) => ({ value: operands[way]![at]!, block: from })),
  }
  const folded = cloneInstruction(first, block)
  replaceOperands(folded, value => (value === operands[0]![at] ? own : value))
  if (folded.op === 'load')
    folded.align = Math.min(...computed.map(each => (each.op === 'load' ? each.align : Number.POSITIVE_INFINITY)))
  block.instructions[block.instructions.indexOf(phi)] = own
  block.instructions.splice(phisOf(block).length, 0, folded)
  for (const each of computed) each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
  replaceValues(blocks, new Map([[phi, folded]]))
  foldPhi(blocks, own, usersOf)
}

/** A load that nothing is written behind in its block, or an operation of registers. */
function mayMoveBehind(instruction: Instruction): boolean {
  const { instructions } = instruction.block
  if (instruction.op === 'load')
    return isPlainAccess(instruction) && !instructions.slice(instructions.indexOf(instruction)).some(mayWrite)
  return CONVERSIONS.has(instruction.op) || OPERATIONS.has(instruction.op)
}

function isAlike(a: Instruction, b: Instruction): boolean {
  if (a.op !== b.op || !sameType(a.type, b.type)) return false
  return !('contract' in a && 'contract' in b) || a.contract === b.contract
}

const isSame = (a: Value, b: Value): boolean =>
  a === b || (a.kind === 'int' && b.kind === 'int' && a.value === b.value && sameType(a.type, b.type))
