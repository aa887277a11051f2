/**
 * Products of matrices and layers of networks as beginners write them, by grids from one block to more than the machine holds: what blocks
 * that run at once read alike they wait for together.
 */
#include <cstdio>

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (int l = 0; l < k; l++) sum += a[row * k + l] * b[l * n + column];
    c[row * n + column] = sum;
  }
}

/** Both by rows. */
__global__ void rowsByRows(const float *a, const float *b, float *c, int m, int k, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (int l = 0; l < k; l++) sum += a[row * k + l] * b[column * k + l];
    c[row * n + column] = sum;
  }
}

/** A block's threads have one row of the input. */
__global__ void layer(const float *in, const float *w, float *out, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += in[row * k + l] * w[l * n + column];
  out[row * n + column] = sum > 0 ? sum : 0;
}

/** A thread a row of the matrix. */
__global__ void matrixByVector(const float *a, const float *x, float *y, int m, int k, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[row * k + l] * x[l];
  y[row] = sum;
}

/** A thread a column. */
__global__ void vectorByMatrix(const float *a, const float *x, float *y, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[l * n + column] * x[l];
  y[column] = sum;
}

typedef void Kernel(const float *, const float *, float *, int, int, int);

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 16 << 20), cudaMalloc(&b, 16 << 20), cudaMalloc(&c, 16 << 20);
  cudaMemset(a, 0, 16 << 20), cudaMemset(b, 0, 16 << 20);
  auto launch = [&](Kernel *kernel, dim3 block, int m, int k, int n) {
    kernel<<<dim3((n + block.x - 1) / block.x, (m + block.y - 1) / block.y), block>>>(a, b, c, m, k, n);
  };
  for (int side : {32, 64, 128, 256, 512, 1024}) {
    launch(product, dim3(32, 32), side, 512, side);
    launch(product, dim3(16, 16), side, 512, side);
    if (side <= 256) launch(rowsByRows, dim3(16, 16), side, 512, side);
  }
  launch(product, dim3(32, 8), 128, 512, 128);
  launch(product, dim3(32, 8), 512, 512, 512);
  launch(product, dim3(8, 8), 128, 512, 128);
  launch(product, dim3(8, 8), 512, 512, 512);
  launch(product, dim3(32, 32), 256, 2048, 256);
  launch(product, dim3(32, 32), 1024, 64, 1024);
  for (int rows : {1, 8, 64, 512}) {
    launch(layer, dim3(256), rows, 784, 256);
    launch(layer, dim3(64), rows, 784, 256);
    launch(layer, dim3(256), rows, 512, 1024);
  }
  for (int rows : {256, 1024, 4096}) {
    matrixByVector<<<rows / 256, 256>>>(a, b, c, rows, 1024, 1);
    matrixByVector<<<rows / 64, 64>>>(a, b, c, rows, 1024, 1);
    vectorByMatrix<<<rows / 256, 256>>>(a, b, c, 1, 1024, rows);
    vectorByMatrix<<<rows / 64, 64>>>(a, b, c, 1, 1024, rows);
  }
  return cudaDeviceSynchronize();
}
