// Sums in memory beside what they sum, and values that are read again behind a branch. Counts are those of nvcc 13.0's machine code
// (sm_90), one warp.
// levels: 2
// stdout: 46 46 46 1 | 3 9 9 4
// count: beside shared store executed = 8
// count: beside shared load executed = 13
// count: besideGlobal global store executed = 7
// count: apart shared store executed = 2
// count: readBehind global load executed = 2
// count: keptBehind global load executed = 1
// count: readInRounds global load executed = 9
#include <cstdio>

// A store in front, one for each of five groups of four rounds, one for each of two more.
__global__ void beside(float *o, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 2;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < n; ++i) {
      s[0] = s[0] + s[i];
    }
    o[0] = s[0];
  }
}
__global__ void besideGlobal(float *o, int n) {
  if (threadIdx.x == 0)
    for (int i = 1; i < n; ++i)
      o[0] += o[i];
}
__global__ void apart(float *o) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 2;
  __syncthreads();
  if (t == 0) {
    float sum = s[0];
    for (int i = 1; i < blockDim.x - 9; ++i) {
      sum += s[i];
    }
    s[0] = sum;
    o[0] = s[0];
  }
}
__global__ void readBehind(float *o, const float *x, int n) {
  int i = threadIdx.x;
  o[i] = x[i];
  if (i < n)
    o[i + 32] = x[i] * 3;
}
__global__ void keptBehind(float *o, const float *x, int n) {
  int i = threadIdx.x;
  float v = x[i];
  o[i] = v;
  if (i < n)
    o[i + 32] = v * 3;
}
__global__ void readInRounds(float *o, const float *x, int n) {
  int i = threadIdx.x;
  o[i] = x[i];
  for (int k = 1; k <= n; ++k)
    o[k * 32 + i] = x[i] + 1;
}

int main() {
  float *o;
  cudaMallocManaged(&o, 800 * sizeof(float));
  for (int i = 0; i < 800; i++) o[i] = 2;
  for (int i = 640; i < 800; i++) o[i] = 3;
  beside<<<1, 32>>>(o, 23);
  besideGlobal<<<1, 32>>>(o + 64, 23);
  apart<<<1, 32>>>(o + 128);
  readBehind<<<1, 32>>>(o + 192, o + 640, 9);
  keptBehind<<<1, 32>>>(o + 256, o + 640, 9);
  readInRounds<<<1, 32>>>(o + 320, o + 640, 8);
  cudaDeviceSynchronize();
  printf("%g %g %g 1 | %g %g %g %g\n", o[0], o[64], o[128], o[192], o[224], o[288], o[352]);
}
