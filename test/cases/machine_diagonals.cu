// Neighbours in shared memory at places that are even only when the indices of both dimensions are added up: ptxas looks at each by
// itself, and loads them one by one. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 342 600 65 113
// count: diagonal shared load executed = 2
// count: countering shared load executed = 2
// count: even shared load executed = 1
// count: oneIndex shared load executed = 1
#include <cstdio>

__device__ void fill(float *s) {
  for (int i = threadIdx.x; i < 640; i += 32) s[i] = i;
  __syncthreads();
}
__global__ void diagonal(float *o) {
  int t = threadIdx.x;
  __shared__ float s[40][17];
  fill(s[0]);
  o[t] = s[t][t] * s[t][t + 1];
}
__global__ void countering(float *o) {
  int t = threadIdx.x % 8;
  __shared__ float s[40][17];
  fill(s[0]);
  o[threadIdx.x] = s[8 - t][t] * s[8 - t][t + 1];
}
__global__ void even(float *o) {
  int t = threadIdx.x % 8;
  __shared__ float s[40][18];
  fill(s[0]);
  o[threadIdx.x] = s[8 - t][2 * t] + s[8 - t][2 * t + 1];
}
__global__ void oneIndex(float *o) {
  int t = threadIdx.x;
  __shared__ float s[640];
  fill(s);
  o[t] = s[t * 3 + t] + s[t * 3 + t + 1];
}

int main() {
  float *o;
  cudaMallocManaged(&o, 128 * sizeof(float));
  diagonal<<<1, 32>>>(o);
  countering<<<1, 32>>>(o + 32);
  even<<<1, 32>>>(o + 64);
  oneIndex<<<1, 32>>>(o + 96);
  cudaDeviceSynchronize();
  printf("%g %g %g %g\n", o[1], o[39], o[71], o[110]);
}
