/* What both 16-bit formats need: rounding of doubles and integers to their floats without rounding twice, saturating
   conversion to integers (PTX ISA, cvt: NaN gives 0, and for 64 bits the lowest pattern with the top bit), macros. */
#ifndef WARPLENS_NARROW_FLOAT_H
#define WARPLENS_NARROW_FLOAT_H

#ifdef __CUDA__
#define __WARPLENS_HOST_DEVICE_MEMBER__ __attribute__((host, device, always_inline, nodebug))
#define __WL_NARROW __WARPLENS_HOST_DEVICE__
#else
#define __WARPLENS_HOST_DEVICE_MEMBER__ __attribute__((always_inline, nodebug))
#define __WL_NARROW static __inline__ __attribute__((always_inline, nodebug, unused))
#endif

/* The value rounded to odd as a float: a rounding to 22 bits or fewer afterwards comes out as from the value itself. */
__WL_NARROW float __warplens_odd_float(double d) {
  float nearest = (float)d;
  unsigned bits = __builtin_bit_cast(unsigned, nearest);
  if ((double)nearest == d || d != d || (bits & 1)) return nearest;
  return __builtin_bit_cast(float, __builtin_fabs((double)nearest) < __builtin_fabs(d) ? bits + 1 : bits - 1);
}

/* An integer as a double, rounded to odd. */
__WL_NARROW double __warplens_odd_double(bool negative, unsigned long long magnitude) {
  double value = magnitude >> 53 ? (double)((magnitude >> 11) | ((magnitude & 0x7ff) != 0)) * 2048.0 : (double)magnitude;
  return negative ? -value : value;
}

/* A sum or fused product of doubles rounded to odd: `rest` is what the rounded sum lacks. */
__WL_NARROW double __warplens_mark_odd(double sum, double rest) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (rest != 0 && rest == rest && !(bits & 1)) bits += (rest > 0) == (sum > 0) ? 1 : -1ull;
  return __builtin_bit_cast(double, bits);
}
__WL_NARROW double __warplens_odd_fma(float a, float b, float c) {
#pragma clang fp contract(off)
  double product = (double)a * (double)b, addend = (double)c, sum = product + addend;
  double part = sum - product;
  return __warplens_mark_odd(sum, (product - (sum - part)) + (addend - part));
}

/* `x` is whole, infinite or NaN. */
template <class I> __WL_NARROW I __warplens_to_integer(float x) {
  constexpr int bits = (int)sizeof(I) * 8;
  constexpr bool isSigned = (I)-1 < (I)0;
  constexpr float limit = (isSigned ? 0.5f : 1.0f) * (bits == 8 ? 256.0f : bits == 16 ? 65536.0f : bits == 32 ? 4294967296.0f : 18446744073709551616.0f);
  if (x != x) return bits == 64 ? (I)(1ull << 63) : (I)0;
  if (x >= limit) return isSigned ? (I)((1ull << (bits - 1)) - 1) : (I)-1;
  if (isSigned ? x < -limit : x < 0.0f) return isSigned ? (I)(1ull << (bits - 1)) : (I)0;
  return (I)x;
}

#endif
