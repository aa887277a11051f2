/**
 * How much work the loops of each block of threads are, while it runs: every round after a loop's first costs fuel, as much as the
 * loop has instructions outside of its inner ones. Out of fuel, the host is asked whether time is up. In the slot come out all
 * blocks' sum and the most of one block: how unevenly a launch's work lies on its blocks; and what the longest warps have of it, which
 * the others of their blocks wait for.
 */
import { I64 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { BLOCK_FUEL, LONGEST_LOOP_WORK, LOOP_WORK, MOST_LOOP_WORK } from '../slot.ts'

/** Between two questions to the host. */
export const FUEL = 1 << 20

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

/** What the block at hand has done so far. */
function pushBlockWork(f: KernelContext['f'], frame: KernelContext['frame']): void {
  f.get(frame.slot).memory(Op.i64_load, BLOCK_FUEL)
  f.get(frame.fuel).op(Op.i64_extend_i32_s).op(Op.i64_sub)
}

/** The most that one warp does of a block's way from one barrier to the next. */
export class LongestWarp {
  private readonly context: KernelContext
  private readonly most: number
  private readonly before: number

  constructor(context: KernelContext) {
    this.context = context
    this.most = context.f.fresh(I64)
    this.before = context.f.fresh(I64)
  }

  beginWay(): void {
    this.context.f.i64(0n).set(this.most)
  }

  beginWarp(): void {
    const { f, frame } = this.context
    pushBlockWork(f, frame)
    f.set(this.before)
  }

  endWarp(): void {
    const { f, frame } = this.context
    pushBlockWork(f, frame)
    f.get(this.before).op(Op.i64_sub).tee(this.before).get(this.most).op(Op.i64_gt_u).if()
    f.get(this.before).set(this.most).end()
  }

  endWay(): void {
    const { f, frame } = this.context
    f.get(frame.slot).get(frame.slot).memory(Op.i64_load, LONGEST_LOOP_WORK)
    f.get(this.most).op(Op.i64_add).memory(Op.i64_store, LONGEST_LOOP_WORK)
  }
}

/** Where it ends: `isWhole` unless it was a turn only, when the host knows which block has most. */
export function endLoopWork({ f, frame, program }: KernelContext, isWhole: boolean): void {
  if (program.loops.length === 0) return
  const pushWork = (): void => pushBlockWork(f, frame)
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
