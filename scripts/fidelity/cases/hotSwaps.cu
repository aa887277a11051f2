// Swaps (compare-and-swap, exchange) and sums by few warps and by many, at words of their own, at one line and at one word; each warp's one behind
// the other. The launches of burtscher's SyncPerformance took 0.4 of their time as sums; hotSwaps.json has an H200's times.
#include <cstdio>
#include <cuda_runtime.h>

// Kinds of places: each thread its own word, each warp one line that all share, all one word, each thread its own sector.
__device__ __forceinline__ int place(int kind) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  return kind == 0 ? t : kind == 1 ? t % 32 : kind == 2 ? 0 : t * 8;
}

template <class T> __global__ void swaps(T *a, int kind, int rounds) {
  int i = place(kind);
  for (int r = 0; r < rounds; r++) atomicCAS(a + i, (T)0, (T)0);
}
template <class T> __global__ void misses(T *a, int kind, int rounds) {
  int i = place(kind);
  for (int r = 0; r < rounds; r++) atomicCAS(a + i, (T)1, (T)2);
}
template <class T> __global__ void swapsInTurn(T *a, int kind, int rounds) {
  int i = place(kind);
  T x = 0;
  for (int r = 0; r < rounds; r++) x = atomicCAS(a + i, x, x);
  if (x == 5) a[1 << 20] = x;
}
template <class T> __global__ void exchanges(T *a, int kind, int rounds) {
  int i = place(kind);
  for (int r = 0; r < rounds; r++) atomicExch(a + i, (T)0);
}
template <class T> __global__ void sums(T *a, int kind, int rounds) {
  int i = place(kind);
  for (int r = 0; r < rounds; r++) atomicAdd(a + i, (T)0);
}

template <class T> void all(T *a, int blocks, int threads, int kind, int rounds) {
  swaps<T><<<blocks, threads>>>(a, kind, rounds);
  misses<T><<<blocks, threads>>>(a, kind, rounds);
  exchanges<T><<<blocks, threads>>>(a, kind, rounds);
  sums<T><<<blocks, threads>>>(a, kind, rounds);
}

int main() {
  void *m;
  cudaMalloc(&m, 64 << 20);
  cudaMemset(m, 0, 64 << 20);
  int *n = (int *)m;
  unsigned long long *w = (unsigned long long *)m;
  all(n, 1, 32, 0, 400);
  all(n, 2, 128, 0, 400);
  all(n, 132, 256, 0, 40);
  all(n, 2112, 256, 0, 4);
  all(n, 2, 128, 1, 100);
  all(n, 264, 128, 1, 4);
  all(n, 2, 128, 2, 40);
  all(n, 2, 128, 3, 100);
  all(w, 2, 128, 0, 400);
  all(w, 132, 256, 0, 40);
  swapsInTurn<int><<<2, 128>>>(n, 0, 100);
  swapsInTurn<int><<<132, 256>>>(n, 0, 40);
  swapsInTurn<int><<<2, 128>>>(n, 1, 40);
  swapsInTurn<unsigned long long><<<2, 128>>>(w, 0, 100);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
