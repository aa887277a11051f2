/* What the machine has no instructions for: division of 128-bit integers, and conversions between them and floats. Included where a program
   names such integers; src/analysis/lowering/wideCalls.ts puts calls of these in the place of LLVM's instructions.
   Division goes digit by digit, of 32 bits, by the reciprocal of the divisor's two highest ones, in as many rounds as nvcc's takes.
   Source: Moller and Granlund, "Improved Division by Invariant Integers" (2011), algorithms 4 and 6; Knuth, TAOCP 4.3.1 D for one digit
   too many. By zero: all bits, as nvcc's. */
#ifndef WARPLENS_DEVICE_INT128_H
#define WARPLENS_DEVICE_INT128_H

#define __WARPLENS_INT128__ extern "C" inline __device__ __attribute__((used))

namespace __warplens_int128 {
using whole = unsigned __int128;
using half = unsigned long long;

__device__ inline int leadingZeros(whole x) {
  half upper = (half)(x >> 64);
  return upper ? __builtin_clzll(upper) : 64 + (int)__builtin_clzg((half)x, 64);
}

/* floor((2^64 - 1) / d) - 2^32, of a divisor whose highest bit is set: as float, below it by 2^-21 at most, and one step of Newton's. */
__device__ inline unsigned reciprocalOfWord(unsigned d) {
  float inverse = 1.0f / __builtin_bit_cast(float, 0x3f800000u | ((d >> 8) & 0x7fffffu));
  int mantissa = __builtin_bit_cast(int, inverse) - 0x3f000000 - 3;
  unsigned v = (unsigned)(mantissa < 0 ? 0 : mantissa) << 9;
  half missing = ~(half)0 - (((half)d << 32) + (half)v * d);
  unsigned more = (unsigned)(((missing >> 11) * ((0x100000000ull + v) >> 1)) >> 52);
  missing -= (half)more * d;
  return v + more + (missing >= d);
}

/* floor((2^96 - 1) / d) - 2^32, of a divisor of two words. */
__device__ inline unsigned reciprocalOfWords(half d) {
  unsigned upper = (unsigned)(d >> 32), lower = (unsigned)d;
  unsigned v = reciprocalOfWord(upper);
  unsigned p = upper * v + lower;
  if (p < lower) {
    v--;
    if (p >= upper) {
      v--;
      p -= upper;
    }
    p -= upper;
  }
  half t = (half)v * lower;
  p += (unsigned)(t >> 32);
  if (p < (unsigned)(t >> 32)) v -= 1 + (((half)p << 32 | (unsigned)t) >= d);
  return v;
}

/* The digit of rest:next divided by d, and what is left; `v` is the reciprocal of d's upper half. */
__device__ inline unsigned nextDigit(whole &rest, unsigned next, whole d, unsigned v) {
  half upper = (half)(rest >> 64), lower = (half)rest, top = (half)(d >> 64);
  half left;
  unsigned digit;
  bool carries = false;
  if (upper >= top) {
    digit = 0xffffffffu;
    left = top + (lower >> 32);
    carries = left < top;
  } else {
    half estimate = (upper >> 32) * v + upper;
    digit = (unsigned)(estimate >> 32);
    unsigned word = (unsigned)upper - digit * (unsigned)(top >> 32);
    left = ((half)word << 32 | lower >> 32) - (half)(unsigned)top * digit - top;
    digit++;
    if ((unsigned)(left >> 32) >= (unsigned)estimate) {
      digit--;
      left += top;
    }
    if (left >= top) {
      digit++;
      left -= top;
    }
  }
  whole all = (whole)left << 64 | (lower << 32 | next);
  whole product = (whole)digit * (half)d;
  rest = all - product;
  if (!carries && all < product) {
    digit--;
    rest += d;
  }
  return digit;
}

__device__ inline whole divide(whole n, whole d, bool asksForRest) {
  int zeros = leadingZeros(d);
  if (zeros == 128) return ~(whole)0;
  d <<= zeros;
  unsigned v = reciprocalOfWords((half)(d >> 64));
  int rounds = zeros / 32 + 1, behind = 32 * rounds - zeros;
  whole rest = n >> behind, quotient = 0;
  unsigned next = (unsigned)n << (32 - behind);
#pragma clang loop unroll(disable)
  do {
    quotient = quotient << 32 | nextDigit(rest, next, d, v);
    next = 0;
  } while (--rounds > 0);
  return asksForRest ? rest >> zeros : quotient;
}

__device__ inline whole magnitude(__int128 x) { return x < 0 ? -(whole)x : (whole)x; }

/* The 64 highest bits, the lowest of them set where others are: they round as the whole does. */
__device__ inline half highestBits(whole x, int zeros) {
  x <<= zeros & 127;
  return (half)(x >> 64) | ((half)x != 0);
}

__device__ inline double toDouble(whole x) {
  int zeros = leadingZeros(x);
  return (double)highestBits(x, zeros) * __builtin_bit_cast(double, (half)(1023 + 64 - zeros) << 52);
}

__device__ inline float toFloat(whole x) {
  int zeros = leadingZeros(x);
  return (float)highestBits(x, zeros) * __builtin_bit_cast(float, (unsigned)(127 + 64 - zeros) << 23);
}

/* Towards zero; what is too large is the largest, as in the machine's conversions of 64 bits. */
__device__ inline whole fromMagnitude(double x, int bits) {
  half number = __builtin_bit_cast(half, x) & ~(1ull << 63);
  int exponent = (int)(number >> 52) - 1023;
  if (exponent < 0) return 0;
  if (exponent >= bits) return ((whole)1 << (bits - 1) << 1) - 1;
  whole digits = (number & 0xfffffffffffffull) | 1ull << 52;
  return exponent < 52 ? digits >> (52 - exponent) : digits << (exponent - 52);
}
}

__WARPLENS_INT128__ unsigned __int128 __warplens_udiv128(unsigned __int128 n, unsigned __int128 d) {
  return __warplens_int128::divide(n, d, false);
}
__WARPLENS_INT128__ unsigned __int128 __warplens_urem128(unsigned __int128 n, unsigned __int128 d) {
  return __warplens_int128::divide(n, d, true);
}
__WARPLENS_INT128__ __int128 __warplens_sdiv128(__int128 n, __int128 d) {
  using namespace __warplens_int128;
  whole quotient = divide(magnitude(n), magnitude(d), false);
  return (__int128)((n < 0) != (d < 0) ? -quotient : quotient);
}
__WARPLENS_INT128__ __int128 __warplens_srem128(__int128 n, __int128 d) {
  using namespace __warplens_int128;
  whole rest = divide(magnitude(n), magnitude(d), true);
  return (__int128)(n < 0 ? -rest : rest);
}
__WARPLENS_INT128__ double __warplens_uitofp128_64(unsigned __int128 x) { return __warplens_int128::toDouble(x); }
__WARPLENS_INT128__ float __warplens_uitofp128_32(unsigned __int128 x) { return __warplens_int128::toFloat(x); }
__WARPLENS_INT128__ double __warplens_sitofp128_64(__int128 x) {
  using namespace __warplens_int128;
  double result = toDouble(magnitude(x));
  return x < 0 ? -result : result;
}
__WARPLENS_INT128__ float __warplens_sitofp128_32(__int128 x) {
  using namespace __warplens_int128;
  float result = toFloat(magnitude(x));
  return x < 0 ? -result : result;
}
__WARPLENS_INT128__ unsigned __int128 __warplens_fptoui128(double x) {
  return x > 0 ? __warplens_int128::fromMagnitude(x, 128) : 0;
}
__WARPLENS_INT128__ __int128 __warplens_fptosi128(double x) {
  using namespace __warplens_int128;
  whole result = fromMagnitude(x, 127);
  return (__int128)(x < 0 ? -result : result);
}

#endif
