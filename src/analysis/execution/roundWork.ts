/** What a round of a loop takes, in instructions: the measure by which work is laid out over blocks and warps (codegen/counting/loopWork.ts). */
import type { Block } from '../../ir/ir.ts'
import type { BlockLoop } from './orderBlocks.ts'

/** Of a loop's round: its instructions, those of inner loops apart. */
export function workOfRound(blocks: readonly Block[], loop: BlockLoop, loops: readonly BlockLoop[]): number {
  const inner = loops.filter(other => other !== loop && other.first >= loop.first && other.last <= loop.last)
  let work = 0
  for (let at = loop.first; at <= loop.last; at++)
    if (!inner.some(({ first, last }) => first <= at && at <= last)) work += blocks[at]!.instructions.length
  return Math.max(1, work)
}
