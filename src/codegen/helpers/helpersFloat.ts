/** Exact fused multiply-adds of singles and doubles, as WebAssembly functions. */
import { type Callable, F32, F64, type FunctionBuilder, I64, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'

/**
 * Single fma by rounding to odd in double (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", IEEE TC 2008):
 * the product is exact, the sum's rounding error is exact too; an inexact sum with an even last bit moves to its odd
 * neighbour on the error's side. Rounding that to single is then the only rounding.
 */
export function buildFma32(module: ModuleBuilder): Callable {
  const f = module.function([F32, F32, F32], [F32])
  const [product, addend, sum, part, error] = f.many(F64, 5)
  const bits = f.local(I64)
  f.get(0).op(Op.f64_promote_f32).get(1).op(Op.f64_promote_f32).op(Op.f64_mul).set(product)
  f.get(2).op(Op.f64_promote_f32).set(addend)
  f.get(product).get(addend).op(Op.f64_add).set(sum)
  // Two-sum (Knuth).
  f.get(sum).get(product).op(Op.f64_sub).set(part)
  f.get(product).get(sum).get(part).op(Op.f64_sub).op(Op.f64_sub)
  f.get(addend).get(part).op(Op.f64_sub).op(Op.f64_add).set(error)
  // Infinite and NaN sums have a NaN error and stay; comparisons with it are false.
  f.get(error).f64Bits(0n).op(Op.f64_lt).get(error).f64Bits(0n).op(Op.f64_gt).op(Op.i32_or)
  f.get(sum)
    .op(Op.i64_reinterpret_f64)
    .tee(bits)
    .op(Op.i32_wrap_i64)
    .i32(1)
    .op(Op.i32_and)
    .op(Op.i32_eqz)
    .op(Op.i32_and)
    .if()
  f.get(bits)
  // Away from zero when error and sum have the same sign, else towards it.
  f.i64(1n).i64(-1n)
  f.get(error).f64Bits(0n).op(Op.f64_lt).get(sum).f64Bits(0n).op(Op.f64_lt).op(Op.i32_eq).op(Op.select)
  f.op(Op.i64_add).op(Op.f64_reinterpret_i64).set(sum)
  f.end()
  f.get(sum).op(Op.f32_demote_f64)
  return f
}

/** The same on four lanes. */
export function buildFma32x4(module: ModuleBuilder): Callable {
  const f = module.function([V128, V128, V128], [V128])
  for (const half of [0, 1] as const) f.get(oddSum(f, half)).op(Op.f32x4_demote_f64x2_zero)
  f.shuffle32(0, 1, 4, 5)
  return f
}

/** Of a function of three vectors of singles: two lanes of first x second + third in double, rounded to odd. A local. */
export function oddSum(f: FunctionBuilder, half: 0 | 1): number {
  const [product, addend, sum, part, error] = f.many(V128, 5)
  const promote = (operand: number): FunctionBuilder => {
    f.get(operand)
    if (half === 1) f.get(operand).shuffle32(2, 3, 2, 3)
    return f.op(Op.f64x2_promote_low_f32x4)
  }
  promote(0)
  promote(1).op(Op.f64x2_mul).set(product)
  promote(2).set(addend)
  f.get(product).get(addend).op(Op.f64x2_add).set(sum)
  f.get(sum).get(product).op(Op.f64x2_sub).set(part)
  f.get(product).get(sum).get(part).op(Op.f64x2_sub).op(Op.f64x2_sub)
  f.get(addend).get(part).op(Op.f64x2_sub).op(Op.f64x2_add).set(error)
  roundToOdd(f, sum, error, part)
  f.release(V128, product, addend, part, error)
  return sum
}

/** Where `error` (the exact rest of `sum`) is not zero and the sum's last bit is, moves the sum one step towards the rest. */
function roundToOdd(f: FunctionBuilder, sum: number, error: number, step: number): void {
  const zero = (): void => {
    f.v128([0, 0, 0, 0])
  }
  // Away from zero when error and sum have one sign.
  f.v128x64(1n, 1n)
    .v128x64(-1n, -1n)
    .get(error)
    .get(sum)
    .op(Op.v128_xor)
    .i32(63)
    .op(Op.i64x2_shr_s)
    .op(Op.v128_not)
    .op(Op.v128_bitselect)
  f.set(step)
  // Ordered comparisons: the error of an infinite or NaN sum is NaN and moves nothing.
  f.get(sum).get(step)
  f.get(error)
  zero()
  f.op(Op.f64x2_lt).get(error)
  zero()
  f.op(Op.f64x2_gt).op(Op.v128_or)
  f.get(sum).v128x64(1n, 1n).op(Op.v128_and)
  zero()
  f.op(Op.i64x2_eq).op(Op.v128_and).op(Op.v128_and).op(Op.i64x2_add).set(sum)
}

const SPLITTER = 134217729 // 2^27 + 1 (Veltkamp)

/**
 * Double fma on two lanes: exact product by Dekker's splitting, exact sums, the low parts rounded to odd, one last addition
 * (Boldo and Melquiond 2008, algorithm Fma). Needs exponents from which nothing over- or underflows; other lanes, zeros
 * and non-finite values included, go to the host.
 */
export function buildFma64x2(module: ModuleBuilder, slow: Callable): Callable {
  const f = module.function([V128, V128, V128], [V128])
  const isOrdinary = (operand: number): void => {
    // 2^-300 <= |x| <= 2^300
    f.get(operand).op(Op.f64x2_abs).f64Bits(0x2d30000000000000n).op(Op.f64x2_splat).op(Op.f64x2_ge)
    f.get(operand).op(Op.f64x2_abs).f64Bits(0x52b0000000000000n).op(Op.f64x2_splat).op(Op.f64x2_le).op(Op.v128_and)
  }
  isOrdinary(0)
  isOrdinary(1)
  f.op(Op.v128_and)
  isOrdinary(2)
  f.op(Op.v128_and).op(Op.i64x2_all_true).if()
  const [ah, al, bh, bl, uh, ul] = f.many(V128, 6)
  const split = (value: number, high: number, low: number): void => {
    f.get(value).f64Bits(doubleBits(SPLITTER)).op(Op.f64x2_splat).op(Op.f64x2_mul).tee(high)
    f.get(high).get(value).op(Op.f64x2_sub).op(Op.f64x2_sub).set(high)
    f.get(value).get(high).op(Op.f64x2_sub).set(low)
  }
  split(0, ah, al)
  split(1, bh, bl)
  f.get(0).get(1).op(Op.f64x2_mul).set(uh)
  f.get(ah).get(bh).op(Op.f64x2_mul).get(uh).op(Op.f64x2_sub)
  f.get(ah).get(bl).op(Op.f64x2_mul).op(Op.f64x2_add)
  f.get(al).get(bh).op(Op.f64x2_mul).op(Op.f64x2_add)
  f.get(al).get(bl).op(Op.f64x2_mul).op(Op.f64x2_add).set(ul)
  const twoSum = (a: number, b: number): [number, number] => {
    const [high, low, part] = f.many(V128, 3)
    f.get(a).get(b).op(Op.f64x2_add).set(high)
    f.get(high).get(a).op(Op.f64x2_sub).set(part)
    f.get(a).get(high).get(part).op(Op.f64x2_sub).op(Op.f64x2_sub)
    f.get(b).get(part).op(Op.f64x2_sub).op(Op.f64x2_add).set(low)
    return [high, low]
  }
  const [th, tl] = twoSum(2, ul)
  const [vh, vl] = twoSum(uh, th)
  const [zh, zl] = twoSum(tl, vl)
  const zero = (): void => {
    f.v128([0, 0, 0, 0])
  }
  roundToOdd(f, zh, zl, f.local(V128))
  f.get(vh).get(zh).op(Op.f64x2_add).op(Op.return)
  f.end()
  for (const lane of [0, 1]) {
    if (lane === 0) zero()
    for (const operand of [0, 1, 2]) f.get(operand).lane(Op.f64x2_extract_lane, lane)
    f.call(slow).lane(Op.f64x2_replace_lane, lane)
  }
  return f
}

function doubleBits(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0]!
}

/** One lane of a three-operand function on doubles. */
export function scalarFromVector(module: ModuleBuilder, pair: Callable): Callable {
  const f = module.function([F64, F64, F64], [F64])
  for (const operand of [0, 1, 2]) f.get(operand).op(Op.f64x2_splat)
  f.call(pair).lane(Op.f64x2_extract_lane, 0)
  return f
}
