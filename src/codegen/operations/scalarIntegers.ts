/** Integer operations and comparisons of one lane, for every width up to 64 bits: narrow ones in an i32, cut after use. */
import { InternalError } from '../../diagnostic.ts'
import { type FunctionBuilder, I32, I64 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { Held, Push } from './operations.ts'

/** Cuts a 32-bit result to the type's bits. */
export function cut32(f: FunctionBuilder, bits: number): void {
  if (bits < 32) f.i32(bits === 31 ? 0x7fffffff : (1 << bits) - 1).op(Op.i32_and)
}

export function cut64(f: FunctionBuilder, bits: number): void {
  if (bits < 64) f.i64((1n << BigInt(bits)) - 1n).op(Op.i64_and)
}

/** Sign-extends a zero-extended value. */
export function extend32(f: FunctionBuilder, bits: number): void {
  if (bits === 8) f.op(Op.i32_extend8_s)
  else if (bits === 16) f.op(Op.i32_extend16_s)
  else if (bits < 32)
    f.i32(32 - bits)
      .op(Op.i32_shl)
      .i32(32 - bits)
      .op(Op.i32_shr_s)
}

export function extend64(f: FunctionBuilder, bits: number): void {
  if (bits < 64)
    f.i64(BigInt(64 - bits))
      .op(Op.i64_shl)
      .i64(BigInt(64 - bits))
      .op(Op.i64_shr_s)
}

export function flagOperation(f: FunctionBuilder, name: string, push: Push): void {
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

export function narrowOperation(f: FunctionBuilder, name: string, bits: number, push: Push): void {
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
    case 'uadd.sat':
    case 'usub.sat':
    case 'sadd.sat':
    case 'ssub.sat':
      return saturate32(f, name, bits, push, pushSigned)
    default:
      throw new InternalError(`${name} of ${bits}-bit integers`)
  }
}

/** In 64 bits, where nothing overflows. */
function saturate32(f: FunctionBuilder, name: string, bits: number, push: Push, pushSigned: Push): void {
  const isSigned = name.startsWith('s')
  const [least, most] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n]
  const result = f.local(I64)
  for (const operand of [0, 1]) {
    if (isSigned) pushSigned(operand)
    else push(operand)
    f.op(isSigned ? Op.i64_extend_i32_s : Op.i64_extend_i32_u)
  }
  f.op(name.endsWith('add.sat') ? Op.i64_add : Op.i64_sub).set(result)
  f.get(result).i64(most).get(result).i64(most).op(Op.i64_lt_s).op(Op.select).set(result)
  f.get(result).i64(least).get(result).i64(least).op(Op.i64_gt_s).op(Op.select).op(Op.i32_wrap_i64)
  cut32(f, bits)
  f.release(I64, result)
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

export function wideOperation(f: FunctionBuilder, name: string, bits: number, push: Push): void {
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
    case 'uadd.sat':
    case 'usub.sat':
    case 'sadd.sat':
    case 'ssub.sat':
      return saturate64(f, name, push)
    default:
      throw new InternalError(`${name} of ${bits}-bit integers`)
  }
}

function saturate64(f: FunctionBuilder, name: 'uadd.sat' | 'usub.sat' | 'sadd.sat' | 'ssub.sat', push: Push): void {
  const [a, b, result] = f.many(I64, 3)
  const isSum = name.endsWith('add.sat')
  push(0)
  f.set(a)
  push(1)
  f.set(b)
  f.get(a)
    .get(b)
    .op(isSum ? Op.i64_add : Op.i64_sub)
    .set(result)
  if (name.startsWith('u')) {
    f.i64(isSum ? -1n : 0n).get(result)
    f.get(a)
      .get(isSum ? result : b)
      .op(isSum ? Op.i64_gt_u : Op.i64_lt_u)
  } else {
    // It overflowed where the result's sign is not the first operand's though it could not but be.
    f.get(a)
      .i64(63n)
      .op(Op.i64_shr_s)
      .i64((1n << 63n) - 1n)
      .op(Op.i64_xor)
      .get(result)
    f.get(a).get(result).op(Op.i64_xor)
    f.get(b)
      .get(isSum ? result : a)
      .op(Op.i64_xor)
      .op(Op.i64_and)
    f.i64(0n).op(Op.i64_lt_s)
  }
  f.op(Op.select)
  f.release(I64, a, b, result)
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

export function compareIntegers(f: FunctionBuilder, predicate: string, held: Held, push: Push): void {
  const signed = predicate.startsWith('s')
  for (const operand of [0, 1]) {
    push(operand)
    if (!signed) continue
    if (held.kind === 'i64') extend64(f, held.bits)
    else extend32(f, held.kind === 'i32' ? held.bits : 1)
  }
  f.op(INTEGER_COMPARISONS[predicate]![held.kind === 'i64' ? 1 : 0])
}

/** -1, 0 or 1. */
export function orderIntegers(f: FunctionBuilder, name: 'ucmp' | 'scmp', from: Held, to: Held, push: Push): void {
  compareIntegers(f, `${name[0]}gt`, from, push)
  compareIntegers(f, `${name[0]}lt`, from, push)
  f.op(Op.i32_sub)
  if (to.kind === 'i32') cut32(f, to.bits)
}
