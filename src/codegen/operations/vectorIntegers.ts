/**
 * Integers of up to 32 bits, four lanes at a time, zero-extended. Semantics are scalarIntegers.ts's. Returns false where one
 * lane after the other has to be computed.
 */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { divide } from './vectorDivision.ts'
import { binary, cutLanes, extendLanes, type Operands, reverseBits } from './vectorLanes.ts'

const BINARY: Readonly<Record<string, Opcode>> = {
  add: Op.i32x4_add,
  sub: Op.i32x4_sub,
  mul: Op.i32x4_mul,
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
  umin: Op.i32x4_min_u,
  umax: Op.i32x4_max_u,
}

export function narrow(f: FunctionBuilder, name: string, bits: number, operands: Operands): boolean {
  if (binary(f, BINARY[name], 0, operands)) {
    if (name === 'add' || name === 'sub' || name === 'mul') cutLanes(f, bits)
    return true
  }
  const push = (operand: number): void => operands.vector(operand, 0)
  const pushSigned = (operand: number): void => {
    push(operand)
    extendLanes(f, bits)
  }
  switch (name) {
    case 'smin':
    case 'smax':
      pushSigned(0)
      pushSigned(1)
      f.op(name === 'smin' ? Op.i32x4_min_s : Op.i32x4_max_s)
      cutLanes(f, bits)
      return true
    case 'abs':
      pushSigned(0)
      f.op(Op.i32x4_abs)
      cutLanes(f, bits)
      return true
    case 'ctpop':
      push(0)
      countOnes(f)
      return true
    case 'cttz':
      push(0)
      countTrailingZeros(f, bits)
      return true
    case 'bswap':
      push(0)
      f.v128([0, 0, 0, 0]).shuffle(SWAPPED_BYTES)
      if (bits < 32) f.i32(32 - bits).op(Op.i32x4_shr_u)
      return true
    case 'bitreverse':
      push(0)
      reverseBits(f, SWAPPED_BYTES)
      if (bits < 32) f.i32(32 - bits).op(Op.i32x4_shr_u)
      return true
    case 'shl':
    case 'lshr':
    case 'ashr':
      return shift(f, name, bits, operands)
    case 'fshl':
    case 'fshr':
      if (!operands.isUniform(2)) return false
      funnelShift(f, name, bits, operands)
      return true
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      divide(f, name, bits, operands)
      return true
    case 'uadd.sat':
    case 'usub.sat':
    case 'sadd.sat':
    case 'ssub.sat':
      saturate(f, name, bits, push, pushSigned)
      return true
    default:
      return false
  }
}

function countOnes(f: FunctionBuilder): void {
  f.op(Op.i8x16_popcnt).op(Op.i16x8_extadd_pairwise_i8x16_u).op(Op.i32x4_extadd_pairwise_i16x8_u)
}

/** The zeros behind the last one are the ones of x - 1 that x does not have. */
function countTrailingZeros(f: FunctionBuilder, bits: number): void {
  const value = f.local(V128)
  if (bits < 32)
    f.i32(1 << bits)
      .op(Op.i32x4_splat)
      .op(Op.v128_or)
  f.set(value)
  f.get(value).i32(1).op(Op.i32x4_splat).op(Op.i32x4_sub).get(value).op(Op.v128_andnot)
  countOnes(f)
  f.release(V128, value)
}

const SWAPPED_BYTES = [0, 4, 8, 12].flatMap(first => [first + 3, first + 2, first + 1, first])

/** By an amount that all lanes share, or to the left. */
function shift(f: FunctionBuilder, name: 'shl' | 'lshr' | 'ashr', bits: number, operands: Operands): boolean {
  if (!operands.isUniform(1)) return name === 'shl' && shiftLeftApart(f, bits, operands)
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

/** Each lane by its own amount, a product with 2^amount: a float with that exponent. Amounts from the width up are masked out. */
function shiftLeftApart(f: FunctionBuilder, bits: number, operands: Operands): boolean {
  operands.vector(0, 0)
  operands.vector(1, 0)
  f.v128([127, 127, 127, 127]).op(Op.i32x4_add).i32(23).op(Op.i32x4_shl).op(Op.i32x4_trunc_sat_f32x4_u)
  f.op(Op.i32x4_mul)
  operands.vector(1, 0)
  f.i32(bits).op(Op.i32x4_splat).op(Op.i32x4_lt_u).op(Op.v128_and)
  cutLanes(f, bits)
  return true
}

/**
 * Two words as one, shifted by the same amount in all lanes, modulo the width. The word that moves against the amount's
 * direction goes in two steps where a shift by the whole width would be none.
 */
function funnelShift(f: FunctionBuilder, name: 'fshl' | 'fshr', bits: number, operands: Operands): void {
  const pushAmount = (): void => {
    operands.scalar(2)
    f.i32(bits).op(Op.i32_rem_u)
  }
  const [near, far] = name === 'fshl' ? [0, 1] : [1, 0]
  const [along, against] = name === 'fshl' ? [Op.i32x4_shl, Op.i32x4_shr_u] : [Op.i32x4_shr_u, Op.i32x4_shl]
  operands.vector(near, 0)
  pushAmount()
  f.op(along)
  operands.vector(far, 0)
  if (bits === 32) f.i32(1).op(against)
  f.i32(bits === 32 ? 31 : bits)
  pushAmount()
  f.op(Op.i32_sub).op(against).op(Op.v128_or)
  cutLanes(f, bits)
}

type PushLanes = (operand: number) => void
type Saturating = 'uadd.sat' | 'usub.sat' | 'sadd.sat' | 'ssub.sat'

function saturate(f: FunctionBuilder, name: Saturating, bits: number, push: PushLanes, pushSigned: PushLanes): void {
  const isSum = name.endsWith('add.sat')
  const most = bits === 32 ? -1 : (1 << bits) - 1
  if (name === 'usub.sat') {
    push(0)
    push(1)
    f.op(Op.i32x4_max_u)
    push(1)
    f.op(Op.i32x4_sub)
  } else if (name === 'uadd.sat') {
    // What a has left to the most it can be is the most that may be added.
    push(0)
    push(1)
    f.i32(most).op(Op.i32x4_splat)
    push(0)
    f.op(Op.i32x4_sub).op(Op.i32x4_min_u).op(Op.i32x4_add)
  } else if (bits < 32) {
    pushSigned(0)
    pushSigned(1)
    f.op(isSum ? Op.i32x4_add : Op.i32x4_sub)
    f.i32(most >> 1)
      .op(Op.i32x4_splat)
      .op(Op.i32x4_min_s)
    f.i32(~(most >> 1))
      .op(Op.i32x4_splat)
      .op(Op.i32x4_max_s)
    cutLanes(f, bits)
  } else {
    // It overflowed where the result's sign is not the first operand's though it could not but be.
    const result = f.local(V128)
    push(0)
    f.i32(31).op(Op.i32x4_shr_s).i32(0x7fffffff).op(Op.i32x4_splat).op(Op.v128_xor)
    push(0)
    push(1)
    f.op(isSum ? Op.i32x4_add : Op.i32x4_sub).tee(result)
    push(0)
    f.get(result).op(Op.v128_xor)
    push(1)
    if (isSum) f.get(result)
    else push(0)
    f.op(Op.v128_xor).op(Op.v128_and).i32(31).op(Op.i32x4_shr_s).op(Op.v128_bitselect)
    f.release(V128, result)
  }
}
