/**
 * One lane's computations as WebAssembly scalars: for values that are uniform in a warp, and lane by lane where SIMD has
 * nothing. Semantics are the reference interpreter's (reference/operations.ts): shifts clamp, division by zero gives all
 * ones, conversions saturate, integers narrower than 32 bits are held zero-extended.
 */
import { InternalError } from '../diagnostic.ts'
import { F32, F64, type FunctionBuilder, I32, I64, type ValueType } from '../wasm/builder.ts'
import { Op, type Opcode } from '../wasm/opcodes.ts'
import type { Helpers } from './helpers.ts'
import { type Held, heldAs, type Operation } from './operations.ts'

export function machineType(held: Held): ValueType {
  switch (held.kind) {
    case 'flag':
    case 'i32':
      return I32
    case 'i64':
      return I64
    case 'f64':
      return F64
    default:
      return F32
  }
}

type Push = (operand: number) => void

/** Emits the operation; the result is left on the stack. */
export function emitScalar(f: FunctionBuilder, helpers: Helpers, operation: Operation, push: Push): void {
  const held = heldAs(operation.type)
  const from = operation.operands[0] && heldAs(operation.operands[0].type)
  if (!held || !from) throw new InternalError(`${operation.name} on an aggregate`)
  const { name } = operation
  if (name.startsWith('icmp.')) return compareIntegers(f, name.slice(5), from, push)
  if (name.startsWith('fcmp.')) return compareFloats(f, name.slice(5), from, push)
  if (isConversion(name)) {
    push(0)
    return convert(f, helpers, name, from, held)
  }
  switch (name) {
    case 'select':
      push(1)
      push(2)
      push(0)
      f.op(Op.select)
      return
    case 'freeze':
      push(0)
      return
  }
  switch (held.kind) {
    case 'flag':
      return flagOperation(f, name, push)
    case 'i32':
      return narrowOperation(f, name, held.bits, push)
    case 'i64':
      return wideOperation(f, name, held.bits, push)
    case 'f32':
    case 'f64':
      return floatOperation(f, helpers, name, held.kind, push)
    case 'f16':
      return halfOperation(f, helpers, name, held.brain, push)
  }
}

function isConversion(name: string): boolean {
  return [
    'trunc',
    'zext',
    'sext',
    'fptrunc',
    'fpext',
    'fptoui',
    'fptosi',
    'uitofp',
    'sitofp',
    'ptrtoint',
    'inttoptr',
    'bitcast',
    'addrspacecast',
  ].includes(name)
}

// ---------------------------------------------------------------- integers

/** Cuts a 32-bit result to the type's bits. */
export function cut32(f: FunctionBuilder, bits: number): void {
  if (bits < 32) f.i32(bits === 31 ? 0x7fffffff : (1 << bits) - 1).op(Op.i32_and)
}

function cut64(f: FunctionBuilder, bits: number): void {
  if (bits < 64) f.i64((1n << BigInt(bits)) - 1n).op(Op.i64_and)
}

/** Sign-extends a zero-extended value. */
function extend32(f: FunctionBuilder, bits: number): void {
  if (bits === 8) f.op(Op.i32_extend8_s)
  else if (bits === 16) f.op(Op.i32_extend16_s)
  else if (bits < 32)
    f.i32(32 - bits)
      .op(Op.i32_shl)
      .i32(32 - bits)
      .op(Op.i32_shr_s)
}

function extend64(f: FunctionBuilder, bits: number): void {
  if (bits < 64)
    f.i64(BigInt(64 - bits))
      .op(Op.i64_shl)
      .i64(BigInt(64 - bits))
      .op(Op.i64_shr_s)
}

function flagOperation(f: FunctionBuilder, name: string, push: Push): void {
  const opcode: Readonly<Record<string, Opcode>> = {
    add: Op.i32_xor,
    sub: Op.i32_xor,
    xor: Op.i32_xor,
    and: Op.i32_and,
    mul: Op.i32_and,
    or: Op.i32_or,
    umin: Op.i32_and,
    umax: Op.i32_or,
    smax: Op.i32_and,
    smin: Op.i32_or,
  }
  const simple = opcode[name]
  if (simple === undefined) throw new InternalError(`${name} of i1`)
  push(0)
  push(1)
  f.op(simple)
}

const NARROW: Readonly<Record<string, Opcode>> = {
  add: Op.i32_add,
  sub: Op.i32_sub,
  mul: Op.i32_mul,
  and: Op.i32_and,
  or: Op.i32_or,
  xor: Op.i32_xor,
}
const WIDE: Readonly<Record<string, Opcode>> = {
  add: Op.i64_add,
  sub: Op.i64_sub,
  mul: Op.i64_mul,
  and: Op.i64_and,
  or: Op.i64_or,
  xor: Op.i64_xor,
}

function narrowOperation(f: FunctionBuilder, name: string, bits: number, push: Push): void {
  const simple = NARROW[name]
  const pushSigned = (operand: number): void => {
    push(operand)
    extend32(f, bits)
  }
  if (simple !== undefined) {
    push(0)
    push(1)
    f.op(simple)
    if (name === 'add' || name === 'sub' || name === 'mul') cut32(f, bits)
    return
  }
  switch (name) {
    case 'shl':
    case 'lshr':
      push(0)
      push(1)
      f.op(name === 'shl' ? Op.i32_shl : Op.i32_shr_u)
      cut32(f, bits)
      f.i32(0)
      push(1)
      f.i32(bits).op(Op.i32_lt_u).op(Op.select)
      return
    case 'ashr': {
      pushSigned(0)
      push(1)
      f.i32(31)
      push(1)
      f.i32(31).op(Op.i32_lt_u).op(Op.select).op(Op.i32_shr_s)
      cut32(f, bits)
      return
    }
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      return divide32(f, name, bits, push, pushSigned)
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax': {
      const signed = name.startsWith('s')
      push(0)
      push(1)
      ;(signed ? pushSigned : push)(0)
      ;(signed ? pushSigned : push)(1)
      f.op(signed ? (name === 'smin' ? Op.i32_lt_s : Op.i32_gt_s) : name === 'umin' ? Op.i32_lt_u : Op.i32_gt_u)
      f.op(Op.select)
      return
    }
    case 'abs': {
      const value = f.local(I32)
      pushSigned(0)
      f.set(value)
      f.i32(0).get(value).op(Op.i32_sub).get(value).get(value).i32(0).op(Op.i32_lt_s).op(Op.select)
      cut32(f, bits)
      f.release(I32, value)
      return
    }
    case 'ctpop':
      push(0)
      f.op(Op.i32_popcnt)
      return
    case 'ctlz':
      push(0)
      f.op(Op.i32_clz)
      if (bits < 32) f.i32(32 - bits).op(Op.i32_sub)
      return
    case 'cttz':
      push(0)
      if (bits < 32) f.i32(1 << bits).op(Op.i32_or)
      f.op(Op.i32_ctz)
      return
    case 'fshl':
    case 'fshr':
      return funnelShift32(f, name, bits, push)
    case 'bswap':
      push(0)
      swapBytes32(f)
      if (bits === 16) f.i32(16).op(Op.i32_shr_u)
      return
    case 'bitreverse':
      push(0)
      reverseBits32(f)
      if (bits < 32) f.i32(32 - bits).op(Op.i32_shr_u)
      return
    default:
      throw new InternalError(`${name} of ${bits}-bit integers`)
  }
}

function divide32(f: FunctionBuilder, name: string, bits: number, push: Push, pushSigned: Push): void {
  const signed = name.startsWith('s')
  const left = f.local(I32)
  const right = f.local(I32)
  ;(signed ? pushSigned : push)(0)
  f.set(left)
  ;(signed ? pushSigned : push)(1)
  f.set(right)
  // WebAssembly traps on a zero divisor and on INT_MIN / -1.
  f.get(right).op(Op.i32_eqz).if(I32)
  if (name.endsWith('div')) f.i32(-1)
  else f.get(left)
  f.else()
  if (name === 'sdiv') {
    f.get(right).i32(-1).op(Op.i32_eq).if(I32)
    f.i32(0).get(left).op(Op.i32_sub)
    f.else().get(left).get(right).op(Op.i32_div_s).end()
  } else
    f.get(left)
      .get(right)
      .op(name === 'udiv' ? Op.i32_div_u : name === 'urem' ? Op.i32_rem_u : Op.i32_rem_s)
  f.end()
  cut32(f, bits)
  f.release(I32, left, right)
}

function funnelShift32(f: FunctionBuilder, name: string, bits: number, push: Push): void {
  // (high:low) shifted in 64 bits; the amount counts modulo the width.
  push(0)
  f.op(Op.i64_extend_i32_u).i64(BigInt(bits)).op(Op.i64_shl)
  push(1)
  f.op(Op.i64_extend_i32_u).op(Op.i64_or)
  if (name === 'fshl') f.i32(bits)
  push(2)
  f.i32(bits).op(Op.i32_rem_u)
  if (name === 'fshl') f.op(Op.i32_sub)
  f.op(Op.i64_extend_i32_u).op(Op.i64_shr_u).op(Op.i32_wrap_i64)
  cut32(f, bits)
}

function swapBytes32(f: FunctionBuilder): void {
  const value = f.local(I32)
  f.set(value)
  f.get(value).i32(8).op(Op.i32_rotl).i32(0x00ff00ff).op(Op.i32_and)
  f.get(value)
    .i32(8)
    .op(Op.i32_rotr)
    .i32(0xff00ff00 | 0)
    .op(Op.i32_and)
    .op(Op.i32_or)
  f.release(I32, value)
}

function reverseBits32(f: FunctionBuilder): void {
  const value = f.local(I32)
  swapBytes32(f)
  f.set(value)
  for (const [shift, mask] of [
    [4, 0x0f0f0f0f],
    [2, 0x33333333],
    [1, 0x55555555],
  ] as const) {
    f.get(value).i32(shift).op(Op.i32_shr_u).i32(mask).op(Op.i32_and)
    f.get(value).i32(mask).op(Op.i32_and).i32(shift).op(Op.i32_shl).op(Op.i32_or).set(value)
  }
  f.get(value)
  f.release(I32, value)
}

function wideOperation(f: FunctionBuilder, name: string, bits: number, push: Push): void {
  const simple = WIDE[name]
  const pushSigned = (operand: number): void => {
    push(operand)
    extend64(f, bits)
  }
  if (simple !== undefined) {
    push(0)
    push(1)
    f.op(simple)
    cut64(f, bits)
    return
  }
  switch (name) {
    case 'shl':
    case 'lshr':
      push(0)
      push(1)
      f.op(name === 'shl' ? Op.i64_shl : Op.i64_shr_u)
      cut64(f, bits)
      f.i64(0n)
      push(1)
      f.i64(BigInt(bits)).op(Op.i64_lt_u).op(Op.select)
      return
    case 'ashr':
      pushSigned(0)
      push(1)
      f.i64(63n)
      push(1)
      f.i64(63n).op(Op.i64_lt_u).op(Op.select).op(Op.i64_shr_s)
      cut64(f, bits)
      return
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem': {
      const signed = name.startsWith('s')
      const left = f.local(I64)
      const right = f.local(I64)
      ;(signed ? pushSigned : push)(0)
      f.set(left)
      ;(signed ? pushSigned : push)(1)
      f.set(right)
      f.get(right).op(Op.i64_eqz).if(I64)
      if (name.endsWith('div')) f.i64(-1n)
      else f.get(left)
      f.else()
      if (name === 'sdiv') {
        f.get(right).i64(-1n).op(Op.i64_eq).if(I64)
        f.i64(0n).get(left).op(Op.i64_sub)
        f.else().get(left).get(right).op(Op.i64_div_s).end()
      } else
        f.get(left)
          .get(right)
          .op(name === 'udiv' ? Op.i64_div_u : name === 'urem' ? Op.i64_rem_u : Op.i64_rem_s)
      f.end()
      cut64(f, bits)
      f.release(I64, left, right)
      return
    }
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax': {
      const signed = name.startsWith('s')
      push(0)
      push(1)
      ;(signed ? pushSigned : push)(0)
      ;(signed ? pushSigned : push)(1)
      f.op(signed ? (name === 'smin' ? Op.i64_lt_s : Op.i64_gt_s) : name === 'umin' ? Op.i64_lt_u : Op.i64_gt_u)
      f.op(Op.select)
      return
    }
    case 'abs': {
      const value = f.local(I64)
      pushSigned(0)
      f.set(value)
      f.i64(0n).get(value).op(Op.i64_sub).get(value).get(value).i64(0n).op(Op.i64_lt_s).op(Op.select)
      cut64(f, bits)
      f.release(I64, value)
      return
    }
    case 'ctpop':
      push(0)
      f.op(Op.i64_popcnt)
      return
    case 'ctlz':
      push(0)
      f.op(Op.i64_clz)
      if (bits < 64) f.i64(BigInt(64 - bits)).op(Op.i64_sub)
      return
    case 'cttz':
      push(0)
      if (bits < 64) f.i64(1n << BigInt(bits)).op(Op.i64_or)
      f.op(Op.i64_ctz)
      return
    case 'fshl':
    case 'fshr': {
      if (bits !== 64) throw new InternalError(`${name} of ${bits} bits`)
      const amount = f.local(I64)
      push(2)
      f.i64(63n).op(Op.i64_and).set(amount)
      // Shifting the other part by 64 - amount in two steps, because a shift by 64 is a shift by 0.
      const [near, far] = name === 'fshl' ? [0, 1] : [1, 0]
      push(near)
      f.get(amount).op(name === 'fshl' ? Op.i64_shl : Op.i64_shr_u)
      push(far)
      f.i64(1n).op(name === 'fshl' ? Op.i64_shr_u : Op.i64_shl)
      f.i64(63n)
        .get(amount)
        .op(Op.i64_sub)
        .op(name === 'fshl' ? Op.i64_shr_u : Op.i64_shl)
      f.op(Op.i64_or)
      f.release(I64, amount)
      return
    }
    case 'bswap':
    case 'bitreverse': {
      const value = f.local(I64)
      const each = (): void => (name === 'bswap' ? swapBytes32(f) : reverseBits32(f))
      push(0)
      f.set(value)
      f.get(value).op(Op.i32_wrap_i64)
      each()
      f.op(Op.i64_extend_i32_u).i64(32n).op(Op.i64_shl)
      f.get(value).i64(32n).op(Op.i64_shr_u).op(Op.i32_wrap_i64)
      each()
      f.op(Op.i64_extend_i32_u).op(Op.i64_or)
      if (bits < 64) f.i64(BigInt(64 - bits)).op(Op.i64_shr_u)
      f.release(I64, value)
      return
    }
    default:
      throw new InternalError(`${name} of ${bits}-bit integers`)
  }
}

const INTEGER_COMPARISONS: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  eq: [Op.i32_eq, Op.i64_eq],
  ne: [Op.i32_ne, Op.i64_ne],
  ult: [Op.i32_lt_u, Op.i64_lt_u],
  ule: [Op.i32_le_u, Op.i64_le_u],
  ugt: [Op.i32_gt_u, Op.i64_gt_u],
  uge: [Op.i32_ge_u, Op.i64_ge_u],
  slt: [Op.i32_lt_s, Op.i64_lt_s],
  sle: [Op.i32_le_s, Op.i64_le_s],
  sgt: [Op.i32_gt_s, Op.i64_gt_s],
  sge: [Op.i32_ge_s, Op.i64_ge_s],
}

function compareIntegers(f: FunctionBuilder, predicate: string, held: Held, push: Push): void {
  const signed = predicate.startsWith('s')
  for (const operand of [0, 1]) {
    push(operand)
    if (!signed) continue
    if (held.kind === 'i64') extend64(f, held.bits)
    else extend32(f, held.kind === 'i32' ? held.bits : 1)
  }
  f.op(INTEGER_COMPARISONS[predicate]![held.kind === 'i64' ? 1 : 0])
}

// ---------------------------------------------------------------- floats

const ORDERED: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  eq: [Op.f32_eq, Op.f64_eq],
  gt: [Op.f32_gt, Op.f64_gt],
  ge: [Op.f32_ge, Op.f64_ge],
  lt: [Op.f32_lt, Op.f64_lt],
  le: [Op.f32_le, Op.f64_le],
}
/** Unordered comparisons are the negation of the opposite ordered one. */
const OPPOSITE: Readonly<Record<string, string>> = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' }

function compareFloats(f: FunctionBuilder, predicate: string, held: Held, push: Push): void {
  const wide = held.kind === 'f64' ? 1 : 0
  const compare = (relation: string, a: number, b: number): void => {
    push(a)
    push(b)
    f.op(ORDERED[relation]![wide])
  }
  const isNumber = (): void => {
    compare('eq', 0, 0)
    compare('eq', 1, 1)
    f.op(Op.i32_and)
  }
  const relation = predicate.slice(1)
  if (predicate === 'true' || predicate === 'false') f.i32(predicate === 'true' ? 1 : 0)
  else if (predicate === 'ord') isNumber()
  else if (predicate === 'uno') {
    isNumber()
    f.op(Op.i32_eqz)
  } else if (predicate === 'one' || predicate === 'ueq') {
    compare('lt', 0, 1)
    compare('gt', 0, 1)
    f.op(Op.i32_or)
    if (predicate === 'ueq') f.op(Op.i32_eqz)
  } else if (predicate === 'une') {
    compare('eq', 0, 1)
    f.op(Op.i32_eqz)
  } else if (predicate.startsWith('o')) compare(relation, 0, 1)
  else {
    compare(OPPOSITE[relation]!, 0, 1)
    f.op(Op.i32_eqz)
  }
}

const FLOAT: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  fadd: [Op.f32_add, Op.f64_add],
  fsub: [Op.f32_sub, Op.f64_sub],
  fmul: [Op.f32_mul, Op.f64_mul],
  fdiv: [Op.f32_div, Op.f64_div],
  copysign: [Op.f32_copysign, Op.f64_copysign],
  fneg: [Op.f32_neg, Op.f64_neg],
  fabs: [Op.f32_abs, Op.f64_abs],
  sqrt: [Op.f32_sqrt, Op.f64_sqrt],
  floor: [Op.f32_floor, Op.f64_floor],
  ceil: [Op.f32_ceil, Op.f64_ceil],
  ftrunc: [Op.f32_trunc, Op.f64_trunc],
  rint: [Op.f32_nearest, Op.f64_nearest],
  nearbyint: [Op.f32_nearest, Op.f64_nearest],
  roundeven: [Op.f32_nearest, Op.f64_nearest],
}

function floatOperation(f: FunctionBuilder, helpers: Helpers, name: string, kind: 'f32' | 'f64', push: Push): void {
  const wide = kind === 'f64' ? 1 : 0
  const simple = FLOAT[name]
  if (simple !== undefined) {
    push(0)
    if (['fadd', 'fsub', 'fmul', 'fdiv', 'copysign'].includes(name)) push(1)
    f.op(simple[wide])
    return
  }
  switch (name) {
    case 'canonicalize':
      push(0)
      return
    case 'minnum':
    case 'minimumnum':
    case 'maxnum':
    case 'maximumnum': {
      // The other one where one is NaN: select(a is number, select(b is number, min(a, b), a), b).
      push(0)
      push(1)
      f.op(name.startsWith('min') ? (wide ? Op.f64_min : Op.f32_min) : wide ? Op.f64_max : Op.f32_max)
      push(0)
      push(1)
      push(1)
      f.op(wide ? Op.f64_eq : Op.f32_eq).op(Op.select)
      push(1)
      push(0)
      push(0)
      f.op(wide ? Op.f64_eq : Op.f32_eq).op(Op.select)
      return
    }
    case 'fma':
      for (const operand of [0, 1, 2]) {
        push(operand)
        if (helpers.multiplyAdd !== 'emulated') f.op(wide ? Op.f64x2_splat : Op.f32x4_splat)
      }
      if (helpers.multiplyAdd !== 'emulated') {
        helpers.pushMultiplyAdd(f, wide === 1)
        f.lane(wide ? Op.f64x2_extract_lane : Op.f32x4_extract_lane, 0)
      } else f.call(wide ? helpers.fma64 : helpers.fma32)
      return
    case 'frem':
      push(0)
      push(1)
      f.call(wide ? helpers.remainder64 : helpers.remainder32)
      return
    default:
      throw new InternalError(`${name} of ${kind}`)
  }
}

/** Computed in single precision and rounded once more: innocuous for + - x / sqrt (Figueroa 1995). */
function halfOperation(f: FunctionBuilder, helpers: Helpers, name: string, brain: boolean, push: Push): void {
  if (name === 'fma') {
    push(0)
    push(1)
    push(2)
    f.call(brain ? helpers.fmaBrain : helpers.fmaHalf)
    return
  }
  floatOperation(f, helpers, name, 'f32', push)
  if (['fadd', 'fsub', 'fmul', 'fdiv', 'sqrt', 'frem'].includes(name))
    f.call(brain ? helpers.roundToBrain : helpers.roundToHalf)
}

// ---------------------------------------------------------------- conversions

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

function bitcast(f: FunctionBuilder, helpers: Helpers, from: Held, to: Held): void {
  if (from.kind === 'f16') f.call(from.brain ? helpers.brainToBits : helpers.halfToBits)
  else if (from.kind === 'f32') f.op(Op.i32_reinterpret_f32)
  else if (from.kind === 'f64') f.op(Op.i64_reinterpret_f64)
  if (to.kind === 'f16') f.call(to.brain ? helpers.bitsToBrain : helpers.bitsToHalf)
  else if (to.kind === 'f32') f.op(Op.f32_reinterpret_i32)
  else if (to.kind === 'f64') f.op(Op.f64_reinterpret_i64)
}

function resizeFloat(f: FunctionBuilder, helpers: Helpers, from: Held, to: Held): void {
  if (to.kind === 'f16') {
    // From double: rounding to single first would round twice.
    if (from.kind === 'f64') f.call(to.brain ? helpers.doubleToBrain : helpers.doubleToHalf)
    else if (from.kind !== 'f16' || from.brain !== to.brain)
      f.call(to.brain ? helpers.roundToBrain : helpers.roundToHalf)
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
    f.call(to.brain ? helpers.doubleToBrain : helpers.doubleToHalf)
  }
}

/** Saturating; NaN gives 0 from single to 32 bits, else the top bit alone (reference/operations.ts, floatToInteger). */
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
