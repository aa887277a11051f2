/**
 * Halves and bfloats as WebAssembly functions, one lane or four: both are held as the single of the same value. Each
 * operation computes in single precision, or exactly, and rounds once.
 */
import {
  type Callable,
  F32,
  F64,
  type FunctionBuilder,
  I32,
  type ModuleBuilder,
  V128,
  type ValueType,
} from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { oddSum } from './helpersFloat.ts'

/** What there is of one of the two formats, each made when first used. Bits are those in memory, in 32. */
export class NarrowFloat {
  private readonly once: Once
  private readonly brain: boolean

  constructor(once: Once, brain: boolean) {
    this.once = once
    this.brain = brain
  }

  private make(name: string, half: Build, brain: Build): Callable {
    return this.once(`${this.brain ? 'brain' : 'half'}:${name}`, this.brain ? brain : half)
  }

  /** One lane of a function on four. */
  private scalar(name: string, four: Callable, operands: readonly ValueType[], result: ValueType): Callable {
    const build: Build = module => {
      const f = module.function(operands, [result])
      operands.forEach((type, operand) => f.get(operand).op(type === I32 ? Op.i32x4_splat : Op.f32x4_splat))
      f.call(four).lane(result === I32 ? Op.i32x4_extract_lane : Op.f32x4_extract_lane, 0)
      return f
    }
    return this.make(name, build, build)
  }

  /** Of a value of this format; NaNs keep their bits. */
  get toBits(): Callable {
    return this.scalar('toBits', this.toBits4, [F32], I32)
  }
  get fromBits(): Callable {
    return this.scalar('fromBits', this.fromBits4, [I32], F32)
  }
  /** From single to the nearest value of this format, ties to even; NaN becomes the GPU's canonical one. */
  get round(): Callable {
    return this.scalar('round', this.round4, [F32], F32)
  }
  get roundDouble(): Callable {
    const { round } = this
    const build: Build = module => buildDoubleTo(module, round)
    return this.make('roundDouble', build, build)
  }
  /** (a, b, c) */
  get fma(): Callable {
    return this.scalar('fma', this.fma4, [F32, F32, F32], F32)
  }
  get toBits4(): Callable {
    return this.make('toBits4', buildHalfToBits4, buildBrainToBits4)
  }
  get fromBits4(): Callable {
    return this.make('fromBits4', buildBitsToHalf4, buildBitsToBrain4)
  }
  get round4(): Callable {
    return this.make('round4', buildRoundToHalf4, buildRoundToBrain4)
  }
  get fma4(): Callable {
    const { round4 } = this
    return this.make(
      'fma4',
      module => buildFmaHalf4(module, round4),
      module => buildFmaBrain4(module, round4),
    )
  }
}

type Build = (module: ModuleBuilder) => Callable
type Once = (name: string, build: Build) => Callable

/**
 * Double to half through a single rounded to odd, so that rounding happens once: the conversion to single is inexact
 * exactly when converting back differs.
 */
function buildDoubleTo(module: ModuleBuilder, round: Callable): Callable {
  const f = module.function([F64], [F32])
  const single = f.local(F32)
  const bits = f.local(I32)
  f.get(0).op(Op.f32_demote_f64).set(single)
  f.get(single).op(Op.i32_reinterpret_f32).set(bits)
  f.get(single)
    .op(Op.f64_promote_f32)
    .get(0)
    .op(Op.f64_lt)
    .get(single)
    .op(Op.f64_promote_f32)
    .get(0)
    .op(Op.f64_gt)
    .op(Op.i32_or)
  f.get(bits).i32(1).op(Op.i32_and).op(Op.i32_eqz).op(Op.i32_and).if()
  f.get(bits).i32(1).i32(-1)
  f.get(single).op(Op.f64_promote_f32).op(Op.f64_abs).get(0).op(Op.f64_abs).op(Op.f64_lt).op(Op.select)
  f.op(Op.i32_add).op(Op.f32_reinterpret_i32).set(single).end()
  f.get(single).call(round)
  return f
}

const all = (f: FunctionBuilder, bits: number): FunctionBuilder => f.v128([bits, bits, bits, bits])

/** Four singles to the nearest halves, ties to even, infinity from 65520 on. */
function buildRoundToHalf4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  const magnitude = f.local(V128)
  all(f.get(0), 0x7fffffff).op(Op.v128_and).set(magnitude)
  all(f, 0x7fffe000)
  all(f, 0x7f800000)
  // Below 2^-14: multiples of 2^-24, the spacing of singles in [0.5, 1).
  all(all(f.get(magnitude), 0x3f000000).op(Op.f32x4_add), 0x3f000000).op(Op.f32x4_sub)
  all(f.get(magnitude), 0xfff).op(Op.i32x4_add)
  all(f.get(magnitude).i32(13).op(Op.i32x4_shr_u), 1).op(Op.v128_and).op(Op.i32x4_add)
  all(f, ~0x1fff).op(Op.v128_and)
  all(f.get(magnitude), 0x38800000).op(Op.i32x4_lt_u).op(Op.v128_bitselect)
  all(f.get(magnitude), 0x477ff000).op(Op.i32x4_ge_u).op(Op.v128_bitselect)
  all(f.get(0), 0x80000000 | 0)
    .op(Op.v128_and)
    .op(Op.v128_or)
  f.get(0).get(0).op(Op.f32x4_ne).op(Op.v128_bitselect)
  return f
}

/** Four singles to the nearest bfloats. */
function buildRoundToBrain4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  all(f, 0x7fff0000)
  all(f.get(0), 0x7fff).op(Op.i32x4_add)
  all(f.get(0).i32(16).op(Op.i32x4_shr_u), 1).op(Op.v128_and).op(Op.i32x4_add)
  all(f, 0xffff0000 | 0).op(Op.v128_and)
  f.get(0).get(0).op(Op.f32x4_ne).op(Op.v128_bitselect)
  return f
}

/** Four halves to their bits. */
function buildHalfToBits4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  const magnitude = f.local(V128)
  all(f.get(0), 0x7fffffff).op(Op.v128_and).set(magnitude)
  // Infinity and NaN: an exponent of all ones.
  all(all(f.get(magnitude).i32(13).op(Op.i32x4_shr_u), 0x3fc00).op(Op.v128_andnot), 0x7c00).op(Op.v128_or)
  all(all(f.get(magnitude), 0x3f000000).op(Op.f32x4_add), 0x3f000000).op(Op.i32x4_sub)
  all(f.get(magnitude), 0x38000000).op(Op.i32x4_sub).i32(13).op(Op.i32x4_shr_u)
  all(f.get(magnitude), 0x38800000).op(Op.i32x4_lt_u).op(Op.v128_bitselect)
  all(f.get(magnitude), 0x7f800000).op(Op.i32x4_ge_u).op(Op.v128_bitselect)
  all(f.get(0).i32(16).op(Op.i32x4_shr_u), 0x8000).op(Op.v128_and).op(Op.v128_or)
  return f
}

/** Bits to four halves. */
function buildBitsToHalf4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  const magnitude = f.local(V128)
  all(f.get(0), 0x7fff).op(Op.v128_and).i32(13).op(Op.i32x4_shl).set(magnitude)
  all(f.get(magnitude), 0x7f800000).op(Op.v128_or)
  // Scaling by 2^112 moves the exponent's bias, subnormals included.
  all(f.get(magnitude), 0x77800000).op(Op.f32x4_mul)
  all(f.get(0), 0x7c00).op(Op.v128_and)
  all(f, 0x7c00).op(Op.i32x4_eq).op(Op.v128_bitselect)
  all(f.get(0), 0x8000).op(Op.v128_and).i32(16).op(Op.i32x4_shl).op(Op.v128_or)
  return f
}

function buildBrainToBits4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  f.get(0).i32(16).op(Op.i32x4_shr_u)
  return f
}

function buildBitsToBrain4(module: ModuleBuilder): Callable {
  const f = module.function([V128], [V128])
  f.get(0).i32(16).op(Op.i32x4_shl)
  return f
}

/**
 * (a, b, c) of four halves. Their products are exact singles (22 bits, from 2^-48 to 2^32) and so is the error of the sum
 * (Knuth's two-sum); the sum rounded to odd has the bits that rounding to half once needs (Boldo and Melquiond 2008).
 */
function buildFmaHalf4(module: ModuleBuilder, round: Callable): Callable {
  const f = module.function([V128, V128, V128], [V128])
  const [product, sum, part, error] = f.many(V128, 4)
  f.get(0).get(1).op(Op.f32x4_mul).tee(product).get(2).op(Op.f32x4_add).set(sum)
  f.get(sum).get(product).op(Op.f32x4_sub).set(part)
  f.get(product).get(sum).get(part).op(Op.f32x4_sub).op(Op.f32x4_sub)
  f.get(2).get(part).op(Op.f32x4_sub).op(Op.f32x4_add).set(error)
  // Away from zero when error and sum have one sign: adds 1, or all ones, which is -1.
  const zero = (): FunctionBuilder => all(f, 0)
  f.get(sum)
  all(f.get(error).get(sum).op(Op.v128_xor).i32(31).op(Op.i32x4_shr_s), 1).op(Op.v128_or)
  f.get(error)
  zero().op(Op.f32x4_lt).get(error)
  zero().op(Op.f32x4_gt).op(Op.v128_or)
  all(f.get(sum), 1).op(Op.v128_and)
  zero().op(Op.i32x4_eq).op(Op.v128_and).op(Op.v128_and).op(Op.i32x4_add).call(round)
  return f
}

/** (a, b, c) of four bfloats: products and sums in double, rounded to odd on the way to double and to single. */
function buildFmaBrain4(module: ModuleBuilder, round: Callable): Callable {
  const f = module.function([V128, V128, V128], [V128])
  const [single, error] = f.many(V128, 2)
  for (const half of [0, 1] as const) {
    const sum = oddSum(f, half)
    f.get(sum).op(Op.f32x4_demote_f64x2_zero).set(single)
    // What demoting lost: its sign in lanes 0 and 1, of 32 bits like the singles.
    f.get(sum).op(Op.f64x2_abs).get(single).op(Op.f64x2_promote_low_f32x4).op(Op.f64x2_abs).op(Op.f64x2_sub).set(error)
    f.get(single)
    const sign = (compare: Opcode): void => {
      f.get(error).v128x64(0n, 0n).op(compare)
      f.v128([0, 0, 0, 0]).shuffle32(0, 2, 4, 5)
    }
    // Towards zero where the single is larger in magnitude (all ones, which is -1), else away from it.
    sign(Op.f64x2_gt)
    all(f, 1).op(Op.v128_and)
    sign(Op.f64x2_lt)
    f.op(Op.v128_or)
    all(f.get(single), 1).op(Op.v128_and)
    all(f, 0).op(Op.i32x4_eq).op(Op.v128_and).op(Op.i32x4_add)
  }
  f.shuffle32(0, 1, 4, 5).call(round)
  return f
}
