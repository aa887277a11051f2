/**
 * Launches whose warps or accesses are unlike each other: warps that end early, stores behind long loops, compare-and-swaps of a list.
 * Readings: unseen18 (an H100), programs of the same form.
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { LaunchReport } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const place = workshop({
  // ajayn-Day3-prefix_sum_optimized, block_linear_scan: 50 % of all warps active, 32 of 64, though 7 of 8 have nothing to do.
  'oneOfEight.cu': `
__global__ void scan(const int *a, int *p, int n) {
  int start = blockIdx.x * blockDim.x;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < blockDim.x && start + i < n; i++) { sum += a[start + i]; p[start + i] = sum; }
  }
}
int main() {
  const int n = 16896 * 256;
  int *a, *p;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&p, n * sizeof(int));
  scan<<<n / 256, 256>>>(a, p, n);
}`,
  // maxxf-naive-kernels-softmax: a row a thread; its third loop stores.
  'rows.cu': `
__global__ void rows(const float *in, float *out, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float most = 0;
  for (int k = 0; k < columns; k++) most = fmaxf(most, in[row * columns + k]);
  for (int k = 0; k < columns; k++) out[row * columns + k] = most;
}
int main() {
  const int rows_ = 1024, columns = 4096;
  float *in, *out;
  cudaMalloc(&in, rows_ * columns * sizeof(float));
  cudaMalloc(&out, rows_ * columns * sizeof(float));
  rows<<<4, 256>>>(in, out, columns);
}`,
  // chinm-Day-73-BFS: each neighbour is claimed once, and all are counted at one place.
  'claims.cu': `
__global__ void claims(const int *list, int *owner, int *count, int each) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < each; i++)
    if (atomicCAS(&owner[list[t * each + i]], 0, t + 1) == 0) atomicAdd(count, 1);
}
__global__ void maximum(int *most, const int *of) {
  int mine = of[blockIdx.x * blockDim.x + threadIdx.x], seen = *most;
  while (mine > seen) {
    int before = atomicCAS(most, seen, mine);
    if (before == seen) break;
    seen = before;
  }
}
int main() {
  const int threads = 4096, each = 8;
  int *list, *owner, *count, *host = new int[threads * each];
  for (int i = 0; i < threads * each; i++) host[i] = i * 17 % (threads * each);
  cudaMalloc(&list, threads * each * sizeof(int));
  cudaMalloc(&owner, threads * each * sizeof(int));
  cudaMalloc(&count, 2 * sizeof(int));
  cudaMemset(owner, 0, threads * each * sizeof(int));
  cudaMemset(count, 0, 2 * sizeof(int));
  cudaMemcpy(list, host, threads * each * sizeof(int), cudaMemcpyHostToDevice);
  claims<<<threads / 256, 256>>>(list, owner, count, each);
  maximum<<<threads / 256, 256>>>(count + 1, list);
}`,
})
afterAll(() => place.remove())

async function profiled(name: string): Promise<readonly LaunchReport[]> {
  const { exitCode, stderr } = await place.run('profile', `${name}.cu`, '--set', 'full', '-o', `${name}.json`)
  expect(`${exitCode} ${stderr}`).toMatch(/^0 /)
  return parseReport(readFileSync(`${place.folder}/${name}.json`, 'utf8'), name).launches
}

const metricOf = (launch: LaunchReport | undefined, name: string) => launch!.metrics[name]!.value!

test('warps that end make room: 32 blocks of one warp each are there, not 8', async () => {
  const [scan] = await profiled('oneOfEight')
  const active = metricOf(scan, 'sm__warps_active.avg.pct_of_peak_sustained_active')
  expect(active).toBeGreaterThan(40)
  expect(active).toBeLessThan(52)
}, 60_000)

test('stores behind a loop that is longer than the sample reach L2', async () => {
  const [rows] = await profiled('rows')
  const written = metricOf(rows, 'lts__t_sectors_srcunit_tex_op_write.sum')
  const stored = metricOf(rows, 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum')
  expect(written / stored).toBeGreaterThan(0.1)
  expect(written / stored).toBeLessThanOrEqual(1.01)
}, 60_000)

test('a list is claimed in passing, a maximum is tried for again', async () => {
  const [claims, maximum] = await profiled('claims')
  expect(claims!.prediction!.us).toBeLessThan(100)
  expect(claims!.metrics['smsp__sass_inst_executed_op_global_st.sum']!.fidelity).toBe('modelled')
  expect(maximum!.prediction!.limiter).toBe('atomicContention')
}, 60_000)
