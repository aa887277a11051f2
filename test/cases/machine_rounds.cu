// What rounds of a loop share: neighbours at multiples of the counter are one access, and what one round stores last the next one
// does not load. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 0 0 0 0 | 496 496 108 0
// count: points shared load executed = 6
// count: unsignedPoints shared load executed = 6
// count: pairs shared load executed = 8
// count: rows shared load executed = 24
// count: scan shared load executed = 7
// count: scanGlobal global load executed = 6
// count: shifted shared load executed = 3
// count: behindBarrier shared load executed = 11
#include <cstdio>

template <class T>
__device__ float nearest(const float *s, T n) {
  float best = 1e30f;
  for (T i = 0; i < n; i++) {
    float d = 0;
    for (T k = 0; k < 3; k++) d += s[3 * i + k] * s[3 * i + k];
    if (d < best) best = d;
  }
  return best;
}
__global__ void points(float *o, int n) {
  extern __shared__ float s[];
  o[threadIdx.x] = nearest<int>(s, n);
}
__global__ void unsignedPoints(float *o, unsigned n) {
  extern __shared__ float s[];
  o[threadIdx.x] = nearest<unsigned>(s, n);
}
__global__ void pairs(float *o, int n) {
  extern __shared__ float s[];
  float sum = 0;
  for (int i = 0; i < n; i++) sum += s[2 * i] * s[2 * i + 1];
  o[threadIdx.x] = sum;
}
// Where the row begins is not known: no two words are one access.
__global__ void rows(float *o, int n, int width) {
  extern __shared__ float s[];
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) sum += s[3 * width + 3 * i + k];
  o[threadIdx.x] = sum;
}
__global__ void scan(int *a, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < n) s[t] = a[t];
  else s[t] = 0;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int x = s[t];
    __syncthreads();
    if (t >= stride) x += s[t - stride];
    __syncthreads();
    s[t] = x;
  }
  if (t < n) a[t] = s[t];
}
__global__ void scanGlobal(int *a, int n) {
  int t = threadIdx.x;
  for (int stride = 1; stride < n; stride *= 2) {
    int x = a[t];
    __syncthreads();
    if (t >= stride) x += a[t - stride];
    __syncthreads();
    a[t] = x;
  }
}
// A store to another place of the array behind it leaves it alone.
__global__ void shifted(int *a, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int i = 1; i < n; i *= 2) {
    int x = s[t];
    __syncthreads();
    s[t] = x + i;
    s[t + 32] = x;
  }
  if (t < n) a[t] = s[t] + s[t + 32];
}
// A barrier behind it does not.
__global__ void behindBarrier(int *a, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int stride = 1; stride < n; stride *= 2) {
    int x = s[t];
    if (t >= stride) x += s[t - stride];
    __syncthreads();
    s[t] = x;
    __syncthreads();
  }
  if (t < n) a[t] = s[31 - t];
}

int main() {
  float *f;
  int *a;
  cudaMallocManaged(&f, 8 * 32 * sizeof(float));
  cudaMallocManaged(&a, 5 * 32 * sizeof(int));
  for (int i = 0; i < 160; i++) a[i] = i % 32;
  points<<<1, 32, 4096>>>(f, 8);
  unsignedPoints<<<1, 32, 4096>>>(f + 32, 8);
  pairs<<<1, 32, 4096>>>(f + 64, 16);
  rows<<<1, 32, 4096>>>(f + 96, 8, 5);
  scan<<<1, 32>>>(a, 32);
  scanGlobal<<<1, 32>>>(a + 32, 32);
  shifted<<<1, 32>>>(a + 64, 32);
  behindBarrier<<<1, 32>>>(a + 96, 32);
  cudaDeviceSynchronize();
  printf("%g %g %g %g | %d %d %d %d\n", f[5], f[37], f[69], f[101], a[31], a[63], a[95], a[127]);
}
