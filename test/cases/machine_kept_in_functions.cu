// As machine_kept.cu, where a function that the kernel calls has the variables (machine code of CUDA 13.0; frontend/passes/keepShared.ts).
// levels: 2
// stdout: 7 9 5 1 8
// count: scaled shared store executed = 1
// count: guarded shared store executed = 1
// count: chained shared store executed = 1
// count: unread shared store executed = 0
// count: handedOn shared store executed = 0
#include <cstdio>

__device__ void in_scaled(int *o, int x) {
  __shared__ int s[64];
  s[threadIdx.x] = x;
  o[threadIdx.x] = s[threadIdx.x] + 2;
}
__global__ void scaled(int *o, int x) { in_scaled(o, x); }
__device__ void in_guarded(int *o, int x) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x;
  if (x == 5) o[t] = s[t] + 4;
}
__global__ void guarded(int *o, int x) { in_guarded(o, x); }
__device__ void in_chained(int *o, int x) {
  __shared__ int first[64];
  __shared__ int second[64];
  first[threadIdx.x] = x;
  second[threadIdx.x] = first[threadIdx.x];
  o[threadIdx.x] = 5;
}
__global__ void chained(int *o, int x) { in_chained(o, x); }
__device__ void in_unread(int *o, int x) {
  __shared__ int s[64]; // s[threadIdx.x] is not read
  s[threadIdx.x] = x;
  o[threadIdx.x] = 1;
}
__global__ void unread(int *o, int x) { in_unread(o, x); }
__device__ void put(int *s, int x) { s[threadIdx.x] = x; }
__device__ void in_handedOn(int *o, int x) {
  __shared__ int s[64];
  put(s, x);
  o[threadIdx.x] = 8;
}
__global__ void handedOn(int *o, int x) { in_handedOn(o, x); }

int main() {
  int *o;
  cudaMallocManaged(&o, 5 * 32 * sizeof(int));
  scaled<<<1, 32>>>(o, 5);
  guarded<<<1, 32>>>(o + 32, 5);
  chained<<<1, 32>>>(o + 64, 5);
  unread<<<1, 32>>>(o + 96, 5);
  handedOn<<<1, 32>>>(o + 128, 5);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d\n", o[0], o[32], o[64], o[96], o[128]);
}
