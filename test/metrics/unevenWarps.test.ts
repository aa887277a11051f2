/** Warps of a block that go round loops differently often: the block lives as long as the longest (scripts/fidelity/cases/uneven.cu, an H200). */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

interface Reading {
  readonly kernel: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  readonly ns: number
}

const read = (name: string) => readFileSync(new URL(`../../scripts/fidelity/cases/${name}`, import.meta.url), 'utf8')
const readings: Reading[] = JSON.parse(read('uneven.json'))
const shop = workshop({ 'uneven.cu': read('uneven.cu') })
afterAll(() => shop.remove())

test('loops that each warp of a block leaves at another time', async () => {
  await shop.run('profile', 'uneven.cu', '-o', 'r.json')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  expect(launches.map(({ grid, block }) => [grid, block])).toEqual(readings.map(({ grid, block }) => [grid, block]))
  const factors = launches.map(({ metrics }, at) => metrics['gpu__time_duration.sum']!.value! / readings[at]!.ns)
  const of = (kernel: string) => factors.filter((_, at) => readings[at]!.kernel === kernel)
  for (const factor of of('own')) expect(Math.abs(factor - 1)).toBeLessThan(0.05)
  for (const factor of [...of('triangle'), ...of('triangleBarriers')]) expect(Math.abs(factor - 1)).toBeLessThan(0.2)
  for (const factor of factors) expect(Math.max(factor, 1 / factor)).toBeLessThan(1.7)
}, 120_000)
