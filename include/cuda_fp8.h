/* Floats of 8 bits: E4M3 (448 is its largest, no infinity) and E5M2, one, two or four at a time, and scales (E8M0: powers of two, NaN); conversions
   only, as on the device. Our own code after the CUDA Math API, "FP8 Intrinsics". */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <warplens/round_mode.h>

#if defined(__cplusplus)

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#include <warplens/narrow_float.h>

/* To nearest, ties to even; what is too large becomes the largest or, unsaturated, infinity or (E4M3) no number. */
__WL_NARROW __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
  unsigned bits = __builtin_bit_cast(unsigned, x), magnitude = bits & 0x7fffffff, code;
  if (magnitude > 0x7f800000) return 0x7f;
  if (magnitude < (unsigned)(127 + 1 - bias) << 23) {
    /* In units of the smallest number; 2^23 is where floats have no fraction. */
    float units = __builtin_bit_cast(float, magnitude) * __builtin_bit_cast(float, (127 + bias - 1 + fraction) << 23);
    code = __builtin_bit_cast(unsigned, units + 8388608.0f) & 0xff;
  } else {
    int dropped = 23 - fraction;
    magnitude += (1u << (dropped - 1)) - 1 + ((magnitude >> dropped) & 1);
    code = (magnitude >> dropped) - ((127 - bias) << fraction);
    if (code > largest) code = saturate == __NV_SATFINITE ? largest : beyond;
  }
  return (__nv_fp8_storage_t)(code | ((bits >> 24) & 0x80));
}
__WL_NARROW __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__warplens_odd_float(x), saturate, kind);
}
__WL_NARROW __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__warplens_half_to_float(x.x), saturate, kind);
}
__WL_NARROW __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__warplens_bfloat16_to_float(x.x), saturate, kind);
}
#define __WL_FP8_PAIR(from, type)                                                                                          \
  __WL_NARROW __nv_fp8x2_storage_t __nv_cvt_##from##2_to_fp8x2(type x, __nv_saturation_t saturate,                         \
                                                               __nv_fp8_interpretation_t kind) {                           \
    return (__nv_fp8x2_storage_t)(__WL_FP8_PART(from, x) | __WL_FP8_PART(from, y) << 8);                                    \
  }
#define __WL_FP8_PART(from, part) __nv_cvt_##from##_to_fp8(x.part, saturate, kind)
__WL_FP8_PAIR(float, float2)
__WL_FP8_PAIR(double, double2)
#undef __WL_FP8_PART
#define __WL_FP8_PART(from, part) __nv_cvt_##from##_to_fp8({x.part}, saturate, kind)
__WL_FP8_PAIR(halfraw, __half2_raw)
__WL_FP8_PAIR(bfloat16raw, __nv_bfloat162_raw)
#undef __WL_FP8_PART
#undef __WL_FP8_PAIR

__WL_NARROW float __warplens_fp8_to_float(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  unsigned magnitude = x & 0x7f, sign = (unsigned)(x & 0x80) << 8;
  if (kind == __NV_E5M2) return __warplens_half_to_float((unsigned short)(sign | (magnitude > 0x7c ? 0x7fff : magnitude << 8)));
  if (magnitude == 0x7f) return __warplens_half_to_float(0x7fff);
  /* A half with 8 less in its exponent. */
  return __warplens_half_to_float((unsigned short)(sign | magnitude << 7)) * 256.0f;
}
__WL_NARROW __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw{__warplens_half_from_float(__warplens_fp8_to_float(x, kind))};
}
__WL_NARROW __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

/* The code is the exponent of the magnitude, rounded to zero or upwards; 0 is 2^-127 and 255 NaN. */
__WL_NARROW __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
  unsigned magnitude = __builtin_bit_cast(unsigned, x) & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0xff;
  unsigned exponent = magnitude >> 23, fraction = magnitude & 0x7fffff;
  /* 2^-127 has no leading bit as a float. */
  if (rounding == cudaRoundPosInf && fraction > (exponent == 0 ? 0x400000u : 0u)) exponent++;
  return (__nv_fp8_storage_t)(exponent == 0xff && saturate == __NV_SATFINITE ? 0xfe : exponent);
}
__WL_NARROW __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
  float nearest = (float)x;
  unsigned bits = __builtin_bit_cast(unsigned, nearest);
  /* Rounded to zero, and what is left then is a fraction. */
  if (x == x && __builtin_fabs((double)nearest) > __builtin_fabs(x)) bits--;
  if ((double)__builtin_bit_cast(float, bits) != x && x == x && (bits & 0x7fffffff) < 0x7f800000) bits |= 1;
  return __nv_cvt_float_to_e8m0(__builtin_bit_cast(float, bits), saturate, rounding);
}
__WL_NARROW __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                            enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__warplens_bfloat16_to_float(x.x), saturate, rounding);
}
__WL_NARROW __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_e8m0(x.x, saturate, rounding) | __nv_cvt_float_to_e8m0(x.y, saturate, rounding) << 8);
}
__WL_NARROW __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(x.x, saturate, rounding) | __nv_cvt_double_to_e8m0(x.y, saturate, rounding) << 8);
}
__WL_NARROW __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                                 enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_bfloat16raw_to_e8m0({x.x}, saturate, rounding) |
                                __nv_cvt_bfloat16raw_to_e8m0({x.y}, saturate, rounding) << 8);
}
__WL_NARROW __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{(unsigned short)(x == 0 ? 0x40 : x == 0xff ? 0x7fff : x << 7)};
}
__WL_NARROW __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x, __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

#define __WL_MEMBER __inline__ __WARPLENS_HOST_DEVICE_MEMBER__
#define __WL_TO_INTEGER(type)                                                                                              \
  explicit __WL_MEMBER operator type() const {                                                                             \
    return __warplens_to_integer<type>(__builtin_truncf(__warplens_fp8_to_float(__x, __WL_KIND)));                         \
  }
#define __WL_INTEGER(type)                                                                                                 \
  explicit __WL_MEMBER __WL_FP8(type i) : __x(__nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, __WL_KIND)) {}               \
  __WL_TO_INTEGER(type)
#define __WL_FP8 __nv_fp8_e4m3
#define __WL_FP8X2 __nv_fp8x2_e4m3
#define __WL_FP8X4 __nv_fp8x4_e4m3
#define __WL_KIND __NV_E4M3
#include <warplens/fp8_types.h>
#undef __WL_FP8
#undef __WL_FP8X2
#undef __WL_FP8X4
#undef __WL_KIND
#define __WL_FP8 __nv_fp8_e5m2
#define __WL_FP8X2 __nv_fp8x2_e5m2
#define __WL_FP8X4 __nv_fp8x4_e5m2
#define __WL_KIND __NV_E5M2
#include <warplens/fp8_types.h>
#undef __WL_FP8
#undef __WL_FP8X2
#undef __WL_FP8X4
#undef __WL_KIND
#undef __WL_INTEGER
#undef __WL_TO_INTEGER

struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit __WL_MEMBER __nv_fp8_e8m0(__nv_bfloat16 b) : __x(__nv_cvt_bfloat16raw_to_e8m0(b, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __WL_MEMBER __nv_fp8_e8m0(float f) : __x(__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __WL_MEMBER __nv_fp8_e8m0(double d) : __x(__nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __WL_MEMBER operator __nv_bfloat16() const { return __nv_cvt_e8m0_to_bf16raw(__x); }
  explicit __WL_MEMBER operator float() const { return __warplens_bfloat16_to_float(__nv_cvt_e8m0_to_bf16raw(__x).x); }
  explicit __WL_MEMBER operator double() const { return (float)*this; }
  explicit __WL_MEMBER operator bool() const { return true; }
};
#undef __WL_MEMBER

#endif
#endif
