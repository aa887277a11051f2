/** Kernels that time themselves read the modelled device's cycles: what an H200 printed for the same program (clocks.cu and .json). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workshop } from '../cli/harness.ts'

interface Reading {
  readonly name: string
  readonly read: readonly number[]
}

const read = (name: string) => readFileSync(new URL(`../../scripts/fidelity/cases/${name}`, import.meta.url), 'utf8')
const readings: Reading[] = JSON.parse(read('clocks.json'))

const shop = workshop({
  'clocks.cu': read('clocks.cu'),
  'order.cu': `
#include <cstdio>
__device__ long long at[512];
__global__ void blocks(int rounds) {
  __shared__ float s[256];
  long long begin = clock64();
  float x = threadIdx.x;
  if (threadIdx.x < 32) for (int i = 0; i < rounds; i++) x = sinf(x);
  s[threadIdx.x] = x;
  __syncthreads();
  long long end = clock64();
  if (threadIdx.x == 224) { at[2 * blockIdx.x] = begin; at[2 * blockIdx.x + 1] = end; }
  if (s[255 - threadIdx.x] == 0.123f) at[0] = 0;
}
__global__ void locked(int *lock, long long *most) {
  long long begin = clock64();
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
    long long now = clock64() - begin;
    if (now > *most) *most = now;
    __threadfence();
    atomicExch(lock, 0);
  }
}
int main() {
  long long t[512];
  blocks<<<200, 256>>>(100);
  cudaMemcpyFromSymbol(t, at, sizeof t);
  bool waits = true;
  for (int i = 0; i < 200; i++) waits = waits && t[2 * i + 1] - t[2 * i] > 5000;
  printf("warps wait for the slowest: %d\\n", waits);
  long long first = t[1];
  blocks<<<1, 256>>>(100);
  cudaMemcpyFromSymbol(t, at, sizeof t);
  printf("later launches begin later: %d\\n", t[0] > first);
  int *lock; long long *most; cudaMalloc(&lock, 4); cudaMalloc(&most, 8); cudaMemset(lock, 0, 4); cudaMemset(most, 0, 8);
  locked<<<8, 64>>>(lock, most);
  long long waited; cudaMemcpy(&waited, most, 8, cudaMemcpyDeviceToHost);
  printf("the lock is had: %d %s\\n", waited > 0, cudaGetErrorString(cudaDeviceSynchronize()));
}
`,
})
afterAll(() => shop.remove())

test('a wait that never ends is stopped at the time limit', async () => {
  shop.write(
    'endless.cu',
    '__global__ void k(long long *p) { long long a = clock64(); while (clock64() > a - 1) *p = a; }\n' +
      'int main() { long long *p; cudaMalloc(&p, 8); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n',
  )
  const { exitCode, stderr } = await shop.run('run', '--timeout', '12', 'endless.cu')
  expect(stderr).toContain('endless.cu:1: error: the time limit was reached')
  expect(exitCode).not.toBe(0)
}, 60_000)

describe('against an H200', () => {
  const got = new Map<string, readonly number[]>()
  beforeAll(async () => {
    const { stdout } = await shop.run('run', 'clocks.cu')
    for (const line of stdout.split('\n')) {
      const [, name, numbers] = /^(.*?) +(\d[\d.]*(?: \d[\d.]*)?)(?: ms)?$/.exec(line) ?? []
      if (name && numbers) got.set(name.trim(), numbers.split(' ').map(Number))
    }
  }, 120_000)

  /** What is known to differ: code that nobody fetched before, atomics at the near half of L2, loops of barriers that nvcc writes out, L2 wanted by all. */
  const unlike =
    /^(oneLoad|usedLoad|stores|atomicsGlobal|barriers|streamMany 1056|empty32|sharedMany 32 1$|addUnrolled)/

  test.each(readings.filter(({ name }) => !unlike.test(name)))('$name: $read', ({ name, read: [wanted] }) => {
    const factor = got.get(name)![0]! / wanted!
    expect(Math.max(factor, 1 / factor)).toBeLessThan(1.3)
  })

  test('chains through shared memory, L1 and L2, and waits for the clock, within 8 %', () => {
    const known = readings.filter(({ name }) => /Chase|^wait/.test(name) && name !== 'constantChase')
    expect(known.length).toBeGreaterThan(25)
    for (const { name, read: wanted } of known) {
      const factor = got.get(name)![0]! / wanted[0]!
      expect(Math.max(factor, 1 / factor), name).toBeLessThan(1.08)
    }
  })

  test('a loop that waits for its clock goes round as often', () => {
    const { read: wanted } = readings.find(({ name }) => name === 'waitCounted 1')!
    expect(got.get('waitCounted 1')![1]! / wanted[1]!).toBeCloseTo(1, 1)
  })
})

test('warps wait at barriers, launches follow one another, and locks with sleeps are had', async () => {
  const { stdout, exitCode } = await shop.run('run', 'order.cu')
  expect(exitCode).toBe(0)
  expect(stdout).toBe('warps wait for the slowest: 1\nlater launches begin later: 1\nthe lock is had: 1 no error\n')
})

test('the same numbers come in each run, and with all counters', async () => {
  const [first, second] = [await shop.run('run', 'order.cu'), await shop.run('run', '--no-cache', 'order.cu')]
  expect(second.stdout).toBe(first.stdout)
})
