// What a kernel reads of shared memory right behind where it wrote it, at an index that is one value to nvcc by then, is found before
// it drops variables that nothing reads: those stores are not made. Counts are those of nvcc 13.0's code (sm_90), one warp.
// levels: 2
// stdout: 2 8 1 9 7 4 3 9
// count: named shared store executed = 0
// count: asked shared store executed = 1
// count: summed shared store executed = 1
// count: pastOthers shared store executed = 0
// count: tooFar shared store executed = 1
// count: pairs shared store executed = 0
// count: atBarrier shared store executed = 1
// count: atBarrier shared load executed = 1
// count: unused shared store executed = 0
// count: unused global load executed = 0
#include <cstdio>

__global__ void named(int *o, const int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 40) {
    s[t] = 2 * a[t];
    o[t] = s[t];
  }
}
__global__ void asked(int *o, const int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = 8 * a[threadIdx.x];
  o[threadIdx.x] = s[threadIdx.x];
}
__global__ void summed(int *o, const int *a, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t + n] = a[t];
  o[t] = s[t + n];
}
__global__ void pastOthers(int *o, const int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 9 * a[t];
  s[t + 1] = 4;
  o[t] = s[t];
}
__global__ void tooFar(int *o, const int *a) {
  __shared__ int s[64];
  __shared__ int r[64];
  int t = threadIdx.x;
  s[t] = a[t];
  r[t] = 7 * a[t + 3];
  o[t] = s[t] * r[t];
}
__global__ void pairs(int *o, const int *a) {
  __shared__ int2 s[64];
  int t = threadIdx.x;
  s[t].x = a[t];
  s[t].y = 3;
  o[t] = s[t].x + s[t].y;
}
__global__ void atBarrier(int *o, const int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 3 * a[t];
  __syncthreads();
  o[t] = s[t];
}
__global__ void unused(int *o, const int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  int other = s[31 - t];
  o[t] = 9;
}

int main() {
  int *o, *a;
  cudaMallocManaged(&o, 8 * 32 * sizeof(int));
  cudaMallocManaged(&a, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) a[i] = 1;
  named<<<1, 32>>>(o, a);
  asked<<<1, 32>>>(o + 32, a);
  summed<<<1, 32>>>(o + 64, a, 5);
  pastOthers<<<1, 32>>>(o + 96, a);
  tooFar<<<1, 32>>>(o + 128, a);
  pairs<<<1, 32>>>(o + 160, a);
  atBarrier<<<1, 32>>>(o + 192, a);
  unused<<<1, 32>>>(o + 224, a);
  cudaDeviceSynchronize();
  for (int k = 0; k < 8; k++) printf("%d%c", o[32 * k], k < 7 ? ' ' : '\n');
}
