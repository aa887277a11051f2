/**
 * Accesses that a checked kernel does not have to tell of at once, as the host says while it runs (slotChecks.ts, by the words of the slot at
 * KernelLayout.quiet): those of global memory that is allocated and of which nobody keeps who wrote it, by site, and of the block's shared memory
 * those that no other thread has to do with, as its tags say (tagCode.ts), kept until something else is told or all threads meet. So are arrivals
 * at barriers and ways around them.
 */
import { Op } from '../../wasm/opcodes.ts'
import type { Access } from '../accesses/access.ts'
import type { CheckedRow, KernelContext } from '../kernelContext.ts'
import {
  QUIET_ATOMICS_END,
  QUIET_CALLS_END,
  QUIET_RANGE_BYTES,
  QUIET_RANGES,
  QUIET_READS_END,
  QUIET_WRITES_END,
} from '../slot.ts'
import { MOST_ROWS, unitLog2Of, unitsOf } from './tagCode.ts'
import { FIRST_ROW } from './toldNumbers.ts'

/** Pushes whether the access of lanes at fixed distances from `base` has to be told, as `told`. */
export function pushIsToldRow(
  context: KernelContext,
  access: Access,
  { site, distances }: CheckedRow,
  base: number,
  told: number,
): void {
  const { f, frame, program, helpers, layout } = context
  const least = Math.min(...distances)
  const span = Math.max(...distances) - least + access.width
  const { space } = program.sites[site]!
  if (space === 'shared' && access.op !== 'atomic' && told - FIRST_ROW < MOST_ROWS && isPlain(access)) {
    f.get(frame.slot).i32(layout.quiet).op(Op.i32_add).get(frame.slot).i32(layout.tags).op(Op.i32_add)
    f.i32(told).get(frame.mask).get(frame.warp)
    f.get(base).get(frame.shared).op(Op.i32_sub).i32(least).i32(span)
    f.call(access.op === 'load' ? helpers.keepRead : helpers.keepWrite)
  } else if (space === 'global' || space === 'constant') {
    const range = rangeAt(context, site)
    f.get(frame.slot)
      .memory(Op.i32_load, range + 4)
      .i32(span)
      .op(Op.i32_lt_u)
    f.get(base).i32(least).op(Op.i32_add).get(frame.slot).memory(Op.i32_load, range).op(Op.i32_sub)
    f.get(frame.slot)
      .memory(Op.i32_load, range + 4)
      .i32(span)
      .op(Op.i32_sub)
      .op(Op.i32_gt_u)
      .op(Op.i32_or)
  } else f.i32(1)
}

/** Pushes the same of an access of one space, whose addresses are in the slot. */
export function pushIsTold(context: KernelContext, access: Access, site: number): void {
  const { f, frame, program, helpers, layout } = context
  const { space } = program.sites[site]!
  if (space === 'shared' && isPlain(access)) {
    const kind = access.op === 'load' ? 'read' : access.op === 'store' ? 'write' : 'atomic'
    f.get(frame.slot).get(frame.slot).i32(layout.quiet).op(Op.i32_add).get(frame.slot).i32(layout.tags).op(Op.i32_add)
    f.i32(site).get(frame.mask).get(frame.warp)
    f.i32(access.width)
      .i32(unitsOf(access.width, unitLog2Of(program) ?? 0))
      .call(helpers.keepLanes(kind))
  } else if (space === 'global' || space === 'constant') {
    f.get(frame.slot).get(frame.mask)
    f.get(frame.slot).i32(rangeAt(context, site)).op(Op.i32_add).i32(access.width).call(helpers.leavesRange)
  } else f.i32(1)
}

/** Pushes whether an arrival at a barrier or a way around one has to be told. */
export function pushIsToldCall({ f, frame, helpers, layout }: KernelContext, told: number): void {
  f.get(frame.slot).i32(layout.quiet).op(Op.i32_add).i32(told).get(frame.mask).get(frame.warp).call(helpers.keepCall)
}

/** Another block begins: the host has to know before anything is kept. */
export function keepNothing({ f, frame, checked, layout }: KernelContext): void {
  if (!checked) return
  for (const end of [QUIET_READS_END, QUIET_WRITES_END, QUIET_ATOMICS_END, QUIET_CALLS_END])
    f.get(frame.slot)
      .i32(0)
      .memory(Op.i32_store, layout.quiet + end)
}

const rangeAt = ({ layout }: KernelContext, site: number): number =>
  layout.quiet + QUIET_RANGES + site * QUIET_RANGE_BYTES

/** Atomic loads and stores are looked at by the host alone. */
const isPlain = ({ instruction }: Access): boolean =>
  (instruction.op !== 'load' && instruction.op !== 'store') || !instruction.atomic
