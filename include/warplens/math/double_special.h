// Roots, lengths and the error function's family in double precision.
#pragma once
#include "basics.h"
#include "core.h"
#include "double_exp_log.h"
#include "erfinv_core.h"
#include "float_special.h"

__WL_BOTH double rsqrt(double x) {
  __WL_EXACT
  return 1.0 / __builtin_sqrt(x);
}

/// cbrt(x) by an estimate to 40 bits and Newton's iteration on a 26-bit t, whose square is exact (msun, s_cbrt.c).
__WL_FN double cbrt(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  // 2^54, a cube, keeps subnormal and very large numbers away from the format's ends.
  bool tiny = a < 2.2250738585072014e-308, large = a > 1e300;
  double d = a * (tiny ? 18014398509481984.0 : (large ? 5.551115123125783e-17 : 1.0));
  double t = __wl_double(__wl_bits(__wl_cbrt_core(d)) & (long long)0xfffffffff8000000ULL);
  double r = d / (t * t);
  t = t + t * ((r - t) / (t + t + r));
  t = t * (tiny ? 3.814697265625e-06 : (large ? 262144.0 : 1.0));
  return __wl_ordinary(x) ? __builtin_copysign(t, x) : x;
}
__WL_BOTH double rcbrt(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  // 2^54, a cube, keeps subnormal and very large numbers away from the format's ends.
  bool tiny = a < 2.2250738585072014e-308, large = a > 1e300;
  double d = a * (tiny ? 18014398509481984.0 : (large ? 5.551115123125783e-17 : 1.0));
  // Newton's step for 1 / cbrt: t + t (1 - d t^3) / 3, the residual from exact products.
  double t = 1.0 / __wl_cbrt_core(d);
  double square = t * t, sl = __wl_product_error(t, t, square);
  double p = d * square, pl = __wl_product_error(d, square, p) + d * sl;
  double q = p * t, ql = __wl_product_error(p, t, q) + pl * t;
  t = t + t * (((1.0 - q) - ql) * 0.3333333333333333);
  t = t * (tiny ? 262144.0 : (large ? 3.814697265625e-06 : 1.0));
  return __wl_ordinary(x) ? __builtin_copysign(t, x) : 1.0 / x;
}

/// Adds x^2 to high + low.
__WL_BOTH void __wl_add_square(double x, double& high, double& low) {
  __WL_EXACT
  double p = x * x, pl = __wl_product_error(x, x, p);
  double s = high + p, t = s - high;
  low = low + (((high - (s - t)) + (p - t)) + pl);
  high = s;
}
/// A power of two that brings m >= 0 near 1, and its exponent.
__WL_BOTH double __wl_scale_for(double m, int& exponent) {
  int e = (int)(__wl_bits(m) >> 52) - 1023;
  exponent = e < -1000 ? -1000 : (e > 1000 ? 1000 : e);
  return __wl_pow2(-exponent);
}
__WL_BOTH double __wl_max_magnitude(double a, double b) {
  a = __builtin_fabs(a);
  b = __builtin_fabs(b);
  return b > a || a != a ? b : a;
}
/// sqrt(high + low) * 2^exponent, or its reciprocal, with one correction from the exact residual.
__WL_BOTH double __wl_length(double high, double low, int exponent) {
  __WL_EXACT
  double s = __builtin_sqrt(high), p = s * s;
  double rest = ((high - p) - __wl_product_error(s, s, p)) + low;
  s = s + (high > 0.0 ? rest / (2.0 * s) : 0.0);
  return s * __wl_pow2(exponent);
}
__WL_BOTH double __wl_reciprocal_length(double high, double low, int exponent) {
  __WL_EXACT
  double r = 1.0 / __builtin_sqrt(high);
  double square = r * r, sl = __wl_product_error(r, r, square);
  double p = high * square, pl = __wl_product_error(high, square, p);
  double rest = ((1.0 - p) - pl) - (high * sl + low * square);
  r = r + (high > 0.0 ? 0.5 * r * rest : 0.0);
  return r * __wl_pow2(-exponent);
}
__WL_BOTH bool __wl_is_inf(double x) { return __builtin_fabs(x) == __WL_INF; }

__WL_BOTH double __wl_norm4(double x, double y, double z, double w, bool reciprocal) {
  __WL_EXACT
  int exponent;
  double scale = __wl_scale_for(__wl_max_magnitude(__wl_max_magnitude(x, y), __wl_max_magnitude(z, w)), exponent);
  double high = 0.0, low = 0.0;
  __wl_add_square(x * scale, high, low);
  __wl_add_square(y * scale, high, low);
  __wl_add_square(z * scale, high, low);
  __wl_add_square(w * scale, high, low);
  bool infinite = __wl_is_inf(x) || __wl_is_inf(y) || __wl_is_inf(z) || __wl_is_inf(w);
  if (reciprocal) return infinite ? 0.0 : __wl_reciprocal_length(high, low, exponent);
  return infinite ? __WL_INF : __wl_length(high, low, exponent);
}
__WL_BOTH double __wl_norm2(double x, double y, bool reciprocal) {
  __WL_EXACT
  int exponent;
  double scale = __wl_scale_for(__wl_max_magnitude(x, y), exponent);
  double high = 0.0, low = 0.0;
  __wl_add_square(x * scale, high, low);
  __wl_add_square(y * scale, high, low);
  bool infinite = __wl_is_inf(x) || __wl_is_inf(y);
  if (reciprocal) return infinite ? 0.0 : __wl_reciprocal_length(high, low, exponent);
  return infinite ? __WL_INF : __wl_length(high, low, exponent);
}
__WL_SIZED_OF_TWO(24, double, hypot) { return __wl_norm2(x, y, false); }
__WL_FN double rhypot(double x, double y) { return __wl_norm2(x, y, true); }
__WL_FN double norm3d(double x, double y, double z) { return __wl_norm4(x, y, z, 0.0, false); }
__WL_FN double rnorm3d(double x, double y, double z) { return __wl_norm4(x, y, z, 0.0, true); }
__WL_FN double norm4d(double x, double y, double z, double w) { return __wl_norm4(x, y, z, w, false); }
__WL_FN double rnorm4d(double x, double y, double z, double w) { return __wl_norm4(x, y, z, w, true); }
/// The length of a vector of any dimension; these read the caller's array (twice, to scale it), as CUDA's do.
__WL_BOTH double __wl_norm_any(int dimension, const double* vector, bool reciprocal) {
  __WL_EXACT
  double m = 0.0;
  bool infinite = false;
  for (int i = 0; i < dimension; i++) {
    m = __wl_max_magnitude(m, vector[i]);
    infinite = infinite || __wl_is_inf(vector[i]);
  }
  int exponent;
  double scale = __wl_scale_for(m, exponent), high = 0.0, low = 0.0;
  for (int i = 0; i < dimension; i++) __wl_add_square(vector[i] * scale, high, low);
  if (reciprocal) return infinite ? 0.0 : __wl_reciprocal_length(high, low, exponent);
  return infinite ? __WL_INF : __wl_length(high, low, exponent);
}
__WL_FN double norm(int dimension, const double* vector) { return __wl_norm_any(dimension, vector, false); }
__WL_FN double rnorm(int dimension, const double* vector) { return __wl_norm_any(dimension, vector, true); }

/// exp(a^2) erfc(a) for a >= 0, as a polynomial in (a - 3) / (a + 3) over 1 + 2a. Relative error 2^-53.8 before rounding.
__WL_BOTH double __wl_erfcx_core(double a) {
  __WL_EXACT
  double c = a > 1e150 ? 1e150 : a;
  double u = (c - 3.0) / (c + 3.0);
  double y = (1.2530080582697296 + u * (-0.13562110612458117 + u * (-0.047562294353449226 + u * (
        0.1296451587027596 + u * (-0.11927366341538478 + u * (0.06830802734400342 + u * (
        -0.023770514917203386 + u * (0.0025293918157774354 + u * (0.0018886903453291595 + u * (
        -0.0007798322702484572 + u * (-0.00010515972158106541 + u * (0.00012509934503187963 + u * (
        4.9492042809122e-06 + u * (-2.0100549402255837e-05 + u * (-7.308472852841398e-07 + u * (
        3.4723838664897325e-06 + u * (3.5579279608941795e-07 + u * (-6.166163629664094e-07 + u * (
        -1.4051163780179338e-07 + u * (1.0184742968646153e-07 + u * (4.1088419616705096e-08 + u * (
        -1.3317627593476113e-08 + u * (-8.227324909222755e-09 + u * (9.871101925140467e-10 + u * (
        8.410673286333171e-10)))))))))))))))))))))))));
  return 0.5 * y / (0.5 + a);
}
/// erfc(a) for a >= 0, where square + squareLow = a^2.
__WL_BOTH double __wl_erfc_core(double a, double square, double squareLow) {
  __WL_EXACT
  double e = __wl_exp_sum(square > 800.0 ? -800.0 : -square, square > 800.0 ? 0.0 : -squareLow);
  return e * __wl_erfcx_core(a);
}
/// erf(x) for |x| <= 1.
__WL_BOTH double __wl_erf_core(double x) {
  __WL_EXACT
  double z = x * x;
  double p = z * (-0.37612638903183754 + z * (0.11283791670955229 + z * (-0.02686617064515384 + z * (
        0.005223977625654968 + z * (-0.0008548327032975441 + z * (0.00012055333131801814 + z * (
        -1.492564609185724e-05 + z * (1.6461844943969386e-06 + z * (-1.635950918764701e-07 + z * (
        1.4722909500698292e-08 + z * (-1.1620647402613513e-09 + z * (6.381051819591937e-11))))))))))));
  return x * 1.1283791670955126 + x * p;
}
__WL_SIZED(48, double, erf) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a <= 1.0) return __builtin_copysign(__wl_erf_core(x), x);
  double c = a > 6.0 ? 6.0 : a, square = c * c;
  return __builtin_copysign(1.0 - __wl_erfc_core(c, square, __wl_product_error(c, c, square)), x);
}
__WL_FN double erfc(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a <= 0.5) return 1.0 - __wl_erf_core(x);
  double c = a > 30.0 ? 30.0 : a, square = c * c;
  double t = __wl_erfc_core(c, square, __wl_product_error(c, c, square));
  return x < 0.0 ? 2.0 - t : t;
}
__WL_BOTH double erfcx(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a < 0.5) return __wl_exp_sum(a * a, __wl_product_error(a, a, a * a)) * (1.0 - __wl_erf_core(x));
  double y = __wl_erfcx_core(a);
  if (!(x < 0.0)) return y;
  double c = a > 30.0 ? 30.0 : a, square = c * c;
  return 2.0 * __wl_exp_sum(square, __wl_product_error(c, c, square)) - y;
}
/// erfc(-x / sqrt(2)) / 2; x^2 / 2 is exact in two parts.
__WL_BOTH double normcdf(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x) > 45.0 ? 45.0 : __builtin_fabs(x);
  double t = a * 0.7071067811865476;
  if (t <= 0.5) return 0.5 + 0.5 * __wl_erf_core(__builtin_copysign(t, x));
  double square = 0.5 * a * a, y = 0.5 * __wl_erfc_core(t, square, 0.5 * __wl_product_error(a, a, a * a));
  return x > 0.0 ? 1.0 - y : y;
}

/// erfinv(y) for |y| < 0.75: the core's 31 bits and one Halley step on erf.
__WL_BOTH double __wl_erfinv_center(double y) {
  __WL_EXACT
  double x = y * __wl_erfinv_core((1.0 - y) * (1.0 + y));
  double step = (__wl_erf_core(x) - y) * 0.8862269254527580 * exp(x * x);
  return x - step / (1.0 + x * step);
}
/// erfcinv(q) for 0 < q <= 1/2: the core and one Halley step on erfcx(x) = q exp(x^2), the power in two factors.
__WL_BOTH double __wl_erfcinv_tail(double q) {
  __WL_EXACT
  bool tiny = q < 2.2250738585072014e-308;
  double x = (1.0 - q) * (tiny ? __wl_erfinv_core_tiny(q) : __wl_erfinv_core(q * (2.0 - q)));
  double square = x * x;
  double t = __wl_exp_sum(-0.5 * square, -0.5 * __wl_product_error(x, x, square));
  double step = (q / t / t - __wl_erfcx_core(x)) * 0.8862269254527580;
  return x - step / (1.0 + x * step);
}
__WL_BOTH double erfinv(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a < 0.75) return __wl_erfinv_center(x);
  if (!(a < 1.0)) return a == 1.0 ? __builtin_copysign(__WL_INF, x) : __wl_nan();
  return __builtin_copysign(__wl_erfcinv_tail(1.0 - a), x);
}
__WL_BOTH double erfcinv(double x) {
  __WL_EXACT
  if (!(x > 0.0 && x < 2.0)) return x == 0.0 ? __WL_INF : (x == 2.0 ? -__WL_INF : __wl_nan());
  if (x > 0.5 && x < 1.5) return __wl_erfinv_center(1.0 - x);
  return x < 1.0 ? __wl_erfcinv_tail(x) : -__wl_erfcinv_tail(2.0 - x);
}
__WL_BOTH double normcdfinv(double x) {
  __WL_EXACT
  return -1.4142135623730951 * erfcinv(2.0 * x);
}
