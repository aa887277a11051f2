// Roots, lengths, the error function's family and the other special functions in single precision, evaluated in double.
#pragma once
#include "core.h"
#include "erfinv_core.h"
#include "float_exp_log.h"

__WL_BOTH float rsqrtf(float x) {
  __WL_EXACT
  return 1.0f / __builtin_sqrtf(x);
}

/// The real cube root of d > 0: an estimate from the exponent, improved by Halley's iteration. Relative error 2^-40.
__WL_BOTH double __wl_cbrt_core(double d) {
  __WL_EXACT
  unsigned high = (unsigned)(__wl_bits(d) >> 32);
  double t = __wl_double((long long)(high / 3u + 715094163u) << 32);  // within 5 %
  double r = t * t * t;
  t = t * ((r + d + d) / (r + r + d));
  r = t * t * t;
  return t * ((r + d + d) / (r + r + d));
}
__WL_SIZED(16, float, cbrtf) {
  float a = __builtin_fabsf(x);
  float y = __builtin_copysignf((float)__wl_cbrt_core((double)a), x);
  return a > 0.0f && a < __WL_INFF ? y : x;
}
__WL_SIZED_BOTH(16, float, rcbrtf) {
  __WL_EXACT
  float a = __builtin_fabsf(x);
  float y = __builtin_copysignf((float)(1.0 / __wl_cbrt_core((double)a)), x);
  return a > 0.0f && a < __WL_INFF ? y : 1.0f / x;
}

/// The sum of squares is exact to 2^-52; an infinite component makes the length infinite, even beside a NaN.
__WL_BOTH double __wl_square(float x) {
  __WL_EXACT
  return (double)x * (double)x;
}
__WL_BOTH bool __wl_is_inff(float x) { return __builtin_fabsf(x) == __WL_INFF; }
__WL_FN float hypotf(float x, float y) {
  __WL_EXACT
  float r = (float)__builtin_sqrt(__wl_square(x) + __wl_square(y));
  return __wl_is_inff(x) || __wl_is_inff(y) ? __WL_INFF : r;
}
__WL_FN float rhypotf(float x, float y) {
  __WL_EXACT
  float r = (float)(1.0 / __builtin_sqrt(__wl_square(x) + __wl_square(y)));
  return __wl_is_inff(x) || __wl_is_inff(y) ? 0.0f : r;
}
__WL_FN float norm3df(float x, float y, float z) {
  __WL_EXACT
  float r = (float)__builtin_sqrt(__wl_square(x) + __wl_square(y) + __wl_square(z));
  return __wl_is_inff(x) || __wl_is_inff(y) || __wl_is_inff(z) ? __WL_INFF : r;
}
__WL_FN float rnorm3df(float x, float y, float z) {
  __WL_EXACT
  float r = (float)(1.0 / __builtin_sqrt(__wl_square(x) + __wl_square(y) + __wl_square(z)));
  return __wl_is_inff(x) || __wl_is_inff(y) || __wl_is_inff(z) ? 0.0f : r;
}
__WL_FN float norm4df(float x, float y, float z, float w) {
  __WL_EXACT
  float r = (float)__builtin_sqrt(__wl_square(x) + __wl_square(y) + __wl_square(z) + __wl_square(w));
  return __wl_is_inff(x) || __wl_is_inff(y) || __wl_is_inff(z) || __wl_is_inff(w) ? __WL_INFF : r;
}
__WL_FN float rnorm4df(float x, float y, float z, float w) {
  __WL_EXACT
  float r = (float)(1.0 / __builtin_sqrt(__wl_square(x) + __wl_square(y) + __wl_square(z) + __wl_square(w)));
  return __wl_is_inff(x) || __wl_is_inff(y) || __wl_is_inff(z) || __wl_is_inff(w) ? 0.0f : r;
}
/// The length of a vector of any dimension; these read the caller's array, as CUDA's do.
__WL_FN float normf(int dimension, const float* vector) {
  __WL_EXACT
  double sum = 0.0;
  bool infinite = false;
  for (int i = 0; i < dimension; i++) {
    sum = sum + __wl_square(vector[i]);
    infinite = infinite || __wl_is_inff(vector[i]);
  }
  return infinite ? __WL_INFF : (float)__builtin_sqrt(sum);
}
__WL_FN float rnormf(int dimension, const float* vector) {
  __WL_EXACT
  double sum = 0.0;
  bool infinite = false;
  for (int i = 0; i < dimension; i++) {
    sum = sum + __wl_square(vector[i]);
    infinite = infinite || __wl_is_inff(vector[i]);
  }
  return infinite ? 0.0f : (float)(1.0 / __builtin_sqrt(sum));
}

/// exp(a^2) erfc(a) for a >= 0 (a below 1e150), as a polynomial in (a - 3) / (a + 3) over 1 + 2a. Relative error 2^-33.
__WL_BOTH double __wl_erfcx_float_core(double a) {
  __WL_EXACT
  double u = (a - 3.0) / (a + 3.0);
  return (1.2530080582527783 + u * (-0.135621104503002 + u * (-0.047562292641378685 + u * (
        0.12964509725668596 + u * (-0.11927369204507013 + u * (0.06830870418004738 + u * (
        -0.023770331194949614 + u * (0.002526078750506245 + u * (0.0018881053988822124 + u * (
        -0.0007713918124294531 + u * (-0.0001041234071755103 + u * (0.0001132620837966136 + u * (
        3.8591893563769646e-06 + u * (-1.1062516632697103e-05)))))))))))))) / (1.0 + 2.0 * a);
}
/// exp(-a^2) erfcx(a) = erfc(a) for a >= 0; 0 beyond the float range.
__WL_BOTH double __wl_erfc_float_core(double a) {
  __WL_EXACT
  double b = a > 12.0 ? 12.0 : a;
  return __wl_exp2_core(b * b * -1.4426950408889634) * __wl_erfcx_float_core(b);
}
/// erf(x) for |x| <= 1. Relative error 2^-40.
__WL_BOTH double __wl_erf_float_core(double x) {
  __WL_EXACT
  double z = x * x;
  return x * (1.1283791670945023 + z * (-0.3761263888734198 + z * (0.1128379125900656 + z * (
        -0.02686612914289226 + z * (0.005223766888467424 + z * (-0.000854227284811912 + z * (
        0.00011952111624601894 + z * (-1.388110575940883e-05 + z * (1.051667136401496e-06)))))))));
}
/// erfc(x) in double for a float-sized relative error.
__WL_BOTH double __wl_erfc_float(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a <= 1.0) return 1.0 - __wl_erf_float_core(x);
  double t = __wl_erfc_float_core(a);
  return x < 0.0 ? 2.0 - t : t;
}

__WL_SIZED(24, float, erff) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  if (a <= 1.0) return (float)__wl_erf_float_core((double)x);
  return __builtin_copysignf((float)(1.0 - __wl_erfc_float_core(a)), x);
}
__WL_SIZED(48, float, erfcf) { return (float)__wl_erfc_float((double)x); }
__WL_SIZED_BOTH(48, float, normcdff) {
  __WL_EXACT
  return (float)(0.5 * __wl_erfc_float((double)x * -0.7071067811865476));
}
__WL_BOTH float erfcxf(float x) {
  __WL_EXACT
  double a = (double)__builtin_fabsf(x);
  double y = __wl_erfcx_float_core(a > 1e100 ? 1e100 : a);
  double square = a > 10.0 ? 100.0 : a * a;
  double r = x < 0.0f ? 2.0 * __wl_exp2_core(square * 1.4426950408889634) - y : y;
  return (float)(a > 1e100 ? (x < 0.0f ? __WL_INF : 0.0) : r);
}

__WL_SIZED_BOTH(24, float, erfinvf) {
  __WL_EXACT
  double y = (double)x;
  float r = (float)(y * __wl_erfinv_core((1.0 - y) * (1.0 + y)));
  return __builtin_fabsf(x) < 1.0f ? r : (__builtin_fabsf(x) == 1.0f ? __builtin_copysignf(__WL_INFF, x) : __wl_nanf());
}
/// erfcinv(t) for 0 <= t <= 2.
__WL_BOTH float __wl_erfcinv_float(double t) {
  __WL_EXACT
  double r = (1.0 - t) * __wl_erfinv_core(t * (2.0 - t));
  if (t > 0.0 && t < 2.0) return (float)r;
  return t == 0.0 ? __WL_INFF : (t == 2.0 ? -__WL_INFF : __wl_nanf());
}
__WL_BOTH float erfcinvf(float x) { return __wl_erfcinv_float((double)x); }
__WL_BOTH float normcdfinvf(float x) {
  __WL_EXACT
  double t = (double)x * 2.0;
  double r = (t - 1.0) * __wl_erfinv_core(t * (2.0 - t)) * 1.4142135623730951;
  if (t > 0.0 && t < 2.0) return (float)r;
  return t == 0.0 ? -__WL_INFF : (t == 2.0 ? __WL_INFF : __wl_nanf());
}
