/**
 * Two words that make a number of 64 bits (`(uint64_t)high << 32 | low`, a double that was shuffled in halves): the machine has such a
 * number in two registers, so that putting it together is no instruction (machine code of `reduction_shuffle_kernel` of unseen43, 88 instructions
 * with ten shuffled doubles; nvcc 13.0, sm_90). In: a kernel. Out: what is none.
 */
import type { users } from '../../ir/graph.ts'
import type { BinaryInstruction, Func, Instruction, Value } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'

const HALF = 32n

type Users = ReturnType<typeof users>

export function wordPairs({ blocks }: Func, usersOf: Users): ReadonlySet<Instruction> {
  const pairs = new Set<Instruction>()
  for (const { instructions } of blocks)
    for (const each of instructions) if (each.op === 'or' && isPair(each)) pairs.add(each)
  const parts = new Set(pairs)
  const onlyPairs = (instruction: Instruction) => (usersOf.get(instruction) ?? []).every(user => parts.has(user))
  for (const { instructions } of blocks)
    for (const each of instructions.toReversed())
      if ((isUpperWord(each) || isWord(each)) && onlyPairs(each)) parts.add(each)
  return parts
}

const isPair = ({ left, right, type }: BinaryInstruction): boolean =>
  bitsOf(type) === 64 && ((isUpperWord(left) && isLowerWord(right)) || (isUpperWord(right) && isLowerWord(left)))

const isUpperWord = (value: Value): boolean =>
  value.kind === 'instruction' && value.op === 'shl' && value.right.kind === 'int' && value.right.value === HALF

const isWord = (value: Value): boolean =>
  value.kind === 'instruction' && value.op === 'zext' && bitsOf(value.type) === 64 && bitsOf(value.value.type) === 32

const isLowerWord = (value: Value): boolean =>
  isWord(value) ||
  (value.kind === 'instruction' && value.op === 'lshr' && value.right.kind === 'int' && value.right.value === HALF)
