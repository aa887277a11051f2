// Known operations a thread: one ffma; one fadd and one fmul that is used twice; one dfma and one dadd; a division.
#include <cstdio>

__global__ void mixed(float *x, double *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = x[i] * x[i + 256];
  x[i + 512] = product;
  x[i + 768] = product + x[i + 1024];
  x[i + 1280] = x[i] * 2.5f + x[i + 256];
  d[i] = d[i] * d[i + 256] + 1.0;
  d[i + 512] = d[i] + d[i + 256];
}

__global__ void halves(float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) y[i] = x[i] / y[i];
}

int main() {
  float *x;
  double *d;
  cudaMalloc(&x, 2048 * sizeof(float));
  cudaMalloc(&d, 2048 * sizeof(double));
  cudaMemset(x, 0, 2048 * sizeof(float));
  cudaMemset(d, 0, 2048 * sizeof(double));
  mixed<<<2, 128>>>(x, d);
  halves<<<2, 128>>>(x, x + 1024);
  cudaDeviceSynchronize();
  return 0;
}
