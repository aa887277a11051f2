/** Conversions of one lane between integers and floats of all widths. */
import { F32, F64, type FunctionBuilder } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import type { Held } from './operations.ts'
import { cut32, cut64, extend32, extend64 } from './scalarIntegers.ts'

/** Converts the value on the stack. */
export function convert(f: FunctionBuilder, helpers: Helpers, name: string, from: Held, to: Held): void {
  switch (name) {
    case 'trunc':
      if (from.kind === 'i64' && to.kind !== 'i64') f.op(Op.i32_wrap_i64)
      if (to.kind === 'flag') f.i32(1).op(Op.i32_and)
      else if (to.kind === 'i32') cut32(f, to.bits)
      else if (to.kind === 'i64') cut64(f, to.bits)
      return
    case 'zext':
    case 'ptrtoint':
    case 'inttoptr':
    case 'addrspacecast':
      if (from.kind !== 'i64' && to.kind === 'i64') f.op(Op.i64_extend_i32_u)
      if (from.kind === 'i64' && to.kind !== 'i64') f.op(Op.i32_wrap_i64)
      if (to.kind === 'i32' && from.kind === 'i64') cut32(f, to.bits)
      return
    case 'sext':
      if (from.kind === 'i64') extend64(f, from.bits)
      else extend32(f, from.kind === 'i32' ? from.bits : 1)
      if (to.kind === 'i64') {
        if (from.kind !== 'i64') f.op(Op.i64_extend_i32_s)
        cut64(f, to.bits)
      } else if (to.kind === 'i32') cut32(f, to.bits)
      return
    case 'bitcast':
      return bitcast(f, helpers, from, to)
    case 'fpext':
    case 'fptrunc':
      return resizeFloat(f, helpers, from, to)
    case 'sitofp':
    case 'uitofp':
      return integerToFloat(f, helpers, name === 'sitofp', from, to)
    default:
      return floatToInteger(f, name === 'fptosi', from, to)
  }
}

export function bitcast(f: FunctionBuilder, helpers: Helpers, from: Held, to: Held): void {
  if (from.kind === 'f16') f.call(helpers.narrow(from.brain).toBits)
  else if (from.kind === 'f32') f.op(Op.i32_reinterpret_f32)
  else if (from.kind === 'f64') f.op(Op.i64_reinterpret_f64)
  if (to.kind === 'f16') f.call(helpers.narrow(to.brain).fromBits)
  else if (to.kind === 'f32') f.op(Op.f32_reinterpret_i32)
  else if (to.kind === 'f64') f.op(Op.f64_reinterpret_i64)
}

function resizeFloat(f: FunctionBuilder, helpers: Helpers, from: Held, to: Held): void {
  if (to.kind === 'f16') {
    // From double: rounding to single first would round twice.
    if (from.kind === 'f64') f.call(helpers.narrow(to.brain).roundDouble)
    else if (from.kind !== 'f16' || from.brain !== to.brain) f.call(helpers.narrow(to.brain).round)
  } else if (to.kind === 'f64' && from.kind !== 'f64') f.op(Op.f64_promote_f32)
  else if (to.kind === 'f32' && from.kind === 'f64') f.op(Op.f32_demote_f64)
}

function integerToFloat(f: FunctionBuilder, helpers: Helpers, signed: boolean, from: Held, to: Held): void {
  if (from.kind === 'i64') {
    if (signed) extend64(f, from.bits)
  } else if (signed) extend32(f, from.kind === 'i32' ? from.bits : 1)
  if (to.kind === 'f64')
    f.op(
      from.kind === 'i64'
        ? signed
          ? Op.f64_convert_i64_s
          : Op.f64_convert_i64_u
        : signed
          ? Op.f64_convert_i32_s
          : Op.f64_convert_i32_u,
    )
  else if (to.kind === 'f32')
    f.op(
      from.kind === 'i64'
        ? signed
          ? Op.f32_convert_i64_s
          : Op.f32_convert_i64_u
        : signed
          ? Op.f32_convert_i32_s
          : Op.f32_convert_i32_u,
    )
  else if (to.kind === 'f16') {
    // 32-bit integers are exact in double; 64-bit ones that are not are far beyond a half's range.
    f.op(
      from.kind === 'i64'
        ? signed
          ? Op.f64_convert_i64_s
          : Op.f64_convert_i64_u
        : signed
          ? Op.f64_convert_i32_s
          : Op.f64_convert_i32_u,
    )
    f.call(helpers.narrow(to.brain).roundDouble)
  }
}

/** Saturating; NaN gives 0 from single to 32 bits, else the top bit alone (reference/arithmetic/operations.ts, floatToInteger). */
function floatToInteger(f: FunctionBuilder, signed: boolean, from: Held, to: Held): void {
  const wide = from.kind === 'f64'
  const type = wide ? F64 : F32
  const toWide = to.kind === 'i64'
  if (!toWide && !wide) {
    f.op(signed ? Op.i32_trunc_sat_f32_s : Op.i32_trunc_sat_f32_u)
  } else {
    const value = f.local(type)
    f.set(value)
    if (toWide) f.i64(-(2n ** 63n))
    else f.i32(-(2 ** 31))
    f.get(value)
    if (toWide)
      f.op(
        wide
          ? signed
            ? Op.i64_trunc_sat_f64_s
            : Op.i64_trunc_sat_f64_u
          : signed
            ? Op.i64_trunc_sat_f32_s
            : Op.i64_trunc_sat_f32_u,
      )
    else f.op(signed ? Op.i32_trunc_sat_f64_s : Op.i32_trunc_sat_f64_u)
    f.get(value)
      .get(value)
      .op(wide ? Op.f64_ne : Op.f32_ne)
      .op(Op.select)
    f.release(type, value)
  }
  if (to.kind === 'i32') cut32(f, to.bits)
  else if (to.kind === 'i64') cut64(f, to.bits)
  else f.i32(1).op(Op.i32_and)
}
