/**
 * Waits for copies from global to shared memory past the registers (cp.async, memcpy_async): threads go on behind a copy and wait where the
 * program says so. In: an instruction. Out: trips to memory that a warp waits there. With other groups of copies on their way behind the
 * one that is waited for, it has been on its way for as many rounds: a part of a trip is left.
 */
import { WAIT_FOR_COPIES } from '../../analysis/lowering/assembly/memory.ts'
import { calledName } from '../../ir/graph.ts'
import type { Instruction } from '../../ir/ir.ts'

export function waitsForCopies(instruction: Instruction): number {
  if (instruction.op !== 'call' || calledName(instruction) !== WAIT_FOR_COPIES) return 0
  const [groups] = instruction.args
  return 1 / (1 + (groups?.kind === 'int' ? Number(groups.value) : 0))
}
