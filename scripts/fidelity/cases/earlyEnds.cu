/**
 * Blocks whose warps end at different times: all but one at once, or behind a barrier; few registers, many, and shared memory that
 * lets few blocks in. How many blocks a multiprocessor has at once shows in the time of a chain.
 */
#include <cstdio>

__device__ float chain(float a, int rounds) {
  for (int i = 0; i < rounds; i++) a = a * 0.5f + 1;
  return a;
}

/** Warps but the first `long` ones return at once. */
__global__ void ends(float *o, int longs, int rounds) {
  if (threadIdx.x / 32 >= longs) return;
  o[blockIdx.x * blockDim.x + threadIdx.x] = chain(threadIdx.x, rounds);
}

/** All have some work, then a barrier, and the first ones have more. */
__global__ void endsBehindBarrier(float *o, int longs, int before, int rounds) {
  __shared__ float s[1024];
  s[threadIdx.x] = chain(threadIdx.x, before);
  __syncthreads();
  if (threadIdx.x / 32 >= longs) return;
  o[blockIdx.x * blockDim.x + threadIdx.x] = chain(s[threadIdx.x ^ 1], rounds);
}

/** The others wait for the first at a barrier. */
__global__ void waits(float *o, int longs, int rounds) {
  __shared__ float s[1024];
  s[threadIdx.x] = 1;
  if (threadIdx.x / 32 < longs) s[threadIdx.x] = chain(threadIdx.x, rounds);
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}

/** Shared memory lets four blocks in. */
__global__ void endsInShared(float *o, int longs, int rounds) {
  extern __shared__ float d[];
  if (threadIdx.x / 32 >= longs) return;
  d[threadIdx.x] = chain(threadIdx.x, rounds);
  __syncwarp();
  o[blockIdx.x * blockDim.x + threadIdx.x] = d[threadIdx.x ^ 1];
}

/** 128 registers a thread. */
__global__ void __launch_bounds__(256, 2) endsWithRegisters(float *o, const float *p, int longs, int rounds) {
  if (threadIdx.x / 32 >= longs) return;
  float a[100];
#pragma unroll
  for (int k = 0; k < 100; k++) a[k] = p[threadIdx.x + k * 256];
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < 100; k++) a[k] = a[k] * 0.5f + a[(k + 1) % 100];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 100; k++) sum += a[k];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/** As a dot product whose first thread sums up. */
__global__ void serialSum(float *o, const float *p) {
  __shared__ float s[256];
  int t = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = p[t] * 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 256; i++) sum += s[i];
    o[blockIdx.x] = sum;
  }
}

int main() {
  float *o, *p;
  cudaMalloc(&o, 132 * 64 * 1024 * sizeof(float));
  cudaMalloc(&p, 132 * 256 * 256 * sizeof(float));
  cudaMemset(p, 0, 132 * 256 * 256 * sizeof(float));
  cudaFuncSetAttribute(endsInShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 56 * 1024);
  for (int size : {256, 512, 1024})
    for (int longs : {1, 4}) {
      ends<<<132 * 32, size>>>(o, longs, 2000);
      endsBehindBarrier<<<132 * 32, size>>>(o, longs, 500, 2000);
    }
  waits<<<132 * 32, 256>>>(o, 1, 2000);
  ends<<<132 * 64, 256>>>(o, 8, 2000);
  endsInShared<<<132 * 32, 256, 56 * 1024>>>(o, 1, 2000);
  endsInShared<<<132 * 32, 256, 56 * 1024>>>(o, 8, 2000);
  endsWithRegisters<<<132 * 16, 256>>>(o, p, 1, 20);
  endsWithRegisters<<<132 * 16, 256>>>(o, p, 8, 20);
  serialSum<<<132 * 256, 256>>>(o, p);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
