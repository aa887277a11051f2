/** Floating-point operations and comparisons of one lane; half and bfloat values are held as singles. */
import { InternalError } from '../../diagnostic.ts'
import type { FunctionBuilder } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import type { Held, Push } from './operations.ts'

const ORDERED: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  eq: [Op.f32_eq, Op.f64_eq],
  gt: [Op.f32_gt, Op.f64_gt],
  ge: [Op.f32_ge, Op.f64_ge],
  lt: [Op.f32_lt, Op.f64_lt],
  le: [Op.f32_le, Op.f64_le],
}
/** Unordered comparisons are the negation of the opposite ordered one. */
const OPPOSITE: Readonly<Record<string, string>> = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' }

export function compareFloats(f: FunctionBuilder, predicate: string, held: Held, push: Push): void {
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

/** 2^-126. */
const LEAST_NORMAL = 0x00800000

export function floatOperation(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  kind: 'f32' | 'f64',
  push: Push,
): void {
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
    case 'flush':
      f.f32Bits(0)
      push(0)
      f.op(Op.f32_copysign)
      push(0)
      push(0)
      f.op(Op.f32_abs).f32Bits(LEAST_NORMAL).op(Op.f32_lt).op(Op.select)
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

/**
 * What of halves is computed in single precision and rounded once more, innocuous for + - x / sqrt (Figueroa 1995); of the
 * others, which have no digits to round, that makes NaNs canonical.
 */
const ROUNDED =
  /^(fadd|fsub|fmul|fdiv|sqrt|frem|floor|ceil|ftrunc|rint|nearbyint|roundeven|(min|max)(num|imum|imumnum))$/

export const isRounded = (name: string): boolean => ROUNDED.test(name)

/** Of halves and bfloats, held as singles. */
export function halfOperation(f: FunctionBuilder, helpers: Helpers, name: string, brain: boolean, push: Push): void {
  if (name === 'fma') {
    push(0)
    push(1)
    push(2)
    f.call(helpers.narrow(brain).fma)
    return
  }
  floatOperation(f, helpers, name, 'f32', push)
  if (isRounded(name)) f.call(helpers.narrow(brain).round)
}
