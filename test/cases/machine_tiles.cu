// Rows of tiles with more rounds than nvcc writes out whole. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 64 60 128 64 64 64
// count: columns64 shared load executed = 80
// count: columns60 shared load executed = 75
// count: columns128 shared load executed = 33
// count: padded shared load executed = 32
// count: doubles shared load executed = 64
// count: largest shared load executed = 16
#include <cstdio>

#define TILES(type, width)                                    \
  __shared__ type a[2][width], b[width][2];                   \
  int x = threadIdx.x, y = threadIdx.y;                       \
  for (int i = x; i < width; i += 16) a[y][i] = b[i][y] = 1;  \
  __syncthreads();

__global__ void columns64(float *o) {
  TILES(float, 64)
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += a[y][k] * b[k][x & 1];
  o[16 * y + x] = sum;
}
__global__ void columns60(float *o) {
  TILES(float, 60)
  float sum = 0;
  for (int k = 0; k < 60; ++k) sum += a[y][k] * b[k][x & 1];
  o[16 * y + x] = sum;
}
__global__ void columns128(float *o, float c) {
  TILES(float, 128)
  float sum = 0;
  for (int k = 0; k < 128; ++k) sum += a[y][k] * c;
  o[16 * y + x] = sum + b[x][0] - 1;
}
__global__ void padded(float *o) {
  __shared__ float a[16][68], b[16][68];
  int t = threadIdx.x;
  for (int i = 0; i < 68; ++i) a[t & 15][i] = b[t & 15][i] = 1;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += a[t & 15][k] * b[t >> 1][k];
  o[t] = sum;
}
__global__ void doubles(float *o) {
  __shared__ double a[32][64];
  for (int i = 0; i < 64; ++i) a[threadIdx.x][i] = 1;
  __syncthreads();
  int t = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 64; ++k) sum += a[t & 15][k] * a[16 + (t & 15)][k];
  o[t] = sum;
}
__global__ void largest(float *o) {
  __shared__ float a[32][64];
  for (int i = 0; i < 64; ++i) a[threadIdx.x][i] = i + 1;
  __syncthreads();
  float most = 0;
  for (int k = 0; k < 64; ++k) most = fmaxf(most, a[threadIdx.x][k]);
  o[threadIdx.x] = most;
}

int main() {
  float *o;
  cudaMallocManaged(&o, 128);
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%g%s", o[5], between); };
  columns64<<<1, dim3(16, 2)>>>(o); told();
  columns60<<<1, dim3(16, 2)>>>(o); told();
  columns128<<<1, dim3(16, 2)>>>(o, 1); told();
  padded<<<1, 32>>>(o); told();
  doubles<<<1, 32>>>(o); told();
  largest<<<1, 32>>>(o); told("\n");
}
