// `long` has 8 bytes, as on Linux: in structures, constants, formats, the library's functions and CUDA's vector types.
// stdout: device -291642499179399852 18155101574530151764 16
// stdout: 9515014536034175651 fbf3e1b133013544 -291642499179399852 8
// stdout: macro -291642499179399852 7
// stdout: v 18155101574530151763
// stdout: 123456789012345 18446744073709551615 8
// stdout: 256 size
// stdout: 5 1099511627776 40 64
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#define LOG(...) printf(__VA_ARGS__)
#define SHOW(format, x) printf("%s " format "\n", "v", x)
typedef unsigned long ulong;
__constant__ long table[4] = {1L << 40, 2, 3, LONG_MAX};
struct Padded {
  char c;
  long v;
};

__global__ void mix(unsigned long *out, ulong seed, long2 *pairs) {
  unsigned i = threadIdx.x;
  long unsigned int h = seed;
  for (int r = 0; r < 5; r++) h = h * 6364136223846793005UL + 1442695040888963407UL;
  out[i] = h ^ (1UL << i) ^ (unsigned long)table[i & 3];
  pairs[i] = make_long2(i, long(h));
  if (i == 0) printf("device %ld %lu %zu\n", (long)h, h, sizeof(Padded));
}

int main() {
  unsigned long *d, h[32];
  long2 *p, hp[32];
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&p, sizeof hp);
  mix<<<1, 32>>>(d, 12345678901UL, p);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(hp, p, sizeof hp, cudaMemcpyDeviceToHost);
  printf("%lu %lx %ld %lu\n", h[3], h[4], hp[5].y, sizeof(long));
  LOG("macro %ld %d\n", (long)h[1], 7);
  SHOW("%lu", h[2]);
  long v = strtol("123456789012345", nullptr, 10);
  std::cout << v << " " << ULONG_MAX << " " << sizeof(ulong) << std::endl;
  size_t size = sizeof(h);
  fprintf(stdout, "%lu size\n", size);
  int64_t q = 5;
  long bit = 1L << 40;
  printf("%ld %ld %d %d\n", q, labs(-bit), __builtin_ctzl(bit), __builtin_popcountl(ULONG_MAX));
}
