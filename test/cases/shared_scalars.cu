// Shared variables that are declared extern and are no arrays: static ones to nvcc, beside the launch's dynamic memory.
// stdout: last 7 sum 496 of 32
#include <cstdio>

__global__ void lastOfAll(int *out) {
  extern __shared__ int values[];
  extern __shared__ int last;
  __shared__ extern int sum;
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 3) last = 7;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, values[(threadIdx.x + 1) % blockDim.x]);
  __syncthreads();
  out[threadIdx.x] = last + 10 * sum;
}

int main() {
  int *out;
  cudaMallocManaged(&out, 128);
  lastOfAll<<<1, 32, 128>>>(out);
  cudaDeviceSynchronize();
  int same = 0;
  for (int i = 0; i < 32; i++) same += out[i] == out[0];
  printf("last %d sum %d of %d\n", out[0] % 10, out[0] / 10, same);
}
