// Conditions that are asked again: no block is copied for the ways on which its branch is known (frontend/building/commands.ts, jump threading). One
// warp whose lanes go all ways. Counts are those of the machine code of nvcc 13.0 -O3 -arch=sm_90.
// levels: 2
// stdout: 10869 9211 10034 9733 9641 9205 9317 8931 no error
// count: cells global load executed = 2
// count: cells global store executed = 3
// count: cells shared load executed = 2
// count: cells shared store executed = 2
// count: either global load executed = 3
// count: either global store executed = 2
// count: again global store executed = 3
// count: choices global load executed = 1
// count: choices global store executed = 3
// count: flag global load executed = 1
// count: flag global store executed = 3
// count: first global load executed = 2
// count: first global store executed = 3
// count: nested global load executed = 2
// count: nested global store executed = 3
// count: opposite global load executed = 3
// count: opposite global store executed = 3
#include <cstdio>

#define KERNEL(name, ...) \
  __global__ void name(float *o, float *p, const float *v, const float *u, const int *c, float x, float y, int n, int k) { \
    int t = blockIdx.x * blockDim.x + threadIdx.x; __VA_ARGS__ }

KERNEL(cells, __shared__ int s[33]; int b = c[t]; s[t + 1] = b; if (t == 0) s[0] = c[n]; __syncthreads(); if (t == 0 || b != s[t]) { o[b] = t; if (t > 0) p[s[t]] = t; } if (t == 31) p[b] = t + 1;)
KERNEL(either, if (t == 0 || c[t] != 2) { o[t] = v[t]; if (t > 0) p[t] = v[t]; })
KERNEL(again, if (t > 7) o[t] = x; o[t + n] = y; if (t > 7) p[t] = y;)
KERNEL(choices, if (t > 7) o[t] = x; else o[t] = y; p[t + n] = v[t]; if (t > 7) p[t] = y;)
KERNEL(flag, bool f = false; if (t > 7) { o[t] = x; f = true; } p[t + n] = v[t]; if (f) p[t] = y;)
KERNEL(first, if (t == 0) o[t] = x; p[t] = v[t]; if (t == 0) o[t + 1] = v[t + 1];)
KERNEL(nested, if (t < 20 && c[t] > 2) o[t] = x; p[t] = v[t]; if (t < 20) o[t + k] = x;)
KERNEL(opposite, if (t < 20) o[t] = v[t]; p[t] = u[t]; if (t >= 20) o[t] = v[t + 1];)
void run(void (*kernel)(float *, float *, const float *, const float *, const int *, float, float, int, int)) {
  static float h[512];
  static int d[512];
  float *a[4];
  int *c;
  for (int j = 0; j < 4; j++) {
    for (int k = 0; k < 512; k++) h[k] = k * (7 + j) % 5;
    cudaMalloc(&a[j], sizeof h);
    cudaMemcpy(a[j], h, sizeof h, cudaMemcpyHostToDevice);
  }
  for (int k = 0; k < 512; k++) d[k] = k * 3 % 7;
  cudaMalloc(&c, sizeof d);
  cudaMemcpy(c, d, sizeof d, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(a[0], a[1], a[2], a[3], c, 3, 5, 64, 96);
  float sum = 0;
  for (int j = 0; j < 2; j++) {
    cudaMemcpy(h, a[j], sizeof h, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 512; k++) sum += h[k] * (k % 7 + 1 + j);
  }
  printf("%g ", sum);
  for (float *each : a) cudaFree(each);
  cudaFree(c);
}

int main() {
  run(cells), run(either), run(again), run(choices), run(flag), run(first), run(nested), run(opposite);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
