/**
 * A launch lasts as long as its busiest block: blocks beside it that return at once change next to nothing. Reading (unseen10,
 * lscat-18[12]): 380 blocks, of which one thread has 47,500 rounds, take 7,958 us, 1.6 % of the warps that fit being active.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'few.cu': `
__global__ void few(float *out, const float *in, int threads, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = sqrtf(x + k);
  out[i] = x;
}
__global__ void together(float *out, const float *in, int blocks, int rounds) {
  __shared__ float s[256];
  int i = threadIdx.x;
  s[i] = in[i];
  if (blockIdx.x >= blocks) return;
  for (int k = 0; k < rounds; k++) {
    __syncthreads();
    float x = s[255 - i];
    __syncthreads();
    s[i] = x + k;
  }
  out[blockIdx.x * 256 + i] = s[i];
}
int main() {
  float *out, *in;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  cudaMemset(in, 0, 1 << 20);
  for (int blocks : {1, 186}) {
    few<<<blocks, 256>>>(out, in, 20, 5000);
    few<<<blocks, 256>>>(out, in, 256, 5000);
    together<<<blocks, 256>>>(out, in, 1, 1000);
  }
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

let report: Report
beforeAll(async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'few.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
}, 120_000)

const metric = (launch: number, name: string) => report.launches[launch]!.metrics[name]!.value!

test.each([
  [0, 'some threads of one block'],
  [1, 'one block'],
  [2, 'one block with barriers'],
])('launch %i: %s', launch => {
  const [alone, among] = [launch, launch + 3].map(at => metric(at, 'gpu__time_duration.sum')) as [number, number]
  expect(alone).toBeGreaterThan(50_000)
  expect(among / alone).toBeGreaterThan(0.97)
  expect(among / alone).toBeLessThan(1.03)
  expect(metric(launch + 3, 'sm__warps_active.avg.pct_of_peak_sustained_active')).toBeLessThan(14)
})
