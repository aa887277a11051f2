/** Conversions of four lanes. Each returns false where one lane after the other has to be converted. */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
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
  if (from.kind === 'i64' && to.kind === 'f64') {
    operands.vector(0, half)
    if (signed) extendLanes64(f, from.bits)
    wideToDouble(f, signed)
    return true
  }
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

/** Bits of doubles that hold an integer in their low 32: 2^52, 2^84, and both together, those of signed upper words moved by 2^63. */
const LOW_WORD = 0x4330_0000_0000_0000n
const HIGH_WORD = 0x4530_0000_0000_0000n
const BOTH_WORDS = 0x4530_0000_0010_0000n
const MOVED_HIGH_WORD = 0x4530_0000_8000_0000n
const MOVED_BOTH_WORDS = 0x4530_0000_8010_0000n

/** The upper word x 2^32 is exact, and so is the lower word: their sum is what is rounded. */
function wideToDouble(f: FunctionBuilder, signed: boolean): void {
  const value = f.local(V128)
  const high = signed ? MOVED_HIGH_WORD : HIGH_WORD
  const both = signed ? MOVED_BOTH_WORDS : BOTH_WORDS
  f.set(value)
  f.get(value).i32(32).op(Op.i64x2_shr_u).v128x64(high, high).op(Op.v128_xor)
  f.v128x64(both, both).op(Op.f64x2_sub)
  f.get(value).v128x64(0xffffffffn, 0xffffffffn).op(Op.v128_and).v128x64(LOW_WORD, LOW_WORD).op(Op.v128_or)
  f.op(Op.f64x2_add)
  f.release(V128, value)
}

/** Saturating; NaN gives 0 from single, else the top bit alone (scalarConversions.ts). */
function floatToInteger(f: FunctionBuilder, signed: boolean, from: Held, to: Held, operands: Operands): boolean {
  if (to.kind !== 'i32') return false
  if (from.kind === 'f64') {
    const toInteger = signed ? Op.i32x4_trunc_sat_f64x2_s_zero : Op.i32x4_trunc_sat_f64x2_u_zero
    for (const half of [0, 1]) {
      operands.vector(0, half)
      f.op(toInteger)
    }
    f.shuffle32(0, 1, 4, 5)
    for (const half of [0, 1]) {
      operands.vector(0, half)
      operands.vector(0, half)
      f.op(Op.f64x2_ne)
    }
    narrowMasks(f)
    f.i32(31).op(Op.i32x4_shl).op(Op.v128_or)
    cutLanes(f, to.bits)
    return true
  }
  operands.vector(0, 0)
  f.op(signed ? Op.i32x4_trunc_sat_f32x4_s : Op.i32x4_trunc_sat_f32x4_u)
  cutLanes(f, to.bits)
  return true
}
