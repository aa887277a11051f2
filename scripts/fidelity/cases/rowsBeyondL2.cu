// A thread a row of matrices that are larger than the L2: read, written, both in place, and from one to another.
#include <cstdio>

__global__ void readRows(const float *x, float *sums, int rows, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < rows) { float s = 0; for (int f = 0; f < n; f++) s += x[(size_t)t * n + f]; sums[t] = s; } }
__global__ void writeRows(float *x, int rows, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < rows) for (int f = 0; f < n; f++) x[(size_t)t * n + f] = f; }
__global__ void changeRows(float *x, const float *m, int rows, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < rows) for (int f = 0; f < n; f++) x[(size_t)t * n + f] -= m[f]; }
__global__ void copyRows(const float *x, float *y, int rows, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < rows) for (int f = 0; f < n; f++) y[(size_t)t * n + f] = x[(size_t)t * n + f]; }

int main() {
  const size_t most = size_t(256) << 20;
  float *x, *y, *m;
  cudaMalloc(&x, most);
  cudaMalloc(&y, most);
  cudaMalloc(&m, 4 << 20);
  cudaMemset(x, 0, most);
  cudaMemset(m, 0, 4 << 20);
  for (size_t bytes : {size_t(8) << 20, size_t(64) << 20, most})
    for (int n : {96, 1000, 2475})
      for (int block : {32, 256}) {
        int rows = bytes / 4 / n, grid = (rows + block - 1) / block;
        readRows<<<grid, block>>>(x, m, rows, n);
        writeRows<<<grid, block>>>(x, rows, n);
        changeRows<<<grid, block>>>(x, m, rows, n);
        copyRows<<<grid, block>>>(x, y, rows, n);
      }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
