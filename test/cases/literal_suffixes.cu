// Macros right behind literals, which C++11 takes for suffixes; nvcc takes the macro, with a warning.
// levels: nightly
// stdout: seven: 7 times
#include <cinttypes>
#include <cstdio>

#define __TIMES " times"

extern "C"__global__ void seven(uint64_t *p) { *p = 7; }

int main() {
  uint64_t *p;
  cudaMallocManaged(&p, sizeof *p);
  seven<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("seven: %"PRIu64""__TIMES"\n", *p);
  return 0;
}
