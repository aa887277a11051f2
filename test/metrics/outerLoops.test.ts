/**
 * Loops around loops whose rounds LLVM writes out by four where their number is known: nvcc does not (PTX of nine nests, nvcc 13.0; an H200's
 * counters of accel-sim's shared_bw, of which `nest` is a shorter form), and what is loaded over their rounds depends on it.
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'outer.cu': `
__global__ void rows(const int *p, const float *q, float *out) {
  float a = 0;
  for (int i = 0; i < 1024; ++i)
    for (int j = p[i]; j < p[i + 1]; ++j) a += q[j];
  out[threadIdx.x] = a;
}
__global__ void nest(float *out) {
  __shared__ float s[12288];
  for (unsigned i = threadIdx.x; i < 12288; i += blockDim.x) s[i] = i;
  float a = 0, b = 0, c = 0, d = 0;
  unsigned n = blockDim.x * gridDim.x, u = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  for (unsigned i = 0; i < 64; ++i) {
    for (unsigned j = u * 4; j < 12288 - 64; j += 4 * n) {
      a += s[j + 0 + i];
      b += s[j + 1 + i];
      c += s[j + 2 + i];
      d += s[j + 3 + i];
    }
  }
  out[u] = a + b + c + d;
}
int main() {
  int h[1025]; for (int i = 0; i <= 1024; i++) h[i] = 3 * i;
  int *p; float *q; cudaMalloc(&p, sizeof h); cudaMalloc(&q, 4096 * sizeof(float)); cudaMemset(q, 0, 4096 * sizeof(float));
  cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
  rows<<<1, 32>>>(p, q, q + 3072); nest<<<1, 1024>>>(q);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

test('each round of the outer loop hands one row end on, and loads words of shared memory by themselves', async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'outer.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  const counted = (index: number, name: string) => launches[index]!.metrics[name]?.value
  expect(counted(0, 'smsp__inst_executed_op_global_ld.sum')).toBe(1025 + 3 * 1024)
  // Three rounds of the inner loop for 31 of 32 warps, two for part of the last: 4 loads each, 4 lanes a bank.
  expect(counted(1, 'smsp__inst_executed_op_shared_ld.sum')).toBe(4 * 64 * (3 * 32))
}, 120_000)
