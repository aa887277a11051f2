// exp, log, pow, their relatives and the hyperbolic functions in double precision, without tables.
//
// Arguments are reduced by ln 2 in two parts; where one double is not enough (pow, and what calls __wl_exp_sum), values are
// unevaluated sums of two doubles, high + low. The evaluation order of log and log1p (f - (f^2/2 - s (f^2/2 + R))) is
// FreeBSD's (msun, e_log.c), the structure of the hyperbolic functions musl's.
#pragma once
#include "core.h"

/// What a * b loses when rounded to p: Dekker's product, exact but for the last bit of the smallest term.
__WL_BOTH double __wl_product_error(double a, double b, double p) {
  __WL_EXACT
  double ah = __wl_double(__wl_bits(a) & (long long)0xfffffffff8000000ULL), al = a - ah;
  double bh = __wl_double(__wl_bits(b) & (long long)0xfffffffff8000000ULL), bl = b - bh;
  return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}
/// x in [low, high]; NaN stays NaN.
__WL_BOTH double __wl_clamp(double x, double low, double high) {
  double y = x < low ? low : x;
  return y > high ? high : y;
}

/// (e^r - 1 - r) / r^2 for |r| <= 0.3467. Absolute error of e^r 2^-61.
__WL_BOTH double __wl_exp_tail(double r) {
  __WL_EXACT
  return (0.5 + r * (0.1666666666666667 + r * (0.041666666666666644 + r * (
        0.008333333333325895 + r * (0.0013888888888905046 + r * (0.00019841269875423603 + r * (
        2.4801587271890597e-05 + r * (2.755725479972292e-06 + r * (2.755732686428654e-07 + r * (
        2.5105424083558085e-08 + r * (2.0896499774739555e-09)))))))))));
}
/// e^(high + low) for |high| <= 1500 and |low| far below it. Overflows and underflows with one rounding.
__WL_BOTH double __wl_exp_sum(double high, double low) {
  __WL_EXACT
  double shifted = high * 1.4426950408889634 + __WL_ROUNDER;
  double n = shifted - __WL_ROUNDER;
  double a = high - n * 0.6931471803691238;  // 33 bits of ln 2: exact
  double b = n * 1.9082149292705877e-10 - low;
  double r = a - b;
  double y = 1.0 + (a + (r * r * __wl_exp_tail(r) - b));
  long long k = __wl_rounded(shifted);
  return __wl_scale(y, k);
}
__WL_SIZED(32, double, exp) { return __wl_exp_sum(__wl_clamp(x, -750.0, 710.0), 0.0); }
__WL_SIZED(32, double, exp2) {
  __WL_EXACT
  double c = __wl_clamp(x, -1080.0, 1025.0);
  double n = __builtin_rint(c), f = c - n;
  double r = f * 0.6931471805599453;
  double low = __wl_product_error(f, 0.6931471805599453, r) + f * 2.3190468138462996e-17;
  double y = 1.0 + (r + (r * r * __wl_exp_tail(r) + low));
  return __wl_scale(y, __wl_rounded(n + __WL_ROUNDER));
}
__WL_SIZED(32, double, exp10) {
  __WL_EXACT
  double c = __wl_clamp(x, -330.0, 310.0);
  double high = c * 2.302585092994046;
  return __wl_exp_sum(high, __wl_product_error(c, 2.302585092994046, high) + c * -2.1707562233822494e-16);
}
/// e^x - 1 = 2^k (e^r - 1 + 1 - 2^-k).
__WL_FN double expm1(double x) {
  __WL_EXACT
  double c = __wl_clamp(x, -50.0, 710.0);
  double shifted = c * 1.4426950408889634 + __WL_ROUNDER;
  double n = shifted - __WL_ROUNDER;
  double a = c - n * 0.6931471803691238;
  double b = n * 1.9082149292705877e-10;
  double r = a - b;
  double tail = r * r * __wl_exp_tail(r) - b;
  long long k = __wl_rounded(shifted);
  // 1 - 2^-k, at least as large as a unless k = 0; k > 1000 would leave __wl_pow2's range.
  double whole = k > 1000 ? 1.0 : 1.0 - __wl_pow2(-k);
  double sum = whole + a;
  double y = sum + (((whole - sum) + a) + tail);
  y = k == 0 ? a + tail : y;
  return x == 0.0 ? x : __wl_scale(y, k);
}

/// Splits x > 0 into 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); subnormals too.
__WL_BOTH double __wl_log_reduce(double x, double& k) {
  __WL_EXACT
  bool tiny = x < 2.2250738585072014e-308;
  double y = tiny ? x * 18014398509481984.0 : x;
  long long e = (__wl_bits(y) - 0x3fe6a09e667f3bcdLL) >> 52;
  k = __wl_small_to_double(tiny ? e - 54 : e);
  return __wl_double(__wl_bits(y) - (e << 52)) - 1.0;
}
/// log(1 + f) - f + f^2/2.
__WL_BOTH double __wl_log_tail(double f) {
  __WL_EXACT
  double s = f / (2.0 + f);
  double z = s * s;
  double r = z * (0.6666666666666666 + z * (0.40000000000005326 + z * (0.28571428569168383 + z * (
        0.22222222656624763 + z * (0.18181773616038038 + z * (0.1538722008630186 + z * (
        0.13246552101228623 + z * (0.1328806312918939))))))));
  return s * (0.5 * f * f + r);
}
__WL_BOTH double __wl_log_limit(double x, double y) {
  double other = x == 0.0 ? -__WL_INF : (x > 0.0 ? x : __wl_nan());
  return x > 0.0 && x < __WL_INF ? y : other;
}
__WL_FN double log(double x) {
  __WL_EXACT
  double k, f = __wl_log_reduce(x, k);
  double y = (((__wl_log_tail(f) + k * 1.9082149292705877e-10) - 0.5 * f * f) + f) + k * 0.6931471803691238;
  return __wl_log_limit(x, y);
}
/// log(1 + f) as high + low, high having 21 bits, so that products with a constant's high part are exact.
__WL_BOTH double __wl_log_split(double f, double& low) {
  __WL_EXACT
  double half = 0.5 * f * f;
  double high = __wl_high(f - half);
  low = ((f - high) - half) + __wl_log_tail(f);
  return high;
}
__WL_FN double log2(double x) {
  __WL_EXACT
  double k, low, f = __wl_log_reduce(x, k);
  double high = __wl_log_split(f, low);
  // 1 / ln 2 = 21 bits + the rest
  double a = high * 1.4426946640014648;
  double b = (low + high) * 3.768874985636099e-07 + low * 1.4426946640014648;
  double w = k + a;
  return __wl_log_limit(x, (b + ((k - w) + a)) + w);
}
__WL_FN double log10(double x) {
  __WL_EXACT
  double k, low, f = __wl_log_reduce(x, k);
  double high = __wl_log_split(f, low);
  double a = high * 0.4342944622039795;
  double c = k * 0.30102999566361177;  // log10(2), 32 bits
  double b = k * 3.694239077158931e-13 + (low + high) * 1.9699272335463628e-08 + low * 0.4342944622039795;
  double w = c + a;
  return __wl_log_limit(x, (b + ((c - w) + a)) + w);
}
__WL_FN double log1p(double x) {
  __WL_EXACT
  double u = 1.0 + x;
  double k, f = __wl_log_reduce(u, k);
  // 1 + x = u + c: what the addition lost, divided by u, is what log loses.
  double c = (k >= 2.0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
  bool whole = k == 0.0;
  f = whole ? x : f;
  c = whole || k > 54.0 ? 0.0 : c;
  double y = (((__wl_log_tail(f) + (k * 1.9082149292705877e-10 + c)) - 0.5 * f * f) + f) + k * 0.6931471803691238;
  double other = x == -1.0 ? -__WL_INF : (x >= -1.0 ? x : __wl_nan());
  return x > -1.0 && x < __WL_INF && x != 0.0 ? y : other;
}

/// log(x) for positive finite x as high + low, to about 2^-66.
__WL_BOTH double __wl_log_sum(double x, double& low) {
  __WL_EXACT
  double k, f = __wl_log_reduce(x, k);
  // s = f / (2 + f), with what the division and the addition lose
  double d = 2.0 + f, dl = f - (d - 2.0);
  double s = f / d;
  double p = s * d;
  double sl = ((f - p) - __wl_product_error(s, d, p) - s * dl) / d;
  // z = s^2; log(1 + f) = 2 s (1 + z/3 + z^2 R(z))
  double z = s * s, zl = __wl_product_error(s, s, z) + 2.0 * s * sl;
  double tail = z * z * (0.2 + z * (0.14285714285713158 + z * (0.11111111111387739 + z * (
        0.09090909077117747 + z * (0.07692305003380745 + z * (0.06667067858442653 + z * (
        0.05860691920758269 + z * (0.05792999272807309))))))));
  double t = z * 0.3333333333333333, tl = __wl_product_error(z, 0.3333333333333333, t) + z * 1.850371707708594e-17 + zl * 0.3333333333333333;
  double u = t + tail, ul = ((t - u) + tail) + tl;
  // 2 s (1 + u): the product with s, doubled
  double q = s * u, ql = __wl_product_error(s, u, q) + s * ul + sl * u;
  double h = s + q, hl = ((s - h) + q) + (ql + sl);
  // + k ln 2, whose high part has 42 bits
  double a = k * 0.6931471805598903, al = k * 5.497923018708371e-14;
  double high = a + 2.0 * h;
  double err = (a - high) + 2.0 * h;
  low = err + (2.0 * hl + al);
  return high;
}

/// pow where x is not a positive finite number or y is not finite; `magnitude` is |x|^y where that is ordinary.
/// Rules: IEEE 754-2019, 9.2.1 (pow).
__WL_BOTH double __wl_pow_special(double x, double y, double magnitude) {
  __WL_EXACT
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return __wl_nan();
  double ax = __builtin_fabs(x);
  if (__builtin_fabs(y) == __WL_INF) return ax == 1.0 ? 1.0 : ((ax > 1.0) == (y > 0.0) ? __WL_INF : 0.0);
  bool integer = __builtin_floor(y) == y;
  bool odd = integer && __builtin_floor(y * 0.5) != y * 0.5;
  double r = magnitude;
  if (ax == 0.0 || ax == __WL_INF) r = (ax == 0.0) == (y > 0.0) ? 0.0 : __WL_INF;
  else if (!integer) return __wl_nan();
  return odd && __wl_bits(x) < 0 ? -r : r;
}
__WL_FN double pow(double x, double y) {
  __WL_EXACT
  double low, high = __wl_log_sum(__builtin_fabs(x), low);
  // Beyond 2^65 any x but 1 over- or underflows already.
  double c = __wl_clamp(y, -3.6893488147419103e19, 3.6893488147419103e19);
  double t = c * high;
  double tl = __wl_product_error(c, high, t) + c * low;
  double r = __wl_exp_sum(__wl_clamp(t, -800.0, 800.0), __builtin_fabs(t) < 800.0 ? tl : 0.0);
  if (x > 0.0 && x < __WL_INF && __builtin_fabs(y) < __WL_INF) return r;
  return __wl_pow_special(x, y, r);
}

__WL_FN double sinh(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  double y;
  if (a < 1.0) {
    double z = a * a;
    y = a + a * (z * (0.16666666666666666 + z * (0.00833333333333368 + z * (0.00019841269840894043 + z * (
        2.755731940339102e-06 + z * (2.5052064442922603e-08 + z * (1.606480592459383e-10 + z * (
        7.262402594757927e-13 + z * (1.3097918974208104e-14)))))))));
  } else if (a < 22.0) {
    double t = expm1(a);
    y = 0.5 * (t + t / (t + 1.0));
  } else {
    y = __wl_exp_sum(__wl_clamp(a, 0.0, 800.0) - 0.6931471803691238, -1.9082149292705877e-10);
  }
  return __builtin_copysign(y, x);
}
__WL_SIZED(32, double, cosh) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a < 0.6931471805599453) {
    double t = expm1(a);
    return 1.0 + t * t / (2.0 * (1.0 + t));
  }
  if (a < 22.0) {
    double t = exp(a);
    return 0.5 * (t + 1.0 / t);
  }
  return __wl_exp_sum(__wl_clamp(a, 0.0, 800.0) - 0.6931471803691238, -1.9082149292705877e-10);
}
__WL_SIZED(48, double, tanh) {
  __WL_EXACT
  double a = __builtin_fabs(x), z = x * x;
  double small = x + x * (z * (-0.3333333333333333 + z * (0.13333333333332703 + z * (-0.05396825396761678 + z * (
        0.021869488506230713 + z * (-0.008863234741963042 + z * (0.003592115196901213 + z * (
        -0.0014556975471853618 + z * (0.0005890459178724155 + z * (-0.00023435224957651907 + z * (
        8.133714889234703e-05 + z * (-6.580283050185465e-06 + z * (-2.4403083349224647e-05 + z * (
        1.6903407881613844e-05))))))))))))));
  double t = expm1(2.0 * (a > 22.0 ? 22.0 : a));
  return __builtin_copysign(a < 0.55 ? small : 1.0 - 2.0 / (t + 2.0), x);
}
__WL_FN double asinh(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  double y;
  if (a >= 67108864.0) y = log(a) + 0.6931471805599453;
  else if (a >= 2.0) y = log(2.0 * a + 1.0 / (__builtin_sqrt(a * a + 1.0) + a));
  else y = log1p(a + a * a / (__builtin_sqrt(a * a + 1.0) + 1.0));
  return __builtin_copysign(y, x);
}
__WL_FN double acosh(double x) {
  __WL_EXACT
  double t = x - 1.0;
  if (x < 2.0) return x >= 1.0 ? log1p(t + __builtin_sqrt(t * t + 2.0 * t)) : __wl_nan();
  if (x < 67108864.0) return log(2.0 * x - 1.0 / (x + __builtin_sqrt(x * x - 1.0)));
  return log(x) + 0.6931471805599453;
}
__WL_FN double atanh(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  double y = 0.5 * log1p(a < 0.5 ? 2.0 * a + 2.0 * a * a / (1.0 - a) : 2.0 * (a / (1.0 - a)));
  double other = a == 1.0 ? __WL_INF : __wl_nan();
  return __builtin_copysign(a < 1.0 ? y : other, x);
}
