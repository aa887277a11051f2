// Loads that find their lines in L1 beside loads of lines that all warps of a block want at once and L1 has not got: products
// of matrices by blocks of many shapes, with one block or several on a multiprocessor; and lines that each warp has of its own.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

// A row of `a` is of a warp (of two half warps where blocks are 16 wide); all rows of threads read the same elements of `b`.
__global__ void product(const float *a, const float *b, float *c, int k, int n) {
  int row = threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[row * k + l] * b[l * n + column];
  c[row * n + column] = sum;
}
// Only what all rows of threads read.
__global__ void same(const float *b, float *c, int k, int n) {
  int row = threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += b[l * n + column];
  c[row * n + column] = sum;
}
// Each row of threads reads lines of its own.
__global__ void own(const float *b, float *c, int k, int n) {
  int row = threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += b[(row * k + l) * n + column];
  c[row * n + column] = sum;
}
// A line for all, then three of the row's own that L1 has.
__global__ void mixed(const float *a, const float *b, float *c, int k, int n) {
  int row = threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int l = 0; l < k; l++) {
    int at = row * 64 + (l & 7);
    sum += a[at] * b[l * n + column] + a[at + 8] * a[at + 16];
  }
  c[row * n + column] = sum;
}

int main() {
  const int k = 512, most = 528 * 32;
  float *a, *b, *c;
  CHECK(cudaMalloc(&a, sizeof(float) * 64 * k));
  CHECK(cudaMalloc(&b, sizeof(float) * (size_t)k * most * 4));
  CHECK(cudaMalloc(&c, sizeof(float) * 64 * most));
  CHECK(cudaMemset(a, 0, sizeof(float) * 64 * k));
  CHECK(cudaMemset(b, 0, sizeof(float) * (size_t)k * most * 4));
  const dim3 shapes[] = {{32, 32}, {32, 16}, {32, 8}, {32, 4}, {32, 1}, {16, 16}};
  for (dim3 shape : shapes)
    for (int blocks : {64, 132, 264, 528}) product<<<blocks, shape>>>(a, b, c, k, blocks * shape.x);
  for (dim3 shape : {dim3(32, 32), dim3(32, 8)})
    for (int blocks : {132, 264, 528}) same<<<blocks, shape>>>(b, c, k, blocks * shape.x);
  for (dim3 shape : {dim3(32, 32), dim3(32, 8)})
    for (int blocks : {66, 132}) own<<<blocks, shape>>>(b, c, k / 32, blocks * shape.x);
  for (dim3 shape : {dim3(32, 32), dim3(32, 8)})
    for (int blocks : {132, 264, 528}) mixed<<<blocks, shape>>>(a, b, c, k, blocks * shape.x);
  CHECK(cudaDeviceSynchronize());
  printf("ok\n");
}
