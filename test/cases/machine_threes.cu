// Three branches that store to one place: one store, or three. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 4 4 4 4 4 4 4 4 1 6 4
// count: zeroOuter global store executed = 1
// count: zeroInner global store executed = 3
// count: zeroLast global store executed = 1
// count: nestedInner global store executed = 3
// count: nestedSecond global store executed = 1
// count: integers global store executed = 3
// count: widening global store executed = 3
// count: loading global store executed = 1
// count: loading global load executed = 1
// count: clamping shared store executed = 3
// count: computedBefore global store executed = 3
// count: computedInside global store executed = 1
#include <cstdio>

__global__ void zeroOuter(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = 0;
  else if (t > w) o[t] = x[n];
  else o[t] = x[w];
}
__global__ void zeroInner(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = x[n];
  else if (t > w) o[t] = 0;
  else o[t] = x[w];
}
__global__ void zeroLast(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = x[n];
  else if (t > w) o[t] = x[w];
  else o[t] = 0;
}
__global__ void nestedInner(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < w) {
    if (t > n) o[t] = 0;
    else o[t] = x[n];
  } else o[t] = x[w];
}
__global__ void nestedSecond(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < w) {
    if (t > n) o[t] = x[n];
    else o[t] = 0;
  } else o[t] = x[w];
}
__global__ void integers(int *o, const int *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = 0;
  else if (t > w) o[t] = n;
  else o[t] = w;
}
__global__ void widening(float *o, const float *x, int n, int w) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) o[i] = 5;
  else if (i > w) o[i] = x[i];
  else o[i] = x[w];
}
__global__ void loading(float *o, const float *x, int n, int w) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) o[i] = x[i];
  else if (i > w) o[i] = x[i + n];
  else o[i] = x[i + w];
}
__global__ void clamping(float *o, const float *x) {
  int t = threadIdx.x;
  float q = x[t] - t % 8;
  __shared__ float s[32];
  if (q < 0) s[t] = 0;
  else if (q > 1) s[t] = 1;
  else s[t] = q;
  __syncthreads();
  o[t] = s[t ^ 1];
}
__global__ void computedBefore(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = x[n];
  else {
    float r = x[t] + 2;
    if (t > w) o[t] = r;
    else o[t] = 1;
  }
}
__global__ void computedInside(float *o, const float *x, int n, int w) {
  int t = threadIdx.x;
  if (t < n) o[t] = 5;
  else if (t > w) o[t] = x[n];
  else o[t] = 0;
}

int main() {
  float *x, *o;
  int *k;
  cudaMallocManaged(&x, 96 * sizeof(float));
  cudaMallocManaged(&o, 352 * sizeof(float));
  cudaMallocManaged(&k, 32 * sizeof(int));
  for (int i = 0; i < 96; i++) x[i] = 4;
  zeroOuter<<<1, 32>>>(o, x, 4, 20);
  zeroInner<<<1, 32>>>(o + 32, x, 4, 20);
  zeroLast<<<1, 32>>>(o + 64, x, 4, 20);
  nestedInner<<<1, 32>>>(o + 96, x, 4, 20);
  nestedSecond<<<1, 32>>>(o + 128, x, 4, 20);
  integers<<<1, 32>>>(k, nullptr, 4, 20);
  widening<<<1, 32>>>(o + 160, x, 4, 20);
  loading<<<1, 32>>>(o + 192, x, 4, 20);
  clamping<<<1, 32>>>(o + 256, x);
  computedBefore<<<1, 32>>>(o + 288, x, 4, 20);
  computedInside<<<1, 32>>>(o + 320, x, 4, 20);
  cudaDeviceSynchronize();
  printf("%g %g %g %g %g %d %g %g %g %g %g\n", o[30], o[32], o[64], o[126], o[158], k[30], o[190], o[222], o[257], o[318], o[350]);
}
