// What one thread, one warp or one block does alone: the first kernels of every tutorial (`add<<<1, 1>>>`), serial scans of block sums,
// sorts, searches and histograms by one thread; arrays that L2 has and ones that come from DRAM. Each launch is verified by a sum of what it left.
#include <cstdio>
#include <cstdlib>

__global__ void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + y[i]; }
__global__ void addStrided(int n, const float *x, float *y) { for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] + y[i]; }
__global__ void addGrid(int n, const float *x, float *y) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] + y[i]; }
__global__ void copy(int n, const float *__restrict__ x, float *__restrict__ y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
__global__ void copyMaybe(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
__global__ void fill(int n, float *y) { for (int i = 0; i < n; i++) y[i] = i; }
__global__ void fillStep(int n, float *y, int step) { for (int i = 0; i < n; i++) y[i * step] = 1; }
__global__ void sum(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; *y = s; }
__global__ void sumStep(int n, const float *x, float *y, int step) { float s = 0; for (int i = 0; i < n; i++) s += x[i * step]; *y = s; }
__global__ void most(int n, const int *x, int *y) { int m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; *y = m; }
__global__ void place(int n, const int *x, int *y) { int at = 0; for (int i = 1; i < n; i++) if (x[i] > x[at]) at = i; *y = at; }
__global__ void scan(int n, const int *x, int *y) { int s = 0; for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; } }
__global__ void scanOnly(int n, const int *__restrict__ x, int *__restrict__ y) { int s = 0; for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; } }
__global__ void scanInPlace(int n, int *y) { int s = 0; for (int i = 0; i < n; i++) { int v = y[i]; y[i] = s; s += v; } }
__global__ void scanBefore(int n, int *y) { for (int i = 1; i < n; i++) y[i] += y[i - 1]; }
__global__ void scale(int n, float *y) { for (int i = 0; i < n; i++) y[i] *= 2; }
__global__ void scaleTwo(int n, float *y) { for (int i = 0; i < n - 1; i += 2) { float a = y[i], b = y[i + 1]; y[i] = b; y[i + 1] = a; } }
__global__ void bins(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[x[i] & 63]++; }
__global__ void binsAtomic(int n, const int *x, int *y) { for (int i = 0; i < n; i++) atomicAdd(&y[x[i] & 63], 1); }
__global__ void binsShared(int n, const int *x, int *y) { __shared__ int s[64]; for (int i = 0; i < 64; i++) s[i] = 0; for (int i = 0; i < n; i++) s[x[i] & 63]++; for (int i = 0; i < 64; i++) y[i] = s[i]; }
__global__ void bubble(int n, int *y) { for (int i = 0; i < n; i++) for (int j = 0; j < n - 1 - i; j++) if (y[j] > y[j + 1]) { int t = y[j]; y[j] = y[j + 1]; y[j + 1] = t; } }
__global__ void insertion(int n, int *y) { for (int i = 1; i < n; i++) { int v = y[i], j = i - 1; while (j >= 0 && y[j] > v) { y[j + 1] = y[j]; j--; } y[j + 1] = v; } }
__global__ void selection(int n, int *y) { for (int i = 0; i < n - 1; i++) { int m = i; for (int j = i + 1; j < n; j++) if (y[j] < y[m]) m = j; int t = y[m]; y[m] = y[i]; y[i] = t; } }
__global__ void product(int n, const float *a, const float *b, float *c) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s; } }
__global__ void transpose(int n, const float *a, float *c) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[j * n + i] = a[i * n + j]; }
__global__ void stencil(int n, const float *a, float *c) { for (int i = 1; i < n - 1; i++) c[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; }
__global__ void chase(int n, const int *x, int *y) { int p = 0; for (int i = 0; i < n; i++) p = x[p]; *y = p; }
__global__ void fibonacci(int n, int *y) { y[0] = 0; y[1] = 1; for (int i = 2; i < n; i++) y[i] = y[i - 1] + y[i - 2]; }
__global__ void merge(int n, const int *a, const int *b, int *c) { int i = 0, j = 0, k = 0; while (i < n && j < n) c[k++] = a[i] <= b[j] ? a[i++] : b[j++]; while (i < n) c[k++] = a[i++]; while (j < n) c[k++] = b[j++]; }
__global__ void warpScan(int n, const int *x, int *y) { int t = threadIdx.x, before = 0; for (int i = t; i < n; i += 32) { int v = x[i], own = v; for (int k = 1; k < 32; k *= 2) { int u = __shfl_up_sync(~0u, v, k); if (t >= k) v += u; } y[i] = before + v - own; before += __shfl_sync(~0u, v, 31); } }
__global__ void blockScan(int n, int *y) { __shared__ int s[256]; int t = threadIdx.x; __shared__ int before; if (t == 0) before = 0; __syncthreads(); for (int b = 0; b < n; b += 256) { s[t] = y[b + t]; __syncthreads(); for (int k = 1; k < 256; k *= 2) { int v = t >= k ? s[t - k] : 0; __syncthreads(); s[t] += v; __syncthreads(); } int e = s[t] + before; __syncthreads(); if (t == 255) before = e; y[b + t] = e; __syncthreads(); } }
__global__ void lastThread(int n, const int *x, int *y) { int t = threadIdx.x; if (t == blockDim.x - 1) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; } }
__global__ void firstOfBlocks(int n, const int *x, int *y) { if (threadIdx.x == 0) { int s = 0; for (int i = 0; i < n; i++) s += x[blockIdx.x * n + i]; y[blockIdx.x] = s; } }
__global__ void chunks(int n, const int *x, int *y) { int t = threadIdx.x; int s = 0; for (int i = t * n; i < (t + 1) * n; i++) s += x[i]; y[t] = s; }
__global__ void chunksBoth(int n, int *y) { int t = threadIdx.x; for (int i = t * n + 1; i < (t + 1) * n; i++) y[i] += y[i - 1]; }
__global__ void start(int n, int *y, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = (i * 2654435761u >> 8) % m; }

static int *x, *y, *z;
static void fresh(int n, int m = 1000) { start<<<(n + 255) / 256, 256>>>(n, x, m); start<<<(n + 255) / 256, 256>>>(n, y, m); start<<<(n + 255) / 256, 256>>>(n, z, m); }

int main() {
  const size_t bytes = size_t(64) << 20;
  cudaMalloc(&x, bytes); cudaMalloc(&y, bytes); cudaMalloc(&z, bytes);
  float *a = (float *)x, *b = (float *)y, *c = (float *)z;
  for (int n : {16384, 1 << 18}) {
    fresh(n);
    add<<<1, 1>>>(n, a, b); copy<<<1, 1>>>(n, a, b); copyMaybe<<<1, 1>>>(n, a, b); fill<<<1, 1>>>(n, b); sum<<<1, 1>>>(n, a, b); scale<<<1, 1>>>(n, b); scaleTwo<<<1, 1>>>(n, b);
    stencil<<<1, 1>>>(n, a, b);
    fresh(n);
    most<<<1, 1>>>(n, x, y); place<<<1, 1>>>(n, x, y); scan<<<1, 1>>>(n, x, y); scanOnly<<<1, 1>>>(n, x, y); scanInPlace<<<1, 1>>>(n, y); fresh(n); scanBefore<<<1, 1>>>(n, y);
    bins<<<1, 1>>>(n, x, y); binsAtomic<<<1, 1>>>(n, x, y); binsShared<<<1, 1>>>(n, x, y); fibonacci<<<1, 1>>>(n, y); fresh(n); merge<<<1, 1>>>(n, x, y, z);
    addStrided<<<1, 32>>>(n, a, b); addStrided<<<1, 256>>>(n, a, b); addStrided<<<1, 1024>>>(n, a, b); addGrid<<<4, 256>>>(n, a, b); warpScan<<<1, 32>>>(n, x, y); blockScan<<<1, 256>>>(n, y);
    lastThread<<<1, 256>>>(n, x, y); firstOfBlocks<<<32, 128>>>(n / 32, x, y); chunks<<<1, 32>>>(n / 32, x, y); chunks<<<1, 256>>>(n / 256, x, y); chunksBoth<<<1, 32>>>(n / 32, y); chunksBoth<<<1, 256>>>(n / 256, y);
  }
  fresh(1 << 24, 1 << 24);
  fillStep<<<1, 1>>>(16384, b, 8); fillStep<<<1, 1>>>(16384, b, 32); fillStep<<<1, 1>>>(16384, b, 1024); sumStep<<<1, 1>>>(16384, a, b, 8); sumStep<<<1, 1>>>(16384, a, b, 32); sumStep<<<1, 1>>>(16384, a, b, 1024); chase<<<1, 1>>>(8192, x, y);
  fresh(4096); bubble<<<1, 1>>>(512, x); insertion<<<1, 1>>>(512, y); selection<<<1, 1>>>(512, z); product<<<1, 1>>>(64, a, b, c); transpose<<<1, 1>>>(256, a, c);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
