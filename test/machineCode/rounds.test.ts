/** Kernels generated from a seed, and which kernels load and store alike but for rounds that are written out. */
import { expect, test } from 'vitest'
import { generateFile } from '../../scripts/machineCode/generator/file.ts'
import { compareCounts, type KernelCounts } from '../../scripts/machineCode/rounds.ts'

const LOAD = 'global load 4'
const STORE = 'global store 4'
const counts = (...[load, store]: number[]) =>
  new Map(
    [
      [LOAD, load ?? 0],
      [STORE, store ?? 0],
    ].filter(([, count]) => count !== 0) as [string, number][],
  )
const kernel = (straight: number[], ...loops: [counts: number[], floats: number, isOuter?: true][]): KernelCounts => ({
  straight: counts(...straight),
  loops: loops.map(([each, floats, isOuter = false]) => ({ accesses: counts(...each), floats, isOuter })),
})

test('a seed is a file, each kernel once', () => {
  const text = generateFile(7, 30)
  expect(text).toBe(generateFile(7, 30))
  expect(text).not.toBe(generateFile(8, 30))
  expect(new Set(text.match(/__global__ void \w+/g)).size).toBe(30)
})

test('sixteen rounds, eight more and four for four and one', () => {
  const theirs = kernel([8, 8], [[16, 16], 16], [[4, 4], 4], [[1, 1], 1])
  expect(compareCounts(theirs, kernel([], [[4, 4], 4], [[1, 1], 1]))).toBe('alike')
  expect(compareCounts(theirs, theirs)).toBe('equal')
})

test('not where a round loads more, or a load stands in front', () => {
  expect(compareCounts(kernel([], [[16, 0], 16]), kernel([], [[8, 0], 4]))).toBe('different')
  expect(compareCounts(kernel([1, 0], [[4, 4], 4]), kernel([], [[8, 4], 4]))).toBe('different')
  expect(compareCounts(kernel([2, 1], [[4, 4], 4]), kernel([1, 1], [[4, 4], 4]))).toBe('different')
})

test('a loop around a loop: rounds of the inner one in it, and one that only stores where there are none', () => {
  const ours = kernel([], [[1, 1], 1, true], [[2, 0], 2])
  expect(compareCounts(kernel([], [[7, 1], 7, true], [[16, 0], 16]), ours)).toBe('alike')
  expect(compareCounts(kernel([], [[0, 1], 0], [[1, 1], 1, true], [[2, 0], 2]), ours)).toBe('alike')
  expect(compareCounts(kernel([], [[1, 2], 1, true], [[2, 0], 2]), ours)).toBe('different')
})
