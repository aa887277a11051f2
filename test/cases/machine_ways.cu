// Loads and stores on both ways of a branch, as ptxas's straight code has them, and what is known of shared memory behind writes
// to other memories (machine code of CUDA 13.0; read on an H200: scripts/fidelity/cases/machine_ways.json).
// levels: 2
// stdout: 11
// count: stencil global load executed = 3
// count: behindStore global load executed = 5
// count: restricted global load executed = 3
// count: longest global load executed = 3
// count: tooLong global load executed = 4
// count: chain global load executed = 6
// count: tile shared load executed = 3
// count: behindBarrier shared load executed = 5
// count: longTile shared load executed = 4
// count: halos shared store executed = 3
// count: dynamicTile shared load executed = 1
#include <cstdio>

#define SECOND(a, t) (a[t + 1] - 2.f * a[t] + a[t - 1])

// Loads of one address on both ways are one, wherever they stand.
__global__ void stencil(float *out, const float *a, int n) {
  int t = threadIdx.x + 4;
  float x;
  if (t < n) x = a[t - 1] - a[t];
  else x = SECOND(a, t);
  out[t] = x;
}
// Not behind a store in front of the branch, which may write them; unless nothing in the kernel can.
__global__ void behindStore(float *out, const float *a, int n) {
  int t = threadIdx.x + 4;
  float x;
  out[t + 100] = 3;
  if (t < n) x = a[t - 1] - a[t];
  else x = SECOND(a, t);
  out[t] = x;
}
__global__ void restricted(float *out, const float *__restrict__ a, int n) {
  int t = threadIdx.x + 4;
  float x;
  out[t + 100] = 3;
  if (t < n) x = a[t - 1] - a[t];
  else x = SECOND(a, t);
  out[t] = x;
}

// A way of more than 18 instructions stays a branch.
template <int Steps> __device__ float steps(float x, float p) {
#pragma unroll
  for (int i = 0; i < Steps; i++) x = fmaf(x, p, i + 1.f);
  return x;
}
__global__ void longest(float *out, const float *a, int n, float p) {
  int t = threadIdx.x + 4;
  float x;
  if (t < n) x = a[t] - a[t - 1];
  else x = steps<14>(a[t] + a[t + 1] * a[t - 1], p);
  out[t] = x;
}
__global__ void tooLong(float *out, const float *a, int n, float p) {
  int t = threadIdx.x + 4;
  float x;
  if (t < n) x = a[t] - a[t - 1];
  else x = steps<16>(a[t] + a[t + 1] * a[t - 1], p);
  out[t] = x;
}

// Of three ways the first stays a branch: its other way is more than one block.
__global__ void chain(float *out, const float *a, int n) {
  int t = threadIdx.x + 4;
  float x;
  if (t == 4) x = a[t + 1] - a[t];
  else if (t == n) x = a[t - 1] - a[t];
  else x = SECOND(a, t);
  out[t] = x;
}

// Shared memory alike, behind a block that has no barrier; ways of up to six instructions.
__global__ void tile(float *out, const float *a, int n) {
  __shared__ float s[64];
  int t = threadIdx.x + 4;
  s[t] = a[t];
  __syncthreads();
  if (t >= 40) return;
  float x;
  if (t < n) x = s[t - 1] - s[t];
  else x = SECOND(s, t);
  out[t] = x;
}
__global__ void behindBarrier(float *out, const float *a, int n) {
  __shared__ float s[64];
  int t = threadIdx.x + 4;
  s[t] = a[t];
  __syncthreads();
  float x;
  if (t < n) x = s[t - 1] - s[t];
  else x = SECOND(s, t);
  out[t] = x;
}
__global__ void longTile(float *out, const float *a, int n, float p) {
  __shared__ float s[64];
  int t = threadIdx.x + 4;
  s[t] = a[t];
  __syncthreads();
  if (t >= 40) return;
  float x;
  if (t < n) x = s[t] - s[t - 1];
  else x = steps<4>(s[t] + s[t + 1] * s[t - 1], p);
  out[t] = x;
}

// Zeros at the edge are stores of their own; one where another branch of the same condition follows.
__global__ void halos(float *out, const float *a, int n) {
  __shared__ float s[96];
  int t = threadIdx.x;
  if (t < 8) {
    int left = t - 4;
    if (left >= 0) s[t] = a[left];
    else s[t] = 0;
  }
  if (t < 8) {
    int right = t + 32;
    if (right < n) s[t + 40] = a[right];
    else s[t + 40] = 0;
  }
  __syncthreads();
  out[t] = s[t + 9];
}

// Stores to global memory leave dynamic shared memory alone.
__global__ void dynamicTile(float *out, const float *a, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  out[t] = s[t ^ 1] * 2;
  if (t < n) out[t + n] = s[t ^ 1] + 1;
  if (t < n - 2) out[t + n + 64] = s[t ^ 1] + 3;
}

int main() {
  float *out, *a;
  cudaMalloc(&out, 4096);
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  stencil<<<1, 32>>>(out, a, 16);
  behindStore<<<1, 32>>>(out, a, 16);
  restricted<<<1, 32>>>(out, a, 16);
  longest<<<1, 32>>>(out, a, 16, 2);
  tooLong<<<1, 32>>>(out, a, 16, 2);
  chain<<<1, 32>>>(out, a, 35);
  tile<<<1, 32>>>(out, a, 16);
  behindBarrier<<<1, 32>>>(out, a, 16);
  longTile<<<1, 32>>>(out, a, 16, 2);
  halos<<<1, 32>>>(out, a, 36);
  dynamicTile<<<1, 32, 128>>>(out, a, 16);
  printf("%d\n", cudaDeviceSynchronize() == cudaSuccess ? 11 : 0);
}
