/** Arithmetic of four lanes. Each function returns false where one lane after the other has to be computed. */
import { type FunctionBuilder, V128 } from '../wasm/builder.ts'
import { Op, type Opcode } from '../wasm/opcodes.ts'
import type { Helpers } from './helpers.ts'
import type { Held } from './operations.ts'
import { float, half16 } from './vectorFloats.ts'
import { binary, cutLanes, cutLanes64, extendLanes, extendLanes64, moveHighDown, type Operands } from './vectorLanes.ts'

const BINARY32: Readonly<Record<string, Opcode>> = {
  add: Op.i32x4_add,
  sub: Op.i32x4_sub,
  mul: Op.i32x4_mul,
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
  umin: Op.i32x4_min_u,
  umax: Op.i32x4_max_u,
}
const BINARY64: Readonly<Record<string, Opcode>> = {
  add: Op.i64x2_add,
  sub: Op.i64x2_sub,
  mul: Op.i64x2_mul,
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
}
const FLAGS: Readonly<Record<string, Opcode>> = {
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
  add: Op.v128_xor,
  sub: Op.v128_xor,
  mul: Op.v128_and,
}

export function compute(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  held: Held,
  half: number,
  operands: Operands,
): boolean {
  switch (held.kind) {
    case 'flag':
      return binary(f, FLAGS[name], half, operands)
    case 'i32':
      return narrow(f, name, held.bits, operands)
    case 'i64':
      return wide(f, name, held.bits, half, operands)
    case 'f32':
    case 'f64':
      return float(f, helpers, name, held.kind === 'f64', half, operands)
    case 'f16':
      return half16(f, helpers, name, held.brain, operands)
  }
}

function narrow(f: FunctionBuilder, name: string, bits: number, operands: Operands): boolean {
  if (binary(f, BINARY32[name], 0, operands)) {
    if (name === 'add' || name === 'sub' || name === 'mul') cutLanes(f, bits)
    return true
  }
  switch (name) {
    case 'smin':
    case 'smax':
      for (const operand of [0, 1]) {
        operands.vector(operand, 0)
        extendLanes(f, bits)
      }
      f.op(name === 'smin' ? Op.i32x4_min_s : Op.i32x4_max_s)
      cutLanes(f, bits)
      return true
    case 'abs':
      operands.vector(0, 0)
      extendLanes(f, bits)
      f.op(Op.i32x4_abs)
      cutLanes(f, bits)
      return true
    case 'ctpop':
      operands.vector(0, 0)
      f.op(Op.i8x16_popcnt).op(Op.i16x8_extadd_pairwise_i8x16_u).op(Op.i32x4_extadd_pairwise_i16x8_u)
      return true
    case 'shl':
    case 'lshr':
    case 'ashr':
      return shift(f, name, bits, operands)
    case 'udiv':
    case 'urem':
      return divide(f, name, operands)
    default:
      return false
  }
}

/** By a uniform amount; a left shift by lane amounts multiplies by powers of two. */
function shift(f: FunctionBuilder, name: 'shl' | 'lshr' | 'ashr', bits: number, operands: Operands): boolean {
  if (operands.isUniform(1)) {
    operands.vector(0, 0)
    if (name === 'ashr') {
      extendLanes(f, bits)
      operands.scalar(1)
      f.i32(31)
      operands.scalar(1)
      f.i32(31).op(Op.i32_lt_u).op(Op.select).op(Op.i32x4_shr_s)
      cutLanes(f, bits)
      return true
    }
    operands.scalar(1)
    f.op(name === 'shl' ? Op.i32x4_shl : Op.i32x4_shr_u)
    // A shift by the width or more gives 0: and with a mask that is all ones or zero.
    f.i32(0)
    operands.scalar(1)
    f.i32(bits).op(Op.i32_lt_u).op(Op.i32_sub).op(Op.i32x4_splat).op(Op.v128_and)
    if (name === 'shl') cutLanes(f, bits)
    return true
  }
  if (name !== 'shl') return false
  // 2^amount by building a float with that exponent; amounts from the width up are masked out.
  operands.vector(0, 0)
  operands.vector(1, 0)
  f.v128([127, 127, 127, 127]).op(Op.i32x4_add).i32(23).op(Op.i32x4_shl).op(Op.i32x4_trunc_sat_f32x4_u)
  f.op(Op.i32x4_mul)
  operands.vector(1, 0)
  f.i32(bits).op(Op.i32x4_splat).op(Op.i32x4_lt_u).op(Op.v128_and)
  cutLanes(f, bits)
  return true
}

/** Quotients of 32-bit integers are exact in double; a zero divisor gives all ones, and the dividend as the remainder. */
function divide(f: FunctionBuilder, name: 'udiv' | 'urem', operands: Operands): boolean {
  const quotient = f.local(V128)
  const part = (half: 0 | 1): void => {
    for (const operand of [0, 1]) {
      operands.vector(operand, 0)
      if (half === 1) moveHighDown(f)
      f.op(Op.f64x2_convert_low_i32x4_u)
    }
    f.op(Op.f64x2_div).op(Op.i32x4_trunc_sat_f64x2_u_zero)
  }
  part(0)
  part(1)
  f.shuffle32(0, 1, 4, 5).set(quotient)
  if (name === 'udiv') {
    // 0 / 0 is NaN and would give 0.
    f.get(quotient)
    operands.vector(1, 0)
    f.v128([0, 0, 0, 0]).op(Op.i32x4_eq).op(Op.v128_or)
  } else {
    operands.vector(0, 0)
    f.get(quotient)
    operands.vector(1, 0)
    f.op(Op.i32x4_mul).op(Op.i32x4_sub)
  }
  f.release(V128, quotient)
  return true
}

export function wide(f: FunctionBuilder, name: string, bits: number, half: number, operands: Operands): boolean {
  if (binary(f, BINARY64[name], half, operands)) {
    if (name === 'add' || name === 'sub' || name === 'mul') cutLanes64(f, bits)
    return true
  }
  if ((name === 'shl' || name === 'lshr' || name === 'ashr') && operands.isUniform(1)) {
    operands.vector(0, half)
    if (name === 'ashr') {
      extendLanes64(f, bits)
      operands.scalar(1)
      f.i64(63n)
      operands.scalar(1)
      f.i64(63n).op(Op.i64_lt_u).op(Op.select).op(Op.i32_wrap_i64).op(Op.i64x2_shr_s)
      cutLanes64(f, bits)
      return true
    }
    operands.scalar(1)
    f.op(Op.i32_wrap_i64).op(name === 'shl' ? Op.i64x2_shl : Op.i64x2_shr_u)
    f.i64(0n)
    operands.scalar(1)
    f.i64(BigInt(bits)).op(Op.i64_lt_u).op(Op.i64_extend_i32_u).op(Op.i64_sub).op(Op.i64x2_splat).op(Op.v128_and)
    if (name === 'shl') cutLanes64(f, bits)
    return true
  }
  if (name === 'smin' || name === 'smax') {
    if (bits !== 64) return false
    operands.vector(0, half)
    operands.vector(1, half)
    operands.vector(0, half)
    operands.vector(1, half)
    f.op(name === 'smin' ? Op.i64x2_lt_s : Op.i64x2_gt_s).op(Op.v128_bitselect)
    return true
  }
  return false
}
