// Loops to a constant or to what is there, whichever is less: with `#pragma unroll` nvcc writes them out whole, so that neighbours in shared memory
// join, without it loops of at most 20 rounds stay as they are (PTX of CUDA 13.0, read on an H200; frontend/building/commands.ts).
// levels: 2
// stdout: no error
// count: whole shared load executed = 4
// count: partOfWhole shared load executed = 3
// count: asIs shared load executed = 16
// count: partAsItIs shared load executed = 10
// count: smaller shared load executed = 8
// count: nested shared load executed = 16
#include <cstdio>

#define TILE 16
#define FILL __shared__ float s[TILE][TILE]; int t = threadIdx.x; for (int i = t; i < TILE * TILE; i += 32) s[i / TILE][i % TILE] = x[i]; __syncthreads(); float sum = 0;

__device__ __forceinline__ float ofRow(const float (&row)[TILE], int n) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < TILE && k < n; ++k) sum += row[k];
  return sum;
}
__global__ void whole(float *o, const float *x, int n) {
  FILL
#pragma unroll
  for (int k = 0; k < TILE && k + (int)blockIdx.x < n; ++k) sum += s[t % TILE][k];
  o[t] = sum;
}
__global__ void partOfWhole(float *o, const float *x, int n) {
  FILL
#pragma unroll
  for (int k = 0; k < TILE && k + (int)blockIdx.x < n; ++k) sum += s[t % TILE][k];
  o[t] = sum;
}
__global__ void asIs(float *o, const float *x, int n) {
  FILL
  for (int k = 0; k < TILE && k + (int)blockIdx.x < n; ++k) sum += s[t % TILE][k];
  o[t] = sum;
}
__global__ void partAsItIs(float *o, const float *x, int n) {
  FILL
  for (int k = 0; k < TILE && k + (int)blockIdx.x < n; ++k) sum += s[t % TILE][k];
  o[t] = sum;
}
__global__ void smaller(float *o, const float *x, int n) {
  FILL
  int m = n - (int)blockIdx.x < TILE ? n - (int)blockIdx.x : TILE;
  for (int k = 0; k < m; ++k) sum += s[t % TILE][k];
  o[t] = sum;
}
__global__ void nested(float *o, const float *x, int n) {
  FILL
  for (int r = 0; r < 4; ++r) sum += ofRow(s[(t + r) % TILE], n);
  o[t] = sum;
}
int main() {
  float *o, *x;
  cudaMalloc(&o, 4096);
  cudaMalloc(&x, 4096);
  cudaMemset(x, 0, 4096);
  whole<<<1, 32>>>(o, x, 100);
  partOfWhole<<<1, 32>>>(o, x, 10);
  asIs<<<1, 32>>>(o, x, 100);
  partAsItIs<<<1, 32>>>(o, x, 10);
  smaller<<<1, 32>>>(o, x, 100);
  nested<<<1, 32>>>(o, x, 100);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
