/**
 * Quotients and remainders of 32-bit integers, four lanes at a time: in double, where they are exact once cut to whole numbers.
 * A zero divisor gives all ones, and the dividend as the remainder (reference/arithmetic/operations.ts).
 *
 * A divisor that all lanes share is a factor, its reciprocal, which V8 computes once for all groups of a warp. Half is added to
 * the dividend's magnitude before: what lies 0.5 / divisor beside every whole number is cut to the right one, since the
 * product's error, at most 2^32 / divisor x 2^-52, is smaller than that.
 */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { extend32 } from './scalarIntegers.ts'
import { cutLanes, extendLanes, moveHighDown, type Operands } from './vectorLanes.ts'

/** Bits of doubles. */
const SIGN = 1n << 63n
const HALF = 0x3fe0000000000000n
const ONE = 0x3ff0000000000000n

export type Division = 'udiv' | 'urem' | 'sdiv' | 'srem'

export function divide(f: FunctionBuilder, name: Division, bits: number, operands: Operands): void {
  const signed = name.startsWith('s')
  const push = (operand: number): void => {
    operands.vector(operand, 0)
    if (signed) extendLanes(f, bits)
  }
  const quotient = f.local(V128)
  quotientsInDouble(f, signed, bits, operands, push)
  f.set(quotient)
  if (name.endsWith('div')) {
    if (signed) {
      // The least number by -1 is beyond the most that is cut from a double: there the negative, which wraps.
      push(0)
      f.op(Op.i32x4_neg).get(quotient)
      isMinusOne(f, push)
      f.op(Op.v128_bitselect)
    } else f.get(quotient)
    push(1)
    f.v128([0, 0, 0, 0]).op(Op.i32x4_eq).op(Op.v128_or)
  } else {
    push(0)
    f.get(quotient)
    push(1)
    f.op(Op.i32x4_mul).op(Op.i32x4_sub)
    if (signed) {
      isMinusOne(f, push)
      f.op(Op.v128_andnot)
    }
  }
  cutLanes(f, bits)
  f.release(V128, quotient)
}

function isMinusOne(f: FunctionBuilder, push: (operand: number) => void): void {
  push(1)
  f.i32(-1).op(Op.i32x4_splat).op(Op.i32x4_eq)
}

/** Leaves the whole part of first / second, or anything for a zero divisor. */
function quotientsInDouble(
  f: FunctionBuilder,
  signed: boolean,
  bits: number,
  operands: Operands,
  push: (operand: number) => void,
): void {
  const pushDoubles = (operand: number, half: number): void => {
    push(operand)
    if (half === 1) moveHighDown(f)
    f.op(signed ? Op.f64x2_convert_low_i32x4_s : Op.f64x2_convert_low_i32x4_u)
  }
  for (const half of [0, 1]) {
    pushDoubles(0, half)
    if (operands.isUniform(1)) {
      moveFromWhole(f, signed)
      pushReciprocal(f, signed, bits, operands)
      f.op(Op.f64x2_mul)
    } else {
      pushDoubles(1, half)
      f.op(Op.f64x2_div)
    }
    f.op(signed ? Op.i32x4_trunc_sat_f64x2_s_zero : Op.i32x4_trunc_sat_f64x2_u_zero)
  }
  f.shuffle32(0, 1, 4, 5)
}

/** Adds half to the magnitude of doubles. */
function moveFromWhole(f: FunctionBuilder, signed: boolean): void {
  if (signed) {
    const dividend = f.local(V128)
    f.tee(dividend).get(dividend).v128x64(SIGN, SIGN).op(Op.v128_and).v128x64(HALF, HALF).op(Op.v128_or)
    f.release(V128, dividend)
  } else f.v128x64(HALF, HALF)
  f.op(Op.f64x2_add)
}

function pushReciprocal(f: FunctionBuilder, signed: boolean, bits: number, operands: Operands): void {
  f.f64Bits(ONE)
  operands.scalar(1)
  if (signed) extend32(f, bits)
  f.op(signed ? Op.f64_convert_i32_s : Op.f64_convert_i32_u)
    .op(Op.f64_div)
    .op(Op.f64x2_splat)
}
