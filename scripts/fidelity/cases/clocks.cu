// Kernels that read their own clock (`clocks.json`: what an H200 printed, nvcc 13.0 -O3): cycles between two readings, over the operations
// between them. Read with more strides and sizes; of these the ones are left that tell something.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned sink;
__device__ long long spent[64];

__global__ void empty64() { long long a = clock64(); long long b = clock64(); spent[0] = b - a; }
__global__ void empty32() { int a = clock(); int b = clock(); spent[0] = b - a; }
__global__ void fmaLoop(float x, int n) {
  float y = x;
  long long a = clock64();
  for (int k = 0; k < n; k++) y = y * x + x;
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void fmaUnrolled(float x) {
  float y = x;
  long long a = clock64();
#pragma unroll
  for (int k = 0; k < 256; k++) y = y * x + x;
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void addUnrolled(unsigned x) {
  unsigned y = x, z = x * 3;
  int a = clock();
#pragma unroll
  for (int k = 0; k < 128; k++) { y = y ^ z; z = z + y; }
  int b = clock();
  sink = y + z; spent[0] = b - a;
}
__global__ void doubleUnrolled(double x) {
  double y = x;
  long long a = clock64();
#pragma unroll
  for (int k = 0; k < 256; k++) y = y * x + x;
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void rootUnrolled(float x) {
  float y = x;
  long long a = clock64();
#pragma unroll
  for (int k = 0; k < 64; k++) y = rsqrtf(y);
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void divideLoop(float x, int n) {
  float y = x;
  long long a = clock64();
  for (int k = 0; k < n; k++) y = x / y;
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void sineLoop(float x, int n) {
  float y = x;
  long long a = clock64();
  for (int k = 0; k < n; k++) y = sinf(y);
  long long b = clock64();
  sink = y; spent[0] = b - a;
}
__global__ void shuffles(int n) {
  unsigned v = threadIdx.x;
  long long a = clock64();
  for (int k = 0; k < n; k++) v = __shfl_sync(0xffffffffu, v, v & 31);
  long long b = clock64();
  sink = v; spent[0] = b - a;
}
__global__ void sharedChase(int n, int stride) {
  __shared__ unsigned s[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = (k + stride) % 1024;
  __syncthreads();
  unsigned i = threadIdx.x * stride % 1024;
  long long a = clock64();
  for (int k = 0; k < n; k++) i = s[i];
  long long b = clock64();
  sink = i;
  if (threadIdx.x == 0) spent[0] = b - a;
}
__global__ void globalChase(const unsigned *p, int n) {
  unsigned i = 0;
  for (int k = 0; k < n; k++) i = p[i];
  long long a = clock64();
  for (int k = 0; k < n; k++) i = p[i];
  long long b = clock64();
  sink = i; spent[0] = b - a;
}
__global__ void coldChase(const unsigned *p, int n) {
  unsigned i = 0;
  long long a = clock64();
  for (int k = 0; k < n; k++) i = p[i];
  long long b = clock64();
  sink = i; spent[0] = b - a;
}
__global__ void passingChase(const unsigned *p, int n) {
  unsigned i = 0;
  for (int k = 0; k < n; k++) i = __ldcg(p + i);
  long long a = clock64();
  for (int k = 0; k < n; k++) i = __ldcg(p + i);
  long long b = clock64();
  sink = i; spent[0] = b - a;
}
__constant__ unsigned table[256];
__global__ void constantChase(int n) {
  unsigned i = 0;
  for (int k = 0; k < n; k++) i = table[i];
  long long a = clock64();
  for (int k = 0; k < n; k++) i = table[i];
  long long b = clock64();
  sink = i; spent[0] = b - a;
}
__global__ void oneLoad(const unsigned *p) {
  long long a = clock64();
  unsigned v = p[threadIdx.x];
  long long b = clock64();
  unsigned w = v * 3;
  sink = w;
  long long c = clock64();
  if (threadIdx.x == 0) { spent[0] = b - a; spent[1] = c - b; }
}
__global__ void usedLoad(const unsigned *p) {
  long long a = clock64();
  unsigned v = p[threadIdx.x];
  if (v == 77777) sink = v;
  long long b = clock64();
  v = p[threadIdx.x + 1024];
  if (v == 77777) sink = v;
  long long c = clock64();
  if (threadIdx.x == 0) { spent[0] = b - a; spent[1] = c - b; }
}
__global__ void stores(unsigned *p) {
  long long a = clock64();
  p[threadIdx.x] = 1;
  long long b = clock64();
  __threadfence();
  long long c = clock64();
  if (threadIdx.x == 0) { spent[0] = b - a; spent[1] = c - b; }
}
__global__ void atomicsGlobal(unsigned *p, int n) {
  unsigned v = 0;
  long long a = clock64();
  for (int k = 0; k < n; k++) v = atomicAdd(p + (v & 1), 2u);
  long long b = clock64();
  sink = v; spent[0] = b - a;
}
__global__ void atomicsShared(int n) {
  __shared__ unsigned s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = 0;
  __syncthreads();
  unsigned v = 0;
  long long a = clock64();
  for (int k = 0; k < n; k++) v = atomicAdd(s + (v & 1), 2u);
  long long b = clock64();
  sink = v; spent[0] = b - a;
}
__global__ void barriers(int n) {
  __syncthreads();
  long long a = clock64();
  for (int k = 0; k < n; k++) __syncthreads();
  long long b = clock64();
  if (threadIdx.x == 0) spent[0] = b - a;
}
/** Four independent chains a warp: the more warps, the more the pipes decide. */
__global__ void chains(float x, int n) {
  float y = x, z = x + 1, u = x + 2, v = x + 3;
  __syncthreads();
  long long a = clock64();
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++) { y = y * x + x; z = z * x + x; u = u * x + x; v = v * x + x; }
  }
  long long b = clock64();
  if (y + z + u + v == 1.5f) sink = 1;
  if (threadIdx.x == 0) spent[0] = b - a;
}
__global__ void sharedMany(int n, int stride) {
  __shared__ unsigned s[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = k;
  __syncthreads();
  unsigned i = threadIdx.x * stride % 1024, sum = 0;
  long long a = clock64();
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++) sum += s[(i + 32 * j) & 1023];
    i = sum & 992 | i & 31;
  }
  long long b = clock64();
  sink = sum;
  if (threadIdx.x == 0) spent[0] = b - a;
}
__global__ void streamMany(const float *p, float *q, int n) {
  long long a = clock64();
  float sum = 0;
  for (int k = 0; k < n; k++) sum += p[(blockIdx.x * n + k) * blockDim.x + threadIdx.x];
  q[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  long long b = clock64();
  if (threadIdx.x == 0 && blockIdx.x == 0) spent[0] = b - a;
}
__global__ void wait64(long long n) { long long a = clock64(); while (clock64() - a < n); }
__global__ void wait32(int n) { clock_t a = clock(); while (clock() - a < n); }
__global__ void waitCounted(long long n) {
  long long a = clock64(), b; int rounds = 0;
  do { b = clock64(); rounds++; } while (b - a < n);
  if (threadIdx.x == 0) { spent[0] = b - a; spent[1] = rounds; }
}
__device__ unsigned long long timer() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__global__ void waitTimer(long long n) {
  unsigned long long a = timer(); long long c = clock64();
  while (timer() - a < n);
  if (threadIdx.x == 0) { spent[0] = clock64() - c; spent[1] = timer() - a; }
}
__global__ void sleeps(unsigned ns) {
  long long a = clock64();
  __nanosleep(ns);
  long long b = clock64();
  if (threadIdx.x == 0) spent[0] = b - a;
}
static long long got[64];
#define SHOW(name, each, ...) do { \
  for (int again = 0; again < 2; again++) { __VA_ARGS__; cudaMemcpyFromSymbol(got, spent, sizeof got); } \
  cudaError_t e = cudaGetLastError(); if (e) printf("%s\n", cudaGetErrorString(e)); \
  printf("%-24s %.2f %.2f\n", name, got[0] / (double)(each), got[1] / (double)(each)); } while (0)
#define TIMED(name, ...) do { float ms; __VA_ARGS__; cudaEventRecord(e0); __VA_ARGS__; cudaEventRecord(e1); cudaEventSynchronize(e1); \
  cudaEventElapsedTime(&ms, e0, e1); printf("%-24s %.4f ms\n", name, ms); } while (0)

int main() {
  const int N = 10 << 20;
  unsigned *h = new unsigned[N], *p; float *f;
  cudaMalloc(&p, N * 4); cudaMalloc(&f, N * 4); cudaMemset(f, 0, N * 4);
  unsigned c[256]; for (int i = 0; i < 256; i++) c[i] = (i + 1) % 256;
  cudaMemcpyToSymbol(table, c, sizeof c);
  SHOW("empty64", 1, empty64<<<1, 1>>>());
  SHOW("empty32", 1, empty32<<<1, 1>>>());
  SHOW("fmaLoop", 1024, fmaLoop<<<1, 32>>>(0.5f, 1024));
  SHOW("fmaUnrolled", 256, fmaUnrolled<<<1, 32>>>(0.5f));
  SHOW("addUnrolled", 256, addUnrolled<<<1, 32>>>(5));
  SHOW("doubleUnrolled", 256, doubleUnrolled<<<1, 32>>>(0.5));
  SHOW("rootUnrolled", 64, rootUnrolled<<<1, 32>>>(0.5f));
  SHOW("divideLoop", 256, divideLoop<<<1, 32>>>(0.5f, 256));
  SHOW("sineLoop", 256, sineLoop<<<1, 32>>>(0.5f, 256));
  SHOW("shuffles", 256, shuffles<<<1, 32>>>(256));
  SHOW("sharedChase 1 lane", 256, sharedChase<<<1, 1>>>(256, 1));
  SHOW("sharedChase stride 1", 256, sharedChase<<<1, 32>>>(256, 1));
  SHOW("sharedChase stride 2", 256, sharedChase<<<1, 32>>>(256, 2));
  SHOW("sharedChase stride 8", 256, sharedChase<<<1, 32>>>(256, 8));
  SHOW("sharedChase stride 32", 256, sharedChase<<<1, 32>>>(256, 32));
  const int chases[][2] = {{1, 1024}, {1, 49152}, {8, 16384}, {8, 49152}, {32, 49152}, {1024, 49152}, {1024, 1 << 20}};
  for (const auto &[stride, size] : chases) {
    for (int i = 0; i < size; i++) h[i] = (i + stride) % size;
    cudaMemcpy(p, h, size * 4, cudaMemcpyHostToDevice);
    int n = size / stride < 2048 ? size / stride : 2048;
    char name[64];
    sprintf(name, "globalChase %d %d", stride, size); SHOW(name, n, globalChase<<<1, 1>>>(p, n));
    sprintf(name, "coldChase %d %d", stride, size); SHOW(name, n, coldChase<<<1, 1>>>(p, n));
    sprintf(name, "passingChase %d %d", stride, size); SHOW(name, n, passingChase<<<1, 1>>>(p, n));
  }
  SHOW("constantChase", 256, constantChase<<<1, 1>>>(256));
  SHOW("oneLoad", 1, oneLoad<<<1, 32>>>(p));
  SHOW("usedLoad", 1, usedLoad<<<1, 32>>>(p));
  SHOW("stores", 1, stores<<<1, 32>>>(p));
  SHOW("atomicsGlobal", 256, atomicsGlobal<<<1, 1>>>(p, 256));
  SHOW("atomicsShared", 256, atomicsShared<<<1, 1>>>(256));
  for (int threads : {32, 256, 1024}) { char name[64]; sprintf(name, "barriers %d", threads); SHOW(name, 64, barriers<<<1, threads>>>(64)); }
  for (int threads : {32, 128, 256, 512, 1024}) { char name[64]; sprintf(name, "chains %d", threads); SHOW(name, 64 * 32, chains<<<1, threads>>>(0.5f, 64)); }
  for (int threads : {32, 256, 1024}) for (int stride : {1, 4, 32}) { char name[64]; sprintf(name, "sharedMany %d %d", threads, stride); SHOW(name, 64 * 8, sharedMany<<<1, threads>>>(64, stride)); }
  for (int blocks : {1, 132, 1056}) { char name[64]; sprintf(name, "streamMany %d", blocks); SHOW(name, 32, streamMany<<<blocks, 256>>>(f, (float *)p, 32)); }
  SHOW("waitCounted 1", 1, waitCounted<<<1, 1>>>(1000000));
  SHOW("waitCounted 1024", 1, waitCounted<<<1, 1024>>>(1000000));
  SHOW("waitTimer", 1, waitTimer<<<1, 1>>>(1000000));
  SHOW("sleep 100", 1, sleeps<<<1, 1>>>(100));
  SHOW("sleep 100000", 1, sleeps<<<1, 1>>>(100000));
  cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
  TIMED("wait64 1e6", wait64<<<1, 1>>>(1000000));
  TIMED("wait64 1e6 x132", wait64<<<132, 1024>>>(1000000));
  TIMED("wait32 1e5", wait32<<<1, 32>>>(100000));
  TIMED("waitTimer 1e6", waitTimer<<<1, 1>>>(1000000));
  TIMED("sleeps 100000", sleeps<<<1, 1>>>(100000));
}
