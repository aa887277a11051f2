// What stands apart on the machine: accesses between which ptxas branches (quotients, roots), and loads that need not stand in a loop
// with barriers and shuffles (machine code of CUDA 13.0; read on an H200: scripts/fidelity/cases/machine_apart.json).
// levels: 2
// stdout: 14
// count: quotients shared load executed = 65
// count: products shared load executed = 17
// count: roots shared load executed = 65
// count: doubles shared load executed = 64
// count: exponentials shared load executed = 17
// count: stated shared load executed = 2
// count: stores shared store executed = 65
// count: sines shared load executed = 4
// count: coefficients global load executed = 18
// count: plain global load executed = 48
// count: shuffles global load executed = 17
// count: votes global load executed = 17
// count: chosen global load executed = 41
// count: fences global load executed = 20
#include <cstdio>

// A loop over shared memory is four loads of one word or one of four; with quotients between them ptxas cannot join them.
__global__ void quotients(float *out, const float *a, float x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) sum += s[i] / x;
  out[threadIdx.x] = sum + s[threadIdx.x];
}
__global__ void products(float *out, const float *a, float x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) sum += s[i] * x;
  out[threadIdx.x] = sum + s[threadIdx.x];
}
__global__ void roots(float *out, const float *a, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) sum += sqrtf(s[i]);
  out[threadIdx.x] = sum + s[threadIdx.x];
}
__global__ void doubles(double *out, const double *a, double x, int n) {
  __shared__ double s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = a[threadIdx.x];
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < n; i++) sum += s[i] / x;
  out[threadIdx.x] = sum;
}
__global__ void exponentials(float *out, const float *a, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) sum += expf(s[i]);
  out[threadIdx.x] = sum + s[threadIdx.x];
}
// What the source says is aligned LLVM joins, before there are branches.
__global__ void stated(float *out, const float *a, float x) {
  __shared__ __align__(16) float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0] / x + s[1] / (x + 1) + s[2] / (x + 2) + s[3] / (x + 3) + s[threadIdx.x ^ 1];
}
__global__ void stores(float *out, const float *a, float x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) s[i] = a[i] / x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// A sine has ways of its own in nvcc's library.
__global__ void sines(float *out, const float *a) {
  __shared__ __align__(16) float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sinf(s[0]) + sinf(s[1]) + sinf(s[2]) + sinf(s[3]);
}

// Coefficients behind a `const __restrict__` pointer are loaded once, barriers or not.
__global__ void coefficients(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ c, int n) {
  __shared__ float s[32];
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s[threadIdx.x] = a[i * 32 + threadIdx.x];
    __syncthreads();
    out[i * 32 + threadIdx.x] = c[0] * s[threadIdx.x] + c[1] * s[threadIdx.x ^ 1];
  }
}
__global__ void plain(float *out, const float *a, const float *c, int n) {
  __shared__ float s[32];
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s[threadIdx.x] = a[i * 32 + threadIdx.x];
    __syncthreads();
    out[i * 32 + threadIdx.x] = c[0] * s[threadIdx.x] + c[1] * s[threadIdx.x ^ 1];
  }
}
__global__ void shuffles(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ c, int n) {
  float x = 0;
  for (int i = 0; i < n; i++) {
    x += a[i * 32 + threadIdx.x];
    x += __shfl_down_sync(0xffffffffu, x, 1);
    x *= c[3];
  }
  out[threadIdx.x] = x;
}
__global__ void votes(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ c, int n) {
  float x = 0;
  for (int i = 0; i < n; i++) {
    x += a[i * 32 + threadIdx.x];
    x += __popc(__ballot_sync(0xffffffffu, x > 0));
    __syncwarp();
    x *= c[3];
  }
  out[threadIdx.x] = x;
}
// Stencils of several planes (FDTD3d): the loads that only some threads make stay where they are.
__global__ void chosen(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ c, int n, int w) {
  __shared__ float s[40];
  float now, next[4];
  for (int k = 0; k < 4; k++) next[k] = a[k * 32 + threadIdx.x];
  for (int i = 0; i < n; i++) {
    now = next[0];
    for (int k = 0; k < 3; k++) next[k] = next[k + 1];
    next[3] = a[(i + 4) * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 4) s[threadIdx.x] = a[i * 32 + threadIdx.x + 7];
    s[threadIdx.x + 4] = now;
    __syncthreads();
    float x = c[0] * now;
    for (int k = 1; k <= 4; k++) x += c[k] * (next[k - 1] + s[threadIdx.x ^ k]);
    if (threadIdx.x < w) out[i * 32 + threadIdx.x] = x;
  }
}
// A fence keeps loads in the loop, though four rounds share one.
__global__ void fences(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ c, int n) {
  float x = 0;
  for (int i = 0; i < n; i++) {
    x += a[i * 32 + threadIdx.x];
    __threadfence();
    x *= c[3];
  }
  out[threadIdx.x] = x;
}

int main() {
  float *out, *a, *c;
  cudaMalloc(&out, 65536);
  cudaMalloc(&a, 65536);
  cudaMalloc(&c, 1024);
  // 0.747, or 0.00048 as a double: no zeros, whose quotients and roots take longer.
  cudaMemset(a, 0x3f, 65536);
  cudaMemset(c, 0x3f, 1024);
  quotients<<<1, 32>>>(out, a, 2, 64);
  products<<<1, 32>>>(out, a, 2, 64);
  roots<<<1, 32>>>(out, a, 64);
  doubles<<<1, 32>>>((double *)out, (double *)a, 2, 64);
  exponentials<<<1, 32>>>(out, a, 64);
  stated<<<1, 32>>>(out, a, 2);
  stores<<<1, 32>>>(out, a, 2, 64);
  sines<<<1, 32>>>(out, a);
  coefficients<<<1, 32>>>(out, a, c, 16);
  plain<<<1, 32>>>(out, a, c, 16);
  shuffles<<<1, 32>>>(out, a, c, 16);
  votes<<<1, 32>>>(out, a, c, 16);
  chosen<<<1, 32>>>(out, a, c, 16, 16);
  fences<<<1, 32>>>(out, a, c, 16);
  printf("%d\n", cudaDeviceSynchronize() == cudaSuccess ? 14 : 0);
}
