/**
 * Half of the blocks work: a multiprocessor that got two of them takes twice as long as the average one, which has one. Readings of an H200:
 * scripts/fidelity/cases/partBlocks.json (lines of L1, every other block).
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'part.cu': `#include <cuda_runtime.h>
__global__ void lines(float *o, const float *p, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(blockIdx.x & 1)) { o[t] = -1; return; }
  float sum = 0;
  for (int i = 0; i < rounds; i++) sum += p[(threadIdx.x & 31) * 32 + (i & 31)];
  o[t] = sum;
}
int main() {
  float *o, *p;
  cudaMalloc(&o, 400 * 256 * sizeof(float)); cudaMalloc(&p, 4096 * sizeof(float)); cudaMemset(p, 0, 4096 * sizeof(float));
  for (int blocks : {100, 256, 400}) lines<<<blocks, 256>>>(o, p, 128);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

test('within 15 % of 19.5, 36.2 and 53.1 us', async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'part.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  for (const [index, us] of [19.5, 36.2, 53.1].entries())
    expect(Math.abs(launches[index]!.prediction!.us / us - 1)).toBeLessThan(0.15)
}, 120_000)
