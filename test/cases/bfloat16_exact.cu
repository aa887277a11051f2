// __nv_bfloat16: every conversion, and arithmetic on scrambled values, against exact results. "wrong" counts those that differ.
// Floats of 8 bits: every conversion from bfloat16 and to half, as sums that nvcc's header gives with them.
// levels: nightly
// stdout: to float: wrong 0, from float: wrong 0, directed: wrong 0
// stdout: from double: wrong 0, integers: wrong 0
// stdout: arithmetic: wrong 0, fma: wrong 0, host: wrong 0
// stdout: E4M3 7b10bf00 d20a7200 back c6ae44fe
// stdout: E5M2 e6134842 981cee84 back db660c3e
// stdout: float4 to E4M3 38fe551f and back 0.117188 13 -448 1
// reference: off
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
typedef unsigned short u16;
// A double as the bfloat16 next to it: 0 nearest even, 1 toward zero, 2 down, 3 up. Exact: doubles hold every step.
__host__ __device__ u16 exact(double d, int mode) {
  if (d != d) return 0x7fff;
  u16 sign = __builtin_signbit(d) ? 0x8000 : 0;
  double magnitude = sign ? -d : d;
  if (magnitude > 0x1p1023) return sign | 0x7f80;
  int exponent = magnitude < 0x1p-126 ? -126 : (int)(__builtin_bit_cast(unsigned long long, magnitude) >> 52) - 1023;
  bool away = mode == 3 ? !sign : mode == 2 && sign;
  if (exponent > 127) return sign | (mode == 0 || away ? 0x7f80 : 0x7f7f);
  double step = __builtin_bit_cast(double, (unsigned long long)(exponent - 7 + 1023) << 52);
  double steps = magnitude / step, below = __builtin_floor(steps), rest = steps - below;
  if (mode == 0) away = rest > 0.5 || (rest == 0.5 && ((int)below & 1));
  return sign | (u16)(((exponent + 126) << 7) + (int)below + (rest > 0 && away));
}
__host__ __device__ bool same(__nv_bfloat16 a, u16 b) { return a.__x == b; }
__global__ void toFloat(int *wrong) {
  unsigned bits = blockIdx.x * blockDim.x + threadIdx.x, wide = bits << 16;
  float f = __bfloat162float(__ushort_as_bfloat16((u16)bits));
  if (__float_as_uint(f) != wide) atomicAdd(wrong, 1);
}
__device__ unsigned scramble(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
// Around every bfloat16: the value, both neighbours as floats, halfway, and a scrambled fraction.
__global__ void fromFloat(int *wrong) {
  unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned offsets[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, scramble(bits) & 0xffff};
  for (unsigned offset : offsets) {
    float f = __uint_as_float((bits << 16) + offset);
    if (!same(__float2bfloat16(f), exact(f, 0)) || !same(__float2bfloat16_rn(f), exact(f, 0))) atomicAdd(wrong, 1);
    if (!same(__float2bfloat16_rz(f), exact(f, 1)) || !same(__float2bfloat16_rd(f), exact(f, 2)) ||
        !same(__float2bfloat16_ru(f), exact(f, 3)))
      atomicAdd(wrong + 1, 1);
    double d = (double)f * (1 + ((int)(scramble(bits + offset) % 5) - 2) * 0x1p-52);
    if (!same(__double2bfloat16(d), exact(d, 0))) atomicAdd(wrong + 2, 1);
  }
  long long wide = (long long)(((unsigned long long)scramble(bits) << 32) | scramble(~bits)) >> (bits & 63);
  // Integers of 64 bits have no exact double: those below 2^53 are tested by value, the others by a tie that only they break.
  if (wide < (1ll << 53) && wide > -(1ll << 53) &&
      (!same(__ll2bfloat16_rn(wide), exact((double)wide, 0)) || !same(__ll2bfloat16_rz(wide), exact((double)wide, 1))))
    atomicAdd(wrong + 3, 1);
  if (!same(__ll2bfloat16_rn((0x101ll << 54) + 1), 0x5e81) || !same(__ll2bfloat16_rn(0x101ll << 54), 0x5e80)) atomicAdd(wrong + 3, 1);
  if (!same(__int2bfloat16_rn((int)wide), exact((double)(int)wide, 0)) || !same(__nv_bfloat16((unsigned)wide), exact((double)(unsigned)wide, 0)))
    atomicAdd(wrong + 3, 1);
}
__host__ __device__ int arithmeticErrors(u16 x, u16 y, u16 z) {
  __nv_bfloat16 a = __ushort_as_bfloat16(x), b = __ushort_as_bfloat16(y), c = __ushort_as_bfloat16(z);
  double p = (float)a, q = (float)b;
  // Sums, differences and products of two of them are exact as doubles where the exponents are near; quotients are not, but
  // a double is far enough from every halfway point.
  int wrong = !same(a * b, exact(p * q, 0));
  if (__builtin_fabs(p) < 1e20 && __builtin_fabs(q) < 1e20 && __builtin_fabs(p) > 1e-5 && __builtin_fabs(q) > 1e-5)
    wrong += !same(__hadd_rn(a, b), exact(p + q, 0)) + !same(a - b, exact(p - q, 0));
  if (q != 0) wrong += !same(a / b, exact(p / q, 0));
  (void)c;
  return wrong;
}
// Fused: the exact product and sum as integers times 2^-80, for values of like size.
__host__ __device__ int fusedErrors(u16 x, u16 y, u16 z) {
  __nv_bfloat16 a = __ushort_as_bfloat16((u16)(0x3f00 + (x & 0x3ff))), b = __ushort_as_bfloat16((u16)(0x3f00 + (y & 0x3ff))),
                c = __ushort_as_bfloat16((u16)(0x3c00 + (z & 0x7ff) + (z & 0x8000)));
  double sum = (double)(float)a * (double)(float)b + (double)(float)c; // 16 bits and 8 within 2^53: exact
  return !same(__hfma(a, b, c), exact(sum, 0));
}
__global__ void arithmetic(int *wrong) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, r = scramble(i), s = scramble(i + 77777);
  int errors = arithmeticErrors((u16)r, (u16)(r >> 16), (u16)s);
  if (errors) atomicAdd(wrong + 4, errors);
  if (fusedErrors((u16)r, (u16)(r >> 16), (u16)s)) atomicAdd(wrong + 5, 1);
}
__global__ void narrow(unsigned *codes, unsigned short *back) {
  unsigned bits = blockIdx.x * blockDim.x + threadIdx.x, code = 0;
  __nv_bfloat16_raw raw = __ushort_as_bfloat16((u16)bits);
  for (int kind = 0; kind < 2; kind++) {
    for (int saturate = 0; saturate < 2; saturate++)
      code = code << 8 | __nv_cvt_bfloat16raw_to_fp8(raw, (__nv_saturation_t)saturate, (__nv_fp8_interpretation_t)kind);
    if (bits < 256) back[256 * kind + bits] = __nv_cvt_fp8_to_halfraw((u16)bits, (__nv_fp8_interpretation_t)kind).x;
  }
  codes[bits] = code;
}
void eightBits() {
  unsigned *codes;
  unsigned short *back;
  cudaMallocManaged(&codes, 65536 * 4);
  cudaMallocManaged(&back, 512 * 2);
  narrow<<<256, 256>>>(codes, back);
  cudaDeviceSynchronize();
  for (int kind = 0; kind < 2; kind++) {
    unsigned sums[3] = {};
    for (int i = 0; i < 65536; i++)
      for (int saturate = 0; saturate < 2; saturate++)
        sums[saturate] = sums[saturate] * 31 + (codes[i] >> (24 - 16 * kind - 8 * saturate) & 0xff);
    for (int i = 0; i < 256; i++) sums[2] = sums[2] * 31 + back[256 * kind + i];
    printf("%s %08x %08x back %08x\n", kind ? "E5M2" : "E4M3", sums[0], sums[1], sums[2]);
  }
  __nv_fp8x4_e4m3 four(float4{0.121f, 12.6f, -1e9f, 1});
  float4 floats = (float4)four;
  printf("float4 to E4M3 %08x and back %g %g %g %g\n", four.__x, floats.x, floats.y, floats.z, floats.w);
}
int main() {
  int *wrong;
  cudaMallocManaged(&wrong, 64);
  toFloat<<<256, 256>>>(wrong);
  cudaDeviceSynchronize();
  printf("to float: wrong %d, ", wrong[0]);
  wrong[0] = 0;
  fromFloat<<<256, 256>>>(wrong);
  cudaDeviceSynchronize();
  printf("from float: wrong %d, directed: wrong %d\nfrom double: wrong %d, integers: wrong %d\n", wrong[0], wrong[1], wrong[2], wrong[3]);
  arithmetic<<<64, 256>>>(wrong);
  cudaDeviceSynchronize();
  int host = 0;
  for (unsigned i = 0; i < 20000; i++) {
    u16 x = (u16)(i * 40503u), y = (u16)(i * 30011u + 5), z = (u16)(i * 7919u);
    host += arithmeticErrors(x, y, z) + fusedErrors(x, y, z);
    float f;
    unsigned bits = i * 2654435761u;
    memcpy(&f, &bits, 4);
    host += !same(__float2bfloat16(f), exact(f, 0)) + !same(__double2bfloat16(f * 1.0000001), exact(f * 1.0000001, 0));
  }
  printf("arithmetic: wrong %d, fma: wrong %d, host: wrong %d\n", wrong[4], wrong[5], host);
  eightBits();
}
