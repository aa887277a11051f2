// Blocks that end at once: of many sizes, beside some that work, first, last or spread.
#include <cstdio>
__global__ void nothing() {}
__global__ void bounded(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; a[i] = a[i] * 2 + 1; }
__global__ void working(float *a, int n, int rounds) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float x = a[i]; for (int k = 0; k < rounds; k++) x = x * 1.0001f + 0.5f; a[i] = x; }
__global__ void __launch_bounds__(256, 2) large(float *a, int n) { __shared__ float s[4096]; int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; s[threadIdx.x] = a[i]; a[i] = s[threadIdx.x] + s[threadIdx.x ^ 1]; }
__global__ void spread(float *a, int of) { if (blockIdx.x % of) return; int i = blockIdx.x / of * blockDim.x + threadIdx.x; a[i] = a[i] * 2 + 1; }
__global__ void last(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x - (gridDim.x * blockDim.x - n); if (i < 0) return; a[i] = a[i] * 2 + 1; }
__global__ void rowsOf(const float *a, float *o, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int k = 0; k < m; k++) s += a[k] * (i + k); o[i] = s; }
__global__ void leaders(float *a, int n) { int i = blockIdx.x; if (threadIdx.x == 0 && i < n) a[i] += 1; }
__global__ void barred(float *a, int n) { __shared__ float s[1024]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = i < n ? a[i] : 0; __syncthreads(); if (i < n) a[i] = s[threadIdx.x ^ 1]; }
int main() {
  float *a, *b; cudaMalloc(&a, 64 << 20); cudaMalloc(&b, 64 << 20); cudaMemset(a, 0, 64 << 20); cudaMemset(b, 0, 64 << 20);
  for (int t : {32, 128, 256, 512, 640, 768, 1024}) for (int g : {8192, 65536}) nothing<<<g, t>>>();
  for (int t : {64, 256, 512, 1024}) for (int n : {1024, 131072, 1048576}) bounded<<<65536, t>>>(a, n);
  for (int t : {128, 256, 1024}) for (int n : {1024, 135168, 1048576}) for (int r : {200, 4000}) working<<<65536, t>>>(a, n, r);
  for (int n : {1024, 135168, 1048576}) large<<<65536, 256>>>(a, n);
  for (int t : {128, 1024}) for (int of : {2, 8, 64}) spread<<<32768, t>>>(a, of);
  for (int t : {128, 1024}) for (int n : {1024, 135168, 1048576}) last<<<32768, t>>>(a, n);
  for (int t : {64, 256, 1024}) for (int n : {256, 16384, 262144}) rowsOf<<<32768, t>>>(a, b, n, 1000);
  for (int t : {64, 256, 1024}) leaders<<<65536, t>>>(a, 65536);
  for (int t : {256, 1024}) for (int n : {16384, 1048576}) barred<<<16384, t>>>(a, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
