/**
 * Integer arithmetic of three operands, which is one instruction of the machine where the program has two: a product and a sum (IMAD, LEA),
 * logic (LOP3), sums (IADD3), two minima or two maxima (VIMNMX3) and a sum with one of them (VIADDMNMX; machine code of ten forms, nvcc 13.0,
 * sm_90). In: a kernel. Out: the first of two such, of which nobody else asks, and the second.
 */
import { calledName, type users } from '../../ir/graph.ts'
import type { BinaryInstruction, Func, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { bitsOf } from '../../ir/types.ts'

type Users = ReturnType<typeof users>

export interface JoinedInstructions {
  /** Done by the one that asks for it. */
  readonly joined: ReadonlySet<Instruction>
  /** Of three operands, but products with a sum. */
  readonly joining: ReadonlySet<Instruction>
}

/** Not a mask that stands for a division (keptRemainders.ts). */
const isLogic = (instruction: Instruction): instruction is BinaryInstruction =>
  (instruction.op === 'and' || instruction.op === 'or' || instruction.op === 'xor') && !instruction.divides

const isSum = (instruction: Instruction): instruction is BinaryInstruction =>
  instruction.op === 'add' || instruction.op === 'sub'

/** The least or the largest of two words: `smin`, `smax`, `umin`, `umax`. */
const extremeOf = (instruction: Instruction): string | undefined =>
  bitsOf(instruction.type) === 32
    ? /^llvm\.([su](?:min|max))\.i32$/.exec(calledName(instruction) ?? '')?.[1]
    : undefined

const isOnlyUse = (value: Value, usersOf: Users): value is Instruction =>
  value.kind === 'instruction' && usersOf.get(value)?.length === 1

/** The sum goes with the product or the shift that is one of its operands. */
export const isFusedSum = (instruction: Instruction, usersOf: Users): boolean =>
  fusedOperand(instruction, usersOf) !== undefined

/** What a sum goes with. A wide product takes along what is added to it, and nothing else does of 64 bits (machine code of 13 kernels). */
export function fusedOperand(instruction: Instruction, usersOf: Users): Instruction | undefined {
  if (!isSum(instruction)) return undefined
  const { op, left, right, type } = instruction
  const isWide = bitsOf(type) > 32
  if (isWide && op === 'sub') return undefined
  const isProduct = (value: Value): value is Instruction =>
    isOnlyUse(value, usersOf) && (value.op === 'mul' || (value.op === 'shl' && !isWide))
  return [left, right].find(isProduct)
}

export function joinedInstructions({ blocks }: Func, usersOf: Users): JoinedInstructions {
  const joined = new Set<Instruction>()
  const joining = new Set<Instruction>()
  const join = (instruction: Instruction, isAlike: (other: Instruction) => boolean) => {
    const first = operandsOf(instruction).find(
      value => isOnlyUse(value, usersOf) && isAlike(value) && !joining.has(value),
    )
    if (!first) return
    joined.add(first as Instruction)
    joining.add(instruction)
  }
  const isPlainSum = (instruction: Instruction) => isSum(instruction) && !isFusedSum(instruction, usersOf)
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      const bits = bitsOf(instruction.type)
      if (instruction.location?.library || bits === 1) continue
      if (isLogic(instruction)) join(instruction, isLogic)
      else if (extremeOf(instruction)) {
        const isAlike = (other: Instruction) => extremeOf(other) === extremeOf(instruction)
        join(instruction, other => (isSum(other) && isPlainSum(other)) || isAlike(other))
      } else if (isSum(instruction) && bits <= 32 && isPlainSum(instruction)) join(instruction, isPlainSum)
    }
  return { joined, joining }
}
