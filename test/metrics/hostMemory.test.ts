/**
 * Kernels that read and write page-locked memory of the host ("zero copy") take the bus's time. Readings of an H200 (PCIe 5, 16
 * lanes; gpu__time_duration): 4 MB read 85.0 us, written 81.1 us, 8 MB read and 4 MB written at once 184.5 us.
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'mapped.cu': `#include <cuda_runtime.h>
__global__ void readOnly(const float *a, float *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float x = a[i]; if (x == 12345.f) o[0] = x; } }
__global__ void writeOnly(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void both(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
int main() {
  float *h, *d, *o, *mapped; int n = 1 << 20;
  cudaHostAlloc(&h, 12 << 20, cudaHostAllocMapped); cudaMalloc(&o, 1 << 20); cudaHostGetDevicePointer(&mapped, h, 0); d = mapped;
  readOnly<<<n / 256, 256>>>(d, o, n); writeOnly<<<n / 256, 256>>>(d, n); both<<<n / 256, 256>>>(d, d + n, d + 2 * n, n);
  cudaMalloc(&d, 12 << 20);
  for (int i = 0; i < 3; i++) both<<<n / 256, 256>>>(d, d + n, d + 2 * n, n);
  both<<<n / 256, 256>>>(mapped, mapped + n, mapped + 2 * n, n);
  return cudaDeviceSynchronize();
}
`,
  'sums.cu': `#include <cuda_runtime.h>
__global__ void sum(float *word) { atomicAdd(word, 1.5f); }
int main() {
  float *word; cudaMallocHost(&word, 4);
  sum<<<1, 32>>>(word);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

test('the bus limits them, within 10 % of the readings; device memory is an order of magnitude faster', async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'mapped.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  const predicted = launches.map(({ prediction }) => prediction!)
  const read = [85, 81.1, 184.5]
  for (const [index, us] of read.entries()) {
    expect(predicted[index]!.limiter).toBe('hostLink')
    expect(Math.abs(predicted[index]!.us / us - 1)).toBeLessThan(0.1)
  }
  expect(predicted[3]!.us).toBeLessThan(18)
  expect(launches[2]!.metrics['dram__bytes_read.sum']!.value).toBe(0)
  // Equal counters, other memory: what is known of the launches before it says nothing of the last one.
  expect(predicted[6]!.limiter).toBe('hostLink')
  expect(Math.abs(predicted[6]!.us / read[2]! - 1)).toBeLessThan(0.1)
}, 120_000)

test("a warp's sums of floats at a word of the host's go there one by one (map_test of unseen29: 35.4 us)", async () => {
  await shop.run('profile', '-o', 's.json', '--quiet', 'sums.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/s.json`, 'utf8'), 's.json')
  const { us, limiter } = launches[0]!.prediction!
  expect(limiter).toBe('hostLink')
  expect(Math.abs(us / 35.4 - 1)).toBeLessThan(0.1)
}, 120_000)
