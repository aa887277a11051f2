// Memory of one type may be memory of another to nvcc: what is stored as a float may be an index that is read again. Variables of one or
// two bytes that lie side by side are not loaded together. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 5 7 9 3 17
// count: scatter global load executed = 4
// count: copyTwice global load executed = 2
// count: flags shared store executed = 4
// count: flags shared load executed = 2
// count: counters shared load executed = 2
// count: counters shared store executed = 3
// count: columns global load executed = 2
// count: columns shared store executed = 2
#include <cstdio>

__global__ void scatter(double *c, const double *p, const int *g) {
  int i = threadIdx.x;
  c[2 * g[i]] = p[2 * i];
  c[2 * g[i] + 1] = p[2 * i + 1];
}
__global__ void copyTwice(float *c, const int *g) {
  int i = threadIdx.x;
  c[i] = g[i];
  c[i + 32] = g[i];
}
__global__ void flags(int *o) {
  __shared__ bool x;
  __shared__ bool y;
  x = true;
  y = true;
  __syncthreads();
  if (threadIdx.x == 3) x = false;
  if (o[threadIdx.x] > 2) y = false;
  __syncthreads();
  o[threadIdx.x] = x + y + 9;
}
__global__ void counters(int *o) {
  __shared__ short x;
  __shared__ short y;
  x = o[7];
  y = o[8];
  __syncthreads();
  if (threadIdx.x == 3) x = 1;
  if (o[threadIdx.x] > 2) y = 2;
  __syncthreads();
  o[threadIdx.x] = x + y;
}
// Three branches that lanes take apart, in a loop: one load and one store.
__global__ void columns(int *o, const int *x, int n, int w) {
  __shared__ int s[32];
  int t = threadIdx.x;
  for (int y = t - 4; y <= n; y += blockDim.x) {
    if (y < 0) s[t] = x[w];
    else if (y >= n) s[t] = x[n];
    else s[t] = x[w + y];
    __syncthreads();
    o[t] = s[t ^ 1];
    __syncthreads();
  }
}

int main() {
  double *d;
  float *f;
  int *g, *o;
  cudaMallocManaged(&d, 192 * sizeof(double));
  cudaMallocManaged(&f, 64 * sizeof(float));
  cudaMallocManaged(&g, 128 * sizeof(int));
  cudaMallocManaged(&o, 96 * sizeof(int));
  for (int i = 0; i < 128; i++) g[i] = i % 32;
  for (int i = 0; i < 64; i++) d[i + 64] = i;
  for (int i = 0; i < 64; i++) o[i] = 3;
  g[64] = g[80] = g[96] = 11;
  scatter<<<1, 32>>>(d, d + 64, g);
  copyTwice<<<1, 32>>>(f, g);
  flags<<<1, 32>>>(o);
  counters<<<1, 32>>>(o + 32);
  columns<<<1, 32>>>(o + 64, g, 59, 20);
  cudaDeviceSynchronize();
  printf("%g %g %d %d %d\n", d[5], f[39], o[0], o[32], o[64]);
}
