// Stores and loads of a row a thread by few multiprocessors and by all, work that is in some blocks only, and reads again and again, in order
// and in none, of more and less than L2 holds (`scattered.json`: what an H200 read, nvcc 13.0 -O3, `ncu --clock-control none`). Arguments:
// which groups run, all without: rows, work, passes, gather.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
// A row a thread, one word after the other.
__global__ void rowStores(float *out, int n, int pitch) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float *y = out + (size_t)t * pitch;
#pragma unroll 1
  for (int i = 0; i < n; i++) y[i] = i;
}
__global__ void rowCopies(const float *in, float *out, int n, int pitch) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *x = in + (size_t)t * pitch; float *y = out + (size_t)t * pitch;
  for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
}
__global__ void rowLoads(const float *in, float *out, int n, int pitch) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *x = in + (size_t)t * pitch; float s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  out[t] = s;
}
// Work in some blocks only.
__global__ void workFirst(float *out, int busy, int n) {
  if (blockIdx.x >= busy) return;
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 0.5f + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void workLast(float *out, int busy, int n) {
  int b = (int)blockIdx.x - ((int)gridDim.x - busy);
  if (b < 0) return;
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 0.5f + 1;
  out[b * blockDim.x + threadIdx.x] = x;
}
__global__ void workSpread(float *out, int every, int n) {
  if (blockIdx.x % every) return;
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 0.5f + 1;
  out[blockIdx.x / every * blockDim.x + threadIdx.x] = x;
}
// Again and again over more or less than L2 holds.
__global__ void strided(const float *a, float *b, int n, int stride) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  b[gid] = a[(long long)gid * stride % n];
}
__global__ void passes(const float4 *a, float *b, int n, int times) {
  float s = 0;
  for (int p = 0; p < times; p++)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i].x + a[i].w;
  b[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void gather(const float *a, float *b, int n, int each) {
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;
  for (int i = 0; i < each; i++) { unsigned h = (gid * each + i) * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; s += a[h & (n - 1)]; }
  b[gid] = s;
}

int main(int argc, char **argv) {
  auto wants = [&](const char *group) {
    for (int i = 1; i < argc; i++)
      if (strcmp(argv[i], group) == 0) return true;
    return argc == 1;
  };
  auto megabytes = [](size_t mb) {
    float *p;
    CHECK(cudaMalloc(&p, mb << 20));
    return p;
  };
  float *b = megabytes(600);
  if (wants("rows")) {
    float *a = megabytes(600);
    for (int blocks : {8, 32, 64, 132, 264, 1056}) rowStores<<<blocks, 128>>>(b, 1024, 1024);
    for (int blocks : {8, 32, 64, 132, 264, 1056}) rowCopies<<<blocks, 128>>>(a, b, 1024, 1024);
    for (int blocks : {8, 32, 64, 132, 264, 1056}) rowLoads<<<blocks, 128>>>(a, b, 1024, 1024);
    for (int blocks : {64, 132, 264}) rowStores<<<blocks, 32>>>(b, 1024, 1024);
    for (int blocks : {64, 132, 528}) rowStores<<<blocks, 256>>>(b, 1024, 1021);
    rowStores<<<64, 128>>>(b, 1024, 8192);
    rowCopies<<<64, 128>>>(a, b, 1024, 8192);
    CHECK(cudaFree(a));
  }
  if (wants("work")) {
    for (int extra : {0, 20000, 100000, 500000}) workFirst<<<528 + extra, 128>>>(b, 528, 10000);
    for (int extra : {100000, 500000}) workFirst<<<4224 + extra, 128>>>(b, 4224, 10000);
    for (int extra : {20000, 100000, 500000}) workLast<<<528 + extra, 128>>>(b, 528, 10000);
    for (int every : {10, 100, 1000}) workSpread<<<528 * every, 128>>>(b, every, 10000);
  }
  if (wants("passes")) {
    for (int mb : {16, 32, 48, 64, 128, 256}) {
      float *a = megabytes(mb);
      strided<<<131072 / 4, 256>>>(a, b, mb << 18, 32);
      CHECK(cudaFree(a));
    }
    for (int mb : {16, 32, 48, 64, 128, 256}) {
      float *a = megabytes(mb);
      passes<<<1056, 256>>>((const float4 *)a, b, mb << 16, 4);
      CHECK(cudaFree(a));
    }
  }
  if (wants("gather")) {
    auto gatherFrom = [&](int mb, int blocks, int each) {
      float *a = megabytes(mb);
      gather<<<blocks, 256>>>(a, b, mb << 18, each);
      CHECK(cudaFree(a));
    };
    for (int mb : {16, 32, 64, 128, 256, 512}) gatherFrom(mb, 2112, 16);
    for (int mb : {32, 64, 256}) gatherFrom(mb, 8448, 32);
  }
  CHECK(cudaDeviceSynchronize());
}
