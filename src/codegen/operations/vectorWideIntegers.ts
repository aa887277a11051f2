/**
 * Integers of 33 to 64 bits, a half (two lanes) at a time, zero-extended. Semantics are scalarIntegers.ts's. Returns false where
 * one lane after the other has to be computed.
 */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { binary, cutLanes64, extendLanes64, type Operands, reverseBits } from './vectorLanes.ts'

const BINARY: Readonly<Record<string, Opcode>> = {
  add: Op.i64x2_add,
  sub: Op.i64x2_sub,
  mul: Op.i64x2_mul,
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
}

export function wide(f: FunctionBuilder, name: string, bits: number, half: number, operands: Operands): boolean {
  if (binary(f, BINARY[name], half, operands)) {
    if (name === 'add' || name === 'sub' || name === 'mul') cutLanes64(f, bits)
    return true
  }
  switch (name) {
    case 'shl':
    case 'lshr':
    case 'ashr':
      if (!operands.isUniform(1)) return false
      shift(f, name, bits, half, operands)
      return true
    case 'fshl':
    case 'fshr':
      if (bits !== 64 || !operands.isUniform(2)) return false
      funnelShift(f, name, half, operands)
      return true
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax':
      minimumOrMaximum(f, name, bits, half, operands)
      return true
    case 'abs':
      operands.vector(0, half)
      extendLanes64(f, bits)
      f.op(Op.i64x2_abs)
      cutLanes64(f, bits)
      return true
    case 'ctpop':
      operands.vector(0, half)
      countOnes(f)
      return true
    case 'bswap':
      operands.vector(0, half)
      f.v128([0, 0, 0, 0]).shuffle(SWAPPED_BYTES)
      if (bits < 64) f.i32(64 - bits).op(Op.i64x2_shr_u)
      return true
    case 'bitreverse':
      operands.vector(0, half)
      reverseBits(f, SWAPPED_BYTES)
      if (bits < 64) f.i32(64 - bits).op(Op.i64x2_shr_u)
      return true
    default:
      return false
  }
}

const SWAPPED_BYTES = [0, 8].flatMap(first => [7, 6, 5, 4, 3, 2, 1, 0].map(byte => first + byte))

/** Both lanes by one amount. */
function shift(
  f: FunctionBuilder,
  name: 'shl' | 'lshr' | 'ashr',
  bits: number,
  half: number,
  operands: Operands,
): void {
  operands.vector(0, half)
  if (name === 'ashr') {
    extendLanes64(f, bits)
    operands.scalar(1)
    f.i64(63n)
    operands.scalar(1)
    f.i64(63n).op(Op.i64_lt_u).op(Op.select).op(Op.i32_wrap_i64).op(Op.i64x2_shr_s)
    cutLanes64(f, bits)
    return
  }
  operands.scalar(1)
  f.op(Op.i32_wrap_i64).op(name === 'shl' ? Op.i64x2_shl : Op.i64x2_shr_u)
  f.i64(0n)
  operands.scalar(1)
  f.i64(BigInt(bits)).op(Op.i64_lt_u).op(Op.i64_extend_i32_u).op(Op.i64_sub).op(Op.i64x2_splat).op(Op.v128_and)
  if (name === 'shl') cutLanes64(f, bits)
}

/** The part that moves against the amount's direction goes in two steps, because a shift by 64 is a shift by 0. */
function funnelShift(f: FunctionBuilder, name: 'fshl' | 'fshr', half: number, operands: Operands): void {
  const pushAmount = (): void => {
    operands.scalar(2)
    f.op(Op.i32_wrap_i64).i32(63).op(Op.i32_and)
  }
  const [near, far] = name === 'fshl' ? [0, 1] : [1, 0]
  const [along, against] = name === 'fshl' ? [Op.i64x2_shl, Op.i64x2_shr_u] : [Op.i64x2_shr_u, Op.i64x2_shl]
  operands.vector(near, half)
  pushAmount()
  f.op(along)
  operands.vector(far, half)
  f.i32(1).op(against).i32(63)
  pushAmount()
  f.op(Op.i32_sub).op(against).op(Op.v128_or)
}

function minimumOrMaximum(f: FunctionBuilder, name: string, bits: number, half: number, operands: Operands): void {
  operands.vector(0, half)
  operands.vector(1, half)
  for (const operand of [0, 1]) {
    operands.vector(operand, half)
    if (name.startsWith('s')) extendLanes64(f, bits)
    // Unsigned order is signed order with the top bits flipped.
    else f.v128x64(1n << 63n, 1n << 63n).op(Op.v128_xor)
  }
  f.op(name.endsWith('min') ? Op.i64x2_lt_s : Op.i64x2_gt_s).op(Op.v128_bitselect)
}

/** Ones of each byte, added up to words, and the two words of a lane. */
function countOnes(f: FunctionBuilder): void {
  const words = f.local(V128)
  f.op(Op.i8x16_popcnt).op(Op.i16x8_extadd_pairwise_i8x16_u).op(Op.i32x4_extadd_pairwise_i16x8_u).set(words)
  f.get(words).i32(32).op(Op.i64x2_shr_u).get(words).v128x64(0xffffffffn, 0xffffffffn).op(Op.v128_and)
  f.op(Op.i64x2_add)
  f.release(V128, words)
}
