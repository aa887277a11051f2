// A thread a row: the access pattern of most first kernels of matrices. Rows of many pitches, stored, copied, read, scaled in place,
// and as softmax; few and many rows, small and large blocks. Each launch is verified by a sum of what it left.
#include <cstdio>
#include <vector>

__global__ void fill(float *out, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) out[r * pitch + i] = i;
}

__global__ void copy(float *out, const float *in, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) out[r * pitch + i] = in[r * pitch + i];
}

__global__ void sum(float *out, const float *in, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  for (int i = 0; i < n; ++i) s += in[r * pitch + i];
  out[r] = s;
}

__global__ void scale(float *x, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) x[r * pitch + i] *= 2.0f;
}

__global__ void softmax(float *out, const float *in, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -1e30f;
  for (int i = 0; i < n; ++i) most = fmaxf(most, in[r * pitch + i]);
  float s = 0;
  for (int i = 0; i < n; ++i) s += expf(in[r * pitch + i] - most);
  for (int i = 0; i < n; ++i) out[r * pitch + i] = expf(in[r * pitch + i] - most) / s;
}

static float *in, *out;

static void check() {
  if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
}

int main() {
  const size_t bytes = size_t(288) << 20;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  struct Case { int rows, block, pitch, n; };
  const Case all[] = {
      {8192, 128, 8192, 256}, {8192, 128, 8224, 256}, {8192, 128, 8200, 256}, {8192, 128, 8193, 256}, {8192, 128, 4096, 256},
      {8192, 128, 1024, 256}, {8192, 128, 1000, 256}, {8192, 128, 256, 256}, {8192, 32, 1024, 256}, {8192, 1024, 1024, 256},
      {32, 32, 1024, 1024}, {128, 128, 1024, 1024}, {1024, 1024, 1024, 1024}, {1024, 32, 8192, 512}, {1024, 256, 8192, 512},
      {65536, 256, 1024, 64}, {65536, 256, 1000, 64}, {65536, 256, 64, 64}, {262144, 256, 16, 16}, {1048576, 256, 8, 8}, {1048576, 256, 4, 4},
  };
  for (const Case &c : all) {
    int grid = (c.rows + c.block - 1) / c.block;
    fill<<<grid, c.block>>>(out, c.rows, c.pitch, c.n);
    check();
    copy<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n);
    check();
    sum<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n);
    check();
  }
  const Case some[] = {{8192, 128, 8192, 256}, {8192, 128, 1000, 256}, {1024, 1024, 1024, 1024}, {1024, 256, 8192, 512}, {65536, 256, 256, 256}};
  for (const Case &c : some) {
    int grid = (c.rows + c.block - 1) / c.block;
    scale<<<grid, c.block>>>(out, c.rows, c.pitch, c.n);
    check();
    softmax<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n);
    check();
  }
  return 0;
}
