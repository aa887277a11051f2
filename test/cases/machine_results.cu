// What the passes that follow nvcc move and repeat must not change results: values in variables beside memory that changes, sums with
// other operations, stores through pointers that may be to the same array.
// stdout: 382 80 8 9
#include <cstdio>
__global__ void weighted(int *o, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = 2;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < n; ++i)
      s[0] += s[i] * i;
    o[0] = s[0];
  }
}
__global__ void scaled(float *o, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 2;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < n; ++i)
      s[0] += s[i];
    s[0] = s[0] * 2;
  }
  __syncthreads();
  o[t] = s[0];
}
__global__ void changed(float *o, float *x, int n) {
  int i = threadIdx.x;
  float v = x[i];
  o[i] = v;
  if (i < n) {
    x[i] = 5;
    o[i + 32] = v + x[i];
  }
}
__global__ void twoPointers(float *o, const float *in, int n, int c) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float *p = c > 3 ? s : s + 32;
  s[t] = 0;
  if (t < n) {
    s[t] = in[t];
    p[t] = 9;
  }
  __syncthreads();
  if (c > 1) o[t] = s[t];
}
int main() {
  float *f; int *k;
  cudaMallocManaged(&f, 256 * 4); cudaMallocManaged(&k, 256);
  for (int i = 0; i < 256; i++) f[i] = 3;
  weighted<<<1, 32>>>(k, 20);
  scaled<<<1, 32>>>(f, 20);
  changed<<<1, 32>>>(f + 32, f + 128, 9);
  twoPointers<<<1, 32>>>(f + 160, f + 192, 9, 5);
  cudaDeviceSynchronize();
  printf("%d %g %g %g\n", k[0], f[1], f[64 + 2], f[162]);
}
