/** Arithmetic with one rounding, judged by its definition: no float is nearer to the exact value, kept as a BigInt fraction. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addExact,
  BFLOAT,
  DOUBLE,
  divideExact,
  type FloatFormat,
  fma32,
  fmaExact,
  HALF,
  multiplyExact,
  type Rounding,
  roundHalfAway,
  roundHalfEven,
  roundInteger,
  roundTo,
  SINGLE,
  sqrtExact,
} from '../../src/reference/arithmetic/float.ts'
import { fromFloat, toFloat } from '../../src/reference/arithmetic/values.ts'

/** All finite doubles are integers in units of 2^-1074; products of two in units of 2^-2148. */
const UNIT = 1074n

function scaled(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const field = (bits >> 52n) & 0x7ffn
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const magnitude = field === 0n ? fraction : (fraction | (1n << 52n)) << (field - 1n)
  return bits >> 63n ? -magnitude : magnitude
}

/** The next representable number above or below, by counting the format's bit patterns. */
function neighbour(x: number, direction: 1 | -1, format: FloatFormat): number {
  if (x === 0) return direction * toFloat(fromFloat(2 ** format.lastPlace, format), format)
  const bits = BigInt(fromFloat(x, format))
  const away = x > 0 === direction > 0
  const next = bits + (away ? 1n : -1n)
  return toFloat(format.bits === 64 ? next : Number(next), format)
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

/**
 * Checks that `rounded` is the exact value `numerator / denominator` (in units of 2^-1074) rounded once.
 * Infinity counts as the number that would follow, 2^(maxExponent + 1), to nearest; else as greater than everything.
 */
function expectRounded(
  rounded: number,
  numerator: bigint,
  denominator: bigint,
  format: FloatFormat,
  rounding: Rounding = 'rn',
): void {
  const position = (x: number): bigint => {
    const infinity = rounding === 'rn' ? BigInt(format.maxExponent + 1) + UNIT : 20_000n
    const finite = Number.isFinite(x) ? scaled(x) : (x > 0 ? 1n : -1n) << infinity
    return finite * denominator
  }
  const at = position(rounded)
  const distance = magnitude(numerator - at)
  if (distance === 0n) return
  switch (rounding) {
    case 'rn':
      for (const direction of [1, -1] as const) {
        const next = neighbour(rounded, direction, format)
        if (Number.isNaN(next)) continue
        const other = magnitude(numerator - position(next))
        expect(distance <= other, `${rounded} is not nearest`).toBe(true)
        if (distance === other) expect(BigInt(fromFloat(rounded, format)) % 2n, `${rounded} is not even`).toBe(0n)
      }
      return
    case 'rz':
      expect(magnitude(at) < magnitude(numerator)).toBe(true)
      expect(magnitude(position(neighbour(rounded, numerator < 0n ? -1 : 1, format))) > magnitude(numerator)).toBe(true)
      return
    default: {
      const direction = rounding === 'rp' ? 1 : -1
      expect(at > numerator).toBe(direction > 0)
      const back = position(neighbour(rounded, direction > 0 ? -1 : 1, format))
      expect(back < numerator === direction > 0).toBe(true)
    }
  }
}

const FORMATS = { half: HALF, bfloat: BFLOAT, single: SINGLE, double: DOUBLE }

/** Any finite number of the format, all exponents equally likely, and close to the hard places. */
function floats(format: FloatFormat): fc.Arbitrary<number> {
  const bits = fc.bigInt({ min: 0n, max: (1n << BigInt(format.bits)) - 1n })
  const any = bits.map(value => toFloat(format.bits === 64 ? value : Number(value), format)).filter(Number.isFinite)
  const near = fc
    .record({
      exponent: fc.integer({ min: -12, max: 12 }),
      offset: fc.integer({ min: -3, max: 3 }),
      negative: fc.boolean(),
    })
    .map(({ exponent, offset, negative }) => {
      const value = roundTo(2 ** exponent * (1 + offset * 2 ** (1 - format.precision)), format)
      return negative ? -value : value
    })
  const tiny = fc.integer({ min: -9, max: 9 }).map(n => n * 2 ** format.lastPlace)
  return fc.oneof(any, near, tiny)
}

const rounding = fc.constantFrom<Rounding>('rn', 'rz', 'rm', 'rp')
const SEED = { seed: 20_240_613, numRuns: 3000 }

describe.each(Object.entries(FORMATS))('%s', (_, format) => {
  test('fma', () => {
    fc.assert(
      fc.property(floats(format), floats(format), floats(format), rounding, (a, b, c, mode) => {
        const exact = scaled(a) * scaled(b) + (scaled(c) << UNIT)
        expectRounded(fmaExact(a, b, c, format, mode), exact, 1n << UNIT, format, mode)
      }),
      SEED,
    )
  })

  test('fma of nearly cancelling terms', () => {
    fc.assert(
      fc.property(floats(format), floats(format), rounding, (a, b, mode) => {
        const c = -roundTo(a * b, format)
        fc.pre(Number.isFinite(c))
        const exact = scaled(a) * scaled(b) + (scaled(c) << UNIT)
        expectRounded(fmaExact(a, b, c, format, mode), exact, 1n << UNIT, format, mode)
      }),
      SEED,
    )
  })

  test('add, multiply', () => {
    fc.assert(
      fc.property(floats(format), floats(format), rounding, (a, b, mode) => {
        expectRounded(addExact(a, b, format, mode), scaled(a) + scaled(b), 1n, format, mode)
        expectRounded(multiplyExact(a, b, format, mode), scaled(a) * scaled(b), 1n << UNIT, format, mode)
      }),
      SEED,
    )
  })

  test('divide', () => {
    fc.assert(
      fc.property(floats(format), floats(format), rounding, (a, b, mode) => {
        fc.pre(b !== 0)
        const sign = b < 0 ? -1n : 1n
        expectRounded(divideExact(a, b, format, mode), sign * (scaled(a) << UNIT), sign * scaled(b), format, mode)
      }),
      SEED,
    )
  })

  test('square root', () => {
    fc.assert(
      fc.property(floats(format), rounding, (x, mode) => {
        const a = Math.abs(x)
        const root = sqrtExact(a, format, mode)
        // Compared by squares: root and its neighbours are never half a place from an exact root in these formats.
        const square = (y: number): bigint => scaled(y) ** 2n
        const exact = scaled(a) << UNIT
        const low = Math.max(0, neighbour(root, -1, format))
        const high = neighbour(root, 1, format)
        if (mode === 'rp') expect(square(root) >= exact && (root === 0 || square(low) < exact)).toBe(true)
        else if (mode === 'rn') {
          const half = (y: number): bigint => (scaled(root) + scaled(y)) ** 2n
          expect(half(low) <= 4n * exact && 4n * exact <= half(high)).toBe(true)
        } else expect(square(root) <= exact && exact < square(high)).toBe(true)
      }),
      SEED,
    )
  })
})

test('the fast single precision fma is the exact one', () => {
  fc.assert(
    fc.property(floats(SINGLE), floats(SINGLE), floats(SINGLE), (a, b, c) => {
      expect(fma32(a, b, c)).toBe(fmaExact(a, b, c, SINGLE))
    }),
    { seed: 7, numRuns: 20_000 },
  )
})

test('fma at the edges', () => {
  // Twice rounded, this would give 1 + 2^-23 + 2^-23: the product lies just above a tie.
  const a = 1 + 2 ** -12
  expect(fma32(a, a, 2 ** -60)).toBe(Math.fround(1 + 2 ** -11) + 2 ** -23)
  expect(fma32(a, a, -(2 ** -60))).toBe(Math.fround(1 + 2 ** -11))
  expect(Object.is(fmaExact(1, -0, 0, DOUBLE), 0)).toBe(true)
  expect(Object.is(fmaExact(1, -0, -0, DOUBLE), -0)).toBe(true)
  expect(Object.is(fmaExact(2, 3, -6, DOUBLE, 'rm'), -0)).toBe(true)
  expect(Object.is(fmaExact(2, 3, -6, DOUBLE), 0)).toBe(true)
  expect(Object.is(fmaExact(2 ** -600, -(2 ** -600), 0, DOUBLE), -0)).toBe(true)
  expect(fmaExact(1e308, 1e308, -Infinity, DOUBLE)).toBe(-Infinity)
  expect(fmaExact(Infinity, 0, 1, DOUBLE)).toBeNaN()
  expect(fmaExact(1e308, 10, -1e308, DOUBLE, 'rz')).toBe(Number.MAX_VALUE)
  expect(fma32(2 ** 127, 2, -(2 ** 127))).toBe(2 ** 127)
  expect(fma32(2 ** -149, 2 ** -149, 2 ** -149)).toBe(2 ** -149)
  expect(fma32(2 ** -75, 2 ** -75, 2 ** -149)).toBe(2 ** -148)
})

test('half precision bits', () => {
  for (let bits = 0; bits < 0x1_0000; bits++) {
    const value = toFloat(bits, HALF)
    if (!Number.isNaN(value)) expect(fromFloat(value, HALF)).toBe(bits)
  }
  expect(fromFloat(65520, HALF)).toBe(0x7c00)
  expect(fromFloat(65519.99, HALF)).toBe(0x7bff)
  expect(fromFloat(2 ** -25, HALF)).toBe(0)
  expect(fromFloat(2 ** -25 * 1.001, HALF)).toBe(1)
  expect(fromFloat(NaN, HALF)).toBe(0x7fff)
})

test('rounding to integers', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 2 ** 53 + 1].map(roundHalfEven)).toEqual([0, 2, 2, -0, -2, 2 ** 53 + 1])
  expect([0.5, 1.5, -0.5, 0.49999999999999994, -2.5].map(roundHalfAway)).toEqual([1, 2, -1, 0, -3])
  expect(roundInteger((1n << 24n) + 1n, SINGLE)).toBe(2 ** 24)
  expect(roundInteger((1n << 60n) + (1n << 36n) + 1n, SINGLE)).toBe(2 ** 60 + 2 ** 37)
  expect(roundInteger(-7n, HALF)).toBe(-7)
})
