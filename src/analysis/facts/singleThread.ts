/**
 * What one thread of a row does: behind `if (threadIdx.x == 0)`. ptxas takes what stands there to be done by one lane of a warp and does
 * not add up over the warp what goes to one address (machine code of 20 kernels: with any constant or argument, in nested branches and
 * loops too; not for `threadIdx.y`, sums of both, or conditions that are joined). In blocks narrower than a warp several lanes do it.
 */
import { dominators, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Value } from '../../ir/ir.ts'

export function blocksOfOneThread(kernel: Func): ReadonlySet<Block> {
  const before = predecessors(kernel)
  const starts = kernel.blocks.flatMap(head => {
    const last = terminatorOf(head)
    if (last.op !== 'condbr') return []
    const { condition } = last
    if (condition.kind !== 'instruction' || condition.op !== 'icmp') return []
    const { predicate, left, right } = condition
    if ((predicate !== 'eq' && predicate !== 'ne') || !isRowAgainstOne(left, right)) return []
    const [start, other] = predicate === 'eq' ? [last.ifTrue, last.ifFalse] : [last.ifFalse, last.ifTrue]
    return before.get(start)?.length === 1 && isNothing(other, before) ? [start] : []
  })
  if (starts.length === 0) return new Set()
  const tree = dominators(kernel)
  return new Set(kernel.blocks.filter(block => starts.some(start => tree.dominates(start, block))))
}

/** Where the ways meet, or where the others end. */
function isNothing(block: Block, before: ReadonlyMap<Block, readonly Block[]>): boolean {
  return (
    (before.get(block)?.length ?? 0) > 1 ||
    (block.instructions.length === 1 && successors(terminatorOf(block)).length === 0)
  )
}

function isRowAgainstOne(a: Value, b: Value): boolean {
  const isKnown = ({ kind }: Value) => kind === 'int' || kind === 'parameter'
  return (isRow(a) && isKnown(b)) || (isRow(b) && isKnown(a))
}

const isRow = (value: Value): boolean =>
  value.kind === 'instruction' &&
  value.op === 'call' &&
  value.callee.kind === 'function' &&
  /sreg\.tid\.x$/.test(value.callee.name)
