/** Cycles of loops of fences, against readings of an H100 (scripts/fidelity/cases/fences.json). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { timeParametersOf } from '../../src/metrics/time/timeParameters.ts'
import type { LaunchReport } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

interface Reading {
  readonly kernel: string
  readonly grid: number
  readonly block: number
  /** The longest of all multiprocessors', while they have work. */
  readonly cycles: number
}

const file = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../scripts/fidelity/cases/${name}`, import.meta.url)), 'utf8')
const readings: readonly Reading[] = JSON.parse(file('fences.json')).launches
const place = workshop({ 'fences.cu': file('fences.cu') })
afterAll(() => place.remove())

const h100 = findDevice('H100')
const { clockMHz } = h100
const { launchUs } = timeParametersOf(h100)

let launches: readonly LaunchReport[] = []
beforeAll(async () => {
  const { exitCode, stderr } = await place.run('profile', 'fences.cu', '--device', 'H100', '-o', 'fences.json')
  expect(`${exitCode} ${stderr}`).toMatch(/^0 /)
  launches = parseReport(readFileSync(`${place.folder}/fences.json`, 'utf8'), 'fences').launches
}, 120_000)

// Many system fences share what leads to the host.
const kinds: readonly (readonly [kind: string, of: string, factor: number])[] = [
  ['0, 0', 'the block', 1.4],
  ['0, 1', 'the block, behind a store', 1.6],
  ['1, 0', 'the device', 1.45],
  ['1, 1', 'the device, behind a store', 1.45],
  ['2, 0', 'the system', 2],
]

describe.each(kinds)('fences<%s>: of %s', (kind, _of, factor) => {
  const read = readings.flatMap((reading, at) => (reading.kernel.includes(`<${kind}>`) ? [{ ...reading, at }] : []))

  test.each(read)(`$grid blocks of $block: within ${factor}`, ({ cycles, at }) => {
    const predicted = (launches[at]!.prediction!.us - launchUs) * clockMHz
    expect(Math.abs(Math.log(predicted / cycles))).toBeLessThan(Math.log(factor))
  })
})
