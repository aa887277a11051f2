/** LLVM's floating point intrinsics that have an exact meaning; sin, exp, pow and their like are functions of our headers. */
import { bitsOf } from '../../ir/types.ts'
import { maximumNumber, minimumNumber } from '../arithmetic/atomics.ts'
import {
  decompose,
  type FloatFormat,
  powerOfTwo,
  roundExact,
  roundHalfAway,
  roundHalfEven,
  SINGLE,
} from '../arithmetic/float.ts'
import { floatToInteger, fusedMultiplyAdd } from '../arithmetic/operations.ts'
import {
  type Bits,
  formatOf,
  fromBigInt,
  fromFloat,
  toBigInt,
  toFloat,
  toNumber,
  toSigned,
} from '../arithmetic/values.ts'
import { type Intrinsic, pure, type Signature } from './intrinsic.ts'

const UNARY: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint: roundHalfEven,
  nearbyint: roundHalfEven,
  roundeven: roundHalfEven,
  round: roundHalfAway,
  canonicalize: x => x,
  // Ours (analysis/lowering/flushSubnormals.ts): a zero of its sign for a number below the normal ones.
  flush: x => (Math.abs(x) < 2 ** -126 ? x * 0 : x),
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  minnum: minimumNumber,
  maxnum: maximumNumber,
  minimumnum: minimumNumber,
  maximumnum: maximumNumber,
  minimum: Math.min,
  maximum: Math.max,
}

const TO_INTEGER: Readonly<Record<string, (x: number) => number>> = {
  lrint: roundHalfEven,
  llrint: roundHalfEven,
  lround: roundHalfAway,
  llround: roundHalfAway,
}

export function floatIntrinsic({ name, result, parameters }: Signature): Intrinsic | undefined {
  const [prefix, operation, second] = name.split('.')
  const operand = parameters[0]
  if (prefix !== 'llvm' || operation === undefined || operand?.kind !== 'float') return undefined
  const format = formatOf(operand)
  const { bits } = operand
  const one = UNARY[operation]
  if (one) return pure(([a]) => fromFloat(one(toFloat(a!, format)), format))
  const two = BINARY[operation]
  if (two) return pure(([a, b]) => fromFloat(two(toFloat(a!, format), toFloat(b!, format)), format))
  const integral = TO_INTEGER[operation]
  if (integral) return pure(([a]) => floatToInteger(integral(toFloat(a!, format)), format, bitsOf(result), true, 'rz'))
  const signBit = 1n << BigInt(bits - 1)
  switch (operation) {
    case 'fabs':
      // Like negation (operations.ts), which it is on the machine.
      if (bits > 16) return pure(([a]) => fromFloat(Math.abs(toFloat(a!, format)), format))
      return pure(([a]) => fromBigInt(toBigInt(a!) & ~signBit, bits))
    case 'copysign':
      return pure(([a, b]) => fromBigInt((toBigInt(a!) & ~signBit) | (toBigInt(b!) & signBit), bits))
    case 'fma':
    case 'fmuladd': {
      const compute = fusedMultiplyAdd(operand)
      return pure(([a, b, c]) => compute(a!, b!, c!))
    }
    case 'ldexp':
      return pure(([a, b]) => fromFloat(scale(toFloat(a!, format), toSigned(b!, 32), format), format))
    case 'frexp':
      return pure(([a]) => split(toFloat(a!, format), format, a!))
    case 'fptosi':
    case 'fptoui':
      // llvm.fpto[su]i.sat: NaN gives 0, unlike PTX's conversion.
      if (second !== 'sat') return undefined
      return pure(([a]) => saturatedInteger(toFloat(a!, format), bitsOf(result), operation === 'fptosi'))
    case 'is':
      return second === 'fpclass' ? pure(([a, mask]) => isClass(a!, toNumber(mask!), format)) : undefined
    default:
      return undefined
  }
}

function scale(x: number, by: number, format: FloatFormat): number {
  if (!Number.isFinite(x) || x === 0) return x
  const { negative, mantissa, exponent } = decompose(x)
  // Beyond this every result is zero or infinite; the bound keeps the shifts small.
  const clamped = Math.max(-5000, Math.min(5000, by))
  return roundExact({ negative, mantissa, exponent: exponent + clamped }, format)
}

function split(x: number, format: FloatFormat, bits: Bits): Bits {
  if (!Number.isFinite(x) || x === 0) return [bits, 0]
  const { negative, mantissa, exponent } = decompose(x)
  const length = mantissa.toString(2).length
  const fraction = Number(mantissa) * powerOfTwo(-length) * (negative ? -1 : 1)
  return [fromFloat(fraction, format), fromBigInt(BigInt(exponent + length), 32)]
}

function saturatedInteger(x: number, bits: number, signed: boolean): Bits {
  if (Number.isNaN(x)) return fromBigInt(0n, bits)
  const width = BigInt(bits)
  const [low, high] = signed ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n]
  const whole = Math.trunc(x)
  return fromBigInt(whole <= Number(low) ? low : whole >= Number(high) ? high : BigInt(whole), bits)
}

/** The bits of LLVM's fpclass mask, by class. */
function isClass(value: Bits, mask: number, format: FloatFormat): number {
  return (mask >> classOf(value, format)) & 1
}

function classOf(value: Bits, format: FloatFormat): number {
  const x = toFloat(value, format)
  if (Number.isNaN(x)) {
    const quietBit = 1n << BigInt(format.precision - 2)
    return (toBigInt(value) & quietBit) === 0n ? 0 : 1
  }
  const negative = x < 0 || Object.is(x, -0)
  const magnitude = Math.abs(x)
  const smallestNormal = powerOfTwo(format === SINGLE ? -126 : format.lastPlace + format.precision - 1)
  if (magnitude === Infinity) return negative ? 2 : 9
  if (magnitude === 0) return negative ? 5 : 6
  if (magnitude < smallestNormal) return negative ? 4 : 7
  return negative ? 3 : 8
}
