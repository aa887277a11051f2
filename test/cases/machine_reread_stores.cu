// Stores in branches within branches, of what the source reads again there or keeps in a variable: one store, or three. Counts are
// those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 5 5 7 9 7 3 11 9 9
// count: again shared store executed = 1
// count: kept shared store executed = 3
// count: largest global store executed = 1
// count: largest global load executed = 2
// count: first shared store executed = 1
// count: clamped global store executed = 1
// count: zero shared store executed = 3
// count: widened global store executed = 4
// count: inFront global store executed = 1
// count: allLoad global store executed = 1
// count: allLoad global load executed = 4
#include <cstdio>

__global__ void again(int *o, const int *x, int n, int q) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < n) {
    if (x[t] > q) s[t] = x[t];
    else s[t] = q;
  } else
    s[t] = 7;
  __syncthreads();
  o[t] = s[t ^ 1];
}
__global__ void kept(int *o, const int *x, int n, int q) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < n) {
    int v = x[t];
    if (v > q) s[t] = v;
    else s[t] = q;
  } else
    s[t] = 7;
  __syncthreads();
  o[t] = s[t ^ 1];
}
__global__ void largest(int *o, const int *x, int n, int q) {
  unsigned t = threadIdx.x;
  if (t < n) {
    if (x[t] > x[t + q]) o[t] = x[t];
    else o[t] = x[t + q];
  } else
    o[t] = 7;
}
__global__ void first(int *o, const int *x, int n, int q) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  if (i + q < n) {
    if (x[i] > x[i + q]) s[t] = x[i];
    else s[t] = x[i + q];
  } else if (i < n)
    s[t] = x[i];
  else
    s[t] = 7;
  __syncthreads();
  o[t] = s[t ^ 1];
}
__global__ void clamped(int *o, const int *x, int n, int q) {
  int t = threadIdx.x;
  if (x[t] < n) o[t] = 7;
  else if (x[t] > q) o[t] = q;
  else o[t] = x[t];
}
__global__ void zero(int *o, const int *x, int n, int q) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < n) {
    if (x[t] > q) s[t] = 0;
    else s[t] = x[t];
  } else
    s[t] = 3;
  __syncthreads();
  o[t] = s[t ^ 1];
}
__global__ void widened(int *o, const int *x, int n, int q) {
  int t = threadIdx.x;
  if (t + q < n) {
    if (x[t] > x[t + q]) o[t] = x[t];
    else o[t] = x[t + q];
  } else if (t < n)
    o[t] = x[t] + 2;
  else
    o[t] = 7;
}
__global__ void inFront(int *o, const int *x, const int *y, int n, int q) {
  int t = threadIdx.x;
  if (t >= n) o[t] = 7;
  else if (x[t] < 0) o[t] = q;
  else if (x[t] > 255) o[t] = y[t];
  else o[t] = x[t];
}
__global__ void allLoad(int *o, const int *x, int n, int q) {
  int t = threadIdx.x;
  if (x[t] > x[t + 1]) {
    if (x[t] > x[t + 2]) o[t] = x[t];
    else o[t] = x[t + 2];
  } else {
    if (x[t + 1] > x[t + 2]) o[t] = x[t + 1];
    else o[t] = x[t + 2];
  }
}

int main() {
  int *o, *x;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&x, 512);
  for (int i = 0; i < 128; ++i) x[i] = i & 1 ? 9 : 3;
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%d%s", o[5], between); };
  again<<<1, 32>>>(o, x, 16, 5); told();
  kept<<<1, 32>>>(o, x, 16, 5); told();
  largest<<<1, 32>>>(o, x, 4, 5); told();
  first<<<1, 32, 128>>>(o, x, 16, 5); told();
  clamped<<<1, 32>>>(o, x, 5, 7); told();
  zero<<<1, 32>>>(o, x, 16, 5); told();
  widened<<<1, 32>>>(o, x, 8, 5); told();
  inFront<<<1, 32>>>(o, x, x, 16, 5); told();
  allLoad<<<1, 32>>>(o, x, 16, 5); told("\n");
}
