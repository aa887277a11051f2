// A kernel that would be far too large with all calls inlined: its functions are shared by their callers.
// stdout: 32 threads, sum of all 15210792
// stdout: ways 22 23 26
#include <cstdio>

struct Step { int a, b; };

#define MIX1(n) x = x * 1103515245u + (n); x ^= x >> 7; if (x & (1u << ((n) % 31))) x += step.a; else x -= step.b; y[x % 8] += (n);
#define MIX4(n) MIX1(n) MIX1((n) + 1) MIX1((n) + 2) MIX1((n) + 3)
#define MIX16(n) MIX4(n) MIX4((n) + 4) MIX4((n) + 8) MIX4((n) + 12)

__device__ __noinline__ unsigned mix(unsigned x, Step step) {
  unsigned y[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  MIX16(0) MIX16(16) MIX16(32) MIX16(48)
  return x ^ y[x % 8];
}

__device__ __noinline__ unsigned twice(unsigned x, int by, int &ways) {
  if (x & 1) { ways += 10; return mix(mix(x, {by, 1}), {2, by}) + mix(x, {by, by}); }
  ways += 1;
  return mix(mix(x + by, {by, 3}), {by, 5});
}

__global__ void sharing(unsigned *out, int *ways) {
  unsigned x = threadIdx.x;
  int mine = 0;
  if (threadIdx.x % 3 == 0) x = twice(x, 1, mine);
  else if (threadIdx.x % 3 == 1) x = twice(x, 2, mine) + twice(x + 1, 3, mine);
  else x = mix(x, {7, 8});
  for (int i = 0; i < (int)(threadIdx.x % 4); i++) x = twice(x, i, mine) % 1000;
  x += twice(x, 4, mine) + twice(x, 5, mine) + twice(x + 1, 6, mine);
  __syncthreads();
  out[threadIdx.x] = x;
  ways[threadIdx.x] = mine;
}

int main() {
  unsigned *out;
  int *ways;
  cudaMallocManaged(&out, 128);
  cudaMallocManaged(&ways, 128);
  sharing<<<1, 32>>>(out, ways);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned sum = 0;
  for (int i = 0; i < 32; i++) sum += out[i] % 1000003;
  printf("32 threads, sum of all %u\n", sum);
  printf("ways %d %d %d\n", ways[0], ways[2], ways[31]);
}
