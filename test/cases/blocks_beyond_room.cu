// Blocks that wait for each other, more of them than there is room for: what is told is not that the loop's word never changes.
// 80 blocks of 2 MiB of local memory.
// stdout: cudaErrorLaunchTimeout
// stderr: error: no thread can go on: 17 of 80 blocks that are left cannot start, since Warplens has room for the shared
// stderr:  note: in kernel meet
#include <cstdio>

__global__ void meet(volatile int *arrived, int *out, int n) {
  int own[8192];
  for (int i = 0; i < n; i++) own[i] = i * threadIdx.x;
  if (threadIdx.x == 0) atomicAdd((int *)arrived, 1);
  while (*arrived < gridDim.x) __threadfence();
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[out[threadIdx.x] & 8191];
}

int main() {
  int *arrived, *out;
  cudaMalloc(&arrived, sizeof(int));
  cudaMalloc(&out, 80 * 64 * sizeof(int));
  cudaMemset(arrived, 0, sizeof(int));
  cudaMemset(out, 0, 80 * 64 * sizeof(int));
  meet<<<80, 64>>>(arrived, out, 16);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
