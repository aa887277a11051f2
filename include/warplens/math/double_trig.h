// sin, cos, tan, their pi forms and the inverse functions in double precision.
//
// Reduction follows FreeBSD's msun (e_rem_pio2.c: pi/2 in three parts of 33 bits) below 2^20 and Payne and Hanek's method
// with 64-bit integers beyond; the kernels' evaluation order, atan's intervals and asin's correction terms are msun's too.
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.
// ====================================================
#pragma once
#include "core.h"
#include "double_exp_log.h"

/// The high 64 bits of a * b, from 32-bit parts.
__WL_BOTH unsigned long long __wl_multiply_high(unsigned long long a, unsigned long long b) {
  unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  unsigned long long middle = ah * bl + ((al * bl) >> 32);
  unsigned long long cross = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (cross >> 32);
}

/// Four consecutive 64-bit words of 0 : 2/pi, from the given one, by halving a list of literals: no memory is read.
__WL_BOTH void __wl_two_over_pi(int word, unsigned long long& w0, unsigned long long& w1, unsigned long long& w2,
                              unsigned long long& w3) {
  unsigned long long a0 = (word & 16) ? 0x7527bac7ebe5f17bULL : 0x0000000000000000ULL,
                     a1 = (word & 16) ? 0x3d0739f78a5292eaULL : 0xa2f9836e4e441529ULL,
                     a2 = (word & 16) ? 0x6bfb5fb11f8d5d08ULL : 0xfc2757d1f534ddc0ULL,
                     a3 = (word & 16) ? 0x56033046fc7b6babULL : 0xdb6295993c439041ULL,
                     a4 = 0xfe5163abdebbc561ULL,
                     a5 = 0xb7246e3a424dd2e0ULL,
                     a6 = 0x06492eea09d1921cULL,
                     a7 = 0xfe1deb1cb129a73eULL,
                     a8 = 0xe88235f52ebb4484ULL,
                     a9 = 0xe99c7026b45f7e41ULL,
                     a10 = 0x3991d639835339f4ULL,
                     a11 = 0x9c845f8bbdf9283bULL,
                     a12 = 0x1ff897ffde05980fULL,
                     a13 = 0xef2f118b5a0a6d1fULL,
                     a14 = 0x6d367ecf27cb09b7ULL,
                     a15 = 0x4f463f669e5fea2dULL,
                     a16 = 0x7527bac7ebe5f17bULL,
                     a17 = 0x3d0739f78a5292eaULL,
                     a18 = 0x6bfb5fb11f8d5d08ULL;
  unsigned long long b0 = (word & 8) ? a8 : a0,
                     b1 = (word & 8) ? a9 : a1,
                     b2 = (word & 8) ? a10 : a2,
                     b3 = (word & 8) ? a11 : a3,
                     b4 = (word & 8) ? a12 : a4,
                     b5 = (word & 8) ? a13 : a5,
                     b6 = (word & 8) ? a14 : a6,
                     b7 = (word & 8) ? a15 : a7,
                     b8 = (word & 8) ? a16 : a8,
                     b9 = (word & 8) ? a17 : a9,
                     b10 = (word & 8) ? a18 : a10;
  unsigned long long c0 = (word & 4) ? b4 : b0,
                     c1 = (word & 4) ? b5 : b1,
                     c2 = (word & 4) ? b6 : b2,
                     c3 = (word & 4) ? b7 : b3,
                     c4 = (word & 4) ? b8 : b4,
                     c5 = (word & 4) ? b9 : b5,
                     c6 = (word & 4) ? b10 : b6;
  unsigned long long d0 = (word & 2) ? c2 : c0,
                     d1 = (word & 2) ? c3 : c1,
                     d2 = (word & 2) ? c4 : c2,
                     d3 = (word & 2) ? c5 : c3,
                     d4 = (word & 2) ? c6 : c4;
  unsigned long long e0 = (word & 1) ? d1 : d0,
                     e1 = (word & 1) ? d2 : d1,
                     e2 = (word & 1) ? d3 : d2,
                     e3 = (word & 1) ? d4 : d3;
  w0 = e0;
  w1 = e1;
  w2 = e2;
  w3 = e3;
}

/// x * 2/pi modulo 4 for |x| >= 2^20 (Payne and Hanek, "Radian reduction for trigonometric functions", 1983): the 192 bits
/// of 2/pi that matter, times the 53 bits of x. Returns the rest times pi/2 as high + low, and the quadrant.
__WL_BOTH double __wl_reduce_large(double x, double& low, long long& quadrant) {
  __WL_EXACT
  unsigned long long bits = (unsigned long long)__wl_bits(x);
  unsigned long long m = (bits & 0xfffffffffffffULL) | (1ULL << 52);
  // x = m * 2^e; the window starts where bits of 2/pi first matter modulo 4, e + 62 bits into 0 : 2/pi.
  int offset = (int)((bits >> 52) & 0x7ff) - 1075 + 62;
  int shift = offset & 63;
  unsigned long long w0, w1, w2, w3;
  __wl_two_over_pi(offset >> 6, w0, w1, w2, w3);
  unsigned long long a = shift ? (w0 << shift) | (w1 >> (64 - shift)) : w0;
  unsigned long long b = shift ? (w1 << shift) | (w2 >> (64 - shift)) : w1;
  unsigned long long c = shift ? (w2 << shift) | (w3 >> (64 - shift)) : w2;
  // 192 bits of m * (a : b : c)
  unsigned long long r2 = m * c;
  unsigned long long carry = __wl_multiply_high(m, c);
  unsigned long long r1 = m * b + carry;
  unsigned long long r0 = m * a + __wl_multiply_high(m, b) + (r1 < carry ? 1ULL : 0ULL);
  unsigned long long n = (r0 + (1ULL << 61)) >> 62;
  r0 -= n << 62;
  bool below = (long long)r0 < 0;
  if (below) {
    r0 = ~r0;
    r1 = ~r1;
    r2 = ~r2;  // one unit of 2^-190 off: of no account
  }
  // Leading zeros off, then 53 + 53 bits become doubles.
  int zeros = r0 ? __builtin_clzll(r0) : 64;
  if (zeros == 64) {
    r0 = r1;
    r1 = r2;
    r2 = 0;
  }
  int left = r0 ? __builtin_clzll(r0) : 0;
  int total = zeros == 64 ? 64 + left : left;
  if (left) {
    r0 = (r0 << left) | (r1 >> (64 - left));
    r1 = (r1 << left) | (r2 >> (64 - left));
  }
  double scale = __wl_pow2(-62 - total);
  double high = (double)(long long)(r0 >> 11) * 2048.0 * scale;
  double rest = (double)(long long)(((r0 & 0x7ff) << 42) | (r1 >> 22)) * 2.2737367544323206e-13 * scale;
  double y = high * 1.5707963267948966;
  low = __wl_product_error(high, 1.5707963267948966, y) + high * 6.123233995736766e-17 + rest * 1.5707963267948966;
  bool negative = ((long long)bits < 0) != below;
  quadrant = (long long)bits < 0 ? -(long long)n : (long long)n;
  low = negative ? -low : low;
  return negative ? -y : y;
}

/// x - quadrant * pi/2 as high + low, |high| <= pi/4; only the low two bits of the quadrant count. NaN for infinities.
__WL_BOTH double __wl_reduce(double x, double& low, long long& quadrant) {
  __WL_EXACT
  double shifted = x * 0.6366197723675814 + __WL_ROUNDER;
  double n = shifted - __WL_ROUNDER;
  quadrant = __wl_bits(shifted);
  double r = x - n * 1.5707963267341256;
  double t = r, w = n * 6.077100506303966e-11;
  r = t - w;
  w = n * 2.0222662487111665e-21 - ((t - r) - w);
  t = r;
  double high = r - w;
  // The third part matters only where the first two cancel: then t - high is exact.
  w = n * 8.4784276603689e-32 + w;
  high = t - w;
  low = (t - high) - w;
  if (__builtin_fabs(x) >= 1048576.0) {
    if (__builtin_fabs(x) < __WL_INF) return __wl_reduce_large(x, low, quadrant);
    return __wl_nan();
  }
  return high;
}

/// sin(x + y) and cos(x + y) for |x| <= pi/4 and y below x's last place (msun, k_sin.c and k_cos.c).
__WL_BOTH double __wl_sin_kernel(double x, double y) {
  __WL_EXACT
  double z = x * x, v = z * x;
  double r = (0.0083333333333332 + z * (-0.0001984126984018968 + z * (2.755731782524099e-06 + z * (
        -2.5051473911157976e-08 + z * (1.594146307521925e-10)))));
  return x - ((z * (0.5 * y - v * r) - y) - v * -0.16666666666666666);
}
__WL_BOTH double __wl_cos_kernel(double x, double y) {
  __WL_EXACT
  double z = x * x, half = 0.5 * z, w = 1.0 - half;
  double r = z * (0.041666666666666664 + z * (-0.0013888888888887057 + z * (2.480158729845373e-05 + z * (
        -2.755731715520326e-07 + z * (2.0876127254854967e-09 + z * (-1.1381505501999031e-11))))));
  return w + (((1.0 - w) - half) + (z * r - x * y));
}
__WL_BOTH double __wl_sin_of(double high, double low, long long quadrant) {
  double y = (quadrant & 1) ? __wl_cos_kernel(high, low) : __wl_sin_kernel(high, low);
  return (quadrant & 2) ? -y : y;
}

/// The same with the coefficients of both kernels in a table, the sine's first, highest powers first. The machine's sin, cos,
/// sinpi and cospi read theirs from global memory too: three loads of 16 bytes from the half that the quadrant picks (PTX of
/// nvcc 13.0, `__cudart_sin_cos_coeffs`). sincos, sincospi and tan have theirs in the code, there as here.
struct __attribute__((aligned(16))) __wl_coefficients { double first, second; };
__WL_BOTH double __wl_sin_by_table(double high, double low, long long quadrant) {
  __WL_EXACT
  static const __wl_coefficients table[8] = {
      {1.594146307521925e-10, -2.5051473911157976e-08},
      {2.755731782524099e-06, -0.0001984126984018968},
      {0.0083333333333332, -0.16666666666666666},
      {0.0, 0.0},
      {-1.1381505501999031e-11, 2.0876127254854967e-09},
      {-2.755731715520326e-07, 2.480158729845373e-05},
      {-0.0013888888888887057, 0.041666666666666664},
      {0.0, 0.0}};
  const __wl_coefficients* row = table + 4 * (int)(quadrant & 1);
  __WL_ANYWHERE(row);
  __wl_coefficients a = row[0], b = row[1], c = row[2];
  double z = high * high, v = z * high;
  double r = c.first + z * (b.second + z * (b.first + z * (a.second + z * a.first)));
  double sine = high - ((z * (0.5 * low - v * r) - low) - v * c.second);
  double half = 0.5 * z, w = 1.0 - half;
  double cosine = w + (((1.0 - w) - half) + (z * (z * (c.second + z * r)) - high * low));
  double y = (quadrant & 1) ? cosine : sine;
  return (quadrant & 2) ? -y : y;
}
__WL_FN double sin(double x) {
  double low;
  long long quadrant;
  double high = __wl_reduce(x, low, quadrant);
  double y = __wl_sin_by_table(high, low, quadrant);
  return __builtin_fabs(x) < 7.450580596923828e-09 ? x : y;
}
__WL_FN double cos(double x) {
  double low;
  long long quadrant;
  double high = __wl_reduce(x, low, quadrant);
  return __wl_sin_by_table(high, low, quadrant + 1);
}
__WL_FN void sincos(double x, double* sine, double* cosine) {
  double low;
  long long quadrant;
  double high = __wl_reduce(x, low, quadrant);
  double s = __wl_sin_kernel(high, low), c = __wl_cos_kernel(high, low);
  double a = (quadrant & 1) ? c : s, b = (quadrant & 1) ? s : c;
  a = (quadrant & 2) ? -a : a;
  *sine = __builtin_fabs(x) < 7.450580596923828e-09 ? x : a;
  *cosine = ((quadrant + 1) & 2) ? -b : b;
}

/// tan(x + y), or -1 / tan(x + y) for odd quadrants, |x| <= pi/4 (msun, k_tan.c).
__WL_BOTH double __wl_tan_kernel(double x, double y, bool odd) {
  __WL_EXACT
  bool large = __builtin_fabs(x) >= 0.67434;
  bool negative = x < 0.0;
  double ax = negative ? -x : x, ay = negative ? -y : y;
  double t = large ? (0.7853981633974483 - ax) + (3.061616997868383e-17 - ay) : x;
  double u = large ? 0.0 : y;
  double z = t * t, s = z * t;
  double p = (0.13333333333333325 + z * (0.053968253968306026 + z * (0.021869488530757333 + z * (
        0.008863235749326315 + z * (0.0035921234376619774 + z * (0.0014558910604098336 + z * (
        0.0005895869239251453 + z * (0.00024136661984021466 + z * (8.942013244203749e-05 + z * (
        5.554084743887502e-05 + z * (-5.6061681218467785e-06 + z * (2.1257751336717583e-05))))))))))));
  double r = u + z * (t * z * p + u) + s * 0.3333333333333333;
  double w = t + r;
  if (large) {
    double sign = odd ? -1.0 : 1.0;
    double v = sign - 2.0 * (t + (r - w * w / (w + sign)));
    return negative ? -v : v;
  }
  if (!odd) return w;
  // -1 / w alone would be off by 2 ulp
  double wh = __wl_high(w), v = r - (wh - t);
  double a = -1.0 / w, ah = __wl_high(a);
  return ah + a * (1.0 + ah * wh + ah * v);
}
__WL_FN double tan(double x) {
  double low;
  long long quadrant;
  double high = __wl_reduce(x, low, quadrant);
  double y = __wl_tan_kernel(high, low, (quadrant & 1) != 0);
  return __builtin_fabs(x) < 7.450580596923828e-09 ? x : y;
}

/// (x - quadrant / 2) * pi as high + low, |high| <= pi/4; exact before the multiplication.
__WL_BOTH double __wl_reduce_pi(double x, double& low, long long& quadrant) {
  __WL_EXACT
  // From 2^53 on every double is an even integer; below 2^50 the rounding trick works, between them x is whole or half.
  double t = __builtin_fabs(x) < 9007199254740992.0 ? x : (x - x) * 0.0;
  t = t - 2.0 * __builtin_trunc(t * 0.5);
  double shifted = t + t + __WL_ROUNDER;
  quadrant = __wl_bits(shifted);
  double r = t - 0.5 * (shifted - __WL_ROUNDER);
  double high = r * 3.141592653589793;
  low = __wl_product_error(r, 3.141592653589793, high) + r * 1.2246467991473532e-16;
  return high;
}
/// sin(pi x) with the coefficients in the code, for functions of single precision that are evaluated in double.
__WL_BOTH double __wl_sinpi(double x) {
  __WL_EXACT
  double low;
  long long quadrant;
  double high = __wl_reduce_pi(x, low, quadrant);
  return __wl_sin_of(high, low, quadrant);
}
__WL_BOTH double sinpi(double x) {
  __WL_EXACT
  double low;
  long long quadrant;
  double high = __wl_reduce_pi(x, low, quadrant);
  double table = __wl_sin_by_table(high, low, quadrant);
  double y = __builtin_fabs(x) < 7.450580596923828e-09 ? x * 3.141592653589793 : table;
  // Zeros have the sign of x (IEEE 754-2019, 9.2.1).
  return y == 0.0 ? __builtin_copysign(0.0, x) : y;
}
__WL_BOTH double cospi(double x) {
  __WL_EXACT
  double low;
  long long quadrant;
  double high = __wl_reduce_pi(x, low, quadrant);
  return __wl_sin_by_table(high, low, quadrant + 1) + 0.0;
}
__WL_BOTH void sincospi(double x, double* sine, double* cosine) {
  __WL_EXACT
  double low;
  long long quadrant;
  double high = __wl_reduce_pi(x, low, quadrant);
  double y = __builtin_fabs(x) < 7.450580596923828e-09 ? x * 3.141592653589793 : __wl_sin_of(high, low, quadrant);
  *sine = y == 0.0 ? __builtin_copysign(0.0, x) : y;
  *cosine = __wl_sin_of(high, low, quadrant + 1) + 0.0;
}

__WL_SIZED(32, double, atan) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  bool b0 = a >= 0.4375, b1 = a >= 0.6875, b2 = a >= 1.1875, b3 = a >= 2.4375;
  double n = b2 ? (b3 ? -1.0 : a - 1.5) : (b1 ? a - 1.0 : (b0 ? 2.0 * a - 1.0 : a));
  double d = b2 ? (b3 ? a : 1.0 + 1.5 * a) : (b1 ? a + 1.0 : (b0 ? 2.0 + a : 1.0));
  double high = b2 ? (b3 ? 1.5707963267948966 : 0.982793723247329) : (b1 ? 0.7853981633974483 : (b0 ? 0.4636476090008061 : 0.0));
  double low = b2 ? (b3 ? 6.123233995736766e-17 : 1.3903311031230998e-17)
                  : (b1 ? 3.061616997868383e-17 : (b0 ? 2.2698777452961687e-17 : 0.0));
  double t = n / d, z = t * t;
  double s = z * (0.3333333333333333 + z * (-0.19999999999998752 + z * (0.14285714285478882 + z * (
        -0.11111111091203747 + z * (0.09090908168128695 + z * (-0.07692281602168441 + z * (
        0.06666188330332842 + z * (-0.05876469616848812 + z * (0.05213910994645883 + z * (
        -0.044821566635704725 + z * (0.032917867800106033 + z * (-0.014582794365391984))))))))))));
  double y = high - ((t * s - low) - t);
  return __builtin_copysign(b0 ? y : a - a * s, x);
}
__WL_FN double atan2(double y, double x) {
  __WL_EXACT
  if (x != x || y != y) return __wl_nan();
  double a = __builtin_fabs(y), b = __builtin_fabs(x);
  bool left = __wl_bits(x) < 0;
  double z;
  if (a == 0.0) z = 0.0;
  else if (a == __WL_INF && b == __WL_INF) z = 0.7853981633974483;
  else if (left && b > 1.8446744073709552e19 && a < b * 5.421010862427522e-20) z = 0.0;
  else z = atan(a / b);
  return __builtin_copysign(left ? 3.141592653589793 - (z - 1.2246467991473532e-16) : z, y);
}

/// (asin(t) - t) / t for z = t^2 <= 1/4.
__WL_BOTH double __wl_asin_tail(double z) {
  __WL_EXACT
  return z * (0.16666666666666669 + z * (0.07499999999998075 + z * (0.04464285714687356 + z * (
        0.030381944104999368 + z * (0.0223721741281051 + z * (0.017352367236570784 + z * (
        0.013971566160767272 + z * (0.011475919689725386 + z * (0.010343008457349567 + z * (
        0.005374392179335049 + z * (0.017618643531034033 + z * (-0.015180588198532057 + z * (
        0.028975399414049606)))))))))))));
}
__WL_SIZED(48, double, asin) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a < 0.5) return x + x * __wl_asin_tail(x * x);
  if (!(a <= 1.0)) return __wl_nan();
  double z = (1.0 - a) * 0.5, s = __builtin_sqrt(z), r = __wl_asin_tail(z);
  double high = __wl_high(s);
  double c = a == 1.0 ? 0.0 : (z - high * high) / (s + high);
  double y = 0.7853981633974483 - (2.0 * s * r - (6.123233995736766e-17 - 2.0 * c) - (0.7853981633974483 - 2.0 * high));
  return __builtin_copysign(y, x);
}
__WL_SIZED(48, double, acos) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (a < 0.5) return 1.5707963267948966 - (x - (6.123233995736766e-17 - x * __wl_asin_tail(x * x)));
  if (!(a <= 1.0)) return __wl_nan();
  double z = (1.0 - a) * 0.5, s = __builtin_sqrt(z), r = __wl_asin_tail(z) * s;
  if (x < 0.0) return 2.0 * (1.5707963267948966 - (s + (r - 6.123233995736766e-17)));
  double high = __wl_high(s);
  double c = a == 1.0 ? 0.0 : (z - high * high) / (s + high);
  return 2.0 * (high + (r + c));
}
