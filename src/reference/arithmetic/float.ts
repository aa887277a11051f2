/**
 * IEEE 754 arithmetic with one rounding, in any of the four formats and four rounding directions that a GPU has.
 * In and out: JavaScript numbers, which hold every value of every format exactly. The exact result is formed as
 * sign x mantissa x 2^exponent with a BigInt mantissa and rounded once by {@link roundExact}; nothing here is fast
 * except {@link fma32}, which most kernels need.
 */

export interface FloatFormat {
  readonly bits: 16 | 32 | 64
  /** Significand bits, the hidden one included. */
  readonly precision: number
  /** Exponent of the last place of the subnormals: the smallest positive value is 2 ** lastPlace. */
  readonly lastPlace: number
  /** Exponent of the largest binade. */
  readonly maxExponent: number
}

export const HALF: FloatFormat = { bits: 16, precision: 11, lastPlace: -24, maxExponent: 15 }
export const BFLOAT: FloatFormat = { bits: 16, precision: 8, lastPlace: -133, maxExponent: 127 }
export const SINGLE: FloatFormat = { bits: 32, precision: 24, lastPlace: -149, maxExponent: 127 }
export const DOUBLE: FloatFormat = { bits: 64, precision: 53, lastPlace: -1074, maxExponent: 1023 }

/** PTX's names: to nearest even, toward zero, toward minus infinity, toward plus infinity. */
export type Rounding = 'rn' | 'rz' | 'rm' | 'rp'

const scratch = new DataView(new ArrayBuffer(8))

/** A finite number as an exact product: (-1)^negative x mantissa x 2^exponent. */
export interface Exact {
  readonly negative: boolean
  readonly mantissa: bigint
  readonly exponent: number
}

export function decompose(x: number): Exact {
  scratch.setFloat64(0, x)
  const high = scratch.getUint32(0)
  const field = (high >>> 20) & 0x7ff
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(scratch.getUint32(4))
  return field === 0
    ? { negative: high >>> 31 === 1, mantissa: fraction, exponent: -1074 }
    : { negative: high >>> 31 === 1, mantissa: fraction | (1n << 52n), exponent: field - 1075 }
}

/** 2 ** exponent, exactly, for -1074 <= exponent <= 1023. */
export function powerOfTwo(exponent: number): number {
  scratch.setBigUint64(0, exponent >= -1022 ? BigInt(exponent + 1023) << 52n : 1n << BigInt(exponent + 1074))
  return scratch.getFloat64(0)
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/**
 * Rounds mantissa x 2^exponent to the format. `sticky`: the exact magnitude is larger than that by something less than
 * 2^exponent (what a quotient or root leaves); the mantissa must then have more bits than the format's precision.
 */
export function roundExact(
  { negative, mantissa, exponent }: Exact,
  format: FloatFormat,
  rounding: Rounding = 'rn',
  sticky = false,
): number {
  if (mantissa === 0n) return negative ? -0 : 0
  const drop = Math.max(bitLength(mantissa) - format.precision, format.lastPlace - exponent)
  let kept = drop > 0 ? mantissa >> BigInt(drop) : mantissa
  const place = drop > 0 ? exponent + drop : exponent
  if (drop > 0) {
    const rest = mantissa - (kept << BigInt(drop))
    const half = 1n << BigInt(drop - 1)
    const inexact = rest !== 0n || sticky
    const aboveHalf = rest > half || (rest === half && sticky)
    const up =
      rounding === 'rn'
        ? aboveHalf || (rest === half && (kept & 1n) === 1n)
        : inexact && rounding === (negative ? 'rm' : 'rp')
    if (up) kept += 1n
  }
  if (bitLength(kept) + place - 1 > format.maxExponent) return overflow(negative, format, rounding)
  // Exact: kept has at most `precision` significant bits and the product is a value of the format.
  const magnitude = Number(kept) * powerOfTwo(place)
  return negative ? -magnitude : magnitude
}

function overflow(negative: boolean, format: FloatFormat, rounding: Rounding): number {
  const toInfinity = rounding === 'rn' || rounding === (negative ? 'rm' : 'rp')
  const largest = (2 - powerOfTwo(1 - format.precision)) * powerOfTwo(format.maxExponent)
  const magnitude = toInfinity ? Infinity : largest
  return negative ? -magnitude : magnitude
}

/** Rounds a number (exact as a double) to the format. */
export function roundTo(x: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  if (format === DOUBLE || !Number.isFinite(x) || x === 0) return x
  if (format === SINGLE && rounding === 'rn') return Math.fround(x)
  return roundExact(decompose(x), format, rounding)
}

/** Rounds an integer to the format. */
export function roundInteger(value: bigint, format: FloatFormat, rounding: Rounding = 'rn'): number {
  const negative = value < 0n
  if (rounding === 'rn' && value < 2n ** 53n && value > -(2n ** 53n)) return roundTo(Number(value), format)
  return roundExact({ negative, mantissa: negative ? -value : value, exponent: 0 }, format, rounding)
}

/** a x b + c with one rounding. */
export function fmaExact(a: number, b: number, c: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  const product = a * b
  if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) {
    // A finite product must not become infinite beside an infinite c of the other sign.
    return Number.isFinite(a) && Number.isFinite(b) ? c : product + c
  }
  if (a === 0 || b === 0) return c === 0 ? addZeros(product, c, rounding) : c
  const [x, y, z] = [decompose(a), decompose(b), decompose(c)]
  const exponent = Math.min(x.exponent + y.exponent, z.exponent)
  const signed = ({ negative }: Exact, magnitude: bigint) => (negative ? -magnitude : magnitude)
  const sum =
    ((signed(x, x.mantissa) * signed(y, y.mantissa)) << BigInt(x.exponent + y.exponent - exponent)) +
    (signed(z, z.mantissa) << BigInt(z.exponent - exponent))
  if (sum === 0n) return rounding === 'rm' ? -0 : 0
  return roundExact({ negative: sum < 0n, mantissa: sum < 0n ? -sum : sum, exponent }, format, rounding)
}

/** IEEE 754 section 6.3: zeros of equal sign keep it; of unlike signs the sum is -0 only when rounding down. */
function addZeros(x: number, y: number, rounding: Rounding): number {
  if (Object.is(x, y)) return x
  return rounding === 'rm' ? -0 : 0
}

export function addExact(a: number, b: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  return fmaExact(a, 1, b, format, rounding)
}

export function multiplyExact(a: number, b: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  const product = a * b
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return product
  const [x, y] = [decompose(a), decompose(b)]
  const exact = {
    negative: x.negative !== y.negative,
    mantissa: x.mantissa * y.mantissa,
    exponent: x.exponent + y.exponent,
  }
  return roundExact(exact, format, rounding)
}

export function divideExact(a: number, b: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a / b
  const [x, y] = [decompose(a), decompose(b)]
  // 130 more bits than the divisor leave a quotient of at least 77 bits, whatever the dividend.
  const numerator = x.mantissa << 130n
  const mantissa = numerator / y.mantissa
  const exact = { negative: x.negative !== y.negative, mantissa, exponent: x.exponent - y.exponent - 130 }
  return roundExact(exact, format, rounding, mantissa * y.mantissa !== numerator)
}

export function sqrtExact(a: number, format: FloatFormat, rounding: Rounding = 'rn'): number {
  if (!Number.isFinite(a) || a <= 0) return Math.sqrt(a)
  const { mantissa, exponent } = decompose(a)
  const shift = exponent % 2 === 0 ? 130 : 131
  const square = mantissa << BigInt(shift)
  const root = integerRoot(square)
  const exact = { negative: false, mantissa: root, exponent: (exponent - shift) / 2 }
  return roundExact(exact, format, rounding, root * root !== square)
}

/** Largest integer whose square is at most `value` (Newton's iteration from above). */
function integerRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(bitLength(value) / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/**
 * Single precision fma. The product of two singles is exact in double; the sum is rounded to odd there (Boldo and
 * Melquiond, "Emulation of FMA and correctly rounded sums", IEEE TC 2008), after which rounding to single is the only one.
 */
export function fma32(a: number, b: number, c: number): number {
  const product = a * b
  const sum = product + c
  const virtual = sum - product
  const error = product - (sum - virtual) + (c - virtual)
  if (error === 0 || !Number.isFinite(sum)) return Math.fround(sum)
  scratch.setFloat64(0, sum)
  const bits = scratch.getBigUint64(0)
  if ((bits & 1n) === 0n) {
    scratch.setBigUint64(0, error > 0 === sum > 0 ? bits + 1n : bits - 1n)
    return Math.fround(scratch.getFloat64(0))
  }
  return Math.fround(sum)
}

/** To the nearest integer, ties to even (C's rint, PTX's cvt.rni). */
export function roundHalfEven(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x
  const below = Math.floor(x)
  const part = x - below
  const rounded = part < 0.5 || (part === 0.5 && below % 2 === 0) ? below : below + 1
  return rounded === 0 ? (x < 0 || Object.is(x, -0) ? -0 : 0) : rounded
}

/** To the nearest integer, ties away from zero (C's round). */
export function roundHalfAway(x: number): number {
  const whole = Math.trunc(x)
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole
}

/** To an integral value in the direction given. */
export function roundToIntegral(x: number, rounding: Rounding): number {
  switch (rounding) {
    case 'rn':
      return roundHalfEven(x)
    case 'rz':
      return Math.trunc(x)
    case 'rm':
      return Math.floor(x)
    case 'rp':
      return Math.ceil(x)
  }
}
