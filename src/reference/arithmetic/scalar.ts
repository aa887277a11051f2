/**
 * The GPU's approximate functions, as Warplens defines them. Hardware's tables are not documented; these formulas are at
 * least as accurate as what PTX promises (ISA, "ex2.approx", "lg2.approx", "sin.approx", …: 2 ulp or 2^-20.5 absolute) and use
 * nothing but correctly rounded double operations in the order written, so that generated code gets the same bits.
 * In and out: numbers that are single floats unless said otherwise; the last step rounds to single.
 */
import { decompose, powerOfTwo, roundHalfEven } from './float.ts'

/** Horner's scheme, highest coefficient first: each step one multiplication and one addition, not fused. */
function polynomial(x: number, coefficients: readonly number[]): number {
  let sum = 0
  for (const coefficient of coefficients) sum = sum * x + coefficient
  return sum
}

/** 1 / n! for n = 13 … 0, each the nearest double. */
const INVERSE_FACTORIALS = [
  1 / 6227020800,
  1 / 479001600,
  1 / 39916800,
  1 / 3628800,
  1 / 362880,
  1 / 40320,
  1 / 5040,
  1 / 720,
  1 / 120,
  1 / 24,
  1 / 6,
  1 / 2,
  1,
  1,
]

/** 2^x in double, relative error below 1e-15: 2^n x e^(r ln 2), |r| <= 1/2. |x| must be below 1000. */
function exp2Double(x: number): number {
  const n = roundHalfEven(x)
  return polynomial((x - n) * Math.LN2, INVERSE_FACTORIALS) * powerOfTwo(n)
}

export function exp2Approx(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x >= 128) return Infinity
  return x < -160 ? 0 : Math.fround(exp2Double(x))
}

/** 1/17, 1/15, … 1. */
const ODD_INVERSES = [1 / 17, 1 / 15, 1 / 13, 1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3, 1]

/** log2(m 2^e) = e + 2 atanh((m - 1) / (m + 1)) / ln 2 with m between sqrt(1/2) and sqrt(2). */
export function log2Approx(x: number): number {
  if (Number.isNaN(x) || x < 0) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return Infinity
  // A single float, subnormal or not, is a normal double: the mantissa has its 53 bits.
  const { mantissa, exponent } = decompose(x)
  const significand = Number(mantissa) * powerOfTwo(-52)
  const large = significand > Math.SQRT2
  const m = large ? significand * 0.5 : significand
  const e = exponent + 52 + (large ? 1 : 0)
  const s = (m - 1) / (m + 1)
  return Math.fround(e + (2 * s * polynomial(s * s, ODD_INVERSES)) / Math.LN2)
}

/** pi/2 in two parts (Cody and Waite): the first has 33 bits, so that k times it is exact for |k| below 2^20. */
const HALF_PI_HIGH = 1.5707963267341256
const HALF_PI_LOW = 6.077100506506192e-11
const SIN = [-1 / 1307674368000, 1 / 6227020800, -1 / 39916800, 1 / 362880, -1 / 5040, 1 / 120, -1 / 6, 1]
const COS = [-1 / 87178291200, 1 / 479001600, -1 / 3628800, 1 / 40320, -1 / 720, 1 / 24, -1 / 2, 1]

export function sinApprox(x: number): number {
  return quadrantSine(x, 0)
}

export function cosApprox(x: number): number {
  return quadrantSine(x, 1)
}

/** sin(x + turns x pi/2). */
function quadrantSine(x: number, turns: number): number {
  if (!Number.isFinite(x)) return NaN
  // + 0 makes -0 positive, so that r keeps the sign of a zero.
  const k = roundHalfEven(x * (2 / Math.PI)) + 0
  const r = x - k * HALF_PI_HIGH - k * HALF_PI_LOW
  const quadrant = k + turns - 4 * Math.floor((k + turns) / 4)
  const value = quadrant % 2 === 0 ? r * polynomial(r * r, SIN) : polynomial(r * r, COS)
  return Math.fround(quadrant >= 2 ? -value : value)
}

export function tanhApprox(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (Math.abs(x) < 2 ** -12) return x
  const power = exp2Double(-2 * Math.min(Math.abs(x), 64) * Math.LOG2E)
  const value = Math.fround((1 - power) / (1 + power))
  return x < 0 ? -value : value
}

/** PTX's .ftz: subnormal single floats become zero of the same sign. */
export function flushToZero(x: number): number {
  return Math.abs(x) < 2 ** -126 ? (x < 0 || Object.is(x, -0) ? -0 : 0) : x
}

/** PTX's .sat: to [0, 1]; NaN to +0. */
export function saturate(x: number): number {
  if (Number.isNaN(x) || x <= 0) return 0
  return Math.min(x, 1)
}
