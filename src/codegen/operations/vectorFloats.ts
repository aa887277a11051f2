/** Floating-point arithmetic of four lanes, fused multiply-adds included. */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import type { Opcode } from '../../wasm/opcodes.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import { isRounded } from './scalarFloats.ts'
import { binary, moveHighDown, type Operands, pushSignBits } from './vectorLanes.ts'

export const FLOATS: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  fadd: [Op.f32x4_add, Op.f64x2_add],
  fsub: [Op.f32x4_sub, Op.f64x2_sub],
  fmul: [Op.f32x4_mul, Op.f64x2_mul],
  fdiv: [Op.f32x4_div, Op.f64x2_div],
}

export const FLOAT_UNARY: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  fneg: [Op.f32x4_neg, Op.f64x2_neg],
  fabs: [Op.f32x4_abs, Op.f64x2_abs],
  sqrt: [Op.f32x4_sqrt, Op.f64x2_sqrt],
  floor: [Op.f32x4_floor, Op.f64x2_floor],
  ceil: [Op.f32x4_ceil, Op.f64x2_ceil],
  ftrunc: [Op.f32x4_trunc, Op.f64x2_trunc],
  rint: [Op.f32x4_nearest, Op.f64x2_nearest],
  nearbyint: [Op.f32x4_nearest, Op.f64x2_nearest],
  roundeven: [Op.f32x4_nearest, Op.f64x2_nearest],
}

export function float(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  isWide: boolean,
  half: number,
  operands: Operands,
): boolean {
  const which = isWide ? 1 : 0
  if (binary(f, FLOATS[name]?.[which], half, operands)) return true
  const unary = FLOAT_UNARY[name]
  if (unary) {
    operands.vector(0, half)
    f.op(unary[which])
    return true
  }
  switch (name) {
    case 'canonicalize':
      operands.vector(0, half)
      return true
    case 'flush':
      // All but its sign goes where it has no exponent.
      operands.vector(0, half)
      operands.vector(0, half)
      f.i32(0x7f800000).op(Op.i32x4_splat).op(Op.v128_and).v128([0, 0, 0, 0]).op(Op.i32x4_eq)
      f.i32(0x7fffffff).op(Op.i32x4_splat).op(Op.v128_and).op(Op.v128_andnot)
      return true
    case 'minnum':
    case 'minimumnum':
    case 'maxnum':
    case 'maximumnum': {
      const isNumber = (operand: number): void => {
        operands.vector(operand, half)
        operands.vector(operand, half)
        f.op(isWide ? Op.f64x2_eq : Op.f32x4_eq)
      }
      operands.vector(0, half)
      operands.vector(1, half)
      f.op(name.startsWith('min') ? (isWide ? Op.f64x2_min : Op.f32x4_min) : isWide ? Op.f64x2_max : Op.f32x4_max)
      operands.vector(0, half)
      isNumber(1)
      f.op(Op.v128_bitselect)
      operands.vector(1, half)
      isNumber(0)
      f.op(Op.v128_bitselect)
      return true
    }
    case 'copysign': {
      operands.vector(1, half)
      operands.vector(0, half)
      pushSignBits(f, isWide)
      f.op(Op.v128_bitselect)
      return true
    }
    case 'fma':
      if (isWide || helpers.multiplyAdd !== 'emulated') {
        for (const operand of [0, 1, 2]) operands.vector(operand, half)
        helpers.pushMultiplyAdd(f, isWide)
      } else fusedMultiplyAdd(f, helpers, operands)
      return true
    default:
      return false
  }
}

/**
 * Single-precision fma in double: the product is exact, the sum is rounded once, the result a second time. That is wrong only
 * where the rounded sum lies exactly between two singles (its low 29 bits are 1 and zeros), or below the normal range,
 * where singles lie closer together; then the helper decides lane by lane.
 */
function fusedMultiplyAdd(f: FunctionBuilder, helpers: Helpers, operands: Operands): void {
  const [low, high, result] = f.many(V128, 3)
  const sum = (half: 0 | 1): void => {
    for (const operand of [0, 1, 2]) {
      operands.vector(operand, 0)
      if (half === 1) moveHighDown(f)
      f.op(Op.f64x2_promote_low_f32x4)
      if (operand === 1) f.op(Op.f64x2_mul)
    }
    f.op(Op.f64x2_add)
  }
  sum(0)
  f.set(low)
  sum(1)
  f.set(high)
  f.get(low).op(Op.f32x4_demote_f64x2_zero).get(high).op(Op.f32x4_demote_f64x2_zero).shuffle32(0, 1, 4, 5).set(result)
  f.get(low).get(high).shuffle32(0, 2, 4, 6)
  f.i32(0x1fffffff).op(Op.i32x4_splat).op(Op.v128_and).i32(0x10000000).op(Op.i32x4_splat).op(Op.i32x4_eq)
  f.get(result).i32(0x7f800000).op(Op.i32x4_splat).op(Op.v128_and).v128([0, 0, 0, 0]).op(Op.i32x4_eq).op(Op.v128_or)
  f.op(Op.v128_any_true).if()
  for (const operand of [0, 1, 2]) operands.vector(operand, 0)
  f.call(helpers.fma32x4).set(result).end()
  f.get(result)
  f.release(V128, low, high, result)
}

/** Of halves and bfloats, held as singles: computed as such and rounded where the result may not be of their format. */
export function half16(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  brain: boolean,
  operands: Operands,
): boolean {
  const format = helpers.narrow(brain)
  if (name === 'fma') {
    for (const operand of [0, 1, 2]) operands.vector(operand, 0)
    f.call(format.fma4)
    return true
  }
  if (!float(f, helpers, name, false, 0, operands)) return false
  if (isRounded(name)) f.call(format.round4)
  return true
}
