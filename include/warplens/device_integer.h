/* Integer intrinsics and bit casts, written so that clang emits the matching LLVM intrinsic or a few plain instructions.
   Source: CUDA Math API, "Integer Intrinsics", "Type Casting Intrinsics"; PTX ISA for prmt and the clamping shifts. */
#ifndef WARPLENS_DEVICE_INTEGER_H
#define WARPLENS_DEVICE_INTEGER_H

__WARPLENS_DEVICE__ int __popc(unsigned x) { return __builtin_popcount(x); }
__WARPLENS_DEVICE__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__WARPLENS_DEVICE__ int __clz(int x) { return (int)__builtin_clzg((unsigned)x, 32); }
__WARPLENS_DEVICE__ int __clzll(long long x) { return (int)__builtin_clzg((unsigned long long)x, 64); }
/* Position of the lowest set bit counted from 1, 0 where there is none. */
__WARPLENS_INTRINSIC__ int __ffs(int x) { return (int)__builtin_ctzg((unsigned)x, -1) + 1; }
__WARPLENS_DEVICE__ int __ffsll(long long x) { return (int)__builtin_ctzg((unsigned long long)x, -1) + 1; }
__WARPLENS_DEVICE__ unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__WARPLENS_DEVICE__ unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

__WARPLENS_DEVICE__ int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__WARPLENS_DEVICE__ unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x * y) >> 32); }
/* By intrinsic: LLVM would turn four 32-bit products into one of 128 bits, which no device has. */
__WARPLENS_DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
__WARPLENS_DEVICE__ long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
/* 24-bit products: the operands' low 24 bits, sign-extended for __mul24. */
__WARPLENS_DEVICE__ int __mul24(int x, int y) {
  return (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8));
}
__WARPLENS_DEVICE__ unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
/* Names of CUDA's first years, which programs have for functions of their own: as templates they give way to those. */
template <class = void> __WARPLENS_DEVICE__ int mul24(int x, int y) { return __mul24(x, y); }
template <class = void> __WARPLENS_DEVICE__ unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
template <class = void> __WARPLENS_DEVICE__ int mulhi(int x, int y) { return __mulhi(x, y); }
template <class = void> __WARPLENS_DEVICE__ unsigned umulhi(unsigned x, unsigned y) { return __umulhi(x, y); }

/* |x - y| + z, averages that do not overflow, saturation. */
__WARPLENS_INTRINSIC__ unsigned __sad(int x, int y, unsigned z) {
  return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
__WARPLENS_INTRINSIC__ unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
__WARPLENS_INTRINSIC__ int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__WARPLENS_INTRINSIC__ int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
__WARPLENS_INTRINSIC__ unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
__WARPLENS_INTRINSIC__ unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }

/* Picks four bytes of y:x (y high) by the lower three bits of the selector's nibbles; the fourth one counts for the instruction alone
   (prmt), before which nvcc masks the selector with 0x7777. */
__WARPLENS_INTRINSIC__ unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = ((unsigned long long)y << 32) | x;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned pick = selector >> (4 * i);
    unsigned byte = (unsigned)(bytes >> ((pick & 7) * 8)) & 0xff;
    result |= byte << (8 * i);
  }
  return result;
}

/* Funnel shifts: the plain forms take the amount modulo 32, the c forms clamp it at 32. */
__WARPLENS_DEVICE__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}
__WARPLENS_DEVICE__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return __builtin_elementwise_fshr(high, low, shift);
}
__WARPLENS_INTRINSIC__ unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __builtin_elementwise_fshl(high, low, shift);
}
__WARPLENS_INTRINSIC__ unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __builtin_elementwise_fshr(high, low, shift);
}

/* Dot products of packed bytes (dp4a) and of two shorts with two of four bytes (dp2a, low or high pair). */
template <class A, class B, class R> __WARPLENS_DEVICE__ R __warplens_dp4a(unsigned a, unsigned b, R sum) {
#pragma unroll
  for (int i = 0; i < 4; i++) sum += (R)(A)(a >> (8 * i)) * (R)(B)(b >> (8 * i));
  return sum;
}
template <class A, class B, class R> __WARPLENS_DEVICE__ R __warplens_dp2a(unsigned a, unsigned b, R sum, int high) {
#pragma unroll
  for (int i = 0; i < 2; i++) sum += (R)(A)(a >> (16 * i)) * (R)(B)(b >> (8 * i + 16 * high));
  return sum;
}
__WARPLENS_INTRINSIC__ int __dp4a(int a, int b, int c) { return __warplens_dp4a<signed char, signed char>(a, b, c); }
__WARPLENS_INTRINSIC__ unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return __warplens_dp4a<unsigned char, unsigned char>(a, b, c);
}
__WARPLENS_INTRINSIC__ int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__WARPLENS_INTRINSIC__ unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__WARPLENS_INTRINSIC__ int __dp2a_lo(int a, int b, int c) { return __warplens_dp2a<short, signed char>(a, b, c, 0); }
__WARPLENS_INTRINSIC__ int __dp2a_hi(int a, int b, int c) { return __warplens_dp2a<short, signed char>(a, b, c, 1); }
__WARPLENS_INTRINSIC__ unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return __warplens_dp2a<unsigned short, unsigned char>(a, b, c, 0);
}
__WARPLENS_INTRINSIC__ unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __warplens_dp2a<unsigned short, unsigned char>(a, b, c, 1);
}

/* The bits of one type read as another. */
__WARPLENS_DEVICE__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__WARPLENS_DEVICE__ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__WARPLENS_DEVICE__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__WARPLENS_DEVICE__ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__WARPLENS_DEVICE__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__WARPLENS_DEVICE__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__WARPLENS_DEVICE__ int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
__WARPLENS_DEVICE__ int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
__WARPLENS_DEVICE__ double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, ((unsigned long long)(unsigned)high << 32) | (unsigned)low);
}

#endif
