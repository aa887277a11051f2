/**
 * Remainders that are a mask here and a division on the machine: `tid % (2 * stride)` in a loop that doubles `stride`. LLVM of
 * today sees that such a divisor stays a power of two, nvcc's does not (machine code of nvcc 13.0, sm_90, of trees with and without a
 * sign, in shared and global memory). In: a module as clang made it, and the sources. Out: those masks have `divides` set; what they compute stays.
 */
import type { BinaryInstruction, Instruction, Location, Module, Value } from '../../ir/ir.ts'
import { type LinesOf, linesOf } from '../facts/sourceTexts.ts'

/** @param sources text by the names that locations use */
export function markKeptRemainders(module: Module, sources: ReadonlyMap<string, string>): void {
  const lines = linesOf(sources)
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions)
        if (isMaskOfLoop(instruction)) {
          const divides = divisionAt(instruction.location, lines)
          if (divides) instruction.divides = divides
        }
}

/**
 * A mask that the source does not write as one: it stands where the remainder did, or, of one with a sign, where that was compared
 * with zero.
 */
function divisionAt(location: Location | undefined, lines: LinesOf): BinaryInstruction['divides'] {
  const character = location && lines(location.file)?.[location.line - 1]?.[location.column - 1]
  if (character === '%') return 'urem'
  return character === '=' || character === '!' ? 'srem' : undefined
}

/** `x & (y - 1)`, y counted by a loop. */
function isMaskOfLoop(instruction: Instruction): instruction is BinaryInstruction {
  if (instruction.op !== 'and') return false
  return [instruction.left, instruction.right].some(
    value => value.kind === 'instruction' && value.op === 'add' && isAllOnes(value.right) && isCounted(value.left),
  )
}

const isAllOnes = (value: Value) =>
  value.kind === 'int' && value.type.kind === 'int' && BigInt.asIntN(value.type.bits, value.value) === -1n

function isCounted(value: Value): boolean {
  for (let at = value; at.kind === 'instruction'; )
    switch (at.op) {
      case 'phi':
        return true
      case 'shl':
      case 'lshr':
      case 'mul':
        if (at.right.kind !== 'int') return false
        at = at.left
        break
      case 'zext':
      case 'sext':
      case 'trunc':
      case 'freeze':
        at = at.value
        break
      default:
        return false
    }
  return false
}
