// Words of shared memory that a loop reads again in each round and does not write, beside stores to global memory: nvcc loads them once, in front
// of both loops that it makes of one (PTX of CUDA 13.0; frontend/passes/sharedApart.ts, analysis/loops/loadsForBothLoops.ts).
// levels: 2
// stdout: no error
// count: uniform shared load executed = 1
// count: oneWord shared load executed = 1
// count: dynamic shared load executed = 1
// count: twoWords shared load executed = 2
// count: fromMemory shared load executed = 4
// count: inBranch shared load executed = 6
// count: atomics shared load executed = 1
// count: byHelper shared load executed = 1
// count: afterBreak shared load executed = 7
// count: nested shared load executed = 7
// count: besideOwn shared load executed = 6
// count: atBarriers shared load executed = 6
// count: staticByHelper shared load executed = 1
// count: bound shared load executed = 1
// count: members shared load executed = 2
#include <cstdio>

__device__ void addAll(float *o, const float *s, int n, int k) {
  for (int i = 0; i < n; i++) o[i * 32 + threadIdx.x] += s[k];
}
__global__ void uniform(float4 *o, const float *u, int n) {
  __shared__ float s[1];
  int at = threadIdx.x;
  if (threadIdx.x == 0) s[0] = u[blockIdx.x];
  __syncthreads();
  for (int i = 0; i < 4 && at < n; i++) {
    o[at].x += s[0];
    o[at].y += s[0];
    o[at].z += s[0];
    o[at].w += s[0];
    at += blockDim.x;
  }
}
__global__ void oneWord(float *o, const float *u, int n) {
  __shared__ float s[1];
  if (threadIdx.x == 0) s[0] = u[blockIdx.x];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] += s[0];
}
__global__ void dynamic(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) o[i * 32 + t] = s[k];
}
__global__ void twoWords(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) o[i * 32 + t] += s[k] * s[t ^ 1];
}
__global__ void fromMemory(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) o[i * 32 + t] = u[i] + s[3] + s[i];
}
__global__ void inBranch(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) {
    float x = 1;
    if (u[i] < 3.0f) x = s[3];
    o[i * 32 + t] = x;
  }
}
__global__ void atomics(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) atomicAdd(o + i, s[k]);
}
__global__ void byHelper(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  addAll(o, s, n, k);
}
__global__ void afterBreak(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) {
    o[i * 32 + t] = s[t] + s[i];
    if (u[i] == 77) break;
  }
}
__global__ void nested(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int j = 0; j < n; j++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += u[i] * s[j];
    o[j * 32 + t] = sum + s[1];
  }
}
__global__ void besideOwn(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t + 32] = i;
    o[i * 32 + t] = s[3];
  }
}
__global__ void atBarriers(float *o, const float *u, int n, int k) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = u[t];
  __syncthreads();
  for (int i = 0; i < n; i++) {
    o[i * 32 + t] += s[k];
    __syncthreads();
  }
}
__global__ void staticByHelper(float *o, const float *u, int n, int k) {
  __shared__ float s[64];
  s[threadIdx.x] = u[threadIdx.x];
  __syncthreads();
  addAll(o, s, n, k);
}
__global__ void bound(float *o, int n) {
  extern __shared__ int c[];
  if (threadIdx.x == 0) c[0] = n;
  __syncthreads();
  for (int i = 0; i < c[0]; i++) o[i * 32 + threadIdx.x] = i;
}
__global__ void members(float *o, const float *u, int n) {
  __shared__ float2 c[4];
  if (threadIdx.x < 4) c[threadIdx.x] = make_float2(u[0], u[1]);
  __syncthreads();
  for (int i = 0; i < n; i++) o[i * 32 + threadIdx.x] = c[2].x * i + c[3].y;
}

int main() {
  float *o, *u, *v;
  cudaMalloc(&o, 1 << 16);
  cudaMalloc(&u, 1 << 16);
  cudaMalloc(&v, 1 << 16);
  cudaMemset(o, 0, 1 << 16);
  cudaMemset(u, 0, 1 << 16);
  cudaMemset(v, 0, 1 << 16);
  uniform<<<1, 32, 512>>>((float4 *)o, u, 128);
  oneWord<<<1, 32, 512>>>(o, u, 192);
  dynamic<<<1, 32, 512>>>(o, u, 6, 1);
  twoWords<<<1, 32, 512>>>(o, u, 6, 1);
  fromMemory<<<1, 32, 512>>>(o, u, 6, 1);
  inBranch<<<1, 32, 512>>>(o, u, 6, 1);
  atomics<<<1, 32, 512>>>(o, u, 6, 1);
  byHelper<<<1, 32, 512>>>(o, u, 6, 1);
  afterBreak<<<1, 32, 512>>>(o, u, 6, 1);
  nested<<<1, 32, 512>>>(o, u, 6, 1);
  besideOwn<<<1, 32, 512>>>(o, u, 6, 1);
  atBarriers<<<1, 32, 512>>>(o, u, 6, 1);
  staticByHelper<<<1, 32, 512>>>(o, u, 6, 1);
  bound<<<1, 32, 512>>>(o, 6);
  members<<<1, 32, 512>>>(o, u, 6);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
