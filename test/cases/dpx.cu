// DPX instructions, on both sides.
// stdout: device 7 -5 0 9 4294967295 -3 5 1 0
// stdout: device 00050003 7fff0000 fffe0001 00010000 1 0
// stdout: host 7 -5 0 9 4294967295 -3 5 1 0
// stdout: host 00050003 7fff0000 fffe0001 00010000 1 0
#include <cstdio>

__host__ __device__ void words(const char *side) {
  bool first, second;
  int greater = __vibmax_s32(5, 5, &first);
  __vibmin_u32(4000000000u, 3, &second);
  printf("%s %d %d %d %d %u %d %d %d %d\n", side, __vimax3_s32(-1, 7, 3), __vimin3_s32(-1, -5, 3), __vimin3_s32_relu(4, -2, 9),
         __viaddmax_s32(4, 5, -2), __vimax3_u32(1, 4294967295u, 2), __viaddmin_s32(-1, -2, 5), greater, first, second);
}
__host__ __device__ void pairs(const char *side) {
  bool high, low;
  unsigned greater = __vibmax_s16x2(0x0001ffff, 0x00010000, &high, &low);
  printf("%s %08x %08x %08x %08x %d %d\n", side, __vimax3_s16x2(0x00050001, 0xffff0003, 0x00020002),
         __vimax_s16x2_relu(0x7fffffff, 0x0001fffe), __vimin3_u16x2(0xfffe0001, 0xffff0003, 0xfffffff0),
         greater, high, low);
}
__global__ void device() {
  words("device");
  pairs("device");
}

int main() {
  device<<<1, 1>>>();
  cudaDeviceSynchronize();
  words("host");
  pairs("host");
}
