// Many warps that compare and swap few words in loops: sums, maxima and locks, in shared and in global memory; contendedSwaps.json has
// an H200's times.
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>
__device__ float addCas(float *address, float v) {
  int *a = (int *)address, old = *a, assumed;
  do { assumed = old; old = atomicCAS(a, assumed, __float_as_int(v + __int_as_float(assumed))); } while (assumed != old);
  return __int_as_float(old);
}
__device__ double addCasD(double *address, double v) {
  unsigned long long *a = (unsigned long long *)address, old = *a, assumed;
  do { assumed = old; old = atomicCAS(a, assumed, __double_as_longlong(v + __longlong_as_double(assumed))); } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ float maxCas(float *address, float v) {
  int *a = (int *)address, old = *a, assumed;
  do { assumed = old; old = atomicCAS(a, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed)))); } while (assumed != old);
  return __int_as_float(old);
}
__global__ void sharedAdd(float *out, int words, int lanes, int rounds) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) addCas(s + threadIdx.x % words, 1.0f + r);
  __syncthreads();
  out[blockIdx.x] = s[0];
}
__global__ void sharedAddD(double *out, int words, int lanes, int rounds) {
  __shared__ double s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) addCasD(s + threadIdx.x % words, 1.0 + r);
  __syncthreads();
  out[blockIdx.x] = s[0];
}
__global__ void sharedMax(float *out, int words, int lanes, int rounds) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) maxCas(s + threadIdx.x % words, (float)((threadIdx.x * 37 + r * 11) % 1009));
  __syncthreads();
  out[blockIdx.x] = s[0];
}
__global__ void sharedLock(float *out, int words, int lanes, int rounds) {
  __shared__ int lock[64]; __shared__ volatile float s[64];
  if (threadIdx.x < 64) lock[threadIdx.x] = 0, s[threadIdx.x] = 0;
  __syncthreads();
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) {
    int w = threadIdx.x % words; bool done = false;
    while (!done) if (atomicCAS(lock + w, 0, 1) == 0) { s[w] = s[w] + 1; __threadfence_block(); atomicExch(lock + w, 0); done = true; }
  }
  __syncthreads();
  out[blockIdx.x] = s[0];
}
__global__ void globalAdd(float *sum, int words, int lanes, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) addCas(sum + i % words, 1.0f);
}
__global__ void globalAddD(double *sum, int words, int lanes, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) addCasD(sum + i % words, 1.0);
}
__global__ void globalMax(float *sum, int words, int lanes, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) maxCas(sum + i % words, (float)((i * 37 + r * 11) % 10007));
}
__global__ void globalLeader(float *sum, int words, int lanes, int rounds) {
  if (threadIdx.x == 0) for (int r = 0; r < rounds; ++r) addCas(sum + blockIdx.x % words, 1.0f);
}
__global__ void globalLock(int *lock, int words, int lanes, int rounds) {
  volatile int *count = lock + 1024;
  if (threadIdx.x == 0) for (int r = 0; r < rounds; ++r) {
    int w = (blockIdx.x % words) * 32;
    while (atomicCAS(lock + w, 0, 1) != 0);
    count[w] = count[w] + 1; __threadfence(); atomicExch(lock + w, 0);
  }
}
__global__ void globalLockAll(int *lock, int words, int lanes, int rounds) {
  volatile int *count = lock + 1024;
  if ((threadIdx.x & 31) < lanes) for (int r = 0; r < rounds; ++r) {
    int w = (blockIdx.x % words) * 32; bool done = false;
    while (!done) if (atomicCAS(lock + w, 0, 1) == 0) { count[w] = count[w] + 1; __threadfence(); atomicExch(lock + w, 0); done = true; }
  }
}
#define GO(k, type, g, b, w, l, r) { cudaMemset(m, 0, 1 << 20); k<<<g, b>>>((type *)m, w, l, r); cudaDeviceSynchronize(); }
int main() {
  void *m; cudaMalloc(&m, 1 << 20);
  for (int b : {32, 64, 128, 256, 512, 1024}) {
    for (int w : {1, 4, 16}) { GO(sharedAdd, float, 1, b, w, 32, 2); }
    GO(sharedAdd, float, 1, b, 1, 1, 8); GO(sharedAddD, double, 1, b, 1, 32, 2); GO(sharedMax, float, 1, b, 1, 32, 4); GO(sharedMax, float, 1, b, 16, 32, 4);
    GO(sharedLock, float, 1, b, 1, 1, 4); if (b <= 256) GO(sharedLock, float, 1, b, 1, 32, 1); GO(sharedLock, float, 1, b, 32, 32, 1);
  }
  GO(sharedAdd, float, 1056, 256, 1, 32, 1); GO(sharedAdd, float, 1056, 256, 32, 32, 1); GO(sharedMax, float, 1056, 256, 1, 32, 4); GO(sharedAddD, double, 1056, 256, 1, 32, 1);
  for (int g : {1, 8, 64, 264}) for (int w : {1, 8, 64}) { GO(globalAdd, float, g, 128, w, 32, 1); }
  for (int g : {1, 8, 64, 264}) { GO(globalAddD, double, g, 128, 1, 32, 1); GO(globalMax, float, g, 128, 1, 32, 1); GO(globalAdd, float, g, 32, 1, 1, 4); }
  for (int g : {1, 16, 132, 528, 2112}) { GO(globalLeader, float, g, 128, 1, 1, 1); GO(globalLeader, float, g, 128, 16, 1, 1); }
  for (int g : {1, 4, 16, 66, 132, 528}) { GO(globalLock, int, g, 32, 1, 1, 1); GO(globalLock, int, g, 32, 8, 1, 1); }
  for (int g : {1, 16, 132}) { GO(globalLockAll, int, g, 64, 1, 1, 1); GO(globalLockAll, int, g, 64, 1, 32, 1); }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
