// Rounding to integers, taking numbers apart and together, remainders: exact functions, in both precisions.
//
// Those that are a single LLVM operation (fabs, floor, ceil, trunc, rint, sqrt, fma, fmin, fmax, copysign) are in
// warplens/device_math_exact.h.
#pragma once
#include "core.h"

/// Half away from zero (C: round).
__WL_SIZED(0, float, roundf) {
  __WL_EXACT
  float t = __builtin_truncf(x);
  float y = __builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t;
  return __builtin_copysignf(y, x);
}
__WL_FN double round(double x) {
  __WL_EXACT
  double t = __builtin_trunc(x);
  double y = __builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t;
  return __builtin_copysign(y, x);
}
__WL_FN float fdimf(float x, float y) {
  __WL_EXACT
  return x <= y ? 0.0f : x - y;
}
__WL_FN double fdim(double x, double y) {
  __WL_EXACT
  return x <= y ? 0.0 : x - y;
}

/// To integers with saturation. NaN becomes 0 from float to 32 bits, else the most negative (unsigned: 2^(bits-1)) value
/// (PTX ISA, cvt). `x` is an integer already.
__WL_BOTH int __wl_float_to_int(float x) {
  int y = x >= 2147483648.0f ? 0x7fffffff : (x >= -2147483648.0f ? (int)x : (int)0x80000000u);
  return x == x ? y : 0;
}
__WL_BOTH unsigned __wl_float_to_uint(float x) {
  return x >= 4294967296.0f ? 0xffffffffu : (x > 0.0f ? (unsigned)x : 0u);
}
__WL_BOTH int __wl_double_to_int(double x) {
  return x >= 2147483648.0 ? 0x7fffffff : (x >= -2147483648.0 ? (int)x : (int)0x80000000u);
}
__WL_BOTH unsigned __wl_double_to_uint(double x) {
  unsigned y = x >= 4294967296.0 ? 0xffffffffu : (x > 0.0 ? (unsigned)x : 0u);
  return x == x ? y : 0x80000000u;
}
__WL_BOTH long long __wl_double_to_ll(double x) {
  const long long least = (long long)0x8000000000000000ULL;
  return x >= 9223372036854775808.0 ? 0x7fffffffffffffffLL : (x >= -9223372036854775808.0 ? (long long)x : least);
}
__WL_BOTH unsigned long long __wl_double_to_ull(double x) {
  unsigned long long y = x >= 18446744073709551616.0 ? 0xffffffffffffffffULL : (x > 0.0 ? (unsigned long long)x : 0ULL);
  return x == x ? y : 0x8000000000000000ULL;
}

__WL_FN long lroundf(float x) { return (long)__wl_float_to_int(roundf(x)); }
__WL_FN long lround(double x) { return (long)__wl_double_to_int(round(x)); }
__WL_FN long long llroundf(float x) { return __wl_double_to_ll((double)roundf(x)); }
__WL_FN long long llround(double x) { return __wl_double_to_ll(round(x)); }
__WL_FN long lrintf(float x) { return (long)__wl_float_to_int(__builtin_rintf(x)); }
__WL_FN long lrint(double x) { return (long)__wl_double_to_int(__builtin_rint(x)); }
__WL_FN long long llrintf(float x) { return __wl_double_to_ll((double)__builtin_rintf(x)); }
__WL_FN long long llrint(double x) { return __wl_double_to_ll(__builtin_rint(x)); }

__WL_FN float modff(float x, float* integer) {
  __WL_EXACT
  float t = __builtin_truncf(x);
  *integer = t;
  return __builtin_copysignf(__builtin_fabsf(x) == __WL_INFF ? 0.0f : x - t, x);
}
__WL_FN double modf(double x, double* integer) {
  __WL_EXACT
  double t = __builtin_trunc(x);
  *integer = t;
  return __builtin_copysign(__builtin_fabs(x) == __WL_INF ? 0.0 : x - t, x);
}

__WL_BOTH bool __wl_ordinary(double x) { return __builtin_fabs(x) < __WL_INF && x != 0.0; }
/// The exponent of the leading bit of x, finite and not 0.
__WL_BOTH int __wl_exponent(double x) {
  __WL_EXACT
  bool tiny = __builtin_fabs(x) < 2.2250738585072014e-308;
  double y = tiny ? x * 18014398509481984.0 : x;
  return (int)((__wl_bits(y) >> 52) & 0x7ff) - (tiny ? 1077 : 1023);
}
/// x / 2^exponent, in [1, 2) or (-2, -1].
__WL_BOTH double __wl_significand(double x) {
  __WL_EXACT
  double y = __builtin_fabs(x) < 2.2250738585072014e-308 ? x * 18014398509481984.0 : x;
  return __wl_double((__wl_bits(y) & (long long)0x800fffffffffffffULL) | 0x3ff0000000000000LL);
}

__WL_FN float ldexpf(float x, int n) {
  __WL_EXACT
  // 2^300 takes any float out of range, and the product is exact in double.
  int k = n < -300 ? -300 : (n > 300 ? 300 : n);
  return (float)((double)x * __wl_pow2(k));
}
__WL_FN double ldexp(double x, int n) {
  int k = n < -2200 ? -2200 : (n > 2200 ? 2200 : n);
  k += __wl_exponent(x);
  k = k < -1100 ? -1100 : (k > 1100 ? 1100 : k);
  double y = __wl_scale(__wl_significand(x), k);
  return __wl_ordinary(x) ? y : x;
}
__WL_FN float scalbnf(float x, int n) { return ldexpf(x, n); }
__WL_FN double scalbn(double x, int n) { return ldexp(x, n); }
__WL_FN float scalblnf(float x, long n) { return ldexpf(x, (int)n); }
__WL_FN double scalbln(double x, long n) { return ldexp(x, (int)n); }

__WL_FN float frexpf(float x, int* exponent) {
  __WL_EXACT
  double d = (double)x;
  bool ordinary = __wl_ordinary(d);
  *exponent = ordinary ? __wl_exponent(d) + 1 : 0;
  return ordinary ? (float)(__wl_significand(d) * 0.5) : x;
}
__WL_FN double frexp(double x, int* exponent) {
  __WL_EXACT
  bool ordinary = __wl_ordinary(x);
  *exponent = ordinary ? __wl_exponent(x) + 1 : 0;
  return ordinary ? __wl_significand(x) * 0.5 : x;
}
/// C's FP_ILOGB0 and FP_ILOGBNAN are INT_MIN in CUDA; infinity gives INT_MAX.
__WL_FN int ilogb(double x) {
  int special = __builtin_fabs(x) == __WL_INF ? 0x7fffffff : (int)0x80000000u;
  return __wl_ordinary(x) ? __wl_exponent(x) : special;
}
__WL_FN int ilogbf(float x) { return ilogb((double)x); }
__WL_FN double logb(double x) {
  __WL_EXACT
  double special = x == 0.0 ? -__WL_INF : x * x;
  return __wl_ordinary(x) ? (double)__wl_exponent(x) : special;
}
__WL_FN float logbf(float x) { return (float)logb((double)x); }

/// The next number towards +infinity (up) or -infinity; x finite.
__WL_BOTH float __wl_stepf(float x, bool up) {
  int bits = __wl_bitsf(x);
  int away = (bits < 0) != up ? 1 : -1;
  return x == 0.0f ? __wl_float(up ? 1 : (int)0x80000001u) : __wl_float(bits + away);
}
__WL_BOTH double __wl_step(double x, bool up) {
  long long bits = __wl_bits(x);
  long long away = (bits < 0) != up ? 1 : -1;
  return x == 0.0 ? __wl_double(up ? 1LL : (long long)0x8000000000000001ULL) : __wl_double(bits + away);
}
__WL_FN float nextafterf(float x, float y) {
  __WL_EXACT
  if (x != x || y != y) return x + y;
  return x == y ? y : __wl_stepf(x, x < y);
}
__WL_FN double nextafter(double x, double y) {
  __WL_EXACT
  if (x != x || y != y) return x + y;
  return x == y ? y : __wl_step(x, x < y);
}

/// |x| modulo |y| for finite x and y, y not 0: long division of the significands, 11 bits a step. `quotient` receives the low
/// bits of the integer quotient.
__WL_BOTH double __wl_modulo(double x, double y, unsigned& quotient) {
  __WL_EXACT
  double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
  quotient = 0;
  if (ax < ay) return ax;
  // Whole significands with exponents of their last bits; subnormals have the exponent of the least normal number.
  long long bx = __wl_bits(ax), by = __wl_bits(ay);
  int ex = (int)(bx >> 52), ey = (int)(by >> 52);
  unsigned long long mx = (unsigned long long)(bx & 0xfffffffffffffLL) | (ex ? 1ULL << 52 : 0ULL);
  unsigned long long my = (unsigned long long)(by & 0xfffffffffffffLL) | (ey ? 1ULL << 52 : 0ULL);
  ex = ex ? ex : 1;
  ey = ey ? ey : 1;
  int shift = 0;
  unsigned q = 0;
  for (int left = ex - ey;;) {
    unsigned long long n = mx << shift;
    unsigned long long digit = n / my;
    mx = n - digit * my;
    q = (q << shift) + (unsigned)digit;
    if (left == 0) break;
    shift = left < 11 ? left : 11;
    left -= shift;
  }
  quotient = q;
  // mx < 2^53 units of 2^(ey - 1075): both factors are exact.
  return (double)mx * 2.220446049250313e-16 * __wl_pow2(ey - 1023);
}
__WL_FN double fmod(double x, double y) {
  if (!(__builtin_fabs(x) < __WL_INF) || y != y || y == 0.0) return __wl_nan();
  unsigned quotient;
  return __builtin_copysign(__wl_modulo(x, y, quotient), x);
}
__WL_FN float fmodf(float x, float y) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x), b = (double)__builtin_fabsf(y);
  double q = __builtin_trunc(a / b);
  // Up to 2^29 the product is exact; the division may have rounded up to the next integer.
  double r = a - q * b;
  r = r < 0.0 ? r + b : r;
  r = b == (double)__WL_INFF ? a : r;
  if (!(q < 536870912.0) && q < __WL_INF) return (float)fmod((double)x, (double)y);
  return a < (double)__WL_INFF && b > 0.0 ? __builtin_copysignf((float)r, x) : __wl_nanf();
}
/// x - n y with n the nearest integer to x / y, ties to even; `quotient` receives n's sign and low three bits.
__WL_FN double remquo(double x, double y, int* quotient) {
  __WL_EXACT
  *quotient = 0;
  if (!(__builtin_fabs(x) < __WL_INF) || y != y || y == 0.0) return __wl_nan();
  if (__builtin_fabs(y) == __WL_INF) return x;
  unsigned q;
  double r = __wl_modulo(x, y, q), ay = __builtin_fabs(y);
  double rest = ay - r;
  if (r > rest || (r == rest && (q & 1))) {
    r = -rest;
    q++;
  }
  *quotient = (__wl_bits(x) ^ __wl_bits(y)) < 0 ? -(int)(q & 7) : (int)(q & 7);
  return r == 0.0 ? __builtin_copysign(0.0, x) : (__wl_bits(x) < 0 ? -r : r);
}
__WL_FN float remquof(float x, float y, int* quotient) { return (float)remquo((double)x, (double)y, quotient); }
__WL_FN double remainder(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient);
}
__WL_FN float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
