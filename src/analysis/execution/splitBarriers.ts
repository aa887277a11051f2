/**
 * Cuts blocks so that a barrier is the last instruction before its block's terminator: execution can be suspended there and
 * resumed at the start of the next block, where only the values that live across are needed (ARCHITECTURE.md, decision 6).
 */
import { jump } from '../../ir/build.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Func, Instruction } from '../../ir/ir.ts'
import { phisOf } from '../rewriting/blocks.ts'

/** Block-wide barriers, with and without a reduction (`__syncthreads_count/and/or`). */
export function isBarrierCall({ callee }: CallInstruction): boolean {
  return callee.kind === 'function' && /^llvm\.nvvm\.(barrier0|barrier\.|barrier$|bar\.sync)/.test(callee.name)
}

/** Barriers and pauses. */
export function isBarrier(instruction: Instruction): instruction is CallInstruction {
  return instruction.op === 'call' && isBarrierCall(instruction)
}

export const isPause = (instruction: Instruction): boolean => isBarrier(instruction) && instruction.isPause === true

/** A barrier of the program's own. */
export const isProgramBarrier = (instruction: Instruction): boolean => isBarrier(instruction) && !instruction.isPause

/** The barrier that a block ends with, in a kernel that {@link splitBarriers} has cut. */
export function barrierOf(block: Block): CallInstruction | undefined {
  const last = block.instructions.at(-2)
  return last && isBarrier(last) ? last : undefined
}

export function splitBarriers(func: Func): void {
  cutBehind(func, isBarrier)
}

/** Cuts blocks so that such an instruction is the last one before its block's terminator, a jump. */
export function cutBehind(func: Func, isLastOfBlock: (instruction: Instruction) => boolean): void {
  for (let at = 0; at < func.blocks.length; at++) {
    const block = func.blocks[at]!
    const index = block.instructions.findIndex(isLastOfBlock)
    if (index < 0) continue
    const isLast = index === block.instructions.length - 2 && block.instructions.at(-1)!.op === 'br'
    const target = successors(terminatorOf(block))[0]
    // The block behind a barrier has no other way in: its values need no phis.
    if (isLast && target && phisOf(target).length === 0 && hasOnePredecessor(func, target)) continue
    const after: Block = { name: `${block.name}.resume`, instructions: block.instructions.splice(index + 1) }
    for (const instruction of after.instructions) instruction.block = after
    for (const next of successors(terminatorOf(after)))
      for (const phi of phisOf(next))
        for (const incoming of phi.incoming) if (incoming.block === block) incoming.block = after
    block.instructions.push(jump({ block, location: block.instructions.at(-1)!.location }, after))
    func.blocks.splice(at + 1, 0, after)
  }
}

function hasOnePredecessor(func: Func, target: Block): boolean {
  return func.blocks.filter(block => successors(terminatorOf(block)).includes(target)).length === 1
}
