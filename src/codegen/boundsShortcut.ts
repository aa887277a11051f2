/** Comparisons of a linear value with a scalar, decided by the least and the greatest lane where they can be. */
import type { Instruction } from '../ir/ir.ts'
import { I32, I64 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import type { KernelContext } from './kernelContext.ts'
import { isConstant, type LaneVector } from './laneVector.ts'
import { is32Bits } from './shapes.ts'

/**
 * A comparison of a linear value with a scalar usually holds for all lanes or for none (the bounds check of most kernels):
 * when it is alone in the batch, look at the least and greatest lane's value before looking at all. Returns how many blocks
 * the code for all lanes now stands in.
 */
export function openShortcut(context: KernelContext, batch: readonly Instruction[]): number {
  const [only] = batch
  if (batch.length !== 1 || only?.op !== 'icmp') return 0
  const { f, values } = context
  const result = values.storageOf(only)
  if (result.kind !== 'bits' || !is32Bits(only.left.type)) return 0
  const left = values.storageOf(only.left)
  const right = values.storageOf(only.right)
  const swapped = right.kind === 'linear'
  const line = swapped ? right : left
  const bound = swapped ? only.left : only.right
  if (line.kind !== 'linear' || !values.isUniform(bound)) return 0
  const predicate = swapped ? SWAPPED[only.predicate] : only.predicate
  if (!predicate || predicate === 'eq' || predicate === 'ne') return 0
  const isSigned = predicate.startsWith('s')
  const extend = isSigned ? Op.i64_extend_i32_s : Op.i64_extend_i32_u
  const [low, high, limit] = f.many(I64, 3) as [number, number, number]
  pushExtreme(context, line.lanes, 'low')
  f.op(Op.i64_extend_i32_s)
  values.pushScalar(line)
  f.op(extend).op(Op.i64_add).set(low)
  pushExtreme(context, line.lanes, 'high')
  f.op(Op.i64_extend_i32_s)
  values.pushScalar(line)
  f.op(extend).op(Op.i64_add).set(high)
  values.scalar(bound)
  f.op(extend).set(limit)
  // No lane wraps around: then the extremes bound all lanes.
  const [least, most] = isSigned ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n]
  const compare = { lt: Op.i64_lt_s, le: Op.i64_le_s, gt: Op.i64_gt_s, ge: Op.i64_ge_s }[
    predicate.slice(1) as 'lt' | 'le' | 'gt' | 'ge'
  ]
  const isLess = predicate[1] === 'l'
  const inRange = f.local(I32)
  f.get(low).i64(least).op(Op.i64_ge_s).get(high).i64(most).op(Op.i64_le_s).op(Op.i32_and).set(inRange)
  // All: the extreme nearest to failing holds. None: the one nearest to holding fails.
  f.get(inRange)
    .get(isLess ? high : low)
    .get(limit)
    .op(compare)
    .op(Op.i32_and)
    .if()
  f.i32(-1).set(result.local)
  f.else()
  f.get(inRange)
    .get(isLess ? low : high)
    .get(limit)
    .op(compare)
    .op(Op.i32_eqz)
    .op(Op.i32_and)
    .if()
  f.i32(0).set(result.local)
  f.else()
  f.release(I64, low, high, limit)
  f.release(I32, inRange)
  return 2
}

function pushExtreme(context: KernelContext, lanes: LaneVector, which: 'low' | 'high'): void {
  const { f, values } = context
  if (isConstant(lanes)) f.i32(which === 'low' ? Math.min(...lanes.constant) : Math.max(...lanes.constant))
  else f.get(values.table(lanes)[which])
}

const SWAPPED: Readonly<Record<string, 'ult' | 'ule' | 'ugt' | 'uge' | 'slt' | 'sle' | 'sgt' | 'sge' | 'eq' | 'ne'>> = {
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  eq: 'eq',
  ne: 'ne',
}
