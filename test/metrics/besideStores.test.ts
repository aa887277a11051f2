/** Loads just in front of a store to their own sector: L1 has them every other time only. `add` and `scale` as an H200 counts them (serial.cu). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'beside.cu': `
__global__ void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + y[i]; }
__global__ void restricted(int n, const float *__restrict__ x, float *__restrict__ y) { for (int i = 0; i < n; i++) y[i] = x[i] + y[i]; }
__global__ void scale(int n, float *y) { for (int i = 0; i < n; i++) y[i] *= 2; }
__global__ void strided(int n, const float *x, float *y) { for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] + y[i]; }
int main() {
  const int n = 16384;
  float *m; cudaMalloc(&m, 2 * n * sizeof(float)); cudaMemset(m, 0, 2 * n * sizeof(float));
  add<<<1, 1>>>(n, m, m + n); restricted<<<1, 1>>>(n, m, m + n); scale<<<1, 1>>>(n, m); strided<<<1, 256>>>(n, m, m + n);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

let report: Report
beforeAll(async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'beside.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
}, 120_000)

test.each([
  ['add', 21_504],
  ['restricted', 28_672],
  ['scale', 14_336],
  ['strided', 0],
])('%s finds %i sectors in L1, within 5 %%', (kernel, read) => {
  const launch = report.launches.find(({ name }) => name === kernel)!
  const hits = launch.metrics['l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum']?.value as number
  expect(Math.abs(hits - read)).toBeLessThanOrEqual(0.05 * read)
})
