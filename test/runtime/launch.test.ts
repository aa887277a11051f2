/** What a launch hands to the executor, and what it tells the program. */
import { afterAll, expect, test } from 'vitest'
import type { Fault } from '../../src/launch.ts'
import { closeClang, recorder, runSource } from './programs.ts'

afterAll(closeClang)
const slow = { timeout: 180_000 }

test('arguments of every kind, dynamic shared memory, streams', slow, async () => {
  const executor = recorder()
  const { result, stdout } = await runSource(
    `#include <cstdio>
     struct Pair { char c; double d; };
     template <class F> __global__ void lambda(F f, int *p) { p[threadIdx.x] = f(threadIdx.x); }
     __global__ void kernel(char c, short s, bool b, Pair pair, int *p, long long l, float3 v) { p[0] = c + s + b + pair.c + l + v.z + pair.d; }
     int main(int argc, char **argv) {
       int *p; cudaMalloc(&p, 64);
       cudaStream_t stream; cudaStreamCreate(&stream);
       int local = 5; float w = 2;
       kernel<<<dim3(2, 3, 4), dim3(8, 4), 1000, stream>>>('a', -2, true, Pair{'b', 1.5}, p, 1LL << 40, make_float3(1, 2, 3));
       auto f = [=] __device__(int i) { return i * w + local; };
       lambda<<<1, 32>>>(f, p);
       lambda<<<1, 33>>>([=] __device__(int i) { return i - local; }, p);
       printf("%d\\n", (int)cudaDeviceSynchronize());
     }`,
    executor,
  )
  expect(stdout).toBe('0\n')
  const [first, second, third] = executor.requests
  expect(first).toMatchObject({ grid: { x: 2, y: 3, z: 4 }, block: { x: 8, y: 4, z: 1 }, dynamicSharedBytes: 1000 })
  const view = new DataView(first!.parameters.buffer)
  expect(first!.program.parameterOffsets).toEqual([0, 2, 4, 8, 24, 32, 40])
  expect([
    view.getInt8(0),
    view.getInt16(2, true),
    view.getUint8(4),
    view.getInt8(8),
    view.getFloat64(16, true),
  ]).toEqual([97, -2, 1, 98, 1.5])
  expect(view.getBigInt64(32, true)).toBe(1n << 40n)
  expect(view.getFloat32(48, true)).toBe(3)
  expect(new DataView(second!.parameters.buffer).getFloat32(0, true)).toBe(2)
  expect(new DataView(second!.parameters.buffer).getInt32(4, true)).toBe(5)
  expect(third!.program.kernel.name).not.toBe(second!.program.kernel.name)
  expect(result.launches.map(({ stream, index, sharedBytes }) => [index, stream, sharedBytes.dynamic])).toEqual([
    [0, 1, 1000],
    [1, 0, 0],
    [2, 0, 0],
  ])
})

test('a launch that cannot be gets the real error and reaches no executor', slow, async () => {
  const executor = recorder()
  const { stdout } = await runSource(
    `#include <cstdio>
     __global__ void k(int *p) { extern __shared__ int s[]; __shared__ int t[256]; t[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[threadIdx.x] + t[31 - threadIdx.x]; }
     static void show(const char *what) { printf("%s: %s / %s\\n", what, cudaGetErrorName(cudaPeekAtLastError()), cudaGetErrorString(cudaGetLastError())); }
     static void helper(int *) {}
     int main() {
       k<<<0, 32>>>(nullptr); show("no blocks");
       k<<<1, 0>>>(nullptr); show("no threads");
       k<<<1, 2000>>>(nullptr); show("2000 threads");
       k<<<1, dim3(1, 1, 65)>>>(nullptr); show("z");
       k<<<dim3(1, 70000), 1>>>(nullptr); show("grid y");
       k<<<1, 32, 50000>>>(nullptr); show("shared");
       printf("%d\\n", cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448)); cudaGetLastError();
       printf("%d\\n", cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
       k<<<1, 32, 200000>>>(nullptr); show("opted in");
       k<<<1, 32, 0, (cudaStream_t)0x12340>>>(nullptr); show("stream");
       int *p = nullptr; void *args[] = {&p};
       cudaLaunchKernel((const void *)helper, dim3(1), dim3(1), args, 0, 0); show("function");
       k<<<1, 1>>>(nullptr); show("good");
     }`,
    executor,
  )
  expect(stdout).toBe(
    [
      ...['no blocks', 'no threads', '2000 threads', 'z', 'grid y'].map(
        what => `${what}: cudaErrorInvalidConfiguration / invalid configuration argument`,
      ),
      'shared: cudaErrorInvalidValue / invalid argument',
      '1',
      '0',
      'opted in: cudaSuccess / no error',
      'stream: cudaErrorInvalidResourceHandle / invalid resource handle',
      'function: cudaErrorInvalidDeviceFunction / invalid device function',
      'good: cudaSuccess / no error',
      '',
    ].join('\n'),
  )
  expect(executor.requests.length).toBe(2)
})

test('a kernel with more static shared memory than nvcc compiles is refused', slow, async () => {
  const source = `__global__ void big(float *p) { __shared__ float t[12289]; t[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[0] = t[31 - threadIdx.x]; }
     int main() { big<<<1, 32>>>(nullptr); }`
  await expect(runSource(source, recorder())).rejects.toThrow(/has 49156 bytes of static shared memory, 49152 at most/)
})

const zero = { x: 0, y: 0, z: 0 }
const fault: Fault = {
  kind: 'illegal-address',
  message: 'a store of 4 bytes to no memory',
  block: { ...zero, y: 2 },
  thread: { ...zero, x: 7 },
  address: 0x9000_0000,
  accessBytes: 4,
  location: { file: 'test.cu', line: 3, column: 9, scope: 'k' },
}

test('a fault sticks: it surfaces at the next synchronising call and stays', slow, async () => {
  const executor = recorder(fault)
  const { stdout, stderr, result } = await runSource(
    `#include <cstdio>
     __global__ void k(int *p) { p[0] = 1; }
     int main() {
       int *p; cudaMalloc(&p, 64);
       k<<<1, 1>>>(p); printf("%d ", cudaGetLastError());
       printf("%d %d ", cudaDeviceSynchronize(), cudaGetLastError());
       k<<<1, 1>>>(p); printf("%d ", cudaGetLastError());
       printf("%d %d %s\\n", cudaMalloc(&p, 4), cudaFree(p), cudaGetErrorString(cudaGetLastError()));
       return 4;
     }`,
    executor,
  )
  expect(stdout).toBe('0 700 700 700 700 700 an illegal memory access was encountered\n')
  expect(stderr).toMatch(
    /^test\.cu:3:9: error: a store of 4 bytes to no memory\n {2}note: in kernel _Z1kPi, block \(0,2,0\), thread \(7,0,0\)\n {2}note: address 0x90000000 is \d+ bytes past the end of the 64-byte allocation/,
  )
  expect(result).toMatchObject({ exitCode: 4, failure: { code: 'kernel-illegal-address' } })
  expect(executor.requests.length).toBe(1)
})

test.each([
  ['misaligned-address', 716],
  ['trap', 719],
  ['assert', 710],
  ['deadlock', 702],
  ['illegal-instruction', 715],
] as const)('%s is error %i', slow, async (kind, code) => {
  const { result } = await runSource(
    '__global__ void k(int *p) { p[0] = 1; } int main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() >> 1; }',
    recorder({ ...fault, kind }),
  )
  expect(result.exitCode).toBe(code >> 1)
})

test('a time limit that strikes in a kernel is no error of the program: it ends there', slow, async () => {
  const { result, stdout } = await runSource(
    `#include <cstdio>
     __global__ void k(int *p) { p[0] = 1; }
     int main() { printf("begun\\n"); k<<<1, 1>>>(nullptr); printf("%d\\n", cudaDeviceSynchronize()); }`,
    recorder({ ...fault, kind: 'timeout' }),
  )
  expect(stdout).toBe('begun\n')
  expect(result).toMatchObject({ exitCode: 3, failure: { code: 'kernel-timeout' } })
})

test('kernels tell their attributes and occupancy; what they print comes in program order', slow, async () => {
  const { stdout } = await runSource(
    `#include <cstdio>
     __global__ void k(int *p) { __shared__ int t[1024]; t[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[0] = t[31 - threadIdx.x]; }
     int main() {
       cudaFuncAttributes a; cudaFuncGetAttributes(&a, k);
       int blocks, grid, size;
       cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 1024, 0);
       cudaOccupancyMaxPotentialBlockSize(&grid, &size, k);
       printf("before\\npartial "); k<<<1, 1>>>(nullptr); printf("after\\n");
       printf("%d %d %d %d %d %d\\n", (int)a.sharedSizeBytes, a.maxThreadsPerBlock, a.binaryVersion, blocks, grid, size);
     }`,
    recorder(undefined, request => request.print('kernel\n')),
  )
  expect(stdout).toBe('before\npartial kernel\nafter\n4096 1024 90 2 264 1024\n')
})
