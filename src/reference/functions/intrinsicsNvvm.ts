/**
 * NVVM's arithmetic intrinsics, `llvm.nvvm.<operation>[.rounding][.ftz][.sat].<type>` (LLVM's IntrinsicsNVVM.td; the
 * meanings are PTX's). Those with an exact IEEE meaning are computed so; the approximate ones are defined in scalar.ts.
 */
import type { Type } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import { maximumNumber, minimumNumber } from '../arithmetic/atomics.ts'
import {
  addExact,
  DOUBLE,
  divideExact,
  type FloatFormat,
  fmaExact,
  multiplyExact,
  type Rounding,
  roundInteger,
  roundTo,
  roundToIntegral,
  SINGLE,
  sqrtExact,
} from '../arithmetic/float.ts'
import { floatToInteger } from '../arithmetic/operations.ts'
import {
  cosApprox,
  exp2Approx,
  flushToZero,
  log2Approx,
  saturate,
  sinApprox,
  tanhApprox,
} from '../arithmetic/scalar.ts'
import { formatOf, fromBigInt, fromFloat, toBigInt, toFloat, toSignedBigInt } from '../arithmetic/values.ts'
import { type Intrinsic, pure, type Signature } from './intrinsic.ts'
import { integerPtx } from './ptxInteger.ts'

type Compute = (args: readonly number[], format: FloatFormat, rounding: Rounding) => number

const FLOAT_OPERATIONS: Readonly<Record<string, Compute>> = {
  add: ([a, b], format, rounding) => addExact(a!, b!, format, rounding),
  sub: ([a, b], format, rounding) => addExact(a!, -b!, format, rounding),
  mul: ([a, b], format, rounding) => multiplyExact(a!, b!, format, rounding),
  fma: ([a, b, c], format, rounding) => fmaExact(a!, b!, c!, format, rounding),
  div: ([a, b], format, rounding) => divideExact(a!, b!, format, rounding),
  sqrt: ([a], format, rounding) => sqrtExact(a!, format, rounding),
  rcp: ([a], format, rounding) => divideExact(1, a!, format, rounding),
  // In double first: at most one unit off where the quotient lies next to a rounding boundary (an approximation anyway).
  rsqrt: ([a], format) => roundTo(1 / Math.sqrt(a!), format),
  ex2: ([a]) => exp2Approx(a!),
  lg2: ([a]) => log2Approx(a!),
  sin: ([a]) => sinApprox(a!),
  cos: ([a]) => cosApprox(a!),
  tanh: ([a]) => tanhApprox(a!),
  fabs: ([a]) => Math.abs(a!),
  floor: ([a]) => Math.floor(a!),
  ceil: ([a]) => Math.ceil(a!),
  trunc: ([a]) => Math.trunc(a!),
  round: ([a]) => roundToIntegral(a!, 'rn'),
  fmin: ([a, b]) => minimumNumber(a!, b!),
  fmax: ([a, b]) => maximumNumber(a!, b!),
  saturate: ([a]) => saturate(a!),
}

/** These are only defined for single floats: of double, hardware has coarse forms that are refused. */
const SINGLE_ONLY: ReadonlySet<string> = new Set(['ex2', 'lg2', 'sin', 'cos', 'tanh'])

export function nvvmMath(signature: Signature): Intrinsic | undefined {
  const { name, result, parameters } = signature
  if (!name.startsWith('llvm.nvvm.')) return undefined
  const parts = name.slice('llvm.nvvm.'.length).split('.')
  return (
    floatArithmetic(parts, result, parameters) ?? conversion(parts, result, parameters) ?? integerPtx(parts, signature)
  )
}

function roundingOf(parts: readonly string[]): Rounding {
  for (const part of parts) if (part === 'rn' || part === 'rz' || part === 'rm' || part === 'rp') return part
  return 'rn'
}

function floatArithmetic(parts: readonly string[], result: Type, parameters: readonly Type[]): Intrinsic | undefined {
  const [operation = ''] = parts
  const compute = Object.hasOwn(FLOAT_OPERATIONS, operation) ? FLOAT_OPERATIONS[operation] : undefined
  if (
    !compute ||
    result.kind !== 'float' ||
    !parameters.every(type => type.kind === 'float' && type.bits === result.bits)
  )
    return undefined
  const unknown = parts.slice(1).find(part => !/^(rn|rz|rm|rp|ftz|sat|approx|full|f|d|h|f16|f32|f64|bf16)$/.test(part))
  if (unknown !== undefined) return undefined
  const format = formatOf(result)
  if (format !== SINGLE && SINGLE_ONLY.has(operation)) return undefined
  const rounding = roundingOf(parts.slice(1))
  const flush = parts.includes('ftz') && format === SINGLE ? flushToZero : (x: number) => x
  const limit = parts.includes('sat') ? saturate : (x: number) => x
  return pure(args => {
    const values = args.map(arg => flush(toFloat(arg, format)))
    return fromFloat(limit(flush(compute(values, format, rounding))), format)
  })
}

const BITS_OF: Readonly<Record<string, number>> = { i: 32, ui: 32, ll: 64, ull: 64 }

/** f2i, d2ull, i2f, ull2d, d2f, f2h, bit casts: from2to[.rounding][.ftz]. */
function conversion(parts: readonly string[], result: Type, parameters: readonly Type[]): Intrinsic | undefined {
  const [operation = '', variant] = parts
  if (operation === 'bitcast') return pure(([a]) => a!)
  if (operation === 'lohi') return pure(([low, high]) => (toBigInt(high!) << 32n) | toBigInt(low!))
  if (operation === 'd2i' && variant === 'lo') return pure(([a]) => fromBigInt(toBigInt(a!), 32))
  if (operation === 'd2i' && variant === 'hi') return pure(([a]) => fromBigInt(toBigInt(a!) >> 32n, 32))
  const [from, to] = operation.split('2')
  const operand = parameters[0]
  if (!from || !to || parameters.length !== 1 || !operand) return undefined
  if (parts.slice(1).some(part => !/^(rn|rz|rm|rp|ftz)$/.test(part))) return undefined
  const rounding = roundingOf(parts.slice(1))
  const flush = parts.includes('ftz') ? flushToZero : (x: number) => x
  if (/^[fd]$/.test(from) && to in BITS_OF && operand.kind === 'float') {
    const format = formatOf(operand)
    return pure(([a]) =>
      floatToInteger(flush(toFloat(a!, format)), format, bitsOf(result), !to.startsWith('u'), rounding),
    )
  }
  if (from in BITS_OF && /^[fd]$/.test(to) && result.kind === 'float') {
    const format = formatOf(result)
    const read = from.startsWith('u')
      ? toBigInt
      : (a: Parameters<typeof toBigInt>[0]) => toSignedBigInt(a, bitsOf(operand))
    return pure(([a]) => fromFloat(roundInteger(read(a!), format, rounding), format))
  }
  if (operation === 'd2f' && result.kind === 'float')
    return pure(([a]) => fromFloat(flush(roundTo(toFloat(a!, DOUBLE), SINGLE, rounding)), SINGLE))
  if (operation === 'f2h') {
    const half = formatOf({ kind: 'float', bits: 16 })
    return pure(([a]) => fromFloat(roundTo(flush(toFloat(a!, SINGLE)), half, rounding), half))
  }
  return undefined
}
