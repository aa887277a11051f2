// sinf, cosf, tanf, their pi forms and the inverse functions in single precision, evaluated in double.
//
// Arguments below 105615 are reduced by two double constants, the rest by Payne and Hanek's method with 64-bit integers, so
// all results are within 0.51 ulp over the full range.
#pragma once
#include "core.h"

/// x * 2/pi modulo 4 for |x| >= 105615 (Payne and Hanek, "Radian reduction for trigonometric functions", 1983): 96 bits of
/// 2/pi that matter, times the 24 bits of x. Returns the rest in [-pi/4, pi/4] and the quadrant. From there on the machine's
/// functions read 2/pi from global memory, six words one after the other (machine code of nvcc 13.0, `__cudart_i2opi_f`; reading:
/// ncs-overlap_data_transfers_async).
__WL_BOTH double __wl_reduce_large_float(float x, long long& quadrant) {
  __WL_EXACT
  static const unsigned twoOverPi[6] = {0x3c439041u, 0xdb629599u, 0xf534ddc0u, 0xfc2757d1u, 0x4e441529u, 0xa2f9836eu};
  const unsigned* words = twoOverPi;
  __WL_ANYWHERE(words);
  unsigned bits = (unsigned)__wl_bitsf(x);
  unsigned long long m = (bits & 0x7fffffu) | 0x800000u;
  // x = m * 2^e; the window starts where bits of 2/pi first matter modulo 4, e + 30 bits into 0 : 2/pi.
  int offset = (int)((bits >> 23) & 0xffu) - 150 + 30;
  int word = offset >> 5;
  int shift = offset & 31;
  unsigned w0 = 0, w1 = 0, w2 = 0, w3 = 0xfe5163abu;
#pragma clang loop unroll(disable)
  for (int i = 5; i >= 0; i--) {
    unsigned next = words[5 - i];
    w0 = i == word - 1 ? next : w0;
    w1 = i == word ? next : w1;
    w2 = i == word + 1 ? next : w2;
    w3 = i == word + 2 ? next : w3;
  }
  unsigned long long a = (unsigned)(((((unsigned long long)w0 << 32) | w1) << shift) >> 32);
  unsigned long long b = (unsigned)(((((unsigned long long)w1 << 32) | w2) << shift) >> 32);
  unsigned long long c = (unsigned)(((((unsigned long long)w2 << 32) | w3) << shift) >> 32);
  unsigned long long product = ((m * a) << 32) + m * b + ((m * c) >> 32);
  unsigned long long n = (product + (1ULL << 61)) >> 62;
  double r = (double)(long long)(product - (n << 62)) * 3.4061215800865545e-19;  // pi / 2 * 2^-62
  bool negative = (bits >> 31) != 0;
  quadrant = negative ? -(long long)n : (long long)n;
  return negative ? -r : r;
}

/// x - quadrant * pi/2, in [-pi/4, pi/4]; only the low two bits of the quadrant count. NaN for infinities.
__WL_BOTH double __wl_reduce_float(float x, long long& quadrant) {
  __WL_EXACT
  double t = (double)x;
  double shifted = t * 0.6366197723675814 + __WL_ROUNDER;
  double n = shifted - __WL_ROUNDER;
  quadrant = __wl_bits(shifted);
  // pi/2 = 33 bits, exact in the product, + the next 53
  double r = (t - n * 1.5707963267341256) - n * 6.077100506506192e-11;
  if (__builtin_fabsf(x) >= 105615.0f) {
    r = __builtin_fabsf(x) < __WL_INFF ? __wl_reduce_large_float(x, quadrant) : __wl_nan();
  }
  return r;
}

/// sin(r) and cos(r) for |r| <= pi/4. Relative errors 2^-37 and 2^-34.
__WL_BOTH double __wl_sin_core(double r) {
  __WL_EXACT
  double z = r * r;
  return r * (0.9999999999954448 + z * (-0.16666666630410742 + z * (0.008333328686754559 + z * (
        -0.00019839177338153196 + z * (2.7171434541179422e-06)))));
}
__WL_BOTH double __wl_cos_core(double r) {
  __WL_EXACT
  double z = r * r;
  return (0.9999999999438669 + z * (-0.49999999571129683 + z * (0.041666613193737205 + z * (
        -0.0013886527982780662 + z * (2.437257391334687e-05)))));
}

/// sin(r + quadrant * pi/2).
__WL_BOTH double __wl_sin_quadrant(double r, long long quadrant) {
  double y = (quadrant & 1) ? __wl_cos_core(r) : __wl_sin_core(r);
  return (quadrant & 2) ? -y : y;
}

#ifndef WARPLENS_FAST_MATH  // fast_float.h
__WL_FN float sinf(float x) {
  long long quadrant;
  double r = __wl_reduce_float(x, quadrant);
  float y = (float)__wl_sin_quadrant(r, quadrant);
  return x == 0.0f ? x : y;
}
__WL_FN float cosf(float x) {
  long long quadrant;
  double r = __wl_reduce_float(x, quadrant);
  return (float)__wl_sin_quadrant(r, quadrant + 1);
}
__WL_FN void sincosf(float x, float* sine, float* cosine) {
  long long quadrant;
  double r = __wl_reduce_float(x, quadrant);
  double s = __wl_sin_core(r), c = __wl_cos_core(r);
  double a = (quadrant & 1) ? c : s, b = (quadrant & 1) ? s : c;
  float y = (float)((quadrant & 2) ? -a : a);
  *sine = x == 0.0f ? x : y;
  *cosine = (float)(((quadrant + 1) & 2) ? -b : b);
}
__WL_FN float tanf(float x) {
  __WL_EXACT
  long long quadrant;
  double r = __wl_reduce_float(x, quadrant);
  double s = __wl_sin_core(r), c = __wl_cos_core(r);
  float y = (float)((quadrant & 1) ? -(c / s) : s / c);
  return x == 0.0f ? x : y;
}
#endif

/// (x - quadrant / 2) * pi in [-pi/4, pi/4], for the functions of x * pi; exact before the multiplication.
__WL_BOTH double __wl_reduce_float_pi(float x, long long& quadrant) {
  __WL_EXACT
  // From 2^24 on every float is an even integer.
  double t = __builtin_fabsf(x) < 16777216.0f ? (double)x : (x - x) * 0.0f;
  double shifted = t + t + __WL_ROUNDER;
  quadrant = __wl_bits(shifted);
  return (t - 0.5 * (shifted - __WL_ROUNDER)) * 3.141592653589793;
}
__WL_SIZED_BOTH(24, float, sinpif) {
  long long quadrant;
  double r = __wl_reduce_float_pi(x, quadrant);
  float y = (float)__wl_sin_quadrant(r, quadrant);
  // Zeros have the sign of x (IEEE 754-2019, 9.2.1).
  return y == 0.0f ? __builtin_copysignf(0.0f, x) : y;
}
__WL_SIZED_BOTH(24, float, cospif) {
  long long quadrant;
  double r = __wl_reduce_float_pi(x, quadrant);
  return (float)__wl_sin_quadrant(r, quadrant + 1) + 0.0f;
}
__WL_BOTH void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
/// atan(n / d) for |n / d| <= tan(pi/8). Relative error 2^-35.
__WL_BOTH double __wl_atan_core(double n, double d) {
  __WL_EXACT
  double t = n / d;
  double z = t * t;
  return t * (0.9999999999792765 + z * (-0.3333333213391217 + z * (0.19999886296885225 + z * (
        -0.14281648874250588 + z * (0.11041159085181743 + z * (-0.08459636735913209 + z * (
        0.047139915238306886)))))));
}

/// atan(a / b) for a, b >= 0 that do not overflow in a + b; 0 for 0 / 0.
__WL_BOTH double __wl_atan_quotient(double a, double b) {
  __WL_EXACT
  bool large = a > b * 2.414213562373095;
  bool middle = a > b * 0.41421356237309503;
  double n = large ? -b : (middle ? a - b : a);
  double d = large ? a : (middle ? a + b : b);
  double base = large ? 1.5707963267948966 : (middle ? 0.7853981633974483 : 0.0);
  return base + __wl_atan_core(n, d == 0.0 ? 1.0 : d);
}

__WL_SIZED(16, float, atanf) {
  double a = (double)__builtin_fabsf(x);
  return __builtin_copysignf((float)__wl_atan_quotient(a > 1e300 ? 1e300 : a, 1.0), x);
}
__WL_FN float atan2f(float y, float x) {
  __WL_EXACT
  // An infinity becomes a number that no float approaches: the quotient's rules then give infinity's.
  double a = (double)__builtin_fabsf(y), b = (double)__builtin_fabsf(x);
  double r = __wl_atan_quotient(a > 1e300 ? 1e300 : a, b > 1e300 ? 1e300 : b);
  r = __wl_bitsf(x) < 0 ? 3.141592653589793 - r : r;
  return __builtin_copysignf((float)r, y);
}

/// asin(t) for 0 <= t <= 1/2 with z = t * t. Relative error 2^-40.
__WL_BOTH double __wl_asin_core(double t, double z) {
  __WL_EXACT
  return t * (1.0000000000009186 + z * (0.16666666608421582 + z * (0.07500006068675603 + z * (
        0.04464043119488582 + z * (0.030430236532896768 + z * (0.02183751862825935 + z * (
        0.020768156727978198 + z * (0.0017003032640118846 + z * (0.033174395485772674)))))))));
}
__WL_SIZED(24, float, asinf) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  bool large = a > 0.5;
  double z = large ? (1.0 - a) * 0.5 : a * a;
  double y = __wl_asin_core(large ? __builtin_sqrt(z) : a, z);
  return __builtin_copysignf((float)(large ? 1.5707963267948966 - 2.0 * y : y), x);
}
__WL_SIZED(24, float, acosf) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  bool large = a > 0.5;
  double z = large ? (1.0 - a) * 0.5 : a * a;
  double y = __wl_asin_core(large ? __builtin_sqrt(z) : a, z);
  if (large) return (float)(x < 0.0f ? 3.141592653589793 - 2.0 * y : 2.0 * y);
  return (float)(1.5707963267948966 - (x < 0.0f ? -y : y));
}
