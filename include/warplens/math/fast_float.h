// The fast intrinsics (__expf, __sinf, ...) in single-precision arithmetic throughout.
//
// On a GPU they are the special function unit's approximations and cannot be matched bit for bit; these keep within the
// errors that NVIDIA documents for them (CUDA C++ programming guide, "Intrinsic Functions").
#pragma once
#include "core.h"
#include "float_trig.h"

/// PTX ex2.approx: 2^t within 2 ulp.
__WL_BOTH float __wl_ex2(float t) {
  __WL_EXACT
  float c = t < -151.0f ? -151.0f : t;
  c = c > 129.0f ? 129.0f : c;
  float shifted = c + 12582912.0f;
  int k = __wl_bitsf(shifted) - 0x4b400000;
  float r = c - (shifted - 12582912.0f);
  float p = (1.0f + r * (0.693146884f + r * (0.24022238f + r * (
        0.0555085354f + r * (0.00967170112f + r * (0.00132304418f))))));
  int half = k >> 1;
  return p * __wl_pow2f(half) * __wl_pow2f(k - half);
}
/// PTX lg2.approx: log2(x) with an absolute error of 2^-22 in [1/2, 2] and 2 ulp elsewhere.
__WL_BOTH float __wl_lg2(float x) {
  __WL_EXACT
  bool tiny = x < 1.17549435e-38f;
  int bits = __wl_bitsf(tiny ? x * 16777216.0f : x);
  int e = (bits - 0x3f3504f3) >> 23;
  float f = __wl_float(bits - (int)((unsigned)e << 23)) - 1.0f;
  float s = f / (2.0f + f);
  float z = s * s;
  float y = s * (2.88539004f + z * (0.961808801f + z * (0.576037347f + z * (
        0.444886982f))));
  y = (float)(tiny ? e - 24 : e) + y;
  float other = x == 0.0f ? -__WL_INFF : (x > 0.0f ? x : __wl_nanf());
  return x > 0.0f && x < __WL_INFF ? y : other;
}

__WL_SIZED(0, float, __expf) {
  __WL_EXACT
  return __wl_ex2(x * 1.44269504f);
}
__WL_SIZED(0, float, __exp10f) {
  __WL_EXACT
  return __wl_ex2(x * 3.32192809f);
}
__WL_SIZED(0, float, __log2f) { return __wl_lg2(x); }
__WL_SIZED(0, float, __logf) {
  __WL_EXACT
  return __wl_lg2(x) * 0.693147181f;
}
__WL_SIZED(0, float, __log10f) {
  __WL_EXACT
  return __wl_lg2(x) * 0.301029996f;
}
__WL_SIZED_OF_TWO(0, float, __powf) {
  __WL_EXACT
  return __wl_ex2(y * __wl_lg2(x));
}

/// x - n * pi/2 by three constants of 8, 11 and 24 bits; good to 2^-23 for |x| < 65536.
__WL_BOTH float __wl_reduce_fast(float x, int& quadrant) {
  __WL_EXACT
  float shifted = x * 0.636619772f + 12582912.0f;
  float n = shifted - 12582912.0f;
  quadrant = __wl_bitsf(shifted);
  return ((x - n * 1.5703125f) - n * 4.83751297e-4f) - n * 7.54978942e-8f;
}
__WL_BOTH float __wl_sin_fast(float r, int quadrant) {
  __WL_EXACT
  float z = r * r;
  float s = r * (1.0f + z * (-0.166666538f + z * (0.00833211839f + z * (
        -0.000195103989f))));
  float c = (0.99999994f + z * (-0.499998093f + z * (0.0416533574f + z * (
        -0.00135695131f))));
  float y = (quadrant & 1) ? c : s;
  return (quadrant & 2) ? -y : y;
}
/// The special function unit takes turns of a circle: beyond 65536 what is left of x once it is turns in single precision.
__WL_BOTH float __wl_within_turns(float x) {
  __WL_EXACT
  float turns = x * 0.159154943f;
  float rest = (turns - __builtin_rintf(turns)) * 6.28318531f;
  return __builtin_fabsf(x) < 65536.0f ? x : rest;
}
__WL_SIZED(0, float, __sinf) {
  int quadrant;
  float r = __wl_reduce_fast(__wl_within_turns(x), quadrant);
  return __wl_sin_fast(r, quadrant);
}
__WL_SIZED(0, float, __cosf) {
  int quadrant;
  float r = __wl_reduce_fast(__wl_within_turns(x), quadrant);
  return __wl_sin_fast(r, quadrant + 1);
}
__WL_FN void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
__WL_FN float __tanf(float x) {
  __WL_EXACT
  return __sinf(x) * (1.0f / __cosf(x));
}
__WL_FN float __tanhf(float x) {
  __WL_EXACT
  float a = __builtin_fabsf(x);
  float e = __wl_ex2((a > 20.0f ? 20.0f : a) * -2.88539008f);
  return __builtin_copysignf(a < 0.05f ? a * (1.0f - a * a * 0.333333333f) : (1.0f - e) / (1.0f + e), x);
}

/// x / y; for 2^126 < |y| < 2^128 the documented result is 0, or NaN for infinite x.
__WL_FN float __fdividef(float x, float y) {
  __WL_EXACT
  float a = __builtin_fabsf(y);
  return a > 8.50705917e37f && a < __WL_INFF ? x * 0.0f : x / y;
}
__WL_FN double fdivide(double x, double y) {
  __WL_EXACT
  return x / y;
}
__WL_FN float fdividef(float x, float y) {
  __WL_EXACT
  return x / y;
}
/// x held in [0, 1]; NaN becomes 0.
__WL_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
