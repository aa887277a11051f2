/**
 * Loads of the same place in blocks that follow each other, which LLVM leaves where assembly that computes stands between (`asm volatile`, with or without
 * "memory"): ptxas sees no more in it than arithmetic and makes one of them. In: a kernel whose assembly has been put into instructions. Out: the
 * same without loads that another one dominates, in the same loop and with nothing between that may write.
 * Source: machine code of ten kernels (nvcc 13.0); reading: VanitySearch's `_ModMult` (16 loads of 88).
 */
import { type DominatorTree, dominators, loops } from '../../ir/graph.ts'
import type { Block, Func, LoadInstruction, Value } from '../../ir/ir.ts'
import { addressKey, decompose, valueNumbering } from '../facts/address.ts'
import { isPlain, isSameType } from '../facts/knownValues.ts'
import { isBefore, mayWriteBetween, replaceValues } from '../rewriting/blocks.ts'

export function reuseLoadsOverAssembly(func: Func): void {
  const tree = dominators(func)
  // Inner loops come later.
  const loopOf = new Map(loops(func, tree).flatMap(loop => [...loop.blocks].map(block => [block, loop] as const)))
  const idOf = valueNumbering()
  const known = new Map<string, LoadInstruction[]>()
  const replaced = new Map<Value, Value>()
  for (const block of inOrder(func, tree))
    block.instructions = block.instructions.filter(load => {
      if (!isPlain(load)) return true
      const address = decompose(load.pointer)
      const key = `${addressKey(address, idOf)}:${address.offset}`
      const others = known.get(key) ?? []
      const first = others.find(
        other =>
          isSameType(other.type, load.type) &&
          loopOf.get(other.block) === loopOf.get(block) &&
          isBefore(other, load, tree) &&
          !mayWriteBetween(func, other, load),
      )
      if (first) replaced.set(load, first)
      else known.set(key, [...others, load])
      return !first
    })
  replaceValues(func.blocks, replaced)
}

/** Dominators first. */
function inOrder(func: Func, tree: DominatorTree): readonly Block[] {
  const depthOf = (block: Block): number => {
    let depth = 0
    for (let above = tree.immediate(block); above; above = tree.immediate(above)) depth++
    return depth
  }
  const depths = new Map(func.blocks.map(block => [block, depthOf(block)]))
  return [...func.blocks].sort((a, b) => depths.get(a)! - depths.get(b)!)
}
