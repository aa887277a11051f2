/** Conversions of four lanes. Each returns false where one lane after the other has to be converted. */
import type { FunctionBuilder } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import type { Helpers } from './helpers.ts'
import type { Held } from './operations.ts'
import {
  cutLanes,
  cutLanes64,
  extendLanes,
  extendLanes64,
  moveHighDown,
  narrowMasks,
  type Operands,
} from './vectorLanes.ts'

export function convert(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  from: Held,
  to: Held,
  half: number,
  operands: Operands,
): boolean {
  const value = (which = half): void => operands.vector(0, which)
  switch (name) {
    case 'trunc':
      if (from.kind === 'i64' && to.kind === 'i64') {
        value()
        cutLanes64(f, to.bits)
        return true
      }
      value(0)
      if (from.kind === 'i64') {
        value(1)
        narrowMasks(f)
      }
      if (to.kind === 'flag') f.i32(31).op(Op.i32x4_shl).i32(31).op(Op.i32x4_shr_s)
      else if (to.kind === 'i32') cutLanes(f, to.bits)
      return true
    case 'zext':
    case 'sext':
    case 'ptrtoint':
    case 'inttoptr':
    case 'addrspacecast':
      return resizeInteger(f, name === 'sext', from, to, half, operands)
    case 'bitcast':
      value()
      if (from.kind === 'f16') f.call(helpers.narrow(from.brain).toBits4)
      if (to.kind === 'f16') f.call(helpers.narrow(to.brain).fromBits4)
      return true
    case 'fpext':
      if (to.kind === 'f64') {
        value(0)
        if (half === 1) moveHighDown(f)
        f.op(Op.f64x2_promote_low_f32x4)
      } else value(0)
      return to.kind !== 'f16'
    case 'fptrunc':
      if (to.kind === 'f16') {
        // From double: rounding to single first would round twice.
        if (from.kind === 'f64') return false
        value()
        if (from.kind !== 'f16' || from.brain !== to.brain) f.call(helpers.narrow(to.brain).round4)
        return true
      }
      if (from.kind !== 'f64') return false
      value(0)
      f.op(Op.f32x4_demote_f64x2_zero)
      value(1)
      f.op(Op.f32x4_demote_f64x2_zero)
      f.shuffle32(0, 1, 4, 5)
      return true
    case 'sitofp':
    case 'uitofp':
      return integerToFloat(f, name === 'sitofp', from, to, half, operands)
    case 'fptosi':
    case 'fptoui':
      return floatToInteger(f, name === 'fptosi', from, to, operands)
    default:
      return false
  }
}

function resizeInteger(
  f: FunctionBuilder,
  signed: boolean,
  from: Held,
  to: Held,
  half: number,
  operands: Operands,
): boolean {
  if (from.kind === 'i64') {
    operands.vector(0, to.kind === 'i64' ? half : 0)
    if (to.kind === 'i64') {
      if (signed) extendLanes64(f, from.bits)
      cutLanes64(f, to.bits)
    } else {
      operands.vector(0, 1)
      narrowMasks(f)
      if (to.kind === 'i32') cutLanes(f, to.bits)
    }
    return true
  }
  operands.vector(0, 0)
  if (from.kind === 'flag') {
    // A mask is already the sign extension.
    if (!signed) f.i32(31).op(Op.i32x4_shr_u)
  } else if (signed && from.kind === 'i32') extendLanes(f, from.bits)
  if (to.kind === 'i64') {
    f.op(
      signed
        ? half === 0
          ? Op.i64x2_extend_low_i32x4_s
          : Op.i64x2_extend_high_i32x4_s
        : half === 0
          ? Op.i64x2_extend_low_i32x4_u
          : Op.i64x2_extend_high_i32x4_u,
    )
    cutLanes64(f, to.bits)
  } else if (to.kind === 'i32') cutLanes(f, to.bits)
  return true
}

function integerToFloat(
  f: FunctionBuilder,
  signed: boolean,
  from: Held,
  to: Held,
  half: number,
  operands: Operands,
): boolean {
  if (from.kind === 'i64' || to.kind === 'f16') return false
  operands.vector(0, 0)
  if (from.kind === 'flag') {
    if (!signed) f.i32(31).op(Op.i32x4_shr_u)
  } else if (from.kind === 'i32' && signed) extendLanes(f, from.bits)
  if (to.kind === 'f32') f.op(signed ? Op.f32x4_convert_i32x4_s : Op.f32x4_convert_i32x4_u)
  else {
    if (half === 1) moveHighDown(f)
    f.op(signed ? Op.f64x2_convert_low_i32x4_s : Op.f64x2_convert_low_i32x4_u)
  }
  return true
}

function floatToInteger(f: FunctionBuilder, signed: boolean, from: Held, to: Held, operands: Operands): boolean {
  if (from.kind !== 'f32' && from.kind !== 'f16') return false
  if (to.kind !== 'i32') return false
  operands.vector(0, 0)
  f.op(signed ? Op.i32x4_trunc_sat_f32x4_s : Op.i32x4_trunc_sat_f32x4_u)
  cutLanes(f, to.bits)
  return true
}
