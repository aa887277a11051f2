/** Times and DRAM traffic of accesses far apart, against readings of an H200 (scripts/fidelity/cases/scattered.json). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaunchReport } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

interface Reading {
  readonly kernel: string
  readonly blocks: number
  readonly threads: number
  readonly megabytes?: number
  readonly ns: number
  readonly dramRead: number
}

const file = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../scripts/fidelity/cases/${name}`, import.meta.url)), 'utf8')
const readings: readonly Reading[] = JSON.parse(file('scattered.json'))
const place = workshop({ 'scattered.cu': file('scattered.cu') })
afterAll(() => place.remove())

async function profiled(group: string): Promise<readonly LaunchReport[]> {
  const args = ['--metrics', 'gpu__time_duration.sum,dram__bytes_read.sum', '-o', `${group}.json`, '--', group]
  const { exitCode, stderr } = await place.run('profile', 'scattered.cu', ...args)
  expect(`${exitCode} ${stderr}`).toMatch(/^0 /)
  return parseReport(readFileSync(`${place.folder}/${group}.json`, 'utf8'), group).launches
}

describe('read in no order', () => {
  const read = readings.filter(({ kernel }) => kernel === 'gather')
  let launches: readonly LaunchReport[] = []
  beforeAll(async () => void (launches = await profiled('gather')), 120_000)

  // What fits L2 (16 and 32 MB) is not where DRAM limits.
  test.each(read.flatMap(({ megabytes, blocks }, at) => (megabytes! > 32 ? [[megabytes, blocks, at] as const] : [])))(
    '%i MB by %i blocks: DRAM reads within 10 %, time within 8 %',
    (_megabytes, _blocks, at) => {
      const { prediction, metrics } = launches[at]!
      expect(Math.abs(metrics['dram__bytes_read.sum']!.value! / read[at]!.dramRead - 1)).toBeLessThan(0.1)
      expect(Math.abs((1000 * prediction!.us) / read[at]!.ns - 1)).toBeLessThan(0.08)
    },
  )

  test('what fits is read once', () => {
    expect(launches[0]!.metrics['dram__bytes_read.sum']!.value! / read[0]!.dramRead).toBeCloseTo(1, 0)
    expect(launches[0]!.prediction!.limiter).not.toBe('dram')
  })
})

describe('work in some blocks only', () => {
  const read = readings.filter(({ kernel }) => kernel === 'workFirst')
  let launches: readonly LaunchReport[] = []
  beforeAll(async () => void (launches = await profiled('work')), 120_000)

  test.each(read.map(({ blocks }, at) => [blocks, at] as const))(
    'the first of %i: within 15 %, no warp of a block does the others’ work',
    (_, at) => expect(Math.abs((1000 * launches[at]!.prediction!.us) / read[at]!.ns - 1)).toBeLessThan(0.15),
  )
})

describe('rows stored a thread each, by fewer multiprocessors than there are', () => {
  const read = readings.filter(({ kernel }) => /^row/.test(kernel))
  let launches: readonly LaunchReport[] = []
  beforeAll(async () => void (launches = await profiled('rows')), 120_000)

  // What L2 holds of stored lines limits larger ones (docs/time-model.md, known errors).
  const few = read.flatMap(({ kernel, blocks, threads }, at) =>
    kernel === 'rowStores' && blocks * threads <= 64 * 128 ? [[blocks, threads, at] as const] : [],
  )
  test.each(few)('%i blocks of %i: a line every two cycles of each, within 20 %', (_blocks, _threads, at) => {
    const { prediction } = launches[at]!
    expect(prediction!.limiter).toBe('stores')
    expect(Math.abs((1000 * prediction!.us) / read[at]!.ns - 1)).toBeLessThan(0.2)
  })
})
