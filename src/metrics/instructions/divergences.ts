/**
 * How often lanes of a warp part at branches: each time the scheduler loses slots in which it issues nothing. In: a kernel and how
 * often each of its blocks was run by a warp. Out: a count. Where all ways of a branch begin with a block of their own, what runs
 * there more often than the branch itself has been parted; of an `if` without `else`, and of lanes that leave a loop one after the
 * other, nothing is told.
 * Source: an H200, 64 warps a multiprocessor: switches of 2 to 8 ways by lane and by warp lose 2.2 to 4.3 slots each time
 * (docs/time-model.md).
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block } from '../../ir/ir.ts'

/** Instructions that could have been issued each time. */
export const SLOTS_A_DIVERGENCE = 3

/** @param executions warp-level executions of each block of `program.kernel`, in order */
export function divergences({ kernel }: KernelProgram, executions: readonly number[]): number {
  const { blocks } = kernel
  const times = new Map(blocks.map((block, at) => [block, executions[at] ?? 0]))
  const before = predecessors(kernel)
  /** Of a block's executions, those that come from this one; undefined where it cannot be told. */
  const comingFrom = (from: Block, to: Block): number | undefined => {
    const others = before.get(to)!.filter(each => each !== from)
    if (others.some(each => new Set(successors(terminatorOf(each))).size > 1)) return undefined
    return times.get(to)! - others.reduce((sum, each) => sum + times.get(each)!, 0)
  }
  let parted = 0
  for (const block of blocks) {
    const ways = [...new Set(successors(terminatorOf(block)))]
    if (ways.length < 2) continue
    const flows = ways.map(to => comingFrom(block, to))
    // Lanes of several ways that meet at one place come there together.
    const known = flows.reduce<number>((sum, flow) => sum + Math.max(0, flow ?? 0), 0)
    parted += Math.max(0, known - times.get(block)!)
  }
  return parted
}
