/**
 * The words that lanes read of matrices (include/warplens/matrix_fragments.h) become loads that are marked: from shared memory
 * the machine reads up to four of them at once, with an instruction that its counters of shared loads leave out.
 */
import { load } from '../../ir/build.ts'
import type { Func, Instruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../ir/types.ts'
import { replaceValues } from '../rewriting/blocks.ts'

const MATRIX_WORD = '__warplens_matrix_word'

export function lowerMatrixWords(kernel: Func): void {
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks)
    block.instructions = block.instructions.map((instruction): Instruction => {
      if (instruction.op !== 'call' || instruction.callee.kind !== 'function') return instruction
      if (instruction.callee.name !== MATRIX_WORD) return instruction
      const word = load({ block, location: instruction.location }, I32, instruction.args[0]!, 4)
      const [, words] = instruction.args
      word.matrixWords = words?.kind === 'int' ? Number(words.value) : 1
      replaced.set(instruction, word)
      return word
    })
  replaceValues(kernel.blocks, replaced)
}
