/** What the texture units do: against readings of an H200 (scripts/fidelity/cases/textures.json), and the order of texels in arrays. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machineAddress } from '../../src/metrics/caches/arrayLayout.ts'
import type { LaunchReport } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const file = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const readings: { kernel: string; block: number[]; metrics: Record<string, number> }[] = JSON.parse(
  file('../../scripts/fidelity/cases/textures.json'),
).launches
const place = workshop({ 'units.cu': file('../cases/texture_units.cu') })
afterAll(() => place.remove())

let launches: readonly LaunchReport[] = []
let stdout = ''
beforeAll(async () => {
  const { exitCode, stdout: printed, stderr } = await place.run('profile', 'units.cu', '--set', 'full', '-o', 'r.json')
  expect(stderr).not.toContain('error')
  expect(exitCode).toBe(0)
  stdout = printed
  launches = parseReport(readFileSync(`${place.folder}/r.json`, 'utf8'), 'r.json').launches
}, 120_000)

const metric = (launch: LaunchReport | undefined, name: string) => launch?.metrics[name]?.value

describe.each([
  ['again', 'void again<float, Plane>', 0],
  ['fours', 'void again<float4, Between>', 1],
  ['chain', 'void chain<float, Plane>', 2],
] as const)('%s', (_, kernel, at) => {
  const reading = readings.find(({ kernel: read }) => read.startsWith(kernel))!.metrics

  test.each([
    'smsp__inst_executed_op_texture.sum',
    'smsp__inst_executed_pipe_tex.sum',
    'l1tex__t_requests_pipe_tex_mem_texture.sum',
    'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum',
  ])('%s is what was read', name => expect(metric(launches[at], name)).toBe(reading[name]))

  test('takes as long, within 5 %', () => {
    const us = launches[at]!.prediction!.us
    expect(Math.abs(us / (reading['gpu__time_duration.sum']! / 1000) - 1)).toBeLessThan(0.05)
  })
})

test('the unit is the limiter of lookups that the L1 has', () =>
  expect(launches.slice(0, 2).map(({ prediction }) => prediction?.limiter)).toEqual(['textures', 'textures']))

test('surfaces along rows move twice the sectors of those in squares, reads and writes', () => {
  const [, , , rows, squares] = launches
  const sectors = (512 * 512 * 4) / 32
  const moved = (launch: LaunchReport | undefined) =>
    ['read', 'write'].map(op => metric(launch, `lts__t_sectors_srcunit_tex_op_${op}.sum`))
  expect(moved(rows)).toEqual([2 * sectors, 3 * sectors])
  expect(moved(squares)).toEqual([sectors, 2 * sectors])
  expect(metric(rows, 'smsp__inst_executed_op_surface_ld.sum')).toBe((512 * 512) / 32)
  expect(metric(rows, 'l1tex__t_requests_pipe_tex_mem_surface_op_st.sum')).toBe((4 * 512 * 512) / 32)
})

test('four texels are gathered of one with a single channel; a program may have a `texture` and a `surface` of its own', () =>
  expect(stdout).toContain('184.5 93 93 92\n186.5 94 94 93\n246.5 124 124 123\n'))

test('sites of texels have no counters and are not reported', () =>
  expect(launches.flatMap(({ sites }) => sites.map(({ space }) => space))).not.toContain('texture'))

describe('the machine’s order of an array', () => {
  const layout = (width: number, rows: number) => ({ address: 4096, rowBytes: width, sliceBytes: width * rows })

  test.each([
    [64, 8],
    [96, 24],
    [32, 10],
    [128, 2],
  ])('%i bytes of %i rows each have a place of their own in the array', (width, rows) => {
    const array = layout(width, rows)
    const places = new Set(Array.from({ length: width * rows }, (_, at) => machineAddress(array, 4096 + at)))
    expect(places.size).toBe(width * rows)
    expect(Math.min(...places)).toBe(4096)
    expect(Math.max(...places)).toBe(4096 + width * rows - 1)
  })

  test('a sector is 16 bytes of two rows; one row is as it is', () => {
    const array = layout(128, 16)
    const sectorsOf = (addresses: number[]) => new Set(addresses.map(a => machineAddress(array, a) >> 5)).size
    expect(sectorsOf(Array.from({ length: 32 }, (_, x) => 4096 + 4 * x))).toBe(8)
    expect(sectorsOf(Array.from({ length: 32 }, (_, at) => 4096 + 4 * (at & 3) + 128 * (at >> 2)))).toBe(4)
    expect(machineAddress(layout(128, 1), 4096 + 77)).toBe(4096 + 77)
  })
})
