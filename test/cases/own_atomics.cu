// Atomic functions that a program defines for types that CUDA's headers leave out.
// stdout: 2016 -2016 496.5 32
#include <cstdint>
#include <cstdio>

__device__ void atomicAdd(int64_t *address, int64_t value) { atomicAdd((unsigned long long *)address, (unsigned long long)value); }
__device__ unsigned long long atomicSub(unsigned long long *address, unsigned long long value) { return atomicAdd(address, 0 - value); }
__device__ float atomicSub(float *address, float value) { return atomicAdd(address, -value); }
__device__ long long atomicCAS(long long *address, long long expected, long long value) {
  return atomicCAS((unsigned long long *)address, (unsigned long long)expected, (unsigned long long)value);
}
__device__ void atomicExch(long *address, long value) { *address = value; }

struct Sums {
  int64_t up;
  unsigned long long down;
  float real;
  long long most;
};

__global__ void sum(Sums *sums) {
  int i = threadIdx.x;
  atomicAdd(&sums->up, (int64_t)i);
  atomicSub(&sums->down, (unsigned long long)i);
  if (i < 32) atomicSub(&sums->real, (float)i);
  for (long long seen = 0, found; i % 2 == 0; seen = found)
    if ((found = atomicCAS(&sums->most, seen, seen + 1)) == seen) break;
}

int main() {
  Sums *sums;
  cudaMallocManaged(&sums, sizeof(Sums));
  *sums = {0, 0, 992.5f, 0};
  sum<<<1, 64>>>(sums);
  cudaDeviceSynchronize();
  printf("%lld %lld %g %lld\n", (long long)sums->up, (long long)sums->down, sums->real, sums->most);
}
