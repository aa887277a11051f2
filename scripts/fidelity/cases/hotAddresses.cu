// Many warps of all multiprocessors at few addresses: atomics and stores. Each launch is one way to spread the lanes
// of a warp (A of them take part, L places, S words apart) and blocks (W places, T words apart); hotAddresses.json has an H200's times.
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

struct Places {
  int A, L, S, W, T, rounds;
};

__device__ __forceinline__ int place(const Places &p) {
  return (threadIdx.x % 32 % p.L) * p.S + (blockIdx.x % p.W) * p.T;
}

#define TAKES_PART (threadIdx.x % 32 < p.A)

template <class T> __global__ void red(T *a, Places p) {
  int i = place(p);
  if (TAKES_PART)
    for (int r = 0; r < p.rounds; ++r) atomicAdd(a + i, (T)(threadIdx.x + 1));
}

__global__ void atom(int *a, int *out, Places p) {
  int i = place(p), s = 0;
  if (TAKES_PART)
    for (int r = 0; r < p.rounds; ++r) s += atomicAdd(a + i, (int)(threadIdx.x + 1));
  if (s == 12345678) *out = s;
}

__global__ void largest(int *a, Places p) {
  int i = place(p);
  if (TAKES_PART)
    for (int r = 0; r < p.rounds; ++r) atomicMax(a + i, (int)(threadIdx.x + blockIdx.x));
}

template <class T> __global__ void store(volatile T *a, Places p) {
  int i = place(p);
  if (TAKES_PART)
    for (int r = 0; r < p.rounds; ++r) a[i] = (T)(threadIdx.x + r);
}

int main() {
  void *m;
  cudaMalloc(&m, 64 << 20);
  cudaMemset(m, 0, 64 << 20);
  float *f = (float *)m;
  int *n = (int *)m;
  const int g = 2112, b = 128;
  Places one{1, 1, 1, 1, 1, 4}, same{32, 1, 1, 1, 1, 4}, words{32, 32, 1, 1, 1, 4}, lines{32, 32, 32, 1, 1, 4};
  Places apartW{1, 1, 1, 10, 1, 4}, apart2{1, 1, 1, 2, 128, 4}, l4{32, 32, 1, 4, 32, 4}, l16{32, 32, 1, 16, 32, 4};
  // A program's launches of one kernel and geometry are looked at one by one up to eight.
  for (Places p : {one, same, words, lines, apartW, apart2, l4, l16}) red<float><<<g, b>>>(f, p);
  for (Places p : {one, same, words, apartW}) red<double><<<g, b>>>((double *)m, p);
  for (Places p : {one, same, words, lines, apartW, l4}) {
    red<int><<<g, b>>>(n, p);
    atom<<<g, b>>>(n, n + 1000000, p);
    largest<<<g, b>>>(n, p);
  }
  for (Places p : {one, words, lines, apartW, l4}) store<float><<<g, b>>>(f, p);
  for (Places p : {one, same, words})
    for (int blocks : {132, 528, 4224})
      for (int threads : {32, 256}) {
        Places q = p;
        q.rounds = 8;
        red<int><<<blocks, threads>>>(n, q);
        red<float><<<blocks, threads>>>(f, q);
        store<float><<<blocks, threads>>>(f, q);
      }
  for (Places p : {one, words}) {
    Places q = p;
    q.rounds = 1;
    store<float><<<g, b>>>(f, q);
    red<int><<<g, b>>>(n, q);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
