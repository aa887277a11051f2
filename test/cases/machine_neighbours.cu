// Elements of short shared arrays beside variables, at places that are constants. Counts are those of nvcc 13.0's machine code
// (sm_90), one warp.
// levels: 2
// stdout: 3 12 19 15 11 21
// count: single shared load executed = 1
// count: single shared store executed = 1
// count: threeAndOne shared load executed = 1
// count: rest shared load executed = 1
// count: asked shared load executed = 1
// count: lastOfLong shared load executed = 2
// count: sums shared load executed = 2
#include <cstdio>

#define KERNEL(name) __global__ void name(int *o, const int *x, int n)

KERNEL(single) {
  __shared__ int a[1], b[1];
  int t = threadIdx.x;
  if (t == 0) {
    a[0] = x[1];
    b[0] = x[2];
  }
  __syncthreads();
  o[t] = a[0] + b[0];
}
KERNEL(threeAndOne) {
  __shared__ int a[3];
  __shared__ int b[1];
  int t = threadIdx.x;
  if (t < 3) a[t] = x[t + 1];
  if (t == 0) b[0] = x[6];
  __syncthreads();
  o[t] = a[0] + a[1] + a[2] + b[0];
}
KERNEL(rest) {
  __shared__ int a[6];
  __shared__ int b[2];
  int t = threadIdx.x;
  if (t < 6) a[t] = x[t];
  if (t < 2) b[t] = x[t + 5] - t / 2;
  __syncthreads();
  o[t] = a[4] + b[0] * a[5] - b[1] - n / 16 - 2;
}
KERNEL(asked) {
  __shared__ int a[1], b[1];
  int t = threadIdx.x;
  if (t < 1) a[t] = x[t];
  if (t < 1) b[t] = x[15];
  __syncthreads();
  if (a[0] < n) o[t] = b[0];
}
KERNEL(lastOfLong) {
  __shared__ int a[33];
  __shared__ int b;
  int t = threadIdx.x;
  a[t + 1] = x[t];
  if (t == 0) b = x[11];
  __syncthreads();
  o[t] = b - 31 + a[32] - a[1];
}
KERNEL(sums) {
  __shared__ int a[7];
  int t = threadIdx.x;
  if (t < 7) a[t] = x[t];
  __syncthreads();
  o[t] = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6];
}

int main() {
  int *o, *x;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&x, 256);
  for (int i = 0; i < 64; ++i) x[i] = i;
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%d%s", o[5], between); };
  single<<<1, 32>>>(o, x, 32); told();
  threeAndOne<<<1, 32>>>(o, x, 32); told();
  rest<<<1, 32>>>(o, x, 32); told();
  asked<<<1, 32>>>(o, x, 32); told();
  lastOfLong<<<1, 32>>>(o, x, 32); told();
  sums<<<1, 32>>>(o, x, 32); told("\n");
}
