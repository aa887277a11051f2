/** The memory calls: copies in every direction and shape, symbols, both sides' allocations, and their errors. */
import { afterAll, expect, test } from 'vitest'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { closeClang, runSource } from './programs.ts'

afterAll(closeClang)
const slow = { timeout: 180_000 }

const COPIES = `#include <cstdio>
#include <cstring>
#include <cstdlib>
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int *pointer = &numbers[2];
__constant__ struct { char c; double d; int a[2]; } record = {'x', 0.5, {7, 8}};
__constant__ float coefficients[8];
__global__ void touch() { numbers[0] = (int)coefficients[1] + record.a[0] + *pointer; }
#define SHOW(call) printf("%s: %s\\n", #call, cudaGetErrorName(call))
int main(int argc, char **argv) {
  int host[16], back[16] = {};
  for (int i = 0; i < 16; i++) host[i] = i;
  int *device, *other;
  SHOW(cudaMalloc(&device, 64));
  SHOW(cudaMalloc(&other, 0)); printf("%d\\n", other == nullptr);
  SHOW(cudaMalloc(&other, 4294967295u));
  SHOW(cudaMalloc((void **)nullptr, 4));
  SHOW(cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(device, host, 68, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(device, host, 4, (cudaMemcpyKind)9));
  SHOW(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(device + 8, device, 32, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(back, device, 64, cudaMemcpyDefault)); printf("%d %d\\n", back[7], back[15]);
  SHOW(cudaMemset(device, 0xff, 8)); SHOW(cudaMemset(host, 0, 4));
  SHOW(cudaMemcpy2D(back, 8, device, 16, 8, 4, cudaMemcpyDeviceToHost)); printf("%d %d %d %d\\n", back[0], back[2], back[3], back[4]);
  SHOW(cudaMemcpy2D(back, 4, device, 16, 8, 4, cudaMemcpyDeviceToHost));
  size_t pitch; char *rows; SHOW(cudaMallocPitch(&rows, &pitch, 100, 3)); printf("%d\\n", (int)pitch);
  cudaPitchedPtr box; SHOW(cudaMalloc3D(&box, make_cudaExtent(8, 2, 2)));
  SHOW(cudaMemset3D(box, 0, make_cudaExtent(8, 2, 2)));
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = make_cudaPitchedPtr(host, 16, 16, 2); parms.dstPtr = box; parms.dstPos = make_cudaPos(4, 1, 0);
  parms.extent = make_cudaExtent(4, 1, 2); parms.kind = cudaMemcpyHostToDevice;
  SHOW(cudaMemcpy3D(&parms));
  int rowsBack[8]; cudaMemcpy2D(rowsBack, 8, box.ptr, box.pitch, 8, 4, cudaMemcpyDeviceToHost); for (int &v : rowsBack) printf("%d%c", v, &v == rowsBack + 7 ? '\\n' : ' ');
  float c[8] = {0, 100}; SHOW(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  SHOW(cudaMemcpyToSymbol(coefficients, c, sizeof c, 4)); SHOW(cudaMemcpyToSymbol(c, c, 4));
  int *address; size_t size; cudaGetSymbolAddress((void **)&address, numbers); cudaGetSymbolSize(&size, numbers); printf("%d\\n", (int)size);
  touch<<<1, 1>>>();
  SHOW(cudaMemcpyFromSymbol(back, numbers, 8, 4)); SHOW(cudaMemcpy(back, address, 4, cudaMemcpyDeviceToHost)); printf("%d\\n", back[0]);
  SHOW(cudaFree(device)); SHOW(cudaFree(device)); SHOW(cudaFree(nullptr)); SHOW(cudaFree(host));
  int *pinned; SHOW(cudaMallocHost(&pinned, 64)); pinned[3] = 5; cudaPointerAttributes a;
  cudaPointerGetAttributes(&a, pinned); printf("%d ", a.type); cudaPointerGetAttributes(&a, host); printf("%d ", a.type);
  cudaPointerGetAttributes(&a, rows); printf("%d\\n", a.type);
  SHOW(cudaFreeHost(pinned)); SHOW(cudaFreeHost(host));
  SHOW(cudaHostRegister(host, sizeof host, 0)); SHOW(cudaHostRegister(host, sizeof host, 0)); SHOW(cudaHostUnregister(host));
}`

test('copies, fills, symbols and their errors', slow, async () => {
  const { stdout, result } = await runSource(COPIES, referenceExecutor)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/: cuda(?=[A-Z])/, ' = '))
  expect(lines).toEqual([
    'cudaMalloc(&device, 64) = Success',
    'cudaMalloc(&other, 0) = Success',
    '1',
    'cudaMalloc(&other, 4294967295u) = ErrorMemoryAllocation',
    'cudaMalloc((void **)nullptr, 4) = ErrorInvalidValue',
    'cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice) = Success',
    'cudaMemcpy(device, host, 68, cudaMemcpyHostToDevice) = ErrorInvalidValue',
    'cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost) = ErrorInvalidValue',
    'cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice) = ErrorInvalidValue',
    'cudaMemcpy(device, host, 4, (cudaMemcpyKind)9) = ErrorInvalidMemcpyDirection',
    'cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice) = ErrorInvalidValue',
    'cudaMemcpy(device + 8, device, 32, cudaMemcpyDeviceToDevice) = Success',
    'cudaMemcpy(back, device, 64, cudaMemcpyDefault) = Success',
    '7 7',
    'cudaMemset(device, 0xff, 8) = Success',
    'cudaMemset(host, 0, 4) = ErrorInvalidValue',
    'cudaMemcpy2D(back, 8, device, 16, 8, 4, cudaMemcpyDeviceToHost) = Success',
    '-1 4 5 0',
    'cudaMemcpy2D(back, 4, device, 16, 8, 4, cudaMemcpyDeviceToHost) = ErrorInvalidPitchValue',
    'cudaMallocPitch(&rows, &pitch, 100, 3) = Success',
    '512',
    'cudaMalloc3D(&box, make_cudaExtent(8, 2, 2)) = Success',
    'cudaMemset3D(box, 0, make_cudaExtent(8, 2, 2)) = Success',
    'cudaMemcpy3D(&parms) = Success',
    '0 0 0 0 0 0 0 8',
    'cudaMemcpyToSymbol(coefficients, c, sizeof c) = Success',
    'cudaMemcpyToSymbol(coefficients, c, sizeof c, 4) = ErrorInvalidValue',
    'cudaMemcpyToSymbol(c, c, 4) = ErrorInvalidSymbol',
    '16',
    'cudaMemcpyFromSymbol(back, numbers, 8, 4) = Success',
    'cudaMemcpy(back, address, 4, cudaMemcpyDeviceToHost) = Success',
    '110',
    'cudaFree(device) = Success',
    'cudaFree(device) = ErrorInvalidValue',
    'cudaFree(nullptr) = Success',
    'cudaFree(host) = ErrorInvalidValue',
    'cudaMallocHost(&pinned, 64) = Success',
    '1 0 2',
    'cudaFreeHost(pinned) = Success',
    'cudaFreeHost(host) = ErrorInvalidValue',
    'cudaHostRegister(host, sizeof host, 0) = Success',
    'cudaHostRegister(host, sizeof host, 0) = ErrorHostMemoryAlreadyRegistered',
    'cudaHostUnregister(host) = Success',
  ])
  expect(result.failure).toBeUndefined()
})

const SHARED = `#include <cstdio>
struct Node { int value; Node *next; };
__managed__ int total;
__managed__ Node head = {3, nullptr};
__global__ void sum(Node *list, int *out) { int s = 0; for (Node *n = list; n; n = n->next) s += n->value; atomicAdd(out, s); total += s + head.value; }
struct Slice { int first; int *data; };
template <class F> __global__ void apply(F f) { f(); }
__global__ void scale(Slice s) { s.data[s.first] *= 2; }
__global__ void scale(int *p, int n) { int i = threadIdx.x; if (i < n) p[i] *= 2; }
int main() {
  Node *nodes; cudaMallocManaged(&nodes, 3 * sizeof(Node));
  for (int i = 0; i < 3; i++) nodes[i] = {10 + i, i < 2 ? &nodes[i + 1] : nullptr};
  int *result; cudaMallocManaged(&result, 4); *result = 1; total = 1000;
  sum<<<1, 1>>>(nodes, result); cudaDeviceSynchronize(); printf("%d %d\\n", *result, total);
  nodes[0].value = 100; sum<<<1, 1>>>(nodes, result); cudaDeviceSynchronize(); printf("%d %d\\n", *result, total);
  int *mapped, *device; cudaHostAlloc(&mapped, 128, cudaHostAllocMapped); cudaHostGetDevicePointer(&device, mapped, 0);
  for (int i = 0; i < 32; i++) mapped[i] = i;
  scale<<<1, 32>>>(device, 32); cudaDeviceSynchronize(); printf("%d\\n", mapped[31]);
  int *pinned; cudaMallocHost(&pinned, 128); pinned[5] = 21; scale<<<1, 32>>>(pinned, 32); cudaDeviceSynchronize(); printf("%d\\n", pinned[5]);
  int *inStructure, *caught; cudaMallocHost(&inStructure, 128); cudaMallocHost(&caught, 128); inStructure[7] = 4;
  scale<<<1, 1>>>(Slice{7, inStructure}); apply<<<1, 1>>>([=] __device__() { *caught = 9; });
  cudaDeviceSynchronize(); printf("%d %d\\n", inStructure[7], *caught);
  int *plain; cudaMalloc(&plain, 12); cudaMemcpy(plain, nodes, 12, cudaMemcpyDeviceToDevice); int copy[3];
  cudaMemcpy(copy, plain, 12, cudaMemcpyDeviceToHost); printf("%d %s\\n", copy[0], cudaGetErrorString(cudaFree(nodes)));
  int fresh = 77; cudaMemcpyToSymbol(total, &fresh, 4); printf("%d %d\\n", total, (int)cudaFree(&total));
}`

test('memory that both sides share: managed, mapped, page-locked', slow, async () => {
  const { stdout, stderr } = await runSource(SHARED, referenceExecutor)
  expect(stderr).toMatch(
    /^test\.cu:25:87: warning: cudaFree: no allocation starts there: 0x[0-9a-f]{8} is host memory\n$/,
  )
  expect(stdout).toBe('34 1036\n157 1162\n62\n42\n8 9\n100 no error\n77 1\n')
})

const TOO_LARGE = `int main() {
  float *p; char *rows; size_t pitch;
  cudaMalloc(&p, 8ull << 30);
  cudaMallocPitch(&rows, &pitch, 1 << 20, 3 << 10);
  cudaMallocManaged(&p, 8ull << 30);
}`

test('what an inlined call of the API says stands at the line of the program', slow, async () => {
  const { stderr } = await runSource(TOO_LARGE, referenceExecutor)
  expect(stderr.match(/^.*?warning: \w+/gm)).toEqual([
    'test.cu:3:3: warning: cudaMalloc',
    'test.cu:4:3: warning: cudaMalloc',
    'test.cu:5:3: warning: cudaMallocManaged',
  ])
})

/** The first has nothing on the device side that the host could name: it does not register with the runtime. */
const SEVERAL = {
  'first.cu': '__device__ int helper() { return 1; }',
  'a.cu': `#include <cstdio>
extern "C" int fromC(int n);
int other();
static __device__ int counter = 1;
static __global__ void k(int *p) { *p = 10 + counter; }
int main() {
  int *d, before, after, five = 5;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d); cudaMemcpy(&before, d, 4, cudaMemcpyDeviceToHost);
  cudaMemcpyToSymbol(counter, &five, 4);
  k<<<1, 1>>>(d); cudaMemcpy(&after, d, 4, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\\n", before, after, other(), fromC(3));
}`,
  'b.cu': `static __device__ int counter = 2;
static __global__ void k(int *p) { *p = 100 + counter; }
int other() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h; }`,
  'c.c': `#include <cuda_runtime.h>
int fromC(int n) { struct cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); dim3 g = {1, 2, 3}; return p.major * 100 + n + g.z; }`,
}

test('several files: each has its own static kernels and variables; C calls the runtime too', slow, async () => {
  const { stdout } = await runSource(SEVERAL, referenceExecutor)
  expect(stdout).toBe('11 15 102 906\n')
})

const LIBRARY_FROM_C = {
  'main.c': `#include <cublas_v2.h>
#include <stdio.h>
float sum(cublasHandle_t handle, int n, const float *x);
int main() {
  float *h = malloc(2 * sizeof(float)), *d, unit = 1;
  float *restrict zeros = calloc(2, sizeof(float));
  cublasHandle_t handle;
  h[0] = 3; h[1] = 4;
  cudaMalloc((void **)&d, 2 * sizeof(float));
  cudaMemcpy(d, h, 2 * sizeof(float), cudaMemcpyHostToDevice);
  cublasCreate(&handle);
  printf("%g %g\\n", sum(handle, 2, d), zeros[1]);
  free(h);
  return 0;
}`,
  'sum.c': `#include <cublas_v2.h>
float sum(cublasHandle_t handle, int n, const float *x) { float s; cublasSasum(handle, n, x, 1, &s); return s; }`,
}

test("C sources call NVIDIA's libraries, and each other", slow, async () => {
  const { stdout } = await runSource(LIBRARY_FROM_C, referenceExecutor)
  expect(stdout).toBe('7 0\n')
})

const DECLARED = {
  'a.cu': `#include <cstdio>
extern __device__ int table[4];
extern __constant__ float factor;
void prepare();
__global__ void add() { table[threadIdx.x] += (int)(factor * threadIdx.x); }
int main() {
  int host[4], *pointer;
  prepare();
  add<<<1, 4>>>();
  cudaMemcpyFromSymbol(host, table, sizeof host); printf("%d %d", host[0], host[3]);
  cudaGetSymbolAddress((void **)&pointer, table);
  cudaMemcpy(host, pointer, sizeof host, cudaMemcpyDeviceToHost); printf(" %d\\n", host[1]);
}`,
  'b.cu': `__device__ int table[4] = {1, 2, 3, 4};
__constant__ float factor;
static __device__ int own;
__global__ void change() { table[0] += ++own; }
void prepare() { float f = 2.5f; cudaMemcpyToSymbol(factor, &f, sizeof f); change<<<1, 1>>>(); }`,
}

test("the host names variables of another file's, as with nvcc -rdc=true", slow, async () => {
  const { stdout } = await runSource(DECLARED, referenceExecutor)
  expect(stdout).toBe('2 11 4\n')
})

const constantsOf = (words: number, name: string): string => `#include <cstdio>
static __constant__ int table[${words}];
static __global__ void ${name}Kernel(int *p) { *p = table[${words - 1}]; }
int ${name}() {
  static int h[${words}], *d;
  h[${words - 1}] = ${words};
  cudaMalloc(&d, 4); cudaMemcpyToSymbol(table, h, sizeof h);
  ${name}Kernel<<<1, 1>>>(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  return h[0];
}
`
const BOTH = 'int other();\nint main() { int a = one(), b = other(); printf("%d %d %d\\n", a, b, one()); }'

test('each file has the constant memory that a program has, as with nvcc', slow, async () => {
  const files = { 'a.cu': constantsOf(16_000, 'one') + BOTH, 'b.cu': constantsOf(9_000, 'other') }
  const { stdout } = await runSource(files, referenceExecutor)
  expect(stdout).toBe('16000 9000 16000\n')
  const larger = { ...files, 'b.cu': constantsOf(16_385, 'other') }
  await expect(runSource(larger, referenceExecutor)).rejects.toThrow(
    'too much __constant__ data in b.cu (65540 bytes, 65536 max)',
  )
})
