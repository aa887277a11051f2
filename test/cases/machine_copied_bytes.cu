// Bytes of copies stay bytes in shared memory too, and shorts become 8 bytes at most: nvcc's LLVM makes them when it joins no more
// (machine code of nvcc 13.0 -O3 -arch=sm_90, its LDS and STS counted).
// levels: 2
// count: copiesIn shared store executed = 64
// count: copiesOut shared load executed = 64
// count: copiesShorts shared store executed = 2
// count: copiesShorts shared load executed = 2
// count: copiesWords shared store executed = 2
// count: copiesWords shared load executed = 2
// count: copiesBytesIn shared store executed = 16
// count: copiesBytesOut shared load executed = 16
// count: sets shared store executed = 1
// stdout: 379 379 3067 1533 90 1533 0 no error
#include <cstdio>

struct Words {
  int a[8];
};
struct Shorts {
  short a[8];
};

__global__ void copiesIn(int *o, const int *x) {
  __shared__ int s[1024];
  memcpy(s + threadIdx.x * 16, x + threadIdx.x * 16, 64);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 5];
}
__global__ void copiesOut(int *o, const int *x) {
  __shared__ int s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  memcpy(o + threadIdx.x * 16, s + threadIdx.x * 16, 64);
}
__global__ void copiesWords(Words *o, const Words *x) {
  __shared__ Words s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void copiesShorts(Shorts *o, const Shorts *x) {
  __shared__ Shorts s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void copiesBytesIn(unsigned char *o, const unsigned char *x) {
  __shared__ unsigned char s[1024];
  memcpy(s + threadIdx.x * 16, x + threadIdx.x * 16, 16);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 5];
}
__global__ void copiesBytesOut(unsigned char *o, const unsigned char *x) {
  __shared__ unsigned char s[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) s[i] = x[i];
  __syncthreads();
  memcpy(o + threadIdx.x * 16, s + threadIdx.x * 16, 16);
}
__global__ void sets(unsigned *o, const unsigned *x) {
  __shared__ unsigned s[256];
  memset(s + threadIdx.x * 4, 0, 16);
  __syncthreads();
  o[threadIdx.x] = s[x[0] & 127];
}

template <typename T> void run(void (*kernel)(T *, const T *), char *o, char *x) {
  cudaMemset(o, 0, 4096);
  kernel<<<1, 32>>>((T *)o, (const T *)x);
  unsigned char h[4096];
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 1024; i++) sum += h[i];
  printf("%u ", sum);
}

int main() {
  char *o, *x, h[4096];
  for (int i = 0; i < 4096; i++) h[i] = i % 7;
  cudaMalloc(&o, 4096);
  cudaMalloc(&x, 4096);
  cudaMemcpy(x, h, 4096, cudaMemcpyHostToDevice);
  run(copiesIn, o, x);
  run(copiesOut, o, x);
  run(copiesWords, o, x);
  run(copiesShorts, o, x);
  run(copiesBytesIn, o, x);
  run(copiesBytesOut, o, x);
  run(sets, o, x);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
