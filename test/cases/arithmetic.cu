// Integer intrinsics, halves, complex numbers and clocks. Mathematical functions: test/math.
// stdout: bits 5 27 80000000 3 64 1, bytes 00010203 808080ff, funnel 23456788 23456781 5
// stdout: products -2 1 -1 12 20, averages 3 -2, sad 12, dots 70 10 0
// stdout: vectors 06080a0c 0000ff00 01010101 ff00ffff, high 3ff00000 low 0 as 1
// stdout: fast 1 saturate 1 0 0.5, division 2.5, rounded 1 2 -2 3
// stdout: half 3 0.5 2048 inf nan 6.10352e-05, integers 3 2 2 -3 65504, pair 4 10 1
// stdout: halves: 0 wrong, fused 0 wrong
// stdout: complex -5 10 2.23607 0.44 0.08, clocks 1 1 1
#include <cstdio>
#include <cuComplex.h>
#include <cuda_fp16.h>
__global__ void integers(unsigned *u, int *s, int five) {
  u[0] = __popc(0x1f), u[1] = __clz(0x1f), u[2] = __brev(1), u[3] = __ffs(4), u[4] = __clzll(0), u[5] = __popcll(1ull << 40);
  u[6] = __byte_perm(0x03020100, 0, 0x89ab + 4 * five - 20), u[7] = __byte_perm(0x800000ff, 0x80, 0x4440);
  u[8] = __funnelshift_l(0x81234567, 0x12345678, 4 * five - 16), u[9] = __funnelshift_r(0x12345678, 0x12345678, 23 + five), u[10] = __funnelshift_rc(1, 5, 32);
  s[0] = __umulhi(~0u, ~0u), s[1] = __mulhi(1 << 20, 1 << 12), s[2] = (int)__mul64hi(-1, 1), s[3] = __mul24(3, 4), s[4] = __umul24(4, five);
  s[5] = __hadd(2, five), s[6] = __rhadd(-five, 0), s[7] = __sad(-3, five, 4), s[8] = __dp4a(0x01020304, 0x05060708, 0);
  s[9] = __dp4a(0x01020304, 0x01010101, 0), s[10] = __dp2a_lo(0x0002fff6, 0x00000a00 + five - 3, 0);
  u[11] = __vadd4(0x01020304, 0x05060708), u[12] = __vcmpeq4(0x01020304, 0x05060300 | 0) & 0xff00, u[13] = __vsetltu4(0x01020304, 0x05060708);
  u[14] = __vmaxs2(0xff00ffff, 0xfe00fffe), u[15] = __double2hiint(1.0), u[16] = __double2loint(1.0), u[17] = (unsigned)__hiloint2double(0x3ff00000, 0);
}
__global__ void floats(float *f, float two) {
  f[0] = __expf(0.0f), f[1] = __saturatef(two), f[2] = __saturatef(-two), f[3] = __saturatef(0.25f * two), f[4] = __fdividef(5.0f, two);
  f[5] = __float2int_rz(two - 0.5f), f[6] = __float2int_rn(two - 0.5f), f[7] = __float2int_rd(-1.5f), f[8] = __float2int_ru(two + 0.25f);
}
__global__ void halves(float *f, int *i, __half *h) {
  __half one(1), two(2.0f), big(65504.0f), nan = __ushort_as_half(0xfe01);
  f[0] = one + two, f[1] = one / two, f[2] = __half2float(__half(2049)), f[3] = big + big, f[4] = __hmax_nan(one, nan), f[5] = __ushort_as_half(0x0400);
  i[0] = __half2int_ru(__half(2.5f)), i[1] = __half2int_rn(__half(2.5f)), i[2] = __half2int_rz(__half(2.5f)), i[3] = __half2int_rd(__half(-2.5f));
  i[4] = __half2int_rz(__int2half_rz(1000000));
  __half2 p(one, two), q = __hfma2(p, __float2half2_rn(3.0f), __half2(one, __half(4)));
  f[6] = q.x, f[7] = __high2float(q), i[5] = __hbgt2(q, p);
}
// Sums, products and fused ones of scrambled halves against doubles, which hold sums and products exactly.
__device__ __half rounded(double d) { return __half(d); }
__global__ void exact(int *wrong) {
  unsigned n = blockIdx.x * blockDim.x + threadIdx.x, r = n * 2654435761u, s = n * 40503u + 77u;
  __half a = __ushort_as_half((unsigned short)r), b = __ushort_as_half((unsigned short)(r >> 16)), c = __ushort_as_half((unsigned short)s);
  double x = (float)a, y = (float)b, z = (float)c;
  if (__half_as_ushort(a * b) != __half_as_ushort(rounded(x * y)) || __half_as_ushort(__hadd_rn(a, b)) != __half_as_ushort(rounded(x + y)))
    atomicAdd(wrong, 1);
  // Within 53 bits where the exponents are near.
  __half d = __ushort_as_half((unsigned short)(0x3000 + (s & 0x1fff)));
  double w = (float)d;
  if (fabs(x * y) < 1e4 && fabs(x * y) > 1e-4 && __half_as_ushort(__hfma(a, b, d)) != __half_as_ushort(rounded(x * y + w))) atomicAdd(wrong + 1, 1);
}
__global__ void complex(float *f, int *i) {
  cuFloatComplex a = make_cuFloatComplex(1, 2), b = make_cuFloatComplex(3, 4);
  cuFloatComplex p = cuCmulf(a, b), q = cuCdivf(a, b);
  f[0] = cuCrealf(p), f[1] = cuCimagf(p), f[2] = cuCabsf(a), f[3] = cuCrealf(q), f[4] = cuCimagf(q);
  long long start = clock64(), timer;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
  clock_t ticks = clock();
  __nanosleep(10);
  i[0] = clock64() >= start, i[1] = timer >= 0, i[2] = clock() - ticks >= 0;
}
int main() {
  unsigned *u;
  int *s;
  float *f;
  __half *h;
  cudaMallocManaged(&u, 256), cudaMallocManaged(&s, 256), cudaMallocManaged(&f, 256), cudaMallocManaged(&h, 256);
  integers<<<1, 1>>>(u, s, 5);
  cudaDeviceSynchronize();
  printf("bits %u %u %x %u %u %u, bytes %08x %08x, funnel %08x %08x %x\n", u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10]);
  printf("products %d %d %d %d %d, averages %d %d, sad %d, dots %d %d %d\n", s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10]);
  printf("vectors %08x %08x %08x %08x, high %x low %x as %u\n", u[11], u[12], u[13], u[14], u[15], u[16], u[17]);
  floats<<<1, 1>>>(f, 2);
  cudaDeviceSynchronize();
  printf("fast %g saturate %g %g %g, division %g, rounded %g %g %g %g\n", f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]);
  halves<<<1, 1>>>(f, s, h);
  cudaDeviceSynchronize();
  printf("half %g %g %g %g %g %g, integers %d %d %d %d %d, pair %g %g %d\n", f[0], f[1], f[2], f[3], f[4], f[5], s[0], s[1], s[2], s[3], s[4], f[6], f[7], s[5]);
  s[0] = s[1] = 0;
  exact<<<64, 256>>>(s);
  cudaDeviceSynchronize();
  printf("halves: %d wrong, fused %d wrong\n", s[0], s[1]);
  complex<<<1, 1>>>(f, s);
  cudaDeviceSynchronize();
  printf("complex %g %g %g %g %g, clocks %d %d %d\n", f[0], f[1], f[2], f[3], f[4], s[0], s[1], s[2]);
}
