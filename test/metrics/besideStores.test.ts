/** Loads just in front of a store to their own sector: L1 has them every other time only. `add` and `scale` as an H200 counts them (serial.cu). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
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

// Reading: `kernel_extend2` of HeCBench, a cell of a row that is loaded, and overwritten with the one before it.
test.each([
  ['with what was there before', 'store i32 %n, ptr %p, align 4\n  %x = add i32 %v, 1', true],
  ['with what is made of it', '%x = add i32 %v, 1\n  store i32 %x, ptr %p, align 4', undefined],
  ['behind its use', '%x = add i32 %v, 1\n  store i32 %n, ptr %p, align 4', undefined],
])('a word that is overwritten %s', (_, body, isBeside) => {
  const text = `define ptx_kernel void @k(ptr %p, ptr %o, i32 %n) {
  %v = load i32, ptr %p, align 4
  ${body}
  store i32 %x, ptr %o, align 4
  ret void
}`
  const { sites } = prepareKernel(readModule(text, 'k.cu'), 'k')
  expect(sites.find(({ op }) => op === 'load')?.nearStore?.isBeside).toBe(isBeside)
})
