// What an H100 prints (nvcc 13.0 -O3 -arch=sm_90): a product and a sum that belong together are rounded once, but for the _rn forms.
// stdout: sumChain         4c73 4ca0 4c6d fea29445
// stdout: productSum       478b 493d 3f8e 625ace3c
// stdout: productSumApart  478b 493d 3f8e cabf5906
// stdout: multiplyAdd      478b 493d 3f8e 625ace3c
// stdout: pairs            387a d1b8 c4e0 4b1ce9e0
// stdout: sumChain         4c73 4ca0 4c6d fea29445
// stdout: productSum       478b 493d 3f8e 625ace3c
// stdout: productSumApart  478b 493d 3f8e cabf5906
// stdout: multiplyAdd      478b 493d 3f8e 625ace3c
// stdout: pairs            387a d1b8 c4e0 4b1ce9e0
// stdout: axpy             3770 b7a0 3c5c 83b0813c
// stdout: axpy2            36d0 2400 3968 8591ab54
// stdout: relu             2d00 3940 3aa0 24385760
// stdout: largest          3c40 3c40 3c40 2b922000
// stdout: warpSums         487e 4898 48ce d187c534
// stdout: matmul           500f 55b2 522a 5a899e4e
// stdout: matmulFloat      5010 55b0 522a cd252699
// stdout: convert          bf00 0000 be00 38ff7630
// stdout: convertBack      2d00 3940 3aa0 157d0a20
// stdout: sumChain         418e 4194 418e 7756471a
// stdout: productSum       40f6 4126 3ff4 a7cbc22b
// stdout: productSumApart  40f4 4126 3ff4 54b5ab08
// stdout: multiplyAdd      40f6 4126 3ff4 a7cbc22b
// stdout: pairs            3f20 c238 c09a 62671460
// stdout: sumChain         418e 4194 418e 7756471a
// stdout: productSum       40f6 4126 3ff4 a7cbc22b
// stdout: productSumApart  40f4 4126 3ff4 54b5ab08
// stdout: multiplyAdd      40f6 4126 3ff4 a7cbc22b
// stdout: pairs            3f20 c238 c09a 62671460
// stdout: axpy             3eee bef4 3f8c e8177537
// stdout: axpy2            3eda 3c80 3f2e 2c6f6792
// stdout: relu             3da0 3f28 3f54 fa230aec
// stdout: largest          3f88 3f88 3f88 630e4400
// stdout: warpSums         4110 4113 411a 2f465d10
// stdout: matmul           4208 42be 423d de20cd0b
// stdout: matmulFloat      4202 42b6 4245 13d0b99d
// reference: off
// levels: 2
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void sumChain(T *o, const T *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = a[i];
  for (int k = 1; k < 64; ++k) s = __hadd(s, a[i + k * 32]);
  o[i] = s;
}

template <class T> __global__ void productSum(T *o, const T *a, const T *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = a[i];
  for (int k = 1; k < 64; ++k) s = s + a[i + k * 32] * b[i + k * 32];
  o[i] = s;
}

template <class T> __global__ void productSumApart(T *o, const T *a, const T *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = a[i];
  for (int k = 1; k < 64; ++k) s = __hadd_rn(s, __hmul_rn(a[i + k * 32], b[i + k * 32]));
  o[i] = s;
}

template <class T> __global__ void multiplyAdd(T *o, const T *a, const T *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = a[i];
  for (int k = 1; k < 64; ++k) s = __hfma(a[i + k * 32], b[i + k * 32], s);
  o[i] = s;
}

template <class P> __global__ void pairs(P *o, const P *a, const P *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  P s = a[i], t = b[i];
  for (int k = 1; k < 32; ++k) {
    s = __hfma2(a[i + k * 32], b[i + k * 32], s);
    t = __hadd2(t, __hmul2(a[i + k * 32], s));
  }
  o[i] = __hsub2(s, t);
}

template <class T> __global__ void axpy(T *y, const T *x, T alpha, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(__hmul(alpha, x[i]), y[i]);
}

template <class P> __global__ void axpy2(P *y, const P *x, P alpha, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(alpha, x[i], y[i]);
}

template <class T> __global__ void relu(T *y, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hgt(x[i], T(0.0f)) ? x[i] : T(0.0f);
}

template <class T> __global__ void largest(T *o, const T *a, int n) {
  T s = a[threadIdx.x];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s = __hmax(s, a[i]);
  for (int d = 16; d > 0; d /= 2) s = __hmax(s, __shfl_xor_sync(0xffffffffu, s, d));
  if (threadIdx.x % 32 == 0) o[threadIdx.x / 32] = s;
}

template <class T> __global__ void warpSums(T *o, const T *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = a[i];
  for (int d = 16; d > 0; d /= 2) s = __hadd(s, __shfl_down_sync(0xffffffffu, s, d));
  if (i % 32 == 0) o[i / 32] = s;
}

template <class T> __global__ void matmul(T *c, const T *a, const T *b, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  T s = T(0.0f);
  for (int k = 0; k < n; ++k) s = __hadd(s, __hmul(a[row * n + k], b[k * n + col]));
  c[row * n + col] = s;
}

template <class T> __global__ void matmulFloat(T *c, const T *a, const T *b, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) s += float(a[row * n + k]) * float(b[k * n + col]);
  c[row * n + col] = T(s);
}

__global__ void convert(float *o, const __half *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = __half2float(a[i]);
}

__global__ void convertBack(__half *o, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = __float2half(a[i]);
}

const int N = 1 << 22;
static unsigned short *host;

static void print(const char *name, const void *from, int n) {
  if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
  cudaMemcpy(host, from, n * 2, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + host[i];
  printf("%-16s %04x %04x %04x %08x\n", name, host[1], host[2], host[n - 1], sum);
}

template <class T, class P> void all(T *o, T *a, T *b) {
  for (int i = 0; i < N; ++i) {
    T x = T(float(i * 37 % 101) / 64 - 0.5f);
    host[i] = *(unsigned short *)&x;
  }
  cudaMemcpy(a, host, N * 2, cudaMemcpyHostToDevice);
  for (int i = 0; i < N; ++i) {
    T x = T(float(i * 53 % 97) / 32 - 1.25f);
    host[i] = *(unsigned short *)&x;
  }
  cudaMemcpy(b, host, N * 2, cudaMemcpyHostToDevice);
  const int few = 1 << 18;
  for (int block : {64, 256}) {
    sumChain<<<few / block, block>>>(o, a);
    print("sumChain", o, few);
    productSum<<<few / block, block>>>(o, a, b);
    print("productSum", o, few);
    productSumApart<<<few / block, block>>>(o, a, b);
    print("productSumApart", o, few);
    multiplyAdd<<<few / block, block>>>(o, a, b);
    print("multiplyAdd", o, few);
    pairs<<<few / block, block>>>((P *)o, (P *)a, (P *)b);
    print("pairs", o, few * 2);
  }
  axpy<<<N / 256, 256>>>(b, a, T(0.75f), N);
  print("axpy", b, N);
  axpy2<<<N / 512, 256>>>((P *)b, (P *)a, P(T(0.75f), T(-0.5f)), N / 2);
  print("axpy2", b, N);
  relu<<<N / 256, 256>>>(o, a, N);
  print("relu", o, N);
  largest<<<1, 256>>>(o, a, 1 << 16);
  print("largest", o, 8);
  warpSums<<<N / 1024, 1024>>>(o, a);
  print("warpSums", o, N / 32);
  matmul<<<dim3(16, 32), dim3(32, 16)>>>(o, a, b, 512);
  print("matmul", o, 512 * 512);
  matmulFloat<<<dim3(16, 32), dim3(32, 16)>>>(o, a, b, 512);
  print("matmulFloat", o, 512 * 512);
}

int main() {
  host = new unsigned short[N];
  void *o, *a, *b;
  cudaMalloc(&o, N * 4);
  cudaMalloc(&a, N * 4);
  cudaMalloc(&b, N * 4);
  cudaMemset(b, 0, N * 4);
  all<__half, __half2>((__half *)o, (__half *)a, (__half *)b);
  convert<<<N / 256, 256>>>((float *)o, (__half *)a, N);
  print("convert", o, N);
  convertBack<<<N / 256, 256>>>((__half *)b, (float *)o, N);
  print("convertBack", b, N);
  all<__nv_bfloat16, __nv_bfloat162>((__nv_bfloat16 *)o, (__nv_bfloat16 *)a, (__nv_bfloat16 *)b);
  return 0;
}
