// __restrict__ on the element instead of the pointer, with a typedef's name: nvcc passes it over.
// levels: nightly
// stdout: 5
#include <cstdint>
#include <cstdio>

__device__ __forceinline__ uint32_t load(const __restrict__ uint32_t *from) {
  uint32_t value;
  asm("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}

__global__ void copy(const __restrict__ uint32_t *from, uint32_t *to) { *to = load(from); }

int main() {
  uint32_t *p;
  cudaMallocManaged(&p, 2 * sizeof(uint32_t));
  p[0] = 5;
  copy<<<1, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  printf("%u\n", p[1]);
  return 0;
}
