/* Half precision: __half and __half2, conversions, arithmetic, comparison, mathematics. Our own code after the CUDA Math API,
   "Half Precision Intrinsics"; what both 16-bit formats share is in warplens/narrow_float_functions.h. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#if defined(__cplusplus)
#include <warplens/narrow_float.h>

/* On the host clang calls functions for its own type, which take fifty nanoseconds: there the bits are moved here. A half's exponent is
   112 less than a single's, its mantissa 13 bits shorter. */
__WL_NARROW float __warplens_half_to_float(unsigned short bits) {
#ifdef __CUDA_ARCH__
  return (float)__builtin_bit_cast(__fp16, bits);
#else
  unsigned magnitude = (bits & 0x7fffu) << 13;
  if (magnitude >= 0x0f800000) magnitude += 224u << 23;
  else if (magnitude >= 0x00800000) magnitude += 112u << 23;
  else magnitude = __builtin_bit_cast(unsigned, (float)(bits & 0x3ff) * 0x1p-24f);
  return __builtin_bit_cast(float, (bits & 0x8000u) << 16 | magnitude);
#endif
}
__WL_NARROW unsigned short __warplens_half_from_float(float value) {
  if (value != value) return 0x7fff;
#ifdef __CUDA_ARCH__
  return __builtin_bit_cast(unsigned short, (__fp16)value);
#else
  unsigned bits = __builtin_bit_cast(unsigned, value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  /* From 65520 on the nearest is infinite; below 2^-14 the last place is 2^-24, as that of 0.5 is as a single. */
  if (magnitude >= 0x477ff000) magnitude = 0x7c00;
  else if (magnitude < 0x38800000)
    magnitude = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, magnitude) + 0.5f) - 0x3f000000;
  else magnitude = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  return (unsigned short)(sign | magnitude);
#endif
}
__WL_NARROW unsigned short __warplens_half_from_double(double value) {
#ifdef __CUDA_ARCH__
  return value != value ? 0x7fff : __builtin_bit_cast(unsigned short, (__fp16)value);
#else
  return __warplens_half_from_float(__warplens_odd_float(value));
#endif
}
/* 53 bits hold every integer that is not infinite as a half. */
__WL_NARROW unsigned short __warplens_half_from_integer(bool negative, unsigned long long magnitude) {
  double value = (double)magnitude;
  return __warplens_half_from_double(negative ? -value : value);
}

#define __WL_NUM __half
#define __WL_PAIR __half2
#define __WL_RAW __half_raw
#define __WL_RAW_PAIR __half2_raw
#define __WL_TO_FLOAT __warplens_half_to_float
#define __WL_FROM_FLOAT __warplens_half_from_float
#define __WL_FROM_DOUBLE __warplens_half_from_double
#define __WL_FROM_INTEGER __warplens_half_from_integer
#include <warplens/narrow_float_types.h>
typedef __half half;
typedef __half __nv_half;
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define __WL_NAMED(before, after) before##half##after
#define __WL_NAMED2(before, after) before##half2##after
#define __WL_SPREAD __half2half2
#define __WL_NATIVE _Float16
#define __WL_ONE 0x3c00
#define __WL_INFINITY 0x7c00
#define __WL_PTX "f16"
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __WL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define __WL_NO_PAIR_OPERATORS
#endif
#include <warplens/narrow_float_functions.h>
#include <warplens/narrow_float_end.h>

#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)

#endif
#endif
