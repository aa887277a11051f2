// Warps of a block that go round loops differently often, by their number or by what they compute, with no access in the loops.
// Times of an H200: uneven.json (nvcc 13.0 -O3 -arch=sm_90, ncu --clock-control none).
#include <cstdio>

__device__ float step(float s) { return s * 1.0001f + 0.5f; }

__global__ void own(float *o, int n) {
  int w = threadIdx.x / 32;
  float s = o[threadIdx.x];
  for (int i = 0; i < n * (w + 1); i++) s = step(s);
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void triangle(float *o, int n) {
  int w = threadIdx.x / 32;
  float s = o[threadIdx.x];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j * w; i++) s = step(s);
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void triangleBarriers(float *o, int n) {
  __shared__ float t[1024];
  int w = threadIdx.x / 32;
  float s = o[threadIdx.x];
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < j * ((w + j) % 8); i++) s = step(s);
    t[threadIdx.x] = s;
    __syncthreads();
    s += t[threadIdx.x ^ 32];
    __syncthreads();
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void oneWarp(float *o, int n) {
  int w = threadIdx.x / 32;
  float s = o[threadIdx.x];
  if (w == 3)
    for (int i = 0; i < n; i++) s = step(s);
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void collatz(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = i + 1;
  int steps = 0;
  while (x != 1) {
    x = (x & 1) ? 3 * x + 1 : x / 2;
    steps++;
  }
  o[i] = steps;
}

__global__ void primes(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int p = i > 1;
  for (int d = 2; d * d <= i; d++)
    if (i % d == 0) {
      p = 0;
      break;
    }
  o[i] = p;
}

__global__ void mandel(int *o, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float cx = -2.f + 3.f * x / w, cy = -1.f + 2.f * y / h, a = 0, b = 0;
  int k = 0;
  while (k < most && a * a + b * b < 4) {
    float t = a * a - b * b + cx;
    b = 2 * a * b + cy;
    a = t;
    k++;
  }
  o[y * w + x] = k;
}

__global__ void gcds(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = 0;
  for (int j = 1; j <= n; j++) {
    int a = i + 1, b = j;
    while (b) {
      int t = a % b;
      a = b;
      b = t;
    }
    c += a;
  }
  o[i] = c;
}

int main() {
  float *o;
  int *p;
  cudaMalloc(&o, 1 << 24);
  cudaMalloc(&p, 1 << 24);
  cudaMemset(o, 0, 1 << 24);
  own<<<1, 256>>>(o, 1000);
  own<<<132, 256>>>(o, 1000);
  own<<<1320, 1024>>>(o, 100);
  triangle<<<1, 256>>>(o, 60);
  triangle<<<264, 256>>>(o, 60);
  triangleBarriers<<<1, 256>>>(o, 60);
  triangleBarriers<<<264, 256>>>(o, 60);
  oneWarp<<<1, 256>>>(o, 5000);
  oneWarp<<<132, 1024>>>(o, 5000);
  oneWarp<<<1320, 256>>>(o, 1000);
  collatz<<<1, 256>>>(p, 256);
  collatz<<<64, 256>>>(p, 16384);
  collatz<<<2048, 256>>>(p, 524288);
  primes<<<1, 256>>>(p, 256);
  primes<<<16, 1024>>>(p, 16384);
  primes<<<2048, 256>>>(p, 524288);
  mandel<<<dim3(4, 4), dim3(16, 16)>>>(p, 64, 64, 1000);
  mandel<<<dim3(32, 32), dim3(32, 32)>>>(p, 1024, 1024, 500);
  mandel<<<dim3(128, 64), dim3(16, 16)>>>(p, 2048, 1024, 300);
  gcds<<<1, 256>>>(p, 64);
  gcds<<<128, 256>>>(p, 256);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
