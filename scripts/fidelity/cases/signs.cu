// Loops over elements chosen by indices with a sign and without: where it may wrap at 32 bits, addresses are made anew each round, and the machine compiler
// does not write the loop out once more.
#include <cstdio>

#define KERNEL(name, ...) __global__ void name(float *o, const float *m, const float *q, int p, int n) { __VA_ARGS__ }
KERNEL(columnOfInt, int x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) { float v = m[i * p + x]; s += v * v; } o[x] = s;)
KERNEL(columnOfUnsigned, unsigned x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) { float v = m[i * p + x]; s += v * v; } o[x] = s;)
KERNEL(columnOfThread, float s = 0; for (int i = 0; i < n; i++) { float v = m[i * p + threadIdx.x]; s += v * v; } o[blockIdx.x * blockDim.x + threadIdx.x] = s;)
KERNEL(rowOfInt, int x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) s += m[x * p + i]; o[x] = s;)
KERNEL(rowOfUnsigned, unsigned x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) s += m[x * p + i]; o[x] = s;)
KERNEL(productOfInt, int x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) s += q[(x & 63) * n + i] * m[i * p + x]; o[x] = s;)
KERNEL(productOfUnsigned, unsigned x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < n; i++) s += q[(x & 63) * n + i] * m[i * p + x]; o[x] = s;)
KERNEL(constant, unsigned x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < 256; i++) s += m[i * p + x]; o[x] = s;)
KERNEL(constantOfInt, int x = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int i = 0; i < 256; i++) s += m[i * p + x]; o[x] = s;)
KERNEL(stored, unsigned x = blockIdx.x * blockDim.x + threadIdx.x; for (int i = 0; i < n; i++) o[i * p + x] = i;)
KERNEL(storedOfInt, int x = blockIdx.x * blockDim.x + threadIdx.x; for (int i = 0; i < n; i++) o[i * p + x] = i;)

int main() {
  float *o, *m, *q;
  const size_t bytes = size_t(64) << 20;
  cudaMalloc(&o, bytes);
  cudaMalloc(&m, bytes);
  cudaMalloc(&q, bytes);
  cudaMemset(m, 0, bytes);
  cudaMemset(q, 0, bytes);
  struct Case { int blocks, threads, pitch, n; };
  const Case all[] = {{1, 128, 4096, 1024}, {32, 128, 4096, 1024}, {264, 64, 16896, 256}};
  for (const Case &c : all)
    for (auto *kernel : {columnOfInt, columnOfUnsigned, columnOfThread, rowOfInt, rowOfUnsigned, productOfInt, productOfUnsigned, constant, constantOfInt, stored, storedOfInt}) {
      bool isRow = kernel == rowOfInt || kernel == rowOfUnsigned;
      kernel<<<c.blocks, c.threads>>>(o, m, q, isRow ? c.n : c.pitch, c.n);
      if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
    }
  return 0;
}
