// Loops of 16 rounds, a number known at run time only, along rows of shared memory: how many of the loads ptxas joins is decided by where
// nvcc's pointer begins (analysis/loops/loopPointers.ts). Counts were read on an H200 (nvcc 13.0 -O3 -arch=sm_90), one warp.
// levels: 2
// stdout: 3840 3840 3840 67200 41600 480 3840 5888 4352 7936 3840 3840 5376 3840
// count: row shared load executed = 8
// count: wholeNumbers shared load executed = 8
// count: doubles shared load executed = 8
// count: product shared load executed = 24
// count: twoRows shared load executed = 16
// count: largest shared load executed = 8
// count: pointer shared load executed = 8
// count: fourBehind shared load executed = 16
// count: nextRow shared load executed = 16
// count: fromEight shared load executed = 16
// count: byEight shared load executed = 4
// count: byTwo shared load executed = 16
// count: constantRow shared load executed = 4
// count: aligned shared load executed = 4
#include <cstdio>

#define HEAD(type) __shared__ type t[34][36]; for (int y = 0; y < 34; y++) { t[y][threadIdx.x] = a[y] + threadIdx.x; if (threadIdx.x < 4) t[y][threadIdx.x + 32] = a[y]; } __syncthreads(); type s = 0;
#define KERNEL(name, type, ...) \
  __global__ void name(type *o, const type *a, int n) { HEAD(type) __VA_ARGS__ o[threadIdx.x] = s; }
#define ROWS(first) for (int k = first; k < n + first; ++k)

KERNEL(row, float, ROWS(0) s += t[threadIdx.y][k];)
KERNEL(wholeNumbers, int, ROWS(0) s += t[threadIdx.y][k];)
KERNEL(doubles, double, ROWS(0) s += t[threadIdx.y][k];)
KERNEL(product, float, ROWS(0) s += t[threadIdx.y][k] * t[k][threadIdx.x];)
KERNEL(twoRows, float, ROWS(0) s += t[threadIdx.y][k] * t[threadIdx.x & 1][k];)
KERNEL(largest, float, ROWS(0) s = fmaxf(s, t[threadIdx.y][k]);)
KERNEL(pointer, float, const float *r = t[threadIdx.y]; ROWS(0) s += r[k];)
KERNEL(fourBehind, float, ROWS(0) s += t[threadIdx.y][k + 4];)
KERNEL(nextRow, float, ROWS(0) s += t[threadIdx.y + 1][k];)
KERNEL(fromEight, float, ROWS(8) s += t[threadIdx.y][k];)
KERNEL(byEight, float, _Pragma("unroll 8") ROWS(0) s += t[threadIdx.y][k];)
KERNEL(byTwo, float, _Pragma("unroll 2") ROWS(0) s += t[threadIdx.y][k];)
// A place that is a constant, and arrays that are aligned, are joined by four.
KERNEL(constantRow, float, ROWS(0) s += t[3][k];)
__global__ void aligned(float *o, const float *a, int n) {
  __shared__ __align__(16) float t[32][32];
  for (int y = 0; y < 32; y++) t[y][threadIdx.x] = a[y] + threadIdx.x;
  __syncthreads();
  float s = 0;
  ROWS(0) s += t[threadIdx.y][k];
  o[threadIdx.x] = s;
}

template <class T> void run(void (*kernel)(T *, const T *, int), const char *end = " ") {
  T h[64], *o, *a;
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&a, sizeof h);
  for (int k = 0; k < 64; k++) h[k] = k % 5;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(o, a, 16);
  cudaMemcpy(h, o, 32 * sizeof(T), cudaMemcpyDeviceToHost);
  T sum = 0;
  for (int k = 0; k < 32; k++) sum += h[k];
  printf("%d%s", (int)sum, end);
  cudaFree(o);
  cudaFree(a);
}

int main() {
  run(row); run(wholeNumbers); run(doubles); run(product); run(twoRows); run(largest); run(pointer);
  run(fourBehind); run(nextRow); run(fromEight); run(byEight); run(byTwo); run(constantRow); run(aligned, "\n");
  return cudaDeviceSynchronize();
}
