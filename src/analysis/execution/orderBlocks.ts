/**
 * Puts a function's blocks into scheduling order: topological but for back edges, every loop contiguous.
 * A warp walks this order; a block runs when lanes wait for it; behind a loop's last block the walk goes back to the loop's
 * first while lanes wait there. Lanes that left a loop wait behind it, lanes that took different branches meet at the first
 * block they share: reconvergence as on hardware (ARCHITECTURE.md, decision 5). Irreducible flow needs nothing special: a
 * strongly connected part with several entries is a loop whose first block is its first entry.
 */
import { reversePostOrder, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func } from '../../ir/ir.ts'

/** A run of blocks, `first` to `last` inclusive, that repeats while lanes wait for `first`. Outer loops come before inner. */
export interface BlockLoop {
  readonly first: number
  readonly last: number
}

/** Reorders `func.blocks`, drops unreachable ones (and their phi entries), and returns the loops. */
export function orderBlocks(func: Func): BlockLoop[] {
  const reachable = reversePostOrder(func)
  const position = new Map(reachable.map((block, index) => [block, index]))
  for (const block of reachable)
    for (const instruction of block.instructions)
      if (instruction.op === 'phi')
        instruction.incoming = instruction.incoming.filter(({ block: from }) => position.has(from))

  const ordered: Block[] = []
  const loops: BlockLoop[] = []
  // `cut`: blocks whose incoming edges from inside the part being ordered are back edges.
  const place = (part: readonly Block[], cut: ReadonlySet<Block>): void => {
    const inside = new Set(part)
    const next = (block: Block): Block[] => successors(terminatorOf(block)).filter(to => inside.has(to) && !cut.has(to))
    for (const component of componentsInOrder(part, next)) {
      const [only] = component
      if (component.length === 1 && !next(only!).includes(only!)) {
        ordered.push(only!)
        continue
      }
      component.sort((a, b) => position.get(a)! - position.get(b)!)
      const first = ordered.length
      const loop = { first, last: first + component.length - 1 }
      loops.push(loop)
      place(component, new Set([...cut, component[0]!]))
    }
  }
  place(reachable, new Set())
  func.blocks = ordered
  return loops
}

/** Strongly connected components in topological order (Tarjan); inside ties, reverse post-order decides. */
function componentsInOrder(blocks: readonly Block[], next: (block: Block) => Block[]): Block[][] {
  const index = new Map<Block, number>()
  const low = new Map<Block, number>()
  const onStack = new Set<Block>()
  const stack: Block[] = []
  const found: Block[][] = []
  for (const root of [...blocks].reverse()) {
    if (index.has(root)) continue
    const work: { block: Block; rest: Block[] }[] = []
    const enter = (block: Block): void => {
      index.set(block, index.size)
      low.set(block, index.get(block)!)
      stack.push(block)
      onStack.add(block)
      work.push({ block, rest: next(block) })
    }
    enter(root)
    while (work.length > 0) {
      const { block, rest } = work.at(-1)!
      const to = rest.pop()
      if (to === undefined) {
        work.pop()
        const parent = work.at(-1)?.block
        if (parent) low.set(parent, Math.min(low.get(parent)!, low.get(block)!))
        if (low.get(block) !== index.get(block)) continue
        const component: Block[] = []
        for (;;) {
          const member = stack.pop()!
          onStack.delete(member)
          component.push(member)
          if (member === block) break
        }
        found.push(component)
      } else if (!index.has(to)) enter(to)
      else if (onStack.has(to)) low.set(block, Math.min(low.get(block)!, index.get(to)!))
    }
  }
  return found.reverse()
}

/**
 * Where a warp goes after it ran `current`: the walk described at the top of this file. `waits(i)` tells whether lanes wait
 * for block i. Returns undefined when none of the warp's lanes waits anywhere.
 */
export function nextBlock(
  current: number,
  blockCount: number,
  loops: readonly BlockLoop[],
  waits: (block: number) => boolean,
): number | undefined {
  const around = loops.filter(({ first, last }) => first <= current && current <= last).reverse()
  let from = current + 1
  for (const { first, last } of around) {
    for (let block = from; block <= last; block++) if (waits(block)) return block
    if (waits(first)) return first
    from = Math.max(from, last + 1)
  }
  for (let block = from; block < blockCount; block++) if (waits(block)) return block
  for (let block = 0; block < blockCount; block++) if (waits(block)) return block
  return undefined
}
