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

/// What the special function unit knows of an angle: turns of a circle to 25 places behind the point, cut off. Gives them as a number of
/// 2^-25ths of a turn, within an eighth of one to either side of the `quadrant`. The product is rounded towards zero, as the machine's
/// (FMUL.RZ; results of 4,096 arguments on an H200: below 2^-25 of a turn the sine is zero, beyond 2^23 turns too).
__WL_BOTH float __wl_turns(float x, int& quadrant) {
  __WL_EXACT
  double product = (double)x * 0.15915493667125702;
  float near = (float)product;
  bool beyond = __builtin_fabs((double)near) > __builtin_fabs(product);
  float turns = beyond ? __wl_float(__wl_bitsf(near) - 1) : near;
  float rest = __builtin_copysignf(turns - __builtin_truncf(turns), turns);
  float parts = __builtin_truncf(rest * 33554432.0f);
  float nearest = __builtin_rintf(parts * 1.1920929e-7f);
  quadrant = (int)nearest;
  return parts - nearest * 8388608.0f;
}
__WL_BOTH float __wl_sin_fast(float parts, int quadrant) {
  __WL_EXACT
  float r = parts * 1.87253514e-7f;
  float z = r * r;
  float s = r * (1.0f + z * (-0.166666538f + z * (0.00833211839f + z * (
        -0.000195103989f))));
  float c = 1.0f + z * (-0.5f + z * (0.0416666457f + z * (-0.00138873163f + z * (
        2.44331571e-05f))));
  float y = (quadrant & 1) ? c : s;
  return (quadrant & 2) ? -y : y;
}
__WL_SIZED(0, float, __sinf) {
  int quadrant;
  float parts = __wl_turns(x, quadrant);
  return __wl_sin_fast(parts, quadrant);
}
__WL_SIZED(0, float, __cosf) {
  int quadrant;
  float parts = __wl_turns(x, quadrant);
  return __wl_sin_fast(parts, quadrant + 1);
}
__WL_FN void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
__WL_FN float __tanf(float x) {
  __WL_EXACT
  return __sinf(x) * (1.0f / __cosf(x));
}
/// PTX tanh.approx.
__WL_SIZED(0, float, __tanhf) {
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
#ifndef WARPLENS_FAST_MATH
__WL_FN float fdividef(float x, float y) {
  __WL_EXACT
  return x / y;
}
#else
// -use_fast_math: what these are then (PTX of each, nvcc 13.0). The others are as they are, of approximate quotients and roots.
__WL_SIZED(0, float, exp2f) { return __wl_ex2(x); }
__WL_FN float expf(float x) { return __expf(x); }
__WL_FN float exp10f(float x) { return __exp10f(x); }
__WL_FN float log2f(float x) { return __log2f(x); }
__WL_FN float logf(float x) { return __logf(x); }
__WL_FN float log10f(float x) { return __log10f(x); }
__WL_FN float powf(float x, float y) { return __powf(x, y); }
__WL_FN float sinf(float x) { return __sinf(x); }
__WL_FN float cosf(float x) { return __cosf(x); }
__WL_FN void sincosf(float x, float* sine, float* cosine) { __sincosf(x, sine, cosine); }
__WL_FN float tanf(float x) { return __tanf(x); }
__WL_FN float tanhf(float x) { return __tanhf(x); }
__WL_FN float fdividef(float x, float y) { return __fdividef(x, y); }
#endif
/// x held in [0, 1]; NaN becomes 0.
__WL_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
