/**
 * Values that all ways into a block compute alike, and which one of them computes in front of the block: LLVM here makes such a phi of an
 * index that one way already has (`tile[y][2 + x]` in a loop written out, behind a branch that needs `2 + x` too), and does not look at it
 * again; what was stored at that place could not be told to be the one that is loaded. In: a kernel. Out: the same without such phis.
 * Reading: ring66-flash_attention_v1.
 */
import { type DominatorTree, dominators } from '../../ir/graph.ts'
import type { Func, PhiInstruction, Value } from '../../ir/ir.ts'
import { valueNumbering } from '../facts/address.ts'
import { finalOf, phisOf, replaceValues } from '../rewriting/blocks.ts'

export function dropEqualPhis(func: Func): void {
  const tree = dominators(func)
  const numberOf = valueNumbering()
  const replaced = new Map<Value, Value>()
  for (const block of func.blocks)
    for (const phi of phisOf(block)) {
      const value = sameOfAll(phi, numberOf, tree)
      if (value) replaced.set(phi, finalOf(value, replaced))
    }
  if (replaced.size === 0) return
  for (const block of func.blocks) block.instructions = block.instructions.filter(each => !replaced.has(each))
  replaceValues(func.blocks, replaced)
}

/** Not of a loop's own phi, which stands for another value in each round. */
function sameOfAll(
  { block, incoming }: PhiInstruction,
  numberOf: (value: Value) => number,
  tree: DominatorTree,
): Value | undefined {
  const [first] = incoming
  if (!first || incoming.some(({ value }) => numberOf(value) !== numberOf(first.value))) return undefined
  return incoming
    .map(({ value }) => value)
    .find(value => value.kind === 'instruction' && value.block !== block && tree.dominates(value.block, block))
}
