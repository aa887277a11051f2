/** Moving code between blocks: what passes that cut and join blocks share. */
import { replaceOperands, successors, terminatorOf } from '../ir/graph.ts'
import type { Block, Instruction, PhiInstruction, Value } from '../ir/ir.ts'

export function phisOf(block: Block): PhiInstruction[] {
  const phis: PhiInstruction[] = []
  for (const instruction of block.instructions) {
    if (instruction.op !== 'phi') break
    phis.push(instruction)
  }
  return phis
}

/** Replaces one value by another in all the given blocks. */
export function replaceUses(blocks: readonly Block[], from: Value, to: Value): void {
  for (const block of blocks)
    for (const instruction of block.instructions) replaceOperands(instruction, value => (value === from ? to : value))
}

/** Takes an instruction out of its block and moves all behind it to a new block, which is not in the function yet. */
export function cutAt(instruction: Instruction, name: string): Block {
  const { block } = instruction
  const behind: Block = {
    name,
    instructions: block.instructions.splice(block.instructions.indexOf(instruction)).slice(1),
  }
  for (const moved of behind.instructions) moved.block = behind
  for (const next of successors(terminatorOf(behind)))
    for (const phi of phisOf(next))
      for (const incoming of phi.incoming) if (incoming.block === block) incoming.block = behind
  return behind
}
