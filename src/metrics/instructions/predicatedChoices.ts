/**
 * Choices that the machine does not make by an instruction: what computes one of the two values is executed under the condition
 * (`@P FMUL`), in the register that has the other one.
 * In: a kernel. Out: its choices of that kind.
 * Source: what ptxas 13.0 makes of 33 choices of our own for 9.0, read with nvdisasm: those of doubles and of integers of 64 bits, and
 * those of which somebody else wants the other value afterwards, or of a constant, take FSEL or SEL.
 */
import { calledName, type users } from '../../ir/graph.ts'
import type { Func, Instruction, SelectInstruction, Value } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'

type Users = ReturnType<typeof users>

/** Moved by what reads them, or no arithmetic. */
const NO_ARITHMETIC = new Set<Instruction['op']>(['phi', 'load', 'freeze', 'bitcast', 'trunc', 'zext', 'sext'])
/** Calls that are one instruction. */
const ONE_INSTRUCTION = /^llvm\.(fma|fmuladd|minnum|maxnum|[su]min|[su]max)\b/

const isArithmetic = (instruction: Instruction): boolean =>
  instruction.op === 'call' ? ONE_INSTRUCTION.test(calledName(instruction) ?? '') : !NO_ARITHMETIC.has(instruction.op)

export function predicatedChoices({ blocks }: Func, usersOf: Users): ReadonlySet<Instruction> {
  const found = new Set<Instruction>()
  for (const { instructions } of blocks)
    for (const instruction of instructions) if (isPredicated(instruction, usersOf)) found.add(instruction)
  return found
}

function isPredicated(instruction: Instruction, usersOf: Users): boolean {
  if (instruction.op !== 'select' || instruction.location?.library) return false
  const { type, ifTrue, ifFalse } = instruction
  if (type.kind !== 'int' && type.kind !== 'float') return false
  const bits = bitsOf(type)
  if (bits === 1 || bits > 32 || (type.kind === 'float' && bits < 32)) return false
  return (
    (isComputedFor(instruction, ifTrue, usersOf) && isFree(instruction, ifFalse, ifTrue, usersOf)) ||
    (isComputedFor(instruction, ifFalse, usersOf) && isFree(instruction, ifTrue, ifFalse, usersOf))
  )
}

/** Nobody else asks for it. */
const isComputedFor = (choice: SelectInstruction, value: Value, usersOf: Users): boolean =>
  value.kind === 'instruction' &&
  value.block === choice.block &&
  usersOf.get(value)?.length === 1 &&
  isArithmetic(value)

/** Computed for the choice, too, or wanted by nobody behind it: by the condition, by what computes the other value. */
function isFree(choice: SelectInstruction, value: Value, other: Value, usersOf: Users): boolean {
  if (value.kind !== 'instruction') return false
  return (usersOf.get(value) ?? []).every(user => user === choice || user === choice.condition || user === other)
}
