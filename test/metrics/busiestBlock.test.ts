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
__global__ void stride(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2;
}
__global__ void queue(float *out, const float *in, int *next, int tiles) {
  __shared__ int tile;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= tiles) return;
    float x = in[tile * 256 + threadIdx.x];
    for (int k = 0; k < 50; k++) x = sqrtf(x + k);
    out[tile * 256 + threadIdx.x] = x;
  }
}
__global__ void rare(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = sqrtf(x + k);
  if (blockIdx.x == 7) for (int k = 0; k < 400; k++) x = sqrtf(x - k);
  out[i] = x;
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
  int *next;
  cudaMalloc(&next, 4);
  cudaMemset(next, 0, 4);
  stride<<<500, 256>>>(out, in, 500 * 256);
  stride<<<500, 256>>>(out, in, 500 * 256 + 32);
  queue<<<132, 256>>>(out, in, next, 132 * 4);
  for (int rounds : {40, 80}) rare<<<500, 256>>>(out, in, rounds);
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

test('a loop that one warp goes through twice is no busy block', () => {
  const [once, twice] = [6, 7].map(at => metric(at, 'gpu__time_duration.sum')) as [number, number]
  expect(twice / once).toBeLessThan(1.6)
})

test('what blocks take from a queue is not counted for the one that runs first here', () => {
  // Four tiles a block, each of about 50 roots one after the other.
  expect(metric(8, 'gpu__time_duration.sum')).toBeLessThan(20_000)
})

test('work that few warps come to is what the busiest block has more of', () => {
  const [less, more] = [9, 10].map(at => metric(at, 'gpu__time_duration.sum')) as [number, number]
  const round = (more - less) / 40
  // 400 rounds beside 40: those of all blocks are not more in this one.
  expect(less / round).toBeGreaterThan(400)
  expect(less / round).toBeLessThan(700)
})
