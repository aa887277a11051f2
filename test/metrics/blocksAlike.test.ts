/**
 * Blocks that run at once and read the same: they wait for DRAM together, and of those of one multiprocessor one asks L2. Readings of an H200:
 * scripts/fidelity/cases/products.json.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partsThatAsk } from '../../src/metrics/caches/residentBlocks.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const [X, Y] = [1, 2]
const part = (axes: number, ...numbers: Parameters<typeof partsThatAsk>) => partsThatAsk(...numbers)[axes]

describe('the part of the blocks of a multiprocessor that asks', () => {
  test('of one row all have one x, of which 132 is a multiple', () => {
    expect(part(X, { x: 1, y: 512, z: 1 }, 132, 8)).toBeCloseTo(132 / 512)
    expect(part(X, { x: 4, y: 132, z: 1 }, 132, 4)).toBeCloseTo(1 / 4)
    expect(part(Y, { x: 4, y: 132, z: 1 }, 132, 4)).toBe(1)
  })

  test('of eight in a row, the second block of a multiprocessor has another x', () => {
    expect(part(X, { x: 8, y: 33, z: 1 }, 132, 2)).toBe(1)
    expect(part(X, { x: 8, y: 66, z: 1 }, 132, 4)).toBe(1 / 2)
  })

  test('one block each, and what is found by no coordinate', () => {
    expect(partsThatAsk({ x: 8, y: 8, z: 1 }, 132, 4)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(part(0, { x: 132, y: 2, z: 1 }, 132, 2)).toBe(1 / 2)
  })

  test('blocks behind the first ones come as they may', () => {
    const first = part(X, { x: 4, y: 264, z: 1 }, 132, 8)!
    const all = part(X, { x: 4, y: 528, z: 1 }, 132, 8)!
    expect(first).toBeCloseTo(1 / 8)
    expect(all).toBeCloseTo((first + (4 * (1 - (3 / 4) ** 8)) / 8) / 2)
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
