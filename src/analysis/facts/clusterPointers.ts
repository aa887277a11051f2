/**
 * Pointers that may lead to the shared memory of another block of the cluster: casts that say so (lowering/clusters.ts makes them).
 * In: a kernel, or one of its values. Out: whether it has such, and what they were made of.
 */
import type { Func, Instruction, Value } from '../../ir/ir.ts'

/** Whether a pointer of the kernel may lead to the shared memory of another block. */
export function reachesOtherBlocks({ blocks }: Func): boolean {
  return blocks.some(({ instructions }) => instructions.some(isClusterPointer))
}

export const isClusterPointer = (instruction: Instruction): boolean =>
  instruction.op === 'inttoptr' && instruction.mayLeaveBlock === true

/** The place of the block's own that a pointer to another block's memory was made of. */
export function mappedFrom(pointer: Value): Value | undefined {
  if (pointer.kind !== 'instruction' || pointer.op !== 'inttoptr' || !pointer.mayLeaveBlock) return undefined
  let { value } = pointer
  if (value.kind === 'instruction' && value.op === 'select') value = value.ifTrue
  if (value.kind === 'instruction' && value.op === 'add') value = value.left
  return value.kind === 'instruction' && value.op === 'ptrtoint' ? value.value : undefined
}
