// Sums of many words whose statements are not volatile: what reads the carry stays where it is written, though another has the same operands.
// stdout: wrong: 0 0
#include <cstdio>
__device__ __forceinline__ void add_cc(unsigned &s, unsigned a, unsigned b) { asm("add.cc.u32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(b)); }
__device__ __forceinline__ void addc(unsigned &s, unsigned a, unsigned b) { asm("addc.u32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(b)); }
__device__ __forceinline__ void mad_lo_cc(unsigned &s, unsigned a, unsigned b, unsigned c) { asm("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(b), "r"(c)); }
__global__ void sums(int *wrong, unsigned seed) {
  unsigned t = threadIdx.x, a = (t + seed) * 0x9e3779b9u, b = a ^ (a >> 7), c = b * 0x85ebca6bu;
  unsigned s, first, second, third;
  add_cc(s, a, b);
  addc(first, 0, 0);
  add_cc(s, b, c);
  addc(second, 0, 0);
  mad_lo_cc(s, a, b, c);
  addc(third, 0, 0);
  if (first != (a + b < a)) atomicAdd(wrong, 1);
  if (second != (b + c < b)) atomicAdd(wrong, 1);
  if (third != (a * b + c < c)) atomicAdd(wrong, 1);
  unsigned count = 0, expected = 0, sum = a, carry;
  for (unsigned i = 0; i < seed; i++) {
    add_cc(s, sum, b);
    addc(carry, 0, 0);
    count += carry;
    expected += sum + b < sum;
    sum += c;
  }
  if (count != expected) atomicAdd(wrong + 1, 1);
}
int main() {
  int *wrong;
  cudaMallocManaged(&wrong, 2 * sizeof(int));
  wrong[0] = wrong[1] = 0;
  sums<<<4, 64>>>(wrong, 7);
  cudaDeviceSynchronize();
  printf("wrong: %d %d\n", wrong[0], wrong[1]);
}
