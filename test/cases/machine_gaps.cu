// Vectors of which some elements were never set: nvcc stores the others only (PTX of CUDA 13.0; analysis/lowering/takeVectorsApart.ts).
// levels: 2
// stdout: no error
// count: threeSet global store executed = 2
// count: twoApart global store executed = 2
// count: thirdLeft global store executed = 2
// count: bytes global store executed = 2
// count: oneOfTwo global store executed = 1
// count: inShared global store executed = 1
// count: inStructure global store executed = 2
// count: unaligned global store executed = 3
// count: returned global store executed = 2
// count: colours global store executed = 2
// count: mayBeSet global store executed = 1
// count: grey global store executed = 2
// count: inShared shared store executed = 2
#include <cstdio>

__global__ void threeSet(float4 *o, const float *a) { int t = threadIdx.x; float4 v; v.x = a[t]; v.y = 2 * a[t]; v.z = 3; o[t] = v; }
__global__ void twoApart(float4 *o, const float *a) { int t = threadIdx.x; float4 v; v.x = a[t]; v.z = 3; o[t] = v; }
__global__ void thirdLeft(float4 *o, const float *a) { int t = threadIdx.x; float4 v; v.x = a[t]; v.y = a[t + 1]; v.w = 3; o[t] = v; }
__global__ void bytes(uchar4 *o, const float *a) { int t = threadIdx.x; uchar4 v; v.x = a[t]; v.y = a[t + 1]; v.z = 3; o[t] = v; }
__global__ void oneOfTwo(int2 *o, const int *a) { int t = threadIdx.x; int2 v; v.x = a[t]; o[t] = v; }
__global__ void inShared(float4 *o, const float *a) { __shared__ float4 s[32]; int t = threadIdx.x; float4 v; v.x = a[t]; v.y = a[t + 1]; v.z = 3; s[t] = v; __syncthreads(); o[t] = s[t ^ 1]; }
struct __align__(16) Q { float x, y, z, w; };
__global__ void inStructure(Q *o, const float *a) { int t = threadIdx.x; Q v; v.x = a[t]; v.y = a[t + 1]; v.z = 3; o[t] = v; }
struct R { float x, y, z, w; };
__global__ void unaligned(R *o, const float *a) { int t = threadIdx.x; R v; v.x = a[t]; v.y = a[t + 1]; v.z = 3; o[t] = v; }
__device__ float4 three(float x) { float4 v; v.x = x; v.y = x * 2; v.z = x * 3; return v; }
__global__ void returned(float4 *o, const float *a) { int t = threadIdx.x; o[t] = three(a[t]); }
__global__ void colours(float4 *o, const float4 *a) { int t = threadIdx.x; float4 p = a[t]; float4 v; v.x = p.x * 2; v.y = p.y * 2; v.z = p.z * 2; o[t] = v; }
__global__ void mayBeSet(float4 *o, const float4 *a, int n) { int t = threadIdx.x; float4 p = a[t]; float4 v; v.x = p.x * 2; v.y = p.y * 2; v.z = p.z * 2; if (n > 3) v.w = 1; o[t] = v; }
__global__ void grey(uchar4 *o, const uchar4 *a, int n) { int t = threadIdx.x; uchar4 p = a[t]; uchar4 v; unsigned char g = (p.x + p.y + p.z) / 3; v.x = g; v.y = g; v.z = g; o[t] = v; }

int main() {
  void *o, *a;
  cudaMalloc(&o, 4096);
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  threeSet<<<1, 32>>>((float4 *)o, (float *)a);
  twoApart<<<1, 32>>>((float4 *)o, (float *)a);
  thirdLeft<<<1, 32>>>((float4 *)o, (float *)a);
  bytes<<<1, 32>>>((uchar4 *)o, (float *)a);
  oneOfTwo<<<1, 32>>>((int2 *)o, (int *)a);
  inShared<<<1, 32>>>((float4 *)o, (float *)a);
  inStructure<<<1, 32>>>((Q *)o, (float *)a);
  unaligned<<<1, 32>>>((R *)o, (float *)a);
  returned<<<1, 32>>>((float4 *)o, (float *)a);
  colours<<<1, 32>>>((float4 *)o, (float4 *)a);
  mayBeSet<<<1, 32>>>((float4 *)o, (float4 *)a, 4);
  grey<<<1, 32>>>((uchar4 *)o, (uchar4 *)a, 4);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
