/**
 * Blocks that run at once and read the same: they wait for DRAM together, and of those of one multiprocessor one asks L2. Readings of an H200:
 * scripts/fidelity/cases/products.json.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dim3 } from '../../src/launch.ts'
import { partsThatAsk } from '../../src/metrics/caches/residentBlocks.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const [X, Y] = [1, 2]
const rows = (x: number, y: number) => ({ x, y, z: 1 })
const parts = (grid: Dim3, resident: number, coalesces = false, warps = resident) =>
  partsThatAsk({ grid, multiprocessors: 132, resident, warps, coalesces })

describe('the part of the blocks of a multiprocessor that asks', () => {
  test('of one row all have one x, of which 132 is a multiple', () => {
    expect(parts(rows(1, 512), 8)[X]).toBeCloseTo(132 / 512)
    expect(parts(rows(4, 132), 4)[X]).toBeCloseTo(1 / 4)
    expect(parts(rows(4, 132), 4)[Y]).toBe(1)
  })

  test('of eight in a row, the second block of a multiprocessor has another x', () => {
    expect(parts(rows(8, 33), 2)[X]).toBe(1)
    expect(parts(rows(8, 66), 4)[X]).toBe(1 / 2)
  })

  test('one block each, and what is found by no coordinate', () => {
    expect(parts(rows(8, 8), 4)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(parts(rows(132, 2), 2)[0]).toBe(1 / 2)
  })

  test('blocks behind the first ones come as they may', () => {
    const first = parts(rows(4, 264), 8)[X]!
    expect(first).toBeCloseTo(1 / 8)
    expect(parts(rows(4, 528), 8)[X]).toBeCloseTo((first + (4 * (1 - (3 / 4) ** 8)) / 8) / 2)
  })
})

describe('requests for a line that a GPC makes one of', () => {
  const merged = (part: number) => 0.7 * part + 0.3

  test('four of 16 neighbours, and of those with one x', () => {
    expect(parts(rows(1, 128), 1, true)[X]).toBeCloseTo(merged(1 / 4), 1)
    expect(parts(rows(4, 32), 1, true)[X]).toBeCloseTo(merged(1 / 4), 1)
    expect(parts(rows(8, 16), 1, true)[X]).toBeCloseTo(merged(1 / 2), 1)
    expect(parts(rows(16, 8), 1, true)[X]).toBeGreaterThan(merged(0.9))
  })

  test('fewer, the more warps there are; none where blocks come one after the other', () => {
    expect(parts(rows(1, 128), 1, true, 64)[X]).toBeCloseTo(0.35 / 4 + 0.65, 1)
    expect(parts(rows(1, 264), 1, true)[X]).toBe(1)
  })
})

describe('against an H200', () => {
  const file = fileURLToPath(new URL('../../scripts/fidelity/cases/products.cu', import.meta.url))
  const readings = JSON.parse(
    readFileSync(new URL('../../scripts/fidelity/cases/products.json', import.meta.url), 'utf8'),
  ).launches as { metrics: Record<string, number> }[]
  const shop = workshop({ 'products.cu': readFileSync(file, 'utf8') })
  const predicted: number[] = []
  beforeAll(async () => {
    await shop.run('profile', '-o', 'r.json', '--quiet', 'products.cu')
    const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
    predicted.push(...launches.map(({ prediction }) => prediction!.us))
  }, 240_000)
  afterAll(() => shop.remove())

  test('46 products, layers and vectors, each within 30 %', () => {
    const factors = readings.map(({ metrics }, at) => predicted[at]! / (metrics['gpu__time_duration.sum']! / 1e3))
    expect(factors).toHaveLength(46)
    for (const factor of factors) expect(Math.abs(factor - 1)).toBeLessThan(0.3)
  })
})
