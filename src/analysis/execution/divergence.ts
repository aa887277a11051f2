/**
 * Where lanes of a warp that took different ways meet again: sync dependence. A phi at such a block differs from lane to lane
 * even when its incoming values do not. Lanes that leave a loop in different iterations meet at its exits.
 * In: blocks in scheduling order and their loops; the blocks whose branch differs between lanes. Out: the meeting blocks.
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block } from '../../ir/ir.ts'
import type { BlockLoop } from './orderBlocks.ts'

export function findMeetingBlocks(
  blocks: readonly Block[],
  loops: readonly BlockLoop[],
  divergent: Iterable<Block>,
): Set<Block> {
  const position = new Map(blocks.map((block, index) => [block, index]))
  const next = blocks.map(block => successors(terminatorOf(block)).map(to => position.get(to)!))
  const meeting = new Set<number>()
  for (const block of divergent) markFrom(position.get(block)!, next, loops, meeting)
  return new Set([...meeting].map(index => blocks[index]!))
}

/**
 * Follows the lanes from one branch in scheduling order. Each way out of the branch is a label; where two labels reach a
 * block, lanes meet there and go on under the block's own label.
 */
function markFrom(
  branch: number,
  next: readonly (readonly number[])[],
  loops: readonly BlockLoop[],
  meeting: Set<number>,
): void {
  const label = new Map<number, number>()
  const backLabels = new Map<number, Set<number>>()
  const exitEdges: { from: number; to: number; label: number }[] = []
  const reach = (from: number, to: number, with_: number): void => {
    exitEdges.push({ from, to, label: with_ })
    if (to <= from) {
      const seen = backLabels.get(to) ?? new Set()
      backLabels.set(to, seen.add(with_))
      if (seen.size > 1) meeting.add(to)
      return
    }
    const before = label.get(to)
    if (before === undefined) label.set(to, with_)
    else if (before !== with_) {
      meeting.add(to)
      label.set(to, to)
    }
  }
  // A block number is its own label, so ways out of the branch get numbers that no block has.
  next[branch]!.forEach((to, way) => reach(branch, to, -1 - way))

  const around = loops.filter(({ first, last }) => first <= branch && branch <= last).reverse()
  for (let block = branch + 1; block < next.length; block++) {
    for (const loop of around) if (loop.last + 1 === block) leaveLoop(loop)
    const here = label.get(block)
    if (here !== undefined) for (const to of next[block]!) reach(block, to, here)
  }

  function leaveLoop({ first, last }: BlockLoop): void {
    const isInside = (block: number): boolean => first <= block && block <= last
    const leaving = exitEdges.filter(({ from, to }) => isInside(from) && !isInside(to))
    const staying = backLabels.get(first)
    if (leaving.length === 0 || !staying) return
    const isTemporal = leaving.some(edge => [...staying].some(other => other !== edge.label))
    if (!isTemporal) return
    for (let from = first; from <= last; from++)
      for (const to of next[from]!)
        if (!isInside(to)) {
          meeting.add(to)
          label.set(to, to)
        }
  }
}
