/**
 * Four lanes' computations as WebAssembly SIMD. A value of a 64-bit type takes two vectors ("halves", lanes 0-1 and 2-3); a
 * flag is a mask of 32-bit lanes, all ones or zero. What SIMD lacks is done lane by lane with the scalar code.
 */
import { InternalError } from '../diagnostic.ts'
import { type FunctionBuilder, V128 } from '../wasm/builder.ts'
import { Op, type Opcode } from '../wasm/opcodes.ts'
import type { Helpers } from './helpers.ts'
import { type Held, halvesOf, heldAs, type Operation } from './operations.ts'
import { emitScalar, machineType } from './scalarOperations.ts'

/** How the emitter reaches the operands of the four lanes at hand. All may be called repeatedly. */
export interface Operands {
  /** Pushes a v128: the operand's half, or a lane mask for a flag. */
  vector(operand: number, half: number): void
  isUniform(operand: number): boolean
  /** Pushes the scalar of a uniform operand. */
  scalar(operand: number): void
}

/** Emits one half of the result of an operation; leaves a v128 on the stack. */
export function emitVector(
  f: FunctionBuilder,
  helpers: Helpers,
  operation: Operation,
  half: number,
  operands: Operands,
): void {
  const { name } = operation
  const to = heldAs(operation.type)
  const from = operation.operands[0] && heldAs(operation.operands[0].type)
  if (!to || !from) throw new InternalError(`${name} on an aggregate`)
  const emitted = name.startsWith('icmp.')
    ? compareIntegers(f, name.slice(5), from, operands)
    : name.startsWith('fcmp.')
      ? compareFloats(f, name.slice(5), from, operands)
      : name === 'select'
        ? select(f, to, half, operands)
        : name === 'freeze'
          ? pass(operands, half)
          : convert(f, name, from, to, half, operands) || compute(f, helpers, name, to, half, operands)
  if (!emitted) laneByLane(f, helpers, operation, half, operands)
}

function pass(operands: Operands, half: number): boolean {
  operands.vector(0, half)
  return true
}

function select(f: FunctionBuilder, held: Held, half: number, operands: Operands): boolean {
  operands.vector(1, half)
  operands.vector(2, half)
  operands.vector(0, 0)
  if (halvesOf(held) === 2) widenMask(f, half)
  f.op(Op.v128_bitselect)
  return true
}

/** From a mask of 32-bit lanes, the mask of one half's two 64-bit lanes. */
function widenMask(f: FunctionBuilder, half: number): void {
  const mask = f.local(V128)
  f.tee(mask).get(mask)
  if (half === 0) f.shuffle32(0, 0, 1, 1)
  else f.shuffle32(2, 2, 3, 3)
  f.release(V128, mask)
}

/** From the masks of two halves, on the stack, to one mask of 32-bit lanes. */
function narrowMasks(f: FunctionBuilder): void {
  f.shuffle32(0, 2, 4, 6)
}

// ---------------------------------------------------------------- comparisons

const COMPARE32: Readonly<Record<string, Opcode>> = {
  eq: Op.i32x4_eq,
  ne: Op.i32x4_ne,
  ult: Op.i32x4_lt_u,
  ule: Op.i32x4_le_u,
  ugt: Op.i32x4_gt_u,
  uge: Op.i32x4_ge_u,
  slt: Op.i32x4_lt_s,
  sle: Op.i32x4_le_s,
  sgt: Op.i32x4_gt_s,
  sge: Op.i32x4_ge_s,
}
const COMPARE64: Readonly<Record<string, Opcode>> = {
  eq: Op.i64x2_eq,
  ne: Op.i64x2_ne,
  lt: Op.i64x2_lt_s,
  le: Op.i64x2_le_s,
  gt: Op.i64x2_gt_s,
  ge: Op.i64x2_ge_s,
}

function compareIntegers(f: FunctionBuilder, predicate: string, held: Held, operands: Operands): boolean {
  const signed = predicate.startsWith('s')
  if (held.kind === 'i64') {
    const relation = predicate.length === 3 ? predicate.slice(1) : predicate
    const unsigned = predicate.startsWith('u')
    for (const half of [0, 1]) {
      for (const operand of [0, 1]) {
        operands.vector(operand, half)
        if (signed) extendLanes64(f, held.bits)
        // Unsigned order is signed order with the top bits flipped.
        if (unsigned) f.v128x64(1n << 63n, 1n << 63n).op(Op.v128_xor)
      }
      f.op(COMPARE64[relation]!)
    }
    narrowMasks(f)
    return true
  }
  for (const operand of [0, 1]) {
    operands.vector(operand, 0)
    if (held.kind === 'i32' && signed) extendLanes(f, held.bits)
  }
  f.op(COMPARE32[predicate]!)
  return true
}

/** Sign-extends zero-extended lanes. */
function extendLanes(f: FunctionBuilder, bits: number): void {
  if (bits < 32)
    f.i32(32 - bits)
      .op(Op.i32x4_shl)
      .i32(32 - bits)
      .op(Op.i32x4_shr_s)
}

function extendLanes64(f: FunctionBuilder, bits: number): void {
  if (bits < 64)
    f.i32(64 - bits)
      .op(Op.i64x2_shl)
      .i32(64 - bits)
      .op(Op.i64x2_shr_s)
}

function cutLanes(f: FunctionBuilder, bits: number): void {
  if (bits >= 32) return
  const mask = bits === 31 ? 0x7fffffff : (1 << bits) - 1
  f.v128([mask, mask, mask, mask]).op(Op.v128_and)
}

function cutLanes64(f: FunctionBuilder, bits: number): void {
  if (bits >= 64) return
  const mask = (1n << BigInt(bits)) - 1n
  f.v128x64(mask, mask).op(Op.v128_and)
}

const ORDERED: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  eq: [Op.f32x4_eq, Op.f64x2_eq],
  gt: [Op.f32x4_gt, Op.f64x2_gt],
  ge: [Op.f32x4_ge, Op.f64x2_ge],
  lt: [Op.f32x4_lt, Op.f64x2_lt],
  le: [Op.f32x4_le, Op.f64x2_le],
}
const OPPOSITE: Readonly<Record<string, string>> = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' }

function compareFloats(f: FunctionBuilder, predicate: string, held: Held, operands: Operands): boolean {
  const wide = held.kind === 'f64'
  const compareHalf = (half: number): void => {
    const compare = (relation: string, a: number, b: number): void => {
      operands.vector(a, half)
      operands.vector(b, half)
      f.op(ORDERED[relation]![wide ? 1 : 0])
    }
    const relation = predicate.slice(1)
    if (predicate === 'true' || predicate === 'false') f.i32(predicate === 'true' ? -1 : 0).op(Op.i32x4_splat)
    else if (predicate === 'ord' || predicate === 'uno') {
      compare('eq', 0, 0)
      compare('eq', 1, 1)
      f.op(Op.v128_and)
      if (predicate === 'uno') f.op(Op.v128_not)
    } else if (predicate === 'one' || predicate === 'ueq') {
      compare('lt', 0, 1)
      compare('gt', 0, 1)
      f.op(Op.v128_or)
      if (predicate === 'ueq') f.op(Op.v128_not)
    } else if (predicate === 'une') {
      compare('eq', 0, 1)
      f.op(Op.v128_not)
    } else if (predicate.startsWith('o')) compare(relation, 0, 1)
    else {
      compare(OPPOSITE[relation]!, 0, 1)
      f.op(Op.v128_not)
    }
  }
  compareHalf(0)
  if (wide) {
    compareHalf(1)
    narrowMasks(f)
  }
  return true
}

// ---------------------------------------------------------------- conversions

function convert(f: FunctionBuilder, name: string, from: Held, to: Held, half: number, operands: Operands): boolean {
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
      if (from.kind === 'f16' || to.kind === 'f16') return false
      value()
      return true
    case 'fpext':
      if (to.kind === 'f64') {
        value(0)
        if (half === 1) moveHighDown(f)
        f.op(Op.f64x2_promote_low_f32x4)
      } else value(0)
      return to.kind !== 'f16'
    case 'fptrunc':
      if (to.kind !== 'f32' || from.kind !== 'f64') return false
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

function moveHighDown(f: FunctionBuilder): void {
  const value = f.local(V128)
  f.tee(value).get(value).shuffle32(2, 3, 2, 3)
  f.release(V128, value)
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

// ---------------------------------------------------------------- arithmetic

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
const FLOATS: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  fadd: [Op.f32x4_add, Op.f64x2_add],
  fsub: [Op.f32x4_sub, Op.f64x2_sub],
  fmul: [Op.f32x4_mul, Op.f64x2_mul],
  fdiv: [Op.f32x4_div, Op.f64x2_div],
}
const FLOAT_UNARY: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
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

function compute(
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
      return half16(f, name, operands)
  }
}

function binary(f: FunctionBuilder, opcode: Opcode | undefined, half: number, operands: Operands): boolean {
  if (opcode === undefined) return false
  operands.vector(0, half)
  operands.vector(1, half)
  f.op(opcode)
  return true
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

function wide(f: FunctionBuilder, name: string, bits: number, half: number, operands: Operands): boolean {
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

function float(
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
      if (isWide) f.v128x64(1n << 63n, 1n << 63n)
      else f.v128([0x80000000, 0x80000000, 0x80000000, 0x80000000])
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
  const [low, high, result] = f.many(V128, 3) as [number, number, number]
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

function half16(f: FunctionBuilder, name: string, operands: Operands): boolean {
  const unary = FLOAT_UNARY[name]
  if (!unary || name === 'sqrt') return false
  operands.vector(0, 0)
  f.op(unary[0])
  return true
}

// ---------------------------------------------------------------- lane by lane

const EXTRACT: Readonly<Record<'i32' | 'i64' | 'f32' | 'f64', Opcode>> = {
  i32: Op.i32x4_extract_lane,
  i64: Op.i64x2_extract_lane,
  f32: Op.f32x4_extract_lane,
  f64: Op.f64x2_extract_lane,
}
const REPLACE: Readonly<Record<'i32' | 'i64' | 'f32' | 'f64', Opcode>> = {
  i32: Op.i32x4_replace_lane,
  i64: Op.i64x2_replace_lane,
  f32: Op.f32x4_replace_lane,
  f64: Op.f64x2_replace_lane,
}

export function laneKind(held: Held): 'i32' | 'i64' | 'f32' | 'f64' {
  return held.kind === 'flag' ? 'i32' : held.kind === 'f16' ? 'f32' : held.kind
}

/** Pushes one lane (0-3) of an operand as the scalar that `machineType` says. */
export function extractLane(f: FunctionBuilder, held: Held, lane: number, vector: (half: number) => void): void {
  const isWide = halvesOf(held) === 2
  vector(isWide ? lane >> 1 : 0)
  f.lane(EXTRACT[laneKind(held)], isWide ? lane & 1 : lane)
  if (held.kind === 'flag') f.i32(1).op(Op.i32_and)
}

/** The lanes of one half of a result, each computed by `scalar`; a flag becomes a lane mask. */
export function assembleLanes(f: FunctionBuilder, held: Held, half: number, scalar: (lane: number) => void): void {
  const result = f.local(V128)
  const isWide = halvesOf(held) === 2
  f.v128([0, 0, 0, 0]).set(result)
  const lanes = isWide ? [half * 2, half * 2 + 1] : [0, 1, 2, 3]
  for (const lane of lanes) {
    const value = f.local(machineType(held))
    scalar(lane)
    if (held.kind === 'flag') {
      f.set(value)
      f.get(result).i32(0).get(value).op(Op.i32_sub)
    } else f.set(value).get(result).get(value)
    f.lane(REPLACE[laneKind(held)], isWide ? lane & 1 : lane).set(result)
    f.release(machineType(held), value)
  }
  f.get(result)
  f.release(V128, result)
}

function laneByLane(
  f: FunctionBuilder,
  helpers: Helpers,
  operation: Operation,
  half: number,
  operands: Operands,
): void {
  const to = heldAs(operation.type)!
  assembleLanes(f, to, half, lane =>
    emitScalar(f, helpers, operation, operand => {
      const held = heldAs(operation.operands[operand]!.type)!
      if (operands.isUniform(operand)) operands.scalar(operand)
      else extractLane(f, held, lane, which => operands.vector(operand, which))
    }),
  )
}
