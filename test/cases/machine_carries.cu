// What rounds of a loop hand to the next one, loads in front of loops whose store stands behind them, and stores at the end of a guard.
// Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 110 100 | 110 100 | 110 1056 | 33 | 55 465 | 0 6 | 0 6 | 72 72
// count: carried global load executed = 12
// count: indexed global load executed = 14
// count: rows shared load executed = 12
// count: widths global load executed = 15
// count: inFront global load executed = 11
// count: inFront shared store executed = 2
// count: nest global load executed = 36
// count: clamped global store executed = 2
// count: alone global store executed = 1
#include <cstdio>

__global__ void carried(const int *__restrict__ p, int *__restrict__ o, int n) {
  for (int i = 0; i < n; i++) o[i] = p[i] * p[i + 1];
}
// The counter is not the index itself: kept within four rounds only.
__global__ void indexed(const int *__restrict__ p, int *__restrict__ o, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) o[i * 32 + t] = p[i * 32 + t] * p[(i + 1) * 32 + t];
}
__global__ void rows(const int *__restrict__ p, int *__restrict__ o, int n) {
  __shared__ int s[32][33];
  int t = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < 33; i++) s[t][i] = p[i];
  int sum = 0;
  for (int i = 0; i < n; i++) sum += s[t][i] * s[t][i + 1];
  o[t] = sum;
}
__global__ void widths(const int *__restrict__ p, int *__restrict__ o, int n, int w) {
  int t = threadIdx.x;
  for (int i = 1; i < n; i++) o[i * w + t] = p[(i - 1) * w + t] + p[i * w + t] + p[(i + 1) * w + t];
}
__global__ void inFront(const int *p, int *o, const int *q, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; i++) s[t] += p[t] * q[t * n + i];
  __syncthreads();
  o[t] = s[t];
}
// Another load: the first loop's place is written behind it.
__global__ void between(int *p, int *o, const int *q, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; i++) s[t] += p[t] * q[i];
  p[t] = s[t] + 5;
  for (int i = 0; i < n; i++) s[t] += p[t] * q[i];
  o[t] = s[t];
}
__global__ void nest(int *o, const int *p, int n, int m) {
  int t = threadIdx.x;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) o[t] += p[i * 32 + j];
}
// The block behind the inner branch is empty: both stores stay.
__global__ void clamped(float *o, const float *p, int n) {
  int t = threadIdx.x;
  if (t < n) {
    float x = p[t] * 3;
    o[t] = x;
    if (x < 4) o[t] = 0;
  }
}
__global__ void alone(float *o, const float *p, int n) {
  int t = threadIdx.x;
  float x = p[t] * 3;
  o[t] = x;
  if (x < n) o[t] = 0;
}

int main() {
  int *p, *o;
  cudaMallocManaged(&p, 8192);
  cudaMallocManaged(&o, 8192);
  for (int i = 0; i < 2048; i++) p[i] = i < 64 ? i % 11 : 1;
  auto sum = [&](int from, int to) {
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = from; i < to; i++) sum += o[i];
    return sum;
  };
  carried<<<1, 32>>>(p, o, 10);
  printf("%d", sum(0, 10) - 220);
  printf(" %d", p[10] * 10);
  for (int i = 0; i < 2048; i++) p[i] = 1, o[i] = 0;
  indexed<<<1, 32>>>(p, o, 10);
  printf(" | %d", sum(0, 110));
  printf(" %d", sum(220, 320));
  rows<<<1, 32>>>(p, o, 10);
  printf(" | %d", sum(0, 11));
  widths<<<1, 32>>>(p, o, 8, 32);
  printf(" %d", sum(0, 2048));
  for (int i = 0; i < 2048; i++) p[i] = 1, o[i] = 0;
  inFront<<<1, 32, 128>>>(p, o, p, 10);
  printf(" | %d", sum(0, 33) / 10 + 1);
  printf(" |");
  for (int i = 0; i < 2048; i++) o[i] = 0;
  nest<<<1, 32>>>(o, p, 10, 3);
  printf(" %d", sum(0, 2) - 5);
  printf(" %d", sum(0, 15) + sum(0, 1) / 2);
  for (int i = 0; i < 2048; i++) ((float *)p)[i] = i % 2 + 1;
  clamped<<<1, 32>>>((float *)o, (float *)p, 32);
  cudaDeviceSynchronize();
  printf(" | %g %g", ((float *)o)[0], ((float *)o)[31]);
  alone<<<1, 32>>>((float *)o, (float *)p, 4);
  cudaDeviceSynchronize();
  printf(" | %g %g", ((float *)o)[0], ((float *)o)[31]);
  for (int i = 0; i < 2048; i++) p[i] = 1;
  between<<<1, 32, 128>>>(p, o, p + 512, 6);
  cudaDeviceSynchronize();
  printf(" | %d %d\n", o[0], o[31]);
}
