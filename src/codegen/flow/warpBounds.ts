/**
 * Bounds checks asked once for all warps of a block: `i < n`, where i grows by the same from lane to lane and from warp to warp
 * and n is one for all of them, holds for all when it holds for the greatest i and none of them wraps around.
 */
import type { IcmpInstruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { is32Bits } from '../values/shapes.ts'
import { warpStepOf } from '../values/warpSteps.ts'
import type { Version } from './versions.ts'

/** `moving` of all lanes and warps lies `least` to `most` above its scalar in the first warp. */
export interface Bound {
  readonly moving: Value
  readonly fixed: Value
  readonly isSigned: boolean
  /** How the greatest of `moving`, or else the least, has to compare to `fixed`. */
  readonly asksGreatest: boolean
  readonly compare: Opcode
  readonly least: number
  readonly most: number
}

/** What has to be asked for all assumptions of a version; undefined where it is not of this kind. */
export function boundsOf(context: KernelContext, version: Version): readonly Bound[] | undefined {
  const bounds: Bound[] = []
  const add = (condition: Value, expected: boolean): boolean => {
    if (condition.kind !== 'instruction') return false
    switch (condition.op) {
      case 'icmp': {
        const bound = boundOf(context, condition, expected, version)
        if (bound) bounds.push(bound)
        return bound !== undefined
      }
      case 'and':
      case 'or':
        return expected === (condition.op === 'and') && add(condition.left, expected) && add(condition.right, expected)
      case 'select': {
        // a && b, a || b
        const arm = expected ? condition.ifFalse : condition.ifTrue
        const other = expected ? condition.ifTrue : condition.ifFalse
        const isShort = context.shapes.constantOf(arm) === (expected ? 0 : truth(arm))
        return isShort && add(condition.condition, expected) && add(other, expected)
      }
      default:
        return false
    }
  }
  for (const [condition, expected] of version.assumptions) if (!add(condition, expected)) return undefined
  return bounds
}

function truth(value: Value): number | undefined {
  return value.kind === 'int' && value.value !== 0n ? Number(BigInt.asIntN(32, value.value)) : undefined
}

type Order = 'lt' | 'le' | 'gt' | 'ge'
const OPPOSITE: Readonly<Record<Order, Order>> = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' }
const TURNED: Readonly<Record<Order, Order>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' }
const SIGNED: Readonly<Record<Order, Opcode>> = { lt: Op.i32_lt_s, le: Op.i32_le_s, gt: Op.i32_gt_s, ge: Op.i32_ge_s }
const UNSIGNED: Readonly<Record<Order, Opcode>> = {
  lt: Op.i32_lt_u,
  le: Op.i32_le_u,
  gt: Op.i32_gt_u,
  ge: Op.i32_ge_u,
}

function boundOf(
  context: KernelContext,
  { predicate, left, right }: IcmpInstruction,
  expected: boolean,
  { first, last }: Version,
): Bound | undefined {
  const [, sign, order] = /^([su])(lt|le|gt|ge)$/.exec(predicate) ?? []
  if (sign === undefined || !is32Bits(left.type)) return undefined
  const wanted = expected ? (order as Order) : OPPOSITE[order as Order]
  const make = (moving: Value, fixed: Value, how: Order): Bound | undefined => {
    const { shapes } = context
    const shape = shapes.shapeOf(moving)
    const step = warpStepOf(context, moving, first, last)
    const still = warpStepOf(context, fixed, first, last)
    if (
      shapes.shapeOf(fixed).kind !== 'uniform' ||
      still === undefined ||
      still.constant !== 0 ||
      still.terms.length > 0
    )
      return undefined
    if (step === undefined || step.terms.length > 0 || step.constant < 0 || shape.kind === 'varying') return undefined
    if (shape.kind === 'linear' && shape.lanes.terms.length > 0) return undefined
    const lanes = shape.kind === 'linear' ? [...shape.lanes.constant] : [0]
    const least = Math.min(...lanes)
    const most = Math.max(...lanes) + step.constant * (last - first)
    if (most - least > 2 ** 20 || least < -(2 ** 20)) return undefined
    const isSigned = sign === 's'
    const compare = (isSigned ? SIGNED : UNSIGNED)[how]
    return { moving, fixed, isSigned, asksGreatest: how === 'lt' || how === 'le', compare, least, most }
  }
  return make(left, right, wanted) ?? make(right, left, TURNED[wanted])
}

/** Pushes whether all bounds hold; what they compare has been computed for the version's first warp. */
export function pushAllHold({ f, values }: KernelContext, bounds: readonly Bound[]): void {
  const start = f.local(I32)
  bounds.forEach(({ moving, fixed, isSigned, asksGreatest, compare, least, most }, index) => {
    const span = most - least
    values.scalar(moving)
    f.i32(least).op(Op.i32_add).set(start)
    f.get(start)
    if (asksGreatest) f.i32(span).op(Op.i32_add)
    values.scalar(fixed)
    f.op(compare)
    f.get(start).i32((isSigned ? 0x7fff_ffff : -1) - span)
    f.op(isSigned ? Op.i32_le_s : Op.i32_le_u).op(Op.i32_and)
    if (index > 0) f.op(Op.i32_and)
  })
  f.release(I32, start)
}
