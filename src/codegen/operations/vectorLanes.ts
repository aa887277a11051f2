/** What the operations on four lanes share: their operands, masks of lanes and of halves, narrow integers, bits in reverse. */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { type Held, halvesOf } from './operations.ts'

/** How the emitter reaches the operands of the four lanes at hand. All may be called repeatedly. */
export interface Operands {
  /** Pushes a v128: the operand's half, or a lane mask for a flag. */
  vector(operand: number, half: number): void
  isUniform(operand: number): boolean
  /** Pushes the scalar of a uniform operand. */
  scalar(operand: number): void
}

export function select(f: FunctionBuilder, held: Held, half: number, operands: Operands): void {
  operands.vector(1, half)
  operands.vector(2, half)
  operands.vector(0, 0)
  if (halvesOf(held) === 2) widenMask(f, half)
  f.op(Op.v128_bitselect)
}

/** From a mask of 32-bit lanes, the mask of one half's two 64-bit lanes. */
export function widenMask(f: FunctionBuilder, half: number): void {
  const mask = f.local(V128)
  f.tee(mask).get(mask)
  if (half === 0) f.shuffle32(0, 0, 1, 1)
  else f.shuffle32(2, 2, 3, 3)
  f.release(V128, mask)
}

/** From the masks of two halves, on the stack, to one mask of 32-bit lanes. */
export function narrowMasks(f: FunctionBuilder): void {
  f.shuffle32(0, 2, 4, 6)
}

export function moveHighDown(f: FunctionBuilder): void {
  const value = f.local(V128)
  f.tee(value).get(value).shuffle32(2, 3, 2, 3)
  f.release(V128, value)
}

/** Sign-extends zero-extended lanes. */
export function extendLanes(f: FunctionBuilder, bits: number): void {
  if (bits < 32)
    f.i32(32 - bits)
      .op(Op.i32x4_shl)
      .i32(32 - bits)
      .op(Op.i32x4_shr_s)
}

export function extendLanes64(f: FunctionBuilder, bits: number): void {
  if (bits < 64)
    f.i32(64 - bits)
      .op(Op.i64x2_shl)
      .i32(64 - bits)
      .op(Op.i64x2_shr_s)
}

export function cutLanes(f: FunctionBuilder, bits: number): void {
  if (bits >= 32) return
  const mask = bits === 31 ? 0x7fffffff : (1 << bits) - 1
  f.v128([mask, mask, mask, mask]).op(Op.v128_and)
}

export function cutLanes64(f: FunctionBuilder, bits: number): void {
  if (bits >= 64) return
  const mask = (1n << BigInt(bits)) - 1n
  f.v128x64(mask, mask).op(Op.v128_and)
}

export function binary(f: FunctionBuilder, opcode: Opcode | undefined, half: number, operands: Operands): boolean {
  if (opcode === undefined) return false
  operands.vector(0, half)
  operands.vector(1, half)
  f.op(opcode)
  return true
}

/** Reverses each byte by its two digits, by a table of sixteen; where each byte of the result comes from is `swapped`. */
export function reverseBits(f: FunctionBuilder, swapped: readonly number[]): void {
  const [value, table] = f.many(V128, 2)
  f.v128([0, 0, 0, 0]).shuffle(swapped).set(value)
  f.v128([0x0c040800, 0x0e060a02, 0x0d050901, 0x0f070b03]).set(table)
  const digit = (): void => {
    f.v128([0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f]).op(Op.v128_and).op(Op.i8x16_swizzle)
  }
  f.get(table).get(value)
  digit()
  f.i32(4).op(Op.i32x4_shl)
  f.get(table).get(value).i32(4).op(Op.i32x4_shr_u)
  digit()
  f.op(Op.v128_or)
  f.release(V128, value, table)
}

/** The signs of four floats, or of two doubles, and nothing else. */
export function pushSignBits(f: FunctionBuilder, isWide: boolean): void {
  if (isWide) f.v128x64(1n << 63n, 1n << 63n)
  else f.v128([0x80000000, 0x80000000, 0x80000000, 0x80000000])
}
