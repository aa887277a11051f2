// Formats written for 8-byte long: 64-bit integers by %ld and the like, and what follows them, on both sides.
// stdout: -5000000000 7
// stdout: 5000000000 2.5 text
// stdout: 12345678901 3
// stdout: 0000ffffffffffff|  99|7
// stdout: device 5000000000 8
// stdout: read 6000000000 4
// stdout: int 5000000000
#include <cstdint>
#include <cstdio>

__global__ void show(long long value) { printf("device %ld %d\n", value, 8); }

int main() {
  int64_t negative = -5000000000;
  uint64_t positive = 5000000000;
  size_t small = 3;
  printf("%ld %d\n", negative, 7);
  printf("%lu %g %s\n", positive, 2.5, "text");
  printf("%zu %zu\n", (uint64_t)12345678901, small);
  char line[64];
  snprintf(line, sizeof line, "%016lx|%4ld|%d", (uint64_t)0xffffffffffff, (int64_t)99, 7);
  puts(line);
  show<<<1, 1>>>(5000000000);
  cudaDeviceSynchronize();
  int next = 0;
  sscanf("6000000000 4", "%lu %d", &positive, &next);
  printf("read %lu %d\n", positive, next);
  printf("int %d\n", (long long)5000000000);
  return 0;
}
