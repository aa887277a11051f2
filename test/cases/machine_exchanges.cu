// Loops whose lanes exchange values: nvcc writes them out as any other, and loads what does not change for each of the loops that it makes, unless
// `const __restrict__` says that it is constant (machine code of CUDA 13.0; frontend/passes/exchanges.ts, analysis/loops/reloadedOverExchanges.ts).
// levels: 2
// stdout: no error
// count: rows shared load executed = 3
// count: scores global load executed = 28
// count: products global load executed = 8
// count: stored global load executed = 12
// count: stored global store executed = 6
// count: ballots global load executed = 8
// count: together global load executed = 12
// count: constant global load executed = 7
// count: constant global store executed = 6
#include <cstdio>

__device__ float sumOfWarp(float v) {
  for (int k = 16; k; k >>= 1) v += __shfl_xor_sync(~0u, v, k);
  return v;
}
__global__ void rows(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  __shared__ float s[128];
  s[t] = u[t];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < n; j++) sum += __shfl_xor_sync(~0u, s[j] * j, 1);
  o[t] = sum;
}
__global__ void scores(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  float l = 0;
  for (int j = 0; j < n; j++) {
    float x = 0;
    for (int d = 0; d < 4; d++) x += u[t + d * 32] * v[j * 128 + t + d * 32];
    l = l * 0.5f + expf(sumOfWarp(x));
  }
  o[t] = l;
}
__global__ void products(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  float l = 0;
  for (int j = 0; j < n; j++) l += sumOfWarp(u[t] * v[j * 32 + t]);
  o[t] = l;
}
__global__ void stored(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++) {
    float x = sumOfWarp(u[t] * v[j * 32 + t]);
    if (t == 0) o[j] = x;
  }
}
__global__ void ballots(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  unsigned l = 0;
  for (int j = 0; j < n; j++) l += __popc(__ballot_sync(~0u, u[t] > v[j * 32 + t]));
  o[t] = l;
}
__global__ void together(float *o, const float *u, const float *v, int n) {
  int t = threadIdx.x;
  float l = 0;
  for (int j = 0; j < n; j++) {
    l += u[t] * v[j * 32 + t];
    __syncwarp();
  }
  o[t] = l;
}
__global__ void constant(float *o, const float *__restrict__ u, const float *__restrict__ v, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++) {
    float x = sumOfWarp(u[t] * v[j * 32 + t]);
    if (t == 0) o[j] = x;
  }
}

int main() {
  float *o, *u, *v;
  cudaMalloc(&o, 1 << 16);
  cudaMalloc(&u, 1 << 16);
  cudaMalloc(&v, 1 << 16);
  cudaMemset(o, 0, 1 << 16);
  cudaMemset(u, 0, 1 << 16);
  cudaMemset(v, 0, 1 << 16);
  rows<<<1, 32>>>(o, u, v, 6);
  scores<<<1, 32>>>(o, u, v, 5);
  products<<<1, 32>>>(o, u, v, 6);
  stored<<<1, 32>>>(o, u, v, 6);
  ballots<<<1, 32>>>(o, u, v, 6);
  together<<<1, 32>>>(o, u, v, 6);
  constant<<<1, 32>>>(o, u, v, 6);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
