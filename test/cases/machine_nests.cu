// Loops around loops: nvcc writes out the inner one, four rounds at a time, and the outer one only where the inner one is written out whole
// (read on an H200: scripts/fidelity/cases/machine_nests.json). Lanes have different numbers of rounds, so that each form makes its own count.
// levels: 2
// stdout: triangle 45: 3933716546
// stdout: inMemory 41: 2596215730
// stdout: ofRows 77: 3084256114
// stdout: innerOnce 45: 1852805904
// stdout: innerWhile 45: 2943900787
// stdout: three 45: 3038999056
// stdout: wholeInner 45: 3284649646
// stdout: inShared 41: 67248543
// stdout: inFunction 45: 2279013698
// stdout: twoInner 39: 2932329311
// stdout: longInner 45: 1983987617
#include <cstdio>

__global__ void triangle(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) {
    int sum = 0;
    for (int i = 0; i < 9; i++) sum += q[j * 8 + i * n];
    o[j * 32 + threadIdx.x] = sum;
  }
}
__global__ void inMemory(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  for (int j = t; j < n; j++) {
    o[t * 50 + j] = 0;
    for (int i = 0; i < n; i++) o[t * 50 + j] += q[i * 32 + t] * q[i * 32 + j % 32];
    o[j * 50 + t] = o[t * 50 + j];
  }
}
__global__ void ofRows(int *p, int *q, int *o, int n) {
  for (int row = threadIdx.x; row < n; row += 32) {
    int sum = 0;
    for (int k = p[row]; k < p[row + 1] % 64; k++) sum += q[k] * 3;
    o[row] = sum;
  }
}
__global__ void innerOnce(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < j % 5; i++) sum += q[j * 8 + i];
    o[j * 32 + threadIdx.x] = sum;
  }
}
__global__ void innerWhile(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) {
    int x = q[j];
    while (x > 9) x = x / 3 - 1;
    o[j * 32 + threadIdx.x] = x;
  }
}
__global__ void three(int *p, int *q, int *o, int n) {
  int sum = 0;
  for (int j = threadIdx.x; j < n; j++)
    for (int i = 0; i < j % 4; i++)
      for (int k = 0; k < i + 2; k++) sum += q[j * 16 + i * 4 + k];
  o[threadIdx.x] = sum;
}
__global__ void wholeInner(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += q[j * 8 + i];
    o[j * 32 + threadIdx.x] = sum;
  }
}
__global__ void inShared(int *p, int *q, int *o, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = q[i];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j++) {
    int sum = 0;
    for (int i = 0; i < n / 2; i++) sum += s[i] * s[i + 64];
    o[j * 32 + threadIdx.x] = sum;
  }
}
__device__ int rowOf(const int *q, int from, int to) {
  int sum = 0;
  for (int i = from; i < to; i++) sum += q[i];
  return sum;
}
__global__ void inFunction(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) o[j * 32 + threadIdx.x] = rowOf(q, j, n);
}
__global__ void twoInner(int *p, int *q, int *o, int n) {
  for (int j = threadIdx.x; j < n; j++) {
    int most = 0, sum = 0;
    for (int i = 0; i < n; i++) most = max(most, q[j * 8 + i]);
    for (int i = 0; i < n; i++) sum += q[j * 8 + i] == most;
    o[j * 32 + threadIdx.x] = sum;
  }
}
__global__ void longInner(const int *__restrict__ p, const int *__restrict__ q, int *o, int n) {
  for (int i = threadIdx.x; i < n; i++) {
    int a = p[i] * p[i + 1] + p[i + 2] * p[i + 3];
    int b = q[i] * q[i + 1] + q[i + 2] * q[i + 3];
    int c = p[i + 64] * q[i + 64] + p[i + 65] * q[i + 65];
    int d = p[i + 66] * q[i + 66];
    o[i * 32 + threadIdx.x] = a * b + c * d + (a ^ b) + (c ^ d);
  }
}

static int a[3][4096];

void fill(int *p, int *q, int *o) {
  for (int i = 0; i < 4096; i++) {
    a[0][i] = (i * 2654435761u) >> 27;
    a[1][i] = (i * 2246822519u + 7) >> 23;
    a[2][i] = i & 15;
  }
  cudaMemcpy(p, a[0], sizeof a[0], cudaMemcpyHostToDevice);
  cudaMemcpy(q, a[1], sizeof a[1], cudaMemcpyHostToDevice);
  cudaMemcpy(o, a[2], sizeof a[2], cudaMemcpyHostToDevice);
}
unsigned check(int *p, int *q, int *o) {
  cudaMemcpy(a[0], p, sizeof a[0], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[1], q, sizeof a[1], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[2], o, sizeof a[2], cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 4096; i++) sum += (unsigned)(a[0][i] * 3 + a[1][i] * 5 + a[2][i] * 7) * (i + 1);
  return sum;
}

int main() {
  int *p, *q, *o;
  cudaMalloc(&p, 16384);
  cudaMalloc(&q, 16384);
  cudaMalloc(&o, 16384);
#define RUN(kernel, n)           \
  fill(p, q, o);                 \
  kernel<<<1, 32>>>(p, q, o, n); \
  printf(#kernel " %d: %u\n", n, check(p, q, o));
  RUN(triangle, 45)
  RUN(inMemory, 41)
  RUN(ofRows, 77)
  RUN(innerOnce, 45)
  RUN(innerWhile, 45)
  RUN(three, 45)
  RUN(wholeInner, 45)
  RUN(inShared, 41)
  RUN(inFunction, 45)
  RUN(twoInner, 39)
  RUN(longInner, 45)
}
