// Arithmetic with an explicit rounding (__fadd_rn, __fmul_rz, ...; suffixes rn nearest even, rz to zero, ru up, rd down),
// never contracted. Source of the names: CUDA Math API, "Single Precision Intrinsics" and "Double Precision Intrinsics".
//
// Single precision: the exact result is held in a double (rounded to odd where it is longer, so that the second rounding
// sees whether anything follows), then rounded as asked. Double precision: the nearest result is moved one step when the
// sign of its error says so.
#pragma once
#include "basics.h"
#include "core.h"

enum { __WL_RN, __WL_RZ, __WL_RU, __WL_RD };

/// The sign of what nearest rounding lost, as -1, 0 or 1, from the lost amount.
__WL_BOTH int __wl_sign(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

/// `d` rounded to float in the given direction.
__WL_BOTH float __wl_narrow(int mode, double d) {
  float f = (float)d;
  double back = (double)f;
  if (mode == __WL_RN || back == d || d != d) return f;
  bool up = mode == __WL_RU || (mode == __WL_RZ && d < 0.0);
  if (up) return back < d ? __wl_stepf(f, true) : f;
  return back > d ? __wl_stepf(f, false) : f;
}
/// a + b rounded to odd: the last bit is set when the sum is not exact. Infinities and NaN pass.
__WL_BOTH double __wl_add_odd(double a, double b) {
  __WL_EXACT
  double s = a + b;
  double t = s - a;
  double e = (a - (s - t)) + (b - t);
  bool inexact = e > 0.0 || e < 0.0;
  return inexact && (__wl_bits(s) & 1) == 0 ? __wl_step(s, e > 0.0) : s;
}
/// `rounded`, but when rounding down an exact zero sum of terms that are not both positive is -0 (IEEE 754-2019, 6.3).
__WL_BOTH double __wl_zero_sum(int mode, double rounded, bool zero, bool bothPositive) {
  return mode == __WL_RD && zero && !bothPositive ? -0.0 : rounded;
}

__WL_BOTH float __wl_fadd(int mode, float a, float b) {
  __WL_EXACT
  if (mode == __WL_RN) return a + b;
  double sum = __wl_add_odd((double)a, (double)b);
  return (float)__wl_zero_sum(mode, __wl_narrow(mode, sum), sum == 0.0, __wl_bitsf(a) >= 0 && __wl_bitsf(b) >= 0);
}
__WL_BOTH float __wl_fmul(int mode, float a, float b) {
  __WL_EXACT
  if (mode == __WL_RN) return a * b;
  return __wl_narrow(mode, (double)a * (double)b);
}
__WL_BOTH float __wl_fma(int mode, float a, float b, float c) {
  __WL_EXACT
  if (mode == __WL_RN) return __builtin_fmaf(a, b, c);
  double p = (double)a * (double)b;
  double sum = __wl_add_odd(p, (double)c);
  return (float)__wl_zero_sum(mode, __wl_narrow(mode, sum), sum == 0.0, __wl_bits(p) >= 0 && __wl_bitsf(c) >= 0);
}
/// A quotient or root of floats is either a float or at least 2^-49 from one: the double's rounding hides nothing.
__WL_BOTH float __wl_fdiv(int mode, float a, float b) {
  __WL_EXACT
  if (mode == __WL_RN) return a / b;
  return __wl_narrow(mode, (double)a / (double)b);
}
__WL_BOTH float __wl_fsqrt(int mode, float a) {
  if (mode == __WL_RN) return __builtin_sqrtf(a);
  return __wl_narrow(mode, __builtin_sqrt((double)a));
}

/// y, the nearest double to an exact result, moved by the sign of (exact - y); `finite` tells that the operands were.
__WL_BOTH double __wl_direct(int mode, double y, int sign, bool finite) {
  __WL_EXACT
  if (mode == __WL_RN || !finite || y != y) return y;
  sign = __builtin_fabs(y) == __WL_INF ? (y > 0.0 ? -1 : 1) : sign;
  bool up = mode == __WL_RU || (mode == __WL_RZ && (y < 0.0 || (y == 0.0 && __wl_bits(y) < 0)));
  if (up) return sign > 0 ? __wl_step(y, true) : y;
  return sign < 0 ? __wl_step(y, false) : y;
}
/// (high + low) * 2^k in the given direction, for |high| of ordinary size and |low| under half its last place.
__WL_BOTH double __wl_assemble(int mode, double high, double low, int k) {
  __WL_EXACT
  k = k < -1100 ? -1100 : (k > 1100 ? 1100 : k);
  int half = k >> 1;
  double y = __wl_scale(high, k);
  double back = y * __wl_pow2(-half) * __wl_pow2(half - k);
  double lost = high - back;
  return __wl_direct(mode, y, lost != 0.0 ? __wl_sign(lost) : __wl_sign(low), true);
}
__WL_BOTH bool __wl_finite(double a) { return __builtin_fabs(a) < __WL_INF; }

__WL_BOTH double __wl_dadd(int mode, double a, double b) {
  __WL_EXACT
  double s = a + b;
  if (mode == __WL_RN) return s;
  double t = s - a;
  double e = (a - (s - t)) + (b - t);
  return __wl_zero_sum(mode, __wl_direct(mode, s, __wl_sign(e), __wl_finite(a) && __wl_finite(b)), s == 0.0,
                             __wl_bits(a) >= 0 && __wl_bits(b) >= 0);
}
__WL_BOTH double __wl_dmul(int mode, double a, double b) {
  __WL_EXACT
  if (mode == __WL_RN || !__wl_ordinary(a) || !__wl_ordinary(b)) return a * b;
  double x = __wl_significand(a), y = __wl_significand(b), p = x * y;
  return __wl_assemble(mode, p, __builtin_fma(x, y, -p), __wl_exponent(a) + __wl_exponent(b));
}
__WL_BOTH double __wl_ddiv(int mode, double a, double b) {
  __WL_EXACT
  if (mode == __WL_RN || !__wl_ordinary(a) || !__wl_ordinary(b)) return a / b;
  double x = __wl_significand(a), y = __wl_significand(b), q = x / y;
  double rest = __builtin_fma(-q, y, x);
  return __wl_assemble(mode, q, (rest < 0.0) == (y < 0.0) ? __builtin_fabs(rest) : -__builtin_fabs(rest),
                             __wl_exponent(a) - __wl_exponent(b));
}
__WL_BOTH double __wl_dsqrt(int mode, double a) {
  __WL_EXACT
  if (mode == __WL_RN || !__wl_ordinary(a) || a < 0.0) return __builtin_sqrt(a);
  int e = __wl_exponent(a), odd = e & 1;
  double x = __wl_significand(a) * (odd ? 2.0 : 1.0), s = __builtin_sqrt(x);
  return __wl_assemble(mode, s, __builtin_fma(-s, s, x), (e - odd) / 2);
}
/// a * b + c - y for y = fma(a, b, c), from error-free parts; exact in sign unless a * b nears the subnormal range.
__WL_BOTH double __wl_fma_error(double a, double b, double c, double y) {
  __WL_EXACT
  double p = a * b;
  double low = __builtin_fma(a, b, -p);
  double s = p + c, t = s - p;
  double e = (p - (s - t)) + (c - t);
  double d = s - y, u = d + e, v = u - d;
  return u + (((d - (u - v)) + (e - v)) + low);
}
__WL_BOTH double __wl_dfma(int mode, double a, double b, double c) {
  __WL_EXACT
  double y = __builtin_fma(a, b, c);
  if (mode == __WL_RN || !__wl_finite(a) || !__wl_finite(b) || !__wl_finite(c)) return y;
  bool positive = (__wl_bits(a) ^ __wl_bits(b)) >= 0 && __wl_bits(c) >= 0;
  if (a == 0.0 || b == 0.0 || __builtin_fabs(a * b) > 1e-240 || __builtin_fabs(c) > 1e-240) {
    int sign = __wl_sign(__wl_fma_error(a, b, c, y));
    // A product too small to be seen beside c still has a sign.
    if (sign == 0 && a * b == 0.0 && a != 0.0 && b != 0.0) sign = (__wl_bits(a) ^ __wl_bits(b)) < 0 ? -1 : 1;
    return __wl_zero_sum(mode, __wl_direct(mode, y, sign, true), y == 0.0 && sign == 0, positive);
  }
  // All small: the same times 2^600, the smaller factor taking the scale.
  bool first = __builtin_fabs(a) < __builtin_fabs(b);
  double x = (first ? a : b) * __wl_pow2(600), w = first ? b : a, z = c * __wl_pow2(600);
  double high = __builtin_fma(x, w, z), low = __wl_fma_error(x, w, z, high);
  if (x * w == 0.0) low = (__wl_bits(x) ^ __wl_bits(w)) < 0 ? -1.0 : 1.0;
  return __wl_zero_sum(mode, __wl_assemble(mode, high, low, -600), high == 0.0 && low == 0.0, positive);
}

#define __WL_DIRECTED(suffix, mode)                                                                                     \
  __WL_FN float __fadd_##suffix(float a, float b) { return __wl_fadd(mode, a, b); }                                     \
  __WL_FN float __fsub_##suffix(float a, float b) { return __wl_fadd(mode, a, -b); }                                    \
  __WL_FN float __fmul_##suffix(float a, float b) { return __wl_fmul(mode, a, b); }                                     \
  __WL_FN float __fmaf_##suffix(float a, float b, float c) { return __wl_fma(mode, a, b, c); }                          \
  __WL_FN float __fdiv_##suffix(float a, float b) { return __wl_fdiv(mode, a, b); }                                     \
  __WL_FN float __frcp_##suffix(float a) { return __wl_fdiv(mode, 1.0f, a); }                                           \
  __WL_FN float __fsqrt_##suffix(float a) { return __wl_fsqrt(mode, a); }                                               \
  __WL_FN double __dadd_##suffix(double a, double b) { return __wl_dadd(mode, a, b); }                                  \
  __WL_FN double __dsub_##suffix(double a, double b) { return __wl_dadd(mode, a, -b); }                                 \
  __WL_FN double __dmul_##suffix(double a, double b) { return __wl_dmul(mode, a, b); }                                  \
  __WL_FN double __fma_##suffix(double a, double b, double c) { return __wl_dfma(mode, a, b, c); }                      \
  __WL_FN double __ddiv_##suffix(double a, double b) { return __wl_ddiv(mode, a, b); }                                  \
  __WL_FN double __drcp_##suffix(double a) { return __wl_ddiv(mode, 1.0, a); }                                          \
  __WL_FN double __dsqrt_##suffix(double a) { return __wl_dsqrt(mode, a); }
__WL_DIRECTED(rn, __WL_RN)
__WL_DIRECTED(rz, __WL_RZ)
__WL_DIRECTED(ru, __WL_RU)
__WL_DIRECTED(rd, __WL_RD)
#undef __WL_DIRECTED

/// 1 / sqrt(x), rounded to nearest.
__WL_FN float __frsqrt_rn(float x) {
  __WL_EXACT
  return (float)(1.0 / __builtin_sqrt((double)x));
}
