/**
 * Relocatable code (`nvcc -rdc=true`): nvlink places shared variables, so that ptxas does not know where they are. Numbers from nvcc 13.0's
 * machine code for sm_90 of the same kernels, with and without the flag, and from `nvcc -dlink` (the offsets).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layoutShared } from '../../src/analysis/facts/layout.ts'
import { leavePlacesToLinker } from '../../src/ir/link.ts'
import { readModule } from '../../src/ir/read.ts'
import { profileFile } from '../../src/node/index.ts'

const KERNELS = `#include <cstdio>
extern __shared__ float dynamic[];
__global__ void rows(float *o, const float *a) {
  __shared__ float t[4][32];
  t[threadIdx.x / 8][threadIdx.x % 8] = a[threadIdx.x];
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 32; k++) s += t[threadIdx.x / 8][k];
  o[threadIdx.x] = s;
}
__global__ void aligned(float4 *o, const float *a) {
  __shared__ float4 t[8];
  ((float *)t)[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x / 4];
}
__global__ void unsized(float *o, const float *a) {
  dynamic[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  const float *p = dynamic + threadIdx.x / 4 * 4;
  o[threadIdx.x] = p[0] + p[1] + p[2] + p[3];
}
__global__ void words(int *o, const int *a) {
  __shared__ int x, y;
  if (threadIdx.x == 0) x = a[0], y = a[1];
  __syncthreads();
  o[threadIdx.x] = x + y;
}
int main() {
  float *a, *o;
  cudaMalloc(&a, 4096);
  cudaMalloc(&o, 4096);
  cudaMemset(a, 0, 4096);
  rows<<<1, 32>>>(o, a);
  aligned<<<1, 32>>>((float4 *)o, a);
  unsized<<<1, 32, 128>>>(o, a);
  words<<<1, 32>>>((int *)o, (int *)a);
  return cudaDeviceSynchronize();
}
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warplens-relocatable-'))
  writeFileSync(join(folder, 'k.cu'), KERNELS)
})
afterAll(() => rmSync(folder, { recursive: true }))

const LOADS = 'smsp__sass_inst_executed_op_shared_ld.sum'
const STORES = 'smsp__sass_inst_executed_op_shared_st.sum'

test.each([
  [false, [8, 1, 1, 1], [1, 1, 1, 1]],
  [true, [32, 1, 1, 2], [1, 1, 1, 2]],
])('relocatable %s: loads and stores of shared memory', { timeout: 60_000 }, async (relocatable, loads, stores) => {
  const { report } = await profileFile('k.cu', { workingDirectory: folder, relocatable, metrics: [LOADS, STORES] })
  const valuesOf = (name: string) => report.launches.map(({ metrics }) => metrics[name]?.value)
  expect(valuesOf(LOADS)).toEqual(loads)
  expect(valuesOf(STORES)).toEqual(stores)
})

test('the most aligned lie first, of these the shortest, of these the last declared', () => {
  const sizes = { a: 50, b: 7, c: 50, d: 9, e: 7 }
  const names = ['a', 'b', 'c', 'd', 'e'] as const
  const variables = names.map(name => `@${name} = internal addrspace(3) global [${sizes[name]} x i32] undef, align 4`)
  const module = readModule(
    `${variables.join('\n')}
@f = internal addrspace(3) global [8 x float] undef, align 16
@g = internal addrspace(3) global [4 x float] undef, align 16
@h = internal addrspace(3) global [3 x double] undef, align 8
define ptx_kernel void @k() {
${[...names, 'f', 'g', 'h'].map(name => `  store i8 0, ptr addrspace(3) @${name}, align 1`).join('\n')}
  ret void
}`,
    'k.cu',
  )
  const placesOf = () => {
    const { offsets, staticBytes } = layoutShared(module.functions, module)
    return { ...Object.fromEntries([...offsets].map(([{ name }, offset]) => [name, offset])), staticBytes }
  }
  leavePlacesToLinker(module)
  const linked = { g: 0, f: 0x10, h: 0x30, e: 0x48, b: 0x64, d: 0x80, c: 0xa4, a: 0x16c, staticBytes: 564 }
  expect(placesOf()).toEqual(linked)
})
