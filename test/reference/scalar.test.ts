/** The approximate functions against double precision: as near as PTX promises, and right at the special values. */
import { expect, test } from 'vitest'
import {
  cosApprox,
  exp2Approx,
  flushToZero,
  log2Approx,
  sinApprox,
  tanhApprox,
} from '../../src/reference/arithmetic/scalar.ts'

/** Largest relative error over numbers spread between two bounds, in units of 2^-24. */
function worst(approximate: (x: number) => number, exact: (x: number) => number, low: number, high: number): number {
  let largest = 0
  for (let i = 0; i <= 2000; i++) {
    const x = Math.fround(low + ((high - low) * i) / 2000)
    const error = Math.abs(approximate(x) - exact(x)) / Math.max(Math.abs(exact(x)), 2 ** -20)
    largest = Math.max(largest, error * 2 ** 24)
  }
  return largest
}

test('within one unit in the last place', () => {
  expect(worst(exp2Approx, x => 2 ** x, -125, 127.9)).toBeLessThan(1.01)
  expect(worst(log2Approx, Math.log2, 0.01, 100)).toBeLessThan(1.01)
  expect(worst(sinApprox, Math.sin, -100, 100)).toBeLessThan(1.01)
  expect(worst(cosApprox, Math.cos, -100, 100)).toBeLessThan(1.01)
  expect(worst(tanhApprox, Math.tanh, -12, 12)).toBeLessThan(1.01)
})

test('special values', () => {
  expect([exp2Approx(128), exp2Approx(-Infinity), exp2Approx(NaN), exp2Approx(-149)]).toEqual([
    Infinity,
    0,
    NaN,
    2 ** -149,
  ])
  expect([log2Approx(0), log2Approx(-1), log2Approx(Infinity), log2Approx(8), log2Approx(2 ** -149)]).toEqual([
    -Infinity,
    NaN,
    Infinity,
    3,
    -149,
  ])
  expect([sinApprox(0), cosApprox(0), sinApprox(Infinity), sinApprox(-0)]).toEqual([0, 1, NaN, -0])
  expect([tanhApprox(1000), tanhApprox(-1000), tanhApprox(0)]).toEqual([1, -1, 0])
  expect([flushToZero(-(2 ** -127)), flushToZero(2 ** -126)]).toEqual([-0, 2 ** -126])
})
