/** Launches by kernels: one launch with the counters of all its grids, against an H100's readings (readings/childGrids.json). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChildStream, familyMicroseconds } from '../../src/metrics/deviceCalls/childGrids.ts'
import type { LaunchReport, Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

type Reading = readonly [
  loads: number,
  stores: number,
  tags: number,
  loadRequests: number,
  loadSectors: number,
  storeRequests: number,
  us: number,
]
const reading = (file: string) => readFileSync(new URL(`./readings/${file}`, import.meta.url), 'utf8')
const { launches: readings } = JSON.parse(reading('childGrids.json')) as { launches: readonly Reading[] }

const shop = workshop({
  'childGrids.cu': reading('childGrids.cu'),
  'lookups.cu': `
__global__ void child(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void parent(cudaTextureObject_t t, float *o) {
  o[32 + threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
  if (threadIdx.x == 0) child<<<1, 64>>>(t, o);
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 256), cudaMalloc(&out, 1024);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in, resource.res.linear.sizeInBytes = 256;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  parent<<<1, 32>>>(texture, out);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

let report: Report
let printed: string
beforeAll(async () => {
  await shop.run('profile', '--device', 'H100', '-o', 'r.json', '--quiet', 'childGrids.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  printed = (await shop.run('profile', '--quiet', 'childGrids.cu')).stdout
}, 120_000)

const LOAD_REQUESTS = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'
const of = (launch: LaunchReport, name: string) => launch.metrics[name]!

describe('counters', () => {
  test('the host has one launch for each of its own', () => expect(report.launches).toHaveLength(readings.length))

  test.each([
    'smsp__sass_inst_executed_op_global_ld.sum',
    'smsp__sass_inst_executed_op_global_st.sum',
    'smsp__sass_l1tex_tags_mem_global.sum',
  ])('%s is exact', name => {
    const column = name.includes('tags') ? 2 : name.includes('_st') ? 1 : 0
    expect(report.launches.map(launch => of(launch, name).value)).toEqual(readings.map(each => each[column]))
    expect(new Set(report.launches.map(launch => of(launch, name).fidelity))).toEqual(new Set(['exact']))
  })

  test('lookups of textures are those of all kernels', async () => {
    await shop.run('profile', '-o', 'l.json', '--quiet', 'lookups.cu')
    const { launches } = parseReport(readFileSync(`${shop.folder}/l.json`, 'utf8'), 'l.json')
    expect(launches.map(launch => of(launch, 'smsp__inst_executed_op_texture.sum').value)).toEqual([3])
  })

  test('requests have the runtime’s, and say that they are modelled', () => {
    const errors = report.launches.flatMap((launch, at) =>
      launch.childGrids === undefined ? [] : [Math.abs(of(launch, LOAD_REQUESTS).value! / readings[at]![3] - 1)],
    )
    expect(errors).toHaveLength(53)
    expect(errors.sort((a, b) => a - b)[26]).toBeLessThan(0.04)
    expect(Math.max(...errors)).toBeLessThan(0.5)
    expect(
      report.launches.filter(({ childGrids }) => childGrids).map(each => of(each, LOAD_REQUESTS).fidelity),
    ).not.toContain('exact')
  })
})

test('times are within a factor of two, on average within a sixth', () => {
  const errors = report.launches.flatMap(({ childGrids, prediction }, at) =>
    childGrids === undefined ? [] : [Math.abs(Math.log(prediction!.us / readings[at]![6]))],
  )
  expect(Math.max(...errors)).toBeLessThan(Math.log(2))
  expect(errors.reduce((a, b) => a + b) / errors.length).toBeLessThan(1 / 6)
})

test('the page says whose counters these are', () =>
  expect(printed).toContain('53 launches: counters and time with those of 1000 grids that kernels launched'))

describe('time of a family', () => {
  interface Grid {
    readonly us: number
    readonly children: readonly {
      readonly launch: Grid
      readonly launcher: { readonly block: number; readonly thread: number }
      readonly stream: ChildStream
    }[]
  }
  const leaf: Grid = { us: 100, children: [] }
  const parent = (
    launchers: readonly (readonly [block: number, thread: number])[],
    stream: ChildStream = 'block',
  ): Grid => ({
    us: 1,
    children: launchers.map(([block, thread]) => ({ launch: leaf, launcher: { block, thread }, stream })),
  })
  const timeOf = (grid: Grid) => familyMicroseconds(grid, ({ us }) => us)

  test('children of one block run one after the other, those of two at once', () => {
    expect(timeOf(leaf)).toBe(100)
    const [first, neighbour, other] = [
      [0, 0],
      [0, 1],
      [1, 0],
    ] as const
    expect(timeOf(parent([first, neighbour]))).toBeGreaterThan(200)
    expect(timeOf(parent([first, other]))).toBeLessThan(150)
    expect(timeOf(parent([first, neighbour], 'own'))).toBeLessThan(150)
  })

  test('families may be deep', () => {
    let grid = leaf
    for (let depth = 0; depth < 100_000; depth++)
      grid = { us: 0, children: [{ launch: grid, launcher: { block: 0, thread: 0 }, stream: 'block' }] }
    expect(timeOf(grid)).toBeGreaterThan(100_000)
  })

  test('tail launches begin when all else has ended', () => {
    const both: Grid = { us: 1, children: [...parent([[0, 0]]).children, ...parent([[1, 0]], 'tail').children] }
    expect(timeOf(both)).toBeGreaterThan(200)
  })
})
