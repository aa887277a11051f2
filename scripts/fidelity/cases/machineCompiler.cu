// Shared atomics that the machine emulates, reductions without a result, asynchronous copies: what each counts.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
template <class T> __global__ void sharedAdd(T *o, int distinct, int stride) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  atomicAdd(&s[(threadIdx.x % distinct) * stride], (T)1);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
template <class T> __global__ void sharedAddUsed(T *o, int distinct, int stride) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  T v = atomicAdd(&s[(threadIdx.x % distinct) * stride], (T)2);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x] + v;
}
template <class T> __global__ void sharedExch(T *o, int distinct, int stride) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  T v = atomicExch(&s[(threadIdx.x % distinct) * stride], (T)2);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x] + v;
}
template <class T> __global__ void sharedMax(T *o, int distinct, int stride) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  atomicMax(&s[(threadIdx.x % distinct) * stride], (T)threadIdx.x);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
template <class T> __global__ void globalAdd(T *o, int distinct, int stride) { atomicAdd(&o[(threadIdx.x % distinct) * stride], (T)threadIdx.x); }
template <class T> __global__ void globalUniform(T *o, int n) { if (threadIdx.x < n) atomicAdd(o, (T)1); }
template <class T> __global__ void globalUniformValue(T *o, int n) { if (threadIdx.x < n) atomicAdd(o, (T)threadIdx.x); }
template <class T> __global__ void globalUniformUsed(T *o, int n) { if (threadIdx.x < n) o[32 + threadIdx.x] = atomicAdd(o, (T)1); }
template <class T> __global__ void globalUniformMax(T *o, int n) { if (threadIdx.x < n) atomicMax(o, (T)threadIdx.x); }
template <class T> __global__ void globalBlockUniform(T *o, int n) { atomicAdd(o + blockIdx.x, (T)n); }
template <int B> struct alignas(B) Bytes { char c[B]; };
template <int B> __global__ void asyncCopy(const char *in, char *o, int stride, int shstride) {
  __shared__ __align__(16) char s[32 * 16 * 4];
  __pipeline_memcpy_async(s + threadIdx.x * shstride, in + threadIdx.x * stride, B);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
// Loops: how many rounds are written out, how the rest is done.
__global__ void loopSum(const float *a, float *o, int n) { float s = 0; for (int i = threadIdx.x; i < n; i += 256) s += a[i]; o[threadIdx.x] = s; }
__global__ void loopSumUniform(const float *a, float *o, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i * 32 + threadIdx.x]; o[threadIdx.x] = s; }
__global__ void loopStore(float *o, int n) { for (int i = 0; i < n; i++) o[i * 32 + threadIdx.x] = i; }
__global__ void loopCarried(const float *a, float *o, int n) { for (int i = 1; i < n; i++) o[i * 32 + threadIdx.x] = o[(i - 1) * 32 + threadIdx.x] * a[i]; }
__global__ void loopNeighbour(const float *a, float *o, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i + 1]; o[threadIdx.x] = s; }
__global__ void loopNested(const float *a, float *o, int n, int m) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j + threadIdx.x]; o[i * 32 + threadIdx.x] = s; } }
__global__ void loopShared(float *o, int n) { __shared__ float s[512]; for (int i = threadIdx.x; i < 512; i += 32) s[i] = i; __syncthreads(); float x = 0; for (int i = 0; i < n; i++) x += s[i]; o[threadIdx.x] = x; }
__global__ void loopSharedFrom(float *o, int n, int from) { __shared__ float s[512]; for (int i = threadIdx.x; i < 512; i += 32) s[i] = i; __syncthreads(); float x = 0; for (int i = from; i < n; i++) x += s[i]; o[threadIdx.x] = x; }
__global__ void loopSharedStrided(float *o, int n) { __shared__ float s[2048]; for (int i = threadIdx.x; i < 2048; i += 32) s[i] = i; __syncthreads(); float x = 0; for (int i = 0; i < n; i++) x += s[i * 32 + threadIdx.x]; o[threadIdx.x] = x; }
__global__ void loopWhile(const int *a, float *o, int n) { int i = threadIdx.x & 1; float s = 0; while (i < n) { s += i; i = a[i]; } o[threadIdx.x] = s; }
__global__ void loopMath(float *o, int n) { float s = threadIdx.x; for (int i = 0; i < n; i++) s = s * 1.0001f + 0.5f; o[threadIdx.x] = s; }
__global__ void loopInt(int *o, int n) { int s = threadIdx.x; for (int i = 0; i < n; i++) s = (s ^ i) * 3; o[threadIdx.x] = s; }
__global__ void loopIf(const float *a, float *o, int n) { float s = 0; for (int i = 0; i < n; i++) if (a[i * 32 + threadIdx.x] > 0.5f) s += i; o[threadIdx.x] = s; }
__global__ void loopHalving(float *o) { __shared__ float s[256]; s[threadIdx.x] = threadIdx.x; __syncthreads(); for (int k = 128; k > 0; k >>= 1) { if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; __syncthreads(); } if (threadIdx.x == 0) o[0] = s[0]; }
__global__ void loopRemainder(const float *a, float *o, int n) { float s = 0; for (int i = 0; i < n + (int)(threadIdx.x >> 4); i++) s += a[i * 32 + threadIdx.x]; o[threadIdx.x] = s; }
int main() {
  char *a, *o; cudaMalloc(&a, 1 << 22); cudaMalloc(&o, 1 << 22); cudaMemset(a, 0, 1 << 22); cudaMemset(o, 0, 1 << 22);
  int cases[][2] = {{32, 1}, {16, 1}, {8, 1}, {2, 1}, {1, 1}, {32, 2}, {32, 32}, {16, 32}, {7, 3}};
  for (auto &c : cases) {
    sharedAdd<float><<<1, 32>>>((float *)o, c[0], c[1]); sharedAdd<double><<<1, 32>>>((double *)o, c[0], c[1]); sharedAdd<int><<<1, 32>>>((int *)o, c[0], c[1]);
    sharedAdd<unsigned long long><<<1, 32>>>((unsigned long long *)o, c[0], c[1]); sharedAddUsed<float><<<1, 32>>>((float *)o, c[0], c[1]); sharedAddUsed<int><<<1, 32>>>((int *)o, c[0], c[1]);
    sharedExch<float><<<1, 32>>>((float *)o, c[0], c[1]); sharedExch<unsigned long long><<<1, 32>>>((unsigned long long *)o, c[0], c[1]);
    sharedMax<int><<<1, 32>>>((int *)o, c[0], c[1]); sharedMax<unsigned long long><<<1, 32>>>((unsigned long long *)o, c[0], c[1]);
    globalAdd<float><<<1, 32>>>((float *)o, c[0], c[1]); globalAdd<int><<<1, 32>>>((int *)o, c[0], c[1]); globalAdd<double><<<1, 32>>>((double *)o, c[0], c[1]);
  }
  for (int n : {32, 20, 1}) {
    globalUniform<int><<<1, 32>>>((int *)o, n); globalUniform<float><<<1, 32>>>((float *)o, n); globalUniform<double><<<1, 32>>>((double *)o, n); globalUniform<unsigned long long><<<1, 32>>>((unsigned long long *)o, n);
    globalUniformValue<int><<<1, 32>>>((int *)o, n); globalUniformValue<float><<<1, 32>>>((float *)o, n);
    globalUniformUsed<int><<<1, 32>>>((int *)o, n); globalUniformUsed<float><<<1, 32>>>((float *)o, n); globalUniformMax<int><<<1, 32>>>((int *)o, n);
    globalBlockUniform<int><<<2, 64>>>((int *)o, n); globalBlockUniform<float><<<2, 64>>>((float *)o, n);
  }
  for (int s : {16, 32, 64}) for (int t : {16, 32, 48}) {
    asyncCopy<4><<<1, 32>>>(a, o, s, t); asyncCopy<8><<<1, 32>>>(a, o, s, t); asyncCopy<16><<<1, 32>>>(a, o, s, t);
  }
  asyncCopy<4><<<1, 32>>>(a, o, 4, 4); asyncCopy<8><<<1, 32>>>(a, o, 8, 8); asyncCopy<4><<<1, 32>>>(a, o, 128, 4);
  for (int n : {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32, 100}) {
    loopSum<<<1, 32>>>((float *)a, (float *)o, n * 256); loopSumUniform<<<1, 32>>>((float *)a, (float *)o, n); loopStore<<<1, 32>>>((float *)o, n); loopCarried<<<1, 32>>>((float *)a, (float *)o, n);
    loopNeighbour<<<1, 32>>>((float *)a, (float *)o, n); loopNested<<<1, 32>>>((float *)a, (float *)o, 3, n); loopShared<<<1, 32>>>((float *)o, n); loopSharedFrom<<<1, 32>>>((float *)o, n + 3, 3);
    loopSharedStrided<<<1, 32>>>((float *)o, n % 60); loopMath<<<1, 32>>>((float *)o, n); loopInt<<<1, 32>>>((int *)o, n); loopIf<<<1, 32>>>((float *)a, (float *)o, n); loopRemainder<<<1, 32>>>((float *)a, (float *)o, n);
    loopSum<<<1, 32>>>((float *)a, (float *)o, n * 256 - 240);
  }
  loopHalving<<<1, 256>>>((float *)o);
  return cudaDeviceSynchronize();
}
