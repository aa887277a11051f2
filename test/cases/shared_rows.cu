// Rows of shared memory that all warps read and one of them writes over without a barrier between (analysis/execution/pauses.ts), as shared_races.cu. At
// -O0 indices are variables in memory, and nobody sees which words they name.
// levels: 2
// stdout: rows 0 wrong
#include <cstdio>

// The second block's warps write over what they have read: the next diagonal tile of all shortest paths (ECL-APSP).
__global__ void rows(int *y) {
  __shared__ int s[8 * 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
  s[warp * 32 + lane] = threadIdx.x + blockIdx.x;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) sum += s[k * 32 + lane];
  if (blockIdx.x == 1)
#pragma unroll
    for (int k = 0; k < 8; k++) {
      if (warp == k) s[k * 32 + lane] = sum;
      __syncthreads();
      sum += s[k * 32 + lane];
    }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const int n = 256;
  int *y, wrong = 0;
  cudaMallocManaged(&y, 2 * n * sizeof(int));
  rows<<<2, n>>>(y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    int first = 8 * (i % 32) + 32 * 28;
    wrong += y[i] != first;
    wrong += y[n + i] != (first + 8) * 256;
  }
  printf("rows %d wrong\n", wrong);
  return 0;
}
