// Reads of what nobody wrote. A line says what must be found there: tool, kind, severity.
#include <cstdio>

__global__ void copy(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void copyHalf(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];  //! initcheck uninitialized-global-read error
}
__global__ void strided(int *to, const int *from) {
  to[threadIdx.x] = from[2 * threadIdx.x];
  to[threadIdx.x + 32] = from[2 * threadIdx.x + 1];  //! initcheck uninitialized-global-read error
}
__global__ void everySecond(int *to) { to[2 * threadIdx.x] = 1; }
__global__ void sum(int *p) { atomicAdd(p, 1); }  //! initcheck uninitialized-global-read error
__global__ void again(const int *p, int *out) { out[0] = p[7]; }  //! initcheck uninitialized-global-read error
__global__ void shared(int *out) {
  __shared__ int s[64];
  if (threadIdx.x < 40) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];  //! initcheck uninitialized-shared-read error
}
int main() {
  int *a, *b, *c;
  cudaMalloc(&a, 1000 * sizeof(int));
  cudaMalloc(&b, 1000 * sizeof(int));
  cudaMemset(a, 1, 500 * sizeof(int));
  copy<<<4, 256>>>(b, a, 500);
  copyHalf<<<4, 256>>>(b, a, 1000);
  // By now all of it is written.
  copy<<<4, 256>>>(a, b, 1000);
  cudaMalloc(&c, 64 * sizeof(int));
  everySecond<<<1, 32>>>(c);
  strided<<<1, 32>>>(a, c);
  cudaFree(c);
  cudaMalloc(&c, 64 * sizeof(int));
  sum<<<1, 32>>>(c);
  again<<<1, 1>>>(c, a);
  cudaMemcpy(c, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  copy<<<1, 64>>>(a, c, 64);
  shared<<<1, 64>>>(b);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
