/**
 * LLVM's `is.fpclass`: whether a float is of one of the classes that a mask names (NaN, infinite, normal, subnormal, zero, by
 * sign). The classes are ranges of the float's bits, so membership is a few comparisons of integers; of a double the upper
 * word says it, once its last bit knows whether anything below is set.
 */
import { InternalError } from '../../diagnostic.ts'
import { type FunctionBuilder, I32, I64, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import type { Held, Push } from './operations.ts'
import { narrowMasks, type Operands } from './vectorLanes.ts'

/** First and last bit pattern, as unsigned words. */
interface BitRange {
  readonly first: number
  readonly last: number
}

/** The word that classes are read from: digits of the mantissa in it, and the place of the sign. */
interface ClassWord {
  readonly mantissaBits: number
  readonly signBit: number
}

function classWordOf(held: Held): ClassWord {
  switch (held.kind) {
    case 'f32':
      return { mantissaBits: 23, signBit: 31 }
    case 'f64':
      return { mantissaBits: 20, signBit: 31 }
    case 'f16':
      return { mantissaBits: held.brain ? 7 : 10, signBit: 15 }
    default:
      throw new InternalError(`the class of an ${held.kind}`)
  }
}

/** The mask's bits of a magnitude, with either sign: zero, subnormal, normal, infinite; NaNs have no sign. */
const NEGATIVE_CLASSES = [5, 4, 3, 2]
const POSITIVE_CLASSES = [6, 7, 8, 9]
const NAN_CLASSES = [0, 1]

/** The ranges of the classes in `mask`, those that touch joined. */
function rangesOf(mask: number, { mantissaBits, signBit }: ClassWord): { ranges: BitRange[]; hasSign: boolean } {
  const infinite = 2 ** signBit - 2 ** mantissaBits
  const quiet = infinite + 2 ** (mantissaBits - 1)
  const bounds = [0, 1, 2 ** mantissaBits, infinite, infinite + 1, quiet, 2 ** signBit]
  const ofSign = (classes: readonly number[], sign: number): BitRange[] => {
    const ranges: BitRange[] = []
    for (const [index, bit] of [...classes, ...NAN_CLASSES].entries()) {
      if (((mask >> bit) & 1) === 0) continue
      const range = { first: sign + bounds[index]!, last: sign + bounds[index + 1]! - 1 }
      const before = ranges.at(-1)
      if (before && before.last + 1 === range.first) ranges[ranges.length - 1] = { ...before, last: range.last }
      else ranges.push(range)
    }
    return ranges
  }
  const positive = ofSign(POSITIVE_CLASSES, 0)
  const hasSign = NEGATIVE_CLASSES.some((bit, index) => ((mask >> bit) ^ (mask >> POSITIVE_CLASSES[index]!)) & 1)
  return { ranges: hasSign ? [...positive, ...ofSign(NEGATIVE_CLASSES, 2 ** signBit)] : positive, hasSign }
}

/** Leaves 0 or 1. */
export function scalarClass(f: FunctionBuilder, helpers: Helpers, mask: number, held: Held, push: Push): void {
  const word = classWordOf(held)
  const { ranges, hasSign } = rangesOf(mask, word)
  const bits = f.local(I32)
  push(0)
  if (held.kind === 'f64') upperWord(f)
  else if (held.kind === 'f32') f.op(Op.i32_reinterpret_f32)
  else if (held.kind === 'f16') f.call(helpers.narrow(held.brain).toBits)
  if (!hasSign) f.i32(2 ** word.signBit - 1).op(Op.i32_and)
  f.set(bits).i32(0)
  for (const { first, last } of ranges)
    f.get(bits)
      .i32(first | 0)
      .op(Op.i32_sub)
      .i32((last - first) | 0)
      .op(Op.i32_le_u)
      .op(Op.i32_or)
  f.release(I32, bits)
}

function upperWord(f: FunctionBuilder): void {
  const bits = f.local(I64)
  f.op(Op.i64_reinterpret_f64).tee(bits).i64(32n).op(Op.i64_shr_u).op(Op.i32_wrap_i64)
  f.get(bits).op(Op.i32_wrap_i64).i32(0).op(Op.i32_ne).op(Op.i32_or)
  f.release(I64, bits)
}

/** Leaves the lane mask of four lanes. */
export function vectorClass(f: FunctionBuilder, helpers: Helpers, mask: number, held: Held, operands: Operands): void {
  const word = classWordOf(held)
  const { ranges, hasSign } = rangesOf(mask, word)
  const bits = f.local(V128)
  if (held.kind === 'f64') pushUpperWords(f, operands)
  else operands.vector(0, 0)
  if (held.kind === 'f16') f.call(helpers.narrow(held.brain).toBits4)
  if (!hasSign)
    f.i32(2 ** word.signBit - 1)
      .op(Op.i32x4_splat)
      .op(Op.v128_and)
  f.set(bits).v128([0, 0, 0, 0])
  for (const { first, last } of ranges) {
    f.get(bits)
    if (first > 0)
      f.i32(first | 0)
        .op(Op.i32x4_splat)
        .op(Op.i32x4_sub)
    f.i32((last - first) | 0)
      .op(Op.i32x4_splat)
      .op(Op.i32x4_le_u)
      .op(Op.v128_or)
  }
  f.release(V128, bits)
}

function pushUpperWords(f: FunctionBuilder, operands: Operands): void {
  operands.vector(0, 0)
  operands.vector(0, 1)
  f.shuffle32(1, 3, 5, 7)
  operands.vector(0, 0)
  operands.vector(0, 1)
  narrowMasks(f)
  f.v128([0, 0, 0, 0]).op(Op.i32x4_ne).i32(31).op(Op.i32x4_shr_u).op(Op.v128_or)
}
