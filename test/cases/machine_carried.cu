// Loops of which a round has in a register what the next one loads, in many forms: which of these loads the machine makes
// (analysis/loops/carryOverRounds.ts; read on an H200: scripts/fidelity/cases/machine_carried.json).
// levels: 2
// stdout: no error 3342938002
#include <cstdio>

__device__ int g[1000];
struct P { int a, b; };

__global__ void before(int n, int *y) { for (int i = 1; i < n; i++) y[i] += y[i - 1]; }
__global__ void beforeInOne(int n, int *y) { 
#pragma unroll 1
for (int i = 1; i < n; i++) y[i] += y[i - 1]; }
__global__ void twoBefore(int n, int *y) { for (int i = 2; i < n; i++) y[i] += y[i - 2]; }
__global__ void whereSet(int n, int *y, const int *__restrict__ x) { for (int i = 1; i < n; i++) if (x[i]) y[i] = y[i - 1] + 1; }
__global__ void filter(int n, float *y, const float *x) { for (int i = 1; i < n; i++) y[i] = y[i - 1] * 0.5f + x[i]; }
__global__ void filterApart(int n, float *__restrict__ y, const float *__restrict__ x) { for (int i = 1; i < n; i++) y[i] = y[i - 1] * 0.5f + x[i]; }
__global__ void chunk(int n, int *y) { int t = threadIdx.x; for (int i = t * n + 1; i < (t + 1) * n; i++) y[i] += y[i - 1]; }
__global__ void table(int n, int *d) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) d[i * n + j] = d[i * n + j - 1] + d[(i - 1) * n + j]; }
__global__ void known(int *y) { for (int i = 1; i < 101; i++) y[i] += y[i - 1]; }
__global__ void strided(int n, int *y) { for (int i = threadIdx.x + 32; i < n; i += 32) y[i] += y[i - 32]; }
__global__ void inShared(int n, int *y) { __shared__ int s[1024]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); for (int i = 1; i < n; i++) s[i] += s[i - 1]; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void backwards(int n, int *y) { for (int i = n - 2; i >= 0; i--) y[i] += y[i + 1]; }
__global__ void fibonacci(int n, int *y) { for (int i = 2; i < n; i++) y[i] = y[i - 1] + y[i - 2]; }
__global__ void fibonacciFrom(int n, int *y) { y[0] = 0; y[1] = 1; for (int i = 2; i < n; i++) y[i] = y[i - 1] + y[i - 2]; }
__global__ void wideCounter(size_t n, int *y) { for (size_t i = 1; i < n; i++) y[i] += y[i - 1]; }
__global__ void unsignedCounter(unsigned n, int *y) { for (unsigned i = 1; i < n; i++) y[i] += y[i - 1]; }
__global__ void whileLoop(int n, int *y) { int i = 1; while (i < n) { y[i] += y[i - 1]; i++; } }
__global__ void powers(int n, double *y) { y[0] = 1; for (int i = 1; i < n; i++) y[i] = y[i - 1] * 1.5; }
__global__ void firstThread(int n, int *y) { if (threadIdx.x == 0) { y[0] = 0; for (int i = 1; i <= n; i++) y[i] = y[i - 1] + i; } }
__global__ void neighbour(int n, int *y, int *z) { for (int i = 1; i < n; i++) y[i] = y[i - 1] + z[i - 1]; }
__global__ void neighbourApart(int n, int *__restrict__ y, const int *__restrict__ z) { for (int i = 1; i < n; i++) y[i] = y[i - 1] + z[i - 1]; }
__global__ void roots(int n, float *y) { for (int i = 1; i < n; i++) y[i] = sqrtf(y[i - 1]); }
__global__ void quotients(int n, float *y) { for (int i = 1; i < n; i++) y[i] = y[i] / y[i - 1]; }
__global__ void distance(int n, int *y, int k) { for (int i = k; i < n; i++) y[i] += y[i - k]; }
__global__ void sharedFrom(int n, int *y) { __shared__ int s[64]; if (threadIdx.x == 0) { s[0] = 0; for (int i = 1; i < 64; i++) s[i] = s[i - 1] + y[i]; } __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void sharedRounds(int n, int *y) { __shared__ int s[64]; if (threadIdx.x == 0) { s[0] = 0; for (int i = 1; i < n; i++) s[i] = s[i - 1] + y[i]; } __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void sums(int n, int *y, const int *__restrict__ c) { y[0] = 0; for (int i = 0; i < n; i++) y[i + 1] = y[i] + c[i]; }
__global__ void sumsMaybe(int n, int *y, const int *c) { y[0] = 0; for (int i = 0; i < n; i++) y[i + 1] = y[i] + c[i]; }
__global__ void column(int n, float *y) { int t = threadIdx.x; for (int i = 1; i < n; i++) y[i * 1024 + t] = y[(i - 1) * 1024 + t] * 0.5f; }
__global__ void columnOfAny(int w, int n, float *y) { int t = threadIdx.x; for (int i = 1; i < n; i++) y[i * w + t] = y[(i - 1) * w + t] * 0.5f + 1; }
__global__ void two(int n, float *a, float *b) { int t = threadIdx.x; for (int i = 1; i < n; i++) { a[t * n + i] = a[t * n + i - 1] + b[t * n + i]; b[t * n + i] = b[t * n + i - 1] * a[t * n + i]; } }
__global__ void twoStarts(int n, int *y, int *x) { int i; if (x[0]) i = 1; else { x[7] = 3; i = 5; }
#pragma unroll 1
 for (; i < n; i++) y[i] += y[i-1]; }
__global__ void behindBranch(int n, int *y, int *x) { if (x[0]) x[5] = 3;
#pragma unroll 1
 for (int i = 1; i < n; i++) y[i] += y[i-1]; }
__global__ void anyStart(int n, int *y, int s) { int i = s; 
#pragma unroll 1
do { y[i] += y[i-1]; i++; } while (i < n); }
__global__ void again(int n, int m, int *y) { for (int k = 0; k < m; k++) 
#pragma unroll 1
 for (int j = 1; j < n; j++) y[j] += y[j-1]; }
__global__ void twoWays(int n, float *y) { 
#pragma unroll 1
for (int i = 1; i < n; i++) { float v = y[i-1]; if (v > 0) y[i] = v + 1; else y[i] = v - 1; } }
__global__ void barriers(int n, float *y) { __shared__ float s[512]; int t = threadIdx.x; 
#pragma unroll 1
for (int i = 1; i < n; i++) { float v = s[t + i - 1]; __syncthreads(); s[t + i] = v + 1; __syncthreads(); } y[t] = s[t]; }
__global__ void pointer(int n, int *p) { int *e = p + n; p++; 
#pragma unroll 1
while (p < e) { *p += p[-1]; p++; } }
__global__ void pairs(int n, int *y) { 
#pragma unroll 1
for (int i = 1; i < n; i += 2) { y[i] += y[i-1]; y[i+1] += y[i]; } }
__global__ void variable(int n) { for (int i = 1; i < n; i++) g[i] += g[i-1]; }
__global__ void members(int n, P *y) { for (int i = 1; i < n; i++) y[i].a = y[i-1].a + 1; }
__global__ void everySecond(int n, int *y) { for (int i = 1; i < n; i++) y[2*i] = y[2*i-2] + 1; }
__global__ void bytes(int n, char *y) { for (int i = 1; i < n; i++) y[i] = y[i-1] + 1; }
__global__ void offset(int n, int *y, int o) { for (int i = 1; i < n; i++) y[i+o] = y[i+o-1] + 1; }
__global__ void fromAny(int n, int *y, int o) { for (int i = o; i < n; i++) y[i] = y[i-1] + 1; }
__global__ void fromNext(int n, int *y, int o) { for (int i = o + 1; i < n; i++) y[i] = y[i-1] + 1; }
__global__ void ahead(int n, int *y, int o) { for (int i = o; i < n; i++) y[i+1] = y[i] + 1; }
__global__ void rows(int n, float (*y)[64]) { int t = threadIdx.x; for (int i = 1; i < n; i++) y[t][i] = y[t][i-1] + 1; }
__global__ void stencil(int n, const float *__restrict__ a, float *__restrict__ c) { for (int i = 1; i < n - 1; i++) c[i] = a[i-1] + a[i] + a[i+1]; }
__global__ void stencilInOne(int n, const float *__restrict__ a, float *__restrict__ c) { 
#pragma unroll 1
for (int i = 1; i < n - 1; i++) c[i] = a[i-1] + a[i] + a[i+1]; }
__global__ void ownRow(int n, float *y) { y += threadIdx.x * n; for (int i = 1; i < n; i++) y[i] += y[i-1]; }
__global__ void nested(int n, float *y, const float *__restrict__ x) { for (int k = 0; k < n; k++) { y[0] = x[k]; for (int i = 1; i < n; i++) y[i] += y[i-1]; } }
__global__ void sharedKnown(float *y) { __shared__ float s[256]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) for (int i = 1; i < 256; i++) s[i] += s[i-1]; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void sharedOfBlock(float *y) { __shared__ float s[256]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) for (int i = 1; i < blockDim.x; i++) s[i] += s[i-1]; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void sharedScan(float *y) { __shared__ float s[256]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) { float a = 0; for (int i = 0; i < 256; i++) { float v = s[i]; s[i] = a; a += v; } } __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void lcg(int n, unsigned *y) { for (int i = 1; i < n; i++) y[i] = y[i-1] * 1664525u + 1013904223u; }
__global__ void swaps(int n, int *y) { for (int i = 1; i <= n; ++i) { if (y[i-1] > y[i]) { int t = y[i]; y[i] = y[i-1]; y[i-1] = t; } } }
__global__ void bubble(int n, int *y) { for (int i = 0; i < n; i++) for (int j = 0; j < n - 1 - i; j++) if (y[j] > y[j + 1]) { int t = y[j]; y[j] = y[j + 1]; y[j + 1] = t; } }
__global__ void clears(int n, int *y) { for (int i = 1; i < n; i++) { y[i] = y[i] + y[i-1]; y[i-1] = 0; } }
__global__ void arrays(int n, int *y, int *z) { for (int i = 1; i < n; i++) { z[i] = y[i-1]; y[i] = z[i-1]; } }
static int *x, *y, *z;

__global__ void start(int *y, int seed) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = (i * 2654435761u + seed) >> 9; }
__global__ void sum(const int *y, unsigned *o) { unsigned s = 0; for (int i = threadIdx.x; i < 1 << 17; i += 256) s = s * 31 + y[i]; atomicAdd(o, s * (threadIdx.x + 1)); }

int main() {
  unsigned *o;
  cudaMallocManaged(&o, 4);
  *o = 0;
  cudaMalloc(&x, 4 << 17);
  cudaMalloc(&y, 4 << 17);
  cudaMalloc(&z, 4 << 17);
  start<<<512, 256>>>(x, 1);
  start<<<512, 256>>>(y, 2);
  start<<<512, 256>>>(z, 3);
  for (int n : {71, 64}) {
    before<<<1, 1>>>(n, y);
    beforeInOne<<<1, 1>>>(n, y);
    twoBefore<<<1, 1>>>(n, y);
    whereSet<<<1, 1>>>(n, y, x);
    filter<<<1, 1>>>(n, (float *)y, (float *)x);
    filterApart<<<1, 1>>>(n, (float *)y, (float *)x);
    chunk<<<1, 8>>>(n, y);
    table<<<1, 1>>>(n, y);
    known<<<1, 1>>>(y);
    strided<<<1, 32>>>(n, y);
    inShared<<<1, 128>>>(n, y);
    backwards<<<1, 1>>>(n, y);
    fibonacci<<<1, 1>>>(n, y);
    fibonacciFrom<<<1, 1>>>(n, y);
    wideCounter<<<1, 1>>>(n, y);
    unsignedCounter<<<1, 1>>>(n, y);
    whileLoop<<<1, 1>>>(n, y);
    powers<<<1, 1>>>(n, (double *)y);
    firstThread<<<1, 32>>>(n, y);
    neighbour<<<1, 1>>>(n, y, z);
    neighbourApart<<<1, 1>>>(n, y, z);
    roots<<<1, 1>>>(n, (float *)y);
    quotients<<<1, 1>>>(n, (float *)y);
    distance<<<1, 1>>>(n, y, 5);
    sharedFrom<<<1, 64>>>(n, y);
    sharedRounds<<<1, 64>>>(n - 8, y);
    sums<<<1, 1>>>(n, y, z);
    sumsMaybe<<<1, 1>>>(n, y, z);
    column<<<1, 32>>>(n, (float *)y);
    columnOfAny<<<1, 32>>>(256, n, (float *)y);
    two<<<1, 8>>>(n, (float *)y, (float *)z);
    twoStarts<<<1, 1>>>(n, y, x);
    behindBranch<<<1, 1>>>(n, y, x);
    anyStart<<<1, 1>>>(n, y, 1);
    again<<<1, 1>>>(n, 3, y);
    twoWays<<<1, 1>>>(n, (float *)y);
    barriers<<<1, 64>>>(n, (float *)y);
    pointer<<<1, 1>>>(n, y);
    pairs<<<1, 1>>>(n, y);
    variable<<<1, 1>>>(n);
    members<<<1, 1>>>(n, (P *)y);
    everySecond<<<1, 1>>>(n, y);
    bytes<<<1, 1>>>(n, (char *)y);
    offset<<<1, 1>>>(n, y, 4);
    fromAny<<<1, 1>>>(n, y, 4);
    fromNext<<<1, 1>>>(n, y, 4);
    ahead<<<1, 1>>>(n, y, 4);
    rows<<<1, 8>>>(n - 8, (float (*)[64])y);
    stencil<<<1, 1>>>(n, (float *)x, (float *)y);
    stencilInOne<<<1, 1>>>(n, (float *)x, (float *)y);
    ownRow<<<1, 8>>>(n, (float *)y);
    nested<<<1, 1>>>(n, (float *)y, (float *)x);
    sharedKnown<<<1, 256>>>((float *)y);
    sharedOfBlock<<<1, 256>>>((float *)y);
    sharedScan<<<1, 256>>>((float *)y);
    lcg<<<1, 1>>>(n, (unsigned *)y);
    swaps<<<1, 1>>>(n, y);
    bubble<<<1, 1>>>(n, y);
    clears<<<1, 1>>>(n, y);
    arrays<<<1, 1>>>(n, y, z);
    sum<<<1, 256>>>(x, o);
    sum<<<1, 256>>>(y, o);
    sum<<<1, 256>>>(z, o);
  }
  const char *error = cudaGetErrorString(cudaDeviceSynchronize());
  printf("%s %u\n", error, *o);
}
