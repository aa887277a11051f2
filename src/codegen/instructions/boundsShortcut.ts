/** Comparisons of a linear value with a scalar, decided by the least and the greatest lane where they can be. */
import type { Instruction, Value } from '../../ir/ir.ts'
import { I32, I64, type ValueType } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { isConstant } from '../values/laneVector.ts'
import { is32Bits } from '../values/shapes.ts'
import type { Storage } from '../values/storage.ts'

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
  const extremes = isConstant(line.lanes) ? narrow : wide
  const { type, release, inRange, low, high, limit, compare } = extremes(context, line, bound, predicate)
  const isLess = predicate[1] === 'l'
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
  f.release(type, ...release)
  f.release(I32, inRange)
  return 2
}

/** Locals of one type with the least and the greatest lane and the bound; they bound all lanes where `inRange` holds. */
interface Extremes {
  readonly type: ValueType
  readonly release: readonly number[]
  readonly inRange: number
  readonly low: number
  readonly high: number
  readonly limit: number
  readonly compare: number
}

type Linear = Storage & { kind: 'linear' }

/** With lanes known now: no lane wraps around where the scalar is not too near to the ends. */
function narrow({ f, values }: KernelContext, line: Linear, bound: Value, predicate: string): Extremes {
  const isSigned = predicate.startsWith('s')
  const [least, most] = [Math.min(...line.lanes.constant), Math.max(...line.lanes.constant)]
  const [low, high, limit, inRange] = f.many(I32, 4)
  const scalar = f.local(I32)
  values.pushScalar(line)
  f.tee(scalar).i32(least).op(Op.i32_add).set(low)
  f.get(scalar).i32(most).op(Op.i32_add).set(high)
  values.scalar(bound)
  f.set(limit)
  if (most > 0)
    f.get(scalar)
      .i32(((isSigned ? 0x7fff_ffff : 0xffff_ffff) - most) | 0)
      .op(isSigned ? Op.i32_le_s : Op.i32_le_u)
  else f.i32(1)
  if (least < 0)
    f.get(scalar)
      .i32(((isSigned ? -0x8000_0000 : 0) - least) | 0)
      .op(isSigned ? Op.i32_ge_s : Op.i32_ge_u)
      .op(Op.i32_and)
  f.set(inRange)
  f.release(I32, scalar)
  const compare = {
    slt: Op.i32_lt_s,
    sle: Op.i32_le_s,
    sgt: Op.i32_gt_s,
    sge: Op.i32_ge_s,
    ult: Op.i32_lt_u,
    ule: Op.i32_le_u,
    ugt: Op.i32_gt_u,
    uge: Op.i32_ge_u,
  }[predicate]!
  return { type: I32, release: [low, high, limit], inRange, low, high, limit, compare }
}

/** With lanes that the launch fixes: in 64 bits. */
function wide(context: KernelContext, line: Linear, bound: Value, predicate: string): Extremes {
  const { f, values } = context
  const isSigned = predicate.startsWith('s')
  const extend = isSigned ? Op.i64_extend_i32_s : Op.i64_extend_i32_u
  const [low, high, limit] = f.many(I64, 3)
  const inRange = f.local(I32)
  const table = values.table(line.lanes)
  for (const [extreme, local] of [
    [table.low, low],
    [table.high, high],
  ] as const) {
    f.get(extreme).op(Op.i64_extend_i32_s)
    values.pushScalar(line)
    f.op(extend).op(Op.i64_add).set(local)
  }
  values.scalar(bound)
  f.op(extend).set(limit)
  const [least, most] = isSigned ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n]
  f.get(low).i64(least).op(Op.i64_ge_s).get(high).i64(most).op(Op.i64_le_s).op(Op.i32_and).set(inRange)
  const compare = { lt: Op.i64_lt_s, le: Op.i64_le_s, gt: Op.i64_gt_s, ge: Op.i64_ge_s }[
    predicate.slice(1) as 'lt' | 'le' | 'gt' | 'ge'
  ]
  return { type: I64, release: [low, high, limit], inRange, low, high, limit, compare }
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
