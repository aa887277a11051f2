/**
 * How much work the loops of each block of threads are, while it runs: every round after a loop's first costs fuel, as much as the
 * loop has instructions outside of its inner ones. Out of fuel, the host is asked whether time is up. In the slot come out all
 * blocks' sum and the most of one block: how unevenly a launch's work lies on its blocks.
 */
import type { BlockLoop } from '../analysis/orderBlocks.ts'
import type { Block } from '../ir/ir.ts'
import { Op } from '../wasm/opcodes.ts'
import type { KernelContext } from './kernelContext.ts'
import { BLOCK_FUEL, LOOP_WORK, MOST_LOOP_WORK } from './slot.ts'

/** Between two questions to the host. */
export const FUEL = 1 << 20

/** Of a loop's round: its instructions, those of inner loops apart. */
export function workOfRound(blocks: readonly Block[], loop: BlockLoop, loops: readonly BlockLoop[]): number {
  const inner = loops.filter(other => other !== loop && other.first >= loop.first && other.last <= loop.last)
  let work = 0
  for (let at = loop.first; at <= loop.last; at++)
    if (!inner.some(({ first, last }) => first <= at && at <= last)) work += blocks[at]!.instructions.length
  return Math.max(1, work)
}

export function burnFuel({ f, frame, helpers, program }: KernelContext, work: number): void {
  f.get(frame.fuel).i32(work).op(Op.i32_sub).tee(frame.fuel).i32(0).op(Op.i32_le_s).if()
  f.get(frame.block).call(helpers.host.tick)
  if (program.loops.length > 0) {
    f.get(frame.slot).get(frame.slot).memory(Op.i64_load, BLOCK_FUEL)
    f.i32(FUEL).get(frame.fuel).op(Op.i32_sub).op(Op.i64_extend_i32_s).op(Op.i64_add).memory(Op.i64_store, BLOCK_FUEL)
  }
  f.i32(FUEL).set(frame.fuel)
  f.end()
}

/** Where a block begins, or a turn of it. */
export function beginLoopWork({ f, frame, program }: KernelContext): void {
  if (program.loops.length === 0) return
  f.get(frame.slot).get(frame.fuel).op(Op.i64_extend_i32_s).memory(Op.i64_store, BLOCK_FUEL)
}

/** Where it ends: `isWhole` unless it was a turn only, when the host knows which block has most. */
export function endLoopWork({ f, frame, program }: KernelContext, isWhole: boolean): void {
  if (program.loops.length === 0) return
  const pushWork = (): void => {
    f.get(frame.slot).memory(Op.i64_load, BLOCK_FUEL)
    f.get(frame.fuel).op(Op.i64_extend_i32_s).op(Op.i64_sub)
  }
  f.get(frame.slot).get(frame.slot).memory(Op.i64_load, LOOP_WORK)
  pushWork()
  f.op(Op.i64_add).memory(Op.i64_store, LOOP_WORK)
  if (!isWhole) return
  pushWork()
  f.get(frame.slot).memory(Op.i64_load, MOST_LOOP_WORK).op(Op.i64_gt_u).if()
  f.get(frame.slot)
  pushWork()
  f.memory(Op.i64_store, MOST_LOOP_WORK).end()
}
