// Indices and counters with a sign and without, of 32 bits and of 64: which of them nvcc takes for one, and which loops it writes out
// (frontend/passes/twofoldIndices.ts, wideBounds.ts; read on an H200).
// levels: 2
// stdout: no error
#include <cstdio>

typedef long long wide;
const int N = 8;

__device__ float laplacian(const float c[][N][N], int x, int y, int z) {
  return c[x + 1][y][z] + c[x - 1][y][z] + c[x][y][z + 1] + c[x][y][z - 1] - 4 * c[x][y][z];
}
__global__ void volume(float o[][N][N], const float c[][N][N]) {
  unsigned x = threadIdx.z - blockIdx.x, y = threadIdx.y - blockIdx.x, z = threadIdx.x - blockIdx.x;
  if (x < N - 1 && z < N - 1 && x > 0 && z > 0) o[x][y][z] = c[x][y][z] * 3 + laplacian(c, x, y, z);
}
__device__ float both(const float *c, int i) { return c[i - 1] + c[i]; }
__global__ void handedOn(float *o, const float *c) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  o[i] = c[i] * 3 + both(c, i);
}
__global__ void natural(float *o, const float *c) {
  unsigned i = (threadIdx.x & 15) + 1;
  o[i] = c[i] * 3 + both(c, i & 31);
}
__global__ void copied(float *o, const float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = i;
  if (i < n) o[i] = c[i + 1] * 3 + c[j + 1];
}
__global__ void cast(float *o, const float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { o[i] += c[i]; o[(int)i] *= c[(int)i]; }
}
__global__ void inShared(float *o, const float *c) {
  __shared__ float s[64];
  unsigned t = threadIdx.x + 1;
  s[t] = c[t];
  __syncthreads();
  o[t] = s[t] + both(s, t);
}

#define SUM(name, start, condition, step) \
  __global__ void name(float *o, const float *x, wide n, int m, const wide *rows) { \
    float s = 0; \
    for (int i = start; condition; step) s += x[i]; \
    o[threadIdx.x] = s; \
  }
SUM(byThread, threadIdx.x, i < n, i += 64)
SUM(byThreadBelow, threadIdx.x, i + 1 < n, i += 64)
SUM(upwards, m + threadIdx.x, i < n - 1, i++)
SUM(masked, threadIdx.x & 31, i < n, i += 32)
SUM(narrow, threadIdx.x, i < m, i += 64)
SUM(widened, threadIdx.x, i < (wide)m * 3, i += 64)
SUM(ofRow, rows[threadIdx.x], i < rows[threadIdx.x + 1], ++i)
__global__ void whileBelow(float *o, const float *x, wide n) {
  float s = 0;
  int i = threadIdx.x;
  while (i < n) { s += x[i]; i += 64; }
  o[threadIdx.x] = s;
}
__global__ void scaled(float *o, const float *x, wide n) {
  for (int i = threadIdx.x; i < n; i += 64)
    if (x[i] >= 0) o[i] = x[i] * 2;
}
__device__ float sumFrom(const float *x, int begin, wide n) {
  float s = 0;
  for (int i = begin; i < n; i += 64) s += x[i];
  return s;
}
__global__ void inFunction(float *o, const float *x, wide n) { o[threadIdx.x] = sumFrom(x, threadIdx.x, n); }

int main() {
  float *o, *x;
  wide *rows;
  cudaMalloc(&o, 1 << 16);
  cudaMalloc(&x, 1 << 16);
  cudaMalloc(&rows, 1 << 12);
  cudaMemset(o, 0, 1 << 16);
  cudaMemset(x, 0, 1 << 16);
  wide h[40];
  for (int i = 0; i < 40; ++i) h[i] = i * (i + 1) / 2;
  cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice);
  auto cube = (float(*)[N][N])o;
  volume<<<1, dim3(8, 8, 8)>>>(cube, (const float(*)[N][N])x);
  handedOn<<<2, 32>>>(o, x);
  natural<<<1, 32>>>(o, x);
  copied<<<2, 32>>>(o, x, 50);
  cast<<<2, 32>>>(o, x, 50);
  inShared<<<1, 32>>>(o, x);
  byThread<<<1, 32>>>(o, x, 200, 100, rows);
  byThreadBelow<<<1, 32>>>(o, x, 200, 100, rows);
  upwards<<<1, 32>>>(o, x, 200, 100, rows);
  masked<<<1, 32>>>(o, x, 200, 100, rows);
  narrow<<<1, 32>>>(o, x, 200, 200, rows);
  widened<<<1, 32>>>(o, x, 200, 67, rows);
  ofRow<<<1, 32>>>(o, x, 200, 100, rows);
  whileBelow<<<1, 32>>>(o, x, 200);
  scaled<<<1, 32>>>(o, x, 200);
  inFunction<<<1, 32>>>(o, x, 200);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
