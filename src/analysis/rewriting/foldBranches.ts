/**
 * Branches whose condition a pass made a constant: the other way is dropped, with the blocks that nobody reaches any more, and
 * a block goes on in the one behind it where that is its only way there. In: a kernel as LLVM left it. Out: the same, with
 * fewer blocks.
 */
import { jump } from '../../ir/build.ts'
import { predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Value } from '../../ir/ir.ts'
import { phisOf, replaceUses } from './blocks.ts'

export function foldBranches(kernel: Func): void {
  for (const block of kernel.blocks) {
    const branch = terminatorOf(block)
    if (branch.op !== 'condbr' || branch.condition.kind !== 'int') continue
    const [target, other] =
      branch.condition.value !== 0n ? [branch.ifTrue, branch.ifFalse] : [branch.ifFalse, branch.ifTrue]
    block.instructions[block.instructions.length - 1] = jump({ block, location: branch.location }, target)
    if (other !== target) leave(block, other)
  }
  removeUnreached(kernel)
  joinChains(kernel)
}

/** The phis of `to` have nothing from `from` any more. */
function leave(from: Block, to: Block): void {
  for (const phi of phisOf(to)) phi.incoming = phi.incoming.filter(({ block }) => block !== from)
}

function removeUnreached(kernel: Func): void {
  const reached = new Set<Block>()
  const open = [kernel.blocks[0]!]
  for (let block = open.pop(); block; block = open.pop()) {
    if (reached.has(block)) continue
    reached.add(block)
    open.push(...successors(terminatorOf(block)))
  }
  for (const block of kernel.blocks)
    if (!reached.has(block)) for (const next of successors(terminatorOf(block))) leave(block, next)
  kernel.blocks = kernel.blocks.filter(block => reached.has(block))
}

function joinChains(kernel: Func): void {
  const before = predecessors(kernel)
  const joined = new Set<Block>()
  for (const block of kernel.blocks) {
    if (joined.has(block)) continue
    for (;;) {
      const branch = terminatorOf(block)
      if (branch.op !== 'br') break
      const next = branch.target
      if (next === block || next === kernel.blocks[0] || before.get(next)!.length !== 1) break
      for (const phi of phisOf(next)) replaceUses(kernel.blocks, phi, phi.incoming[0]!.value as Value)
      const moved = next.instructions.filter(({ op }) => op !== 'phi')
      block.instructions.pop()
      block.instructions.push(...moved)
      for (const instruction of moved) instruction.block = block
      for (const after of successors(terminatorOf(block))) {
        for (const phi of phisOf(after))
          for (const incoming of phi.incoming) if (incoming.block === next) incoming.block = block
        before.set(
          after,
          before.get(after)!.map(from => (from === next ? block : from)),
        )
      }
      next.instructions = []
      joined.add(next)
    }
  }
  kernel.blocks = kernel.blocks.filter(block => !joined.has(block))
}
