/** What malloc and free of kernels move and take, against readings of one to 33,792 threads (readings/heap.json). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

type Reading = readonly [us: number, loads: number, stores: number]
type Row = readonly [bytes: number, blocks: number, threads: number, take: Reading, give: Reading]
const { launches } = JSON.parse(readFileSync(new URL('./readings/heap.json', import.meta.url), 'utf8')) as {
  launches: readonly Row[]
}

const shop = workshop({
  'heap.cu': `#include <cstdio>
__global__ void take(void **p, size_t n) { p[blockIdx.x * blockDim.x + threadIdx.x] = malloc(n); }
__global__ void give(void **p) { free(p[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void neither(void **p) { if (p[threadIdx.x]) free(malloc(8)); }
int main() {
  void **p;
  cudaMalloc(&p, 33792 * sizeof(void *));
${launches.map(([bytes, blocks, threads]) => `  take<<<${blocks}, ${threads}>>>(p, ${bytes}); give<<<${blocks}, ${threads}>>>(p);`).join('\n')}
  cudaMemset(p, 0, 32 * sizeof(void *));
  neither<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

let report: Report
beforeAll(async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'heap.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
}, 120_000)

const LOADS = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'
const STORES = 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'
const TIME = 'gpu__time_duration.sum'
const of = (launch: number, name: string): number => report.launches[launch]!.metrics[name]!.value!

describe.each([
  ['malloc', 0],
  ['free', 1],
])('%s', (_, place) => {
  test.each(launches.map((row, index) => [...row, index] as const))('%i bytes, %i x %i threads', (...row) => {
    const [, blocks, threads, , , index] = row
    const [us, loads, stores] = row[3 + place] as Reading
    const launch = 2 * index + place
    const isOneWarp = blocks === 1 && threads <= 32
    const ratio = of(launch, TIME) / 1000 / us
    expect(ratio).toBeGreaterThan(isOneWarp ? 0.75 : 0.3)
    expect(ratio).toBeLessThan(isOneWarp ? 1.25 : 3)
    if (!isOneWarp) return
    expect(Math.abs(of(launch, LOADS) / loads - 1)).toBeLessThan(0.4)
    expect(Math.abs(of(launch, STORES) - stores)).toBeLessThanOrEqual(8)
    expect(report.launches[launch]!.metrics[LOADS]!.fidelity).toBe('modelled')
  })
})

test('calls that no warp comes to cost nothing', () => {
  const { length } = report.launches
  expect([of(length - 1, LOADS), of(length - 1, STORES)]).toEqual([1, 0])
  expect(of(length - 1, TIME)).toBeLessThan(5000)
})
