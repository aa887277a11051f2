/** Ways out of a loop. In: its blocks. Out: where they lead, and what is reached from there. */
import type { Block } from '../ir/ir.ts'

/** Where the loop leads to but for the end of the kernel, and all that is reached from there. */
export function waysOut(
  loop: readonly Block[],
  next: (block: Block) => readonly Block[],
): { targets: readonly Block[]; reached: ReadonlyMap<Block, ReadonlySet<Block>> } {
  const inside = new Set(loop)
  const targets = [...new Set(loop.flatMap(next))].filter(block => !inside.has(block) && !isEnd(block))
  const reached = new Map(targets.map(target => [target, reachedFrom(target, next)]))
  return { targets, reached }
}

/** What is reached from a block, itself included and the end of the kernel left out. */
export function reachedFrom(start: Block, next: (block: Block) => readonly Block[]): Set<Block> {
  const reached = new Set([start])
  for (const block of reached) for (const to of next(block)) if (!isEnd(to)) reached.add(to)
  return reached
}

export const isEnd = ({ instructions }: Block): boolean => instructions.every(({ op }) => op === 'ret' || op === 'phi')
