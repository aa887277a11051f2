// expf, logf, powf, their relatives and the hyperbolic functions in single precision.
//
// All evaluate in double and round once: with a relative error near 2^-32 before it, the result is within 0.505 ulp, and
// no overflow, underflow or cancellation of the float format can happen on the way.
#pragma once
#include "core.h"

/// 2^t - 1 without cancellation near 0, for |t| <= 1000. Relative error 2^-32.
__WL_BOTH double __wl_exp2m1_core(double t) {
  __WL_EXACT
  double shifted = t + __WL_ROUNDER;
  double r = t - (shifted - __WL_ROUNDER);
  double q = (0.6931471805815692 + r * (0.24022650920051655 + r * (0.0555041072759696 + r * (
        0.009618057037010502 + r * (0.0013333669451710576 + r * (0.0001546132989510895 + r * (
        1.5252719764813733e-05)))))));
  double scale = __wl_pow2(__wl_bits(shifted));
  return scale * (r * q) + (scale - 1.0);
}

/// 2^t for |t| <= 1000. Relative error 2^-32.
__WL_BOTH double __wl_exp2_core(double t) {
  __WL_EXACT
  double shifted = t + __WL_ROUNDER;
  double r = t - (shifted - __WL_ROUNDER);
  double q = (0.6931471805815692 + r * (0.24022650920051655 + r * (0.0555041072759696 + r * (
        0.009618057037010502 + r * (0.0013333669451710576 + r * (0.0001546132989510895 + r * (
        1.5252719764813733e-05)))))));
  return (r * q + 1.0) * __wl_pow2(__wl_bits(shifted));
}

/// x held in [low, high]; NaN stays NaN.
__WL_BOTH float __wl_clampf(float x, float low, float high) {
  float y = x < low ? low : x;
  return y > high ? high : y;
}

#ifndef WARPLENS_FAST_MATH  // fast_float.h
__WL_SIZED(8, float, expf) {
  __WL_EXACT
  return (float)__wl_exp2_core((double)__wl_clampf(x, -105.0f, 90.0f) * 1.4426950408889634);
}
__WL_SIZED(0, float, exp2f) { return (float)__wl_exp2_core((double)__wl_clampf(x, -151.0f, 129.0f)); }
__WL_SIZED(8, float, exp10f) {
  __WL_EXACT
  return (float)__wl_exp2_core((double)__wl_clampf(x, -46.0f, 39.0f) * 3.321928094887362);
}
#endif
__WL_FN float expm1f(float x) {
  __WL_EXACT
  float y = (float)__wl_exp2m1_core((double)__wl_clampf(x, -105.0f, 90.0f) * 1.4426950408889634);
  return x == 0.0f ? x : y;
}

/// log(1 + f) by atanh's series, for 1 + f in [sqrt(1/2), sqrt(2)]. Relative error 2^-37.
__WL_BOTH double __wl_log1p_core(double f) {
  __WL_EXACT
  double s = f / (2.0 + f);
  double z = s * s;
  return s * (2.0000000000084426 + z * (0.6666666523793866 + z * (0.4000038638123633 + z * (
        0.2853495346499784 + z * (0.2361809572626443)))));
}

/// The exponent e with x / 2^e in [sqrt(1/2), sqrt(2)), for positive normal x.
__WL_BOTH long long __wl_log_exponent(double x) { return (__wl_bits(x) - 0x3fe6a09e667f3bcdLL) >> 52; }

/// log2(x) for positive normal x, exact for powers of two. Relative error 2^-37.
__WL_BOTH double __wl_log2_core(double x) {
  __WL_EXACT
  long long e = __wl_log_exponent(x);
  double f = __wl_double(__wl_bits(x) - (e << 52)) - 1.0;
  return __wl_small_to_double(e) + __wl_log1p_core(f) * 1.4426950408889634;
}

/// The logarithm's value y where x is a positive finite number, else the limit or NaN.
__WL_BOTH float __wl_log_special(float x, float y) {
  float other = x == 0.0f ? -__WL_INFF : (x > 0.0f ? x : __wl_nanf());
  return x > 0.0f && x < __WL_INFF ? y : other;
}

#ifndef WARPLENS_FAST_MATH  // fast_float.h
__WL_SIZED(24, float, log2f) { return __wl_log_special(x, (float)__wl_log2_core((double)x)); }
__WL_SIZED(24, float, logf) {
  __WL_EXACT
  return __wl_log_special(x, (float)(__wl_log2_core((double)x) * 0.6931471805599453));
}
__WL_SIZED(24, float, log10f) {
  __WL_EXACT
  return __wl_log_special(x, (float)(__wl_log2_core((double)x) * 0.3010299956639812));
}
#endif

/// log(1 + x) for x > -1 with no more than 29 bits or of large size. Relative error 2^-37.
__WL_BOTH double __wl_log1p_double(double x) {
  __WL_EXACT
  double u = 1.0 + x;
  long long e = __wl_log_exponent(u);
  double f = __wl_double(__wl_bits(u) - (e << 52)) - 1.0;
  return __wl_small_to_double(e) * 0.6931471805599453 + __wl_log1p_core(e == 0 ? x : f);
}

__WL_SIZED(24, float, log1pf) {
  float y = (float)__wl_log1p_double((double)x);
  float other = x == -1.0f ? -__WL_INFF : (x >= -1.0f ? x : __wl_nanf());
  return x > -1.0f && x < __WL_INFF && x != 0.0f ? y : other;
}

/// powf where x is not a positive finite number or y is not finite; `magnitude` is |x|^y where that is ordinary.
/// Rules: IEEE 754-2019, 9.2.1 (pow).
__WL_BOTH float __wl_powf_special(float x, float y, float magnitude) {
  if (y == 0.0f || x == 1.0f) return 1.0f;
  if (x != x || y != y) return __wl_nanf();
  float ax = __builtin_fabsf(x);
  if (__builtin_fabsf(y) == __WL_INFF) return ax == 1.0f ? 1.0f : ((ax > 1.0f) == (y > 0.0f) ? __WL_INFF : 0.0f);
  bool integer = __builtin_floorf(y) == y;
  bool odd = integer && __builtin_floorf(y * 0.5f) != y * 0.5f;
  float r = magnitude;
  if (ax == 0.0f || ax == __WL_INFF) r = (ax == 0.0f) == (y > 0.0f) ? 0.0f : __WL_INFF;
  else if (!integer) return __wl_nanf();
  return odd && __wl_bitsf(x) < 0 ? -r : r;
}

#ifndef WARPLENS_FAST_MATH  // fast_float.h
__WL_FN float powf(float x, float y) {
  __WL_EXACT
  double t = (double)y * __wl_log2_core((double)__builtin_fabsf(x));
  t = t < -160.0 ? -160.0 : t;
  t = t > 160.0 ? 160.0 : t;
  float r = (float)__wl_exp2_core(t);
  if (x > 0.0f && x < __WL_INFF && __builtin_fabsf(y) < __WL_INFF) return r;
  return __wl_powf_special(x, y, r);
}
#endif

/// exp(|x|) - 1 with |x| held below 100.
__WL_BOTH double __wl_expm1_magnitude(float x) {
  __WL_EXACT
  float a = __builtin_fabsf(x);
  return __wl_exp2m1_core((double)(a > 100.0f ? 100.0f : a) * 1.4426950408889634);
}

__WL_SIZED(24, float, sinhf) {
  __WL_EXACT
  double e = __wl_expm1_magnitude(x);
  return __builtin_copysignf((float)(0.5 * (e + e / (1.0 + e))), x);
}
__WL_SIZED(16, float, coshf) {
  __WL_EXACT
  float a = __builtin_fabsf(x);
  double e = __wl_exp2_core((double)(a > 100.0f ? 100.0f : a) * 1.4426950408889634);
  return (float)(0.5 * (e + 1.0 / e));
}
#ifndef WARPLENS_FAST_MATH  // fast_float.h
__WL_SIZED(16, float, tanhf) {
  __WL_EXACT
  float a = __builtin_fabsf(x);
  double e = __wl_exp2m1_core((double)(a > 20.0f ? 20.0f : a) * 2.8853900817779268);
  return __builtin_copysignf((float)(e / (e + 2.0)), x);
}
#endif
__WL_FN float asinhf(float x) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  double y = __wl_log1p_double(a + a * a / (1.0 + __builtin_sqrt(1.0 + a * a)));
  return a < (double)__WL_INFF ? __builtin_copysignf((float)y, x) : x;
}
__WL_FN float acoshf(float x) {
  __WL_EXACT
  double t = (double)x - 1.0;
  float y = (float)__wl_log1p_double(t + __builtin_sqrt(t * (t + 2.0)));
  return x >= 1.0f ? (x < __WL_INFF ? y : x) : __wl_nanf();
}
__WL_SIZED(24, float, atanhf) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  float y = __builtin_copysignf((float)(0.5 * __wl_log1p_double(2.0 * a / (1.0 - a))), x);
  float other = a == 1.0 ? __builtin_copysignf(__WL_INFF, x) : __wl_nanf();
  return a < 1.0 ? y : other;
}
