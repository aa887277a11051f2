// Assembly with an operand too few, in a function that nobody calls: nvcc does not look at it.
// levels: 2
// stdout: fffffffa
#include <cstdio>
__device__ void spoiled(unsigned &d, unsigned a) { asm volatile("\n\tnot.b32    %0, %1, %2;" : "=r"(d) : "r"(a)); }
__device__ void inverted(unsigned &d, unsigned a) { asm volatile("\n\tnot.b32    %0, %1;" : "=r"(d) : "r"(a)); }
__global__ void invert(unsigned *out) { inverted(*out, 5); }
int main() {
  unsigned *out;
  cudaMallocManaged(&out, sizeof *out);
  invert<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%x\n", *out);
}
