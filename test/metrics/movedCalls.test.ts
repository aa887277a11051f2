/**
 * Calls of functions of mathematics that LLVM moves or makes once lose their places in the source; what the machine needs for them is known
 * all the same. Source: machine code of nvcc 13.0 for 9.0, four sines and cosines in 12 instructions (reading: the rope of unseen38).
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'turns.cu': `#include <cuda_runtime.h>
__global__ void turn(float *o, const float *p, int n) {
  int i = threadIdx.x;
  __shared__ float angles[32];
  angles[i] = p[i];
  __syncthreads();
  if (i > n) return;
  for (int d = 0; d < 8; d += 8) {
    const float4 a = {i * angles[d], i * angles[d + 2], i * angles[d + 4], i * angles[d + 6]};
    float4 s, c;
    __sincosf(a.x, &s.x, &c.x);
    __sincosf(a.y, &s.y, &c.y);
    __sincosf(a.z, &s.z, &c.z);
    __sincosf(a.w, &s.w, &c.w);
    o[i] = s.x * c.y + s.y * c.x + s.z * c.w + s.w * c.z;
  }
}
int main() {
  float *p;
  cudaMalloc(&p, 256);
  turn<<<1, 32>>>(p, p + 32, 64);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

test('they count as the special function unit takes them', async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', '--metrics', 'smsp__inst_executed.sum', 'turns.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  const instructions = launches[0]!.metrics['smsp__inst_executed.sum']!.value as number
  expect(instructions).toBeGreaterThan(30)
  expect(instructions).toBeLessThan(75)
}, 120_000)
