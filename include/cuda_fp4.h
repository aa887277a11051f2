/* Floats of 4 bits, E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 with a sign, no infinity and no NaN; one, two or four at a time, conversions only.
   Our own code after the CUDA Math API, "FP4 Intrinsics". */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include <cuda_fp8.h>

#if defined(__cplusplus)

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

/* To nearest, ties to even, the only mode that there is; what is too large becomes the largest, NaN too, without its sign. */
__WL_NARROW __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, enum cudaRoundMode) {
  unsigned bits = __builtin_bit_cast(unsigned, x), magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 7;
  float value = __builtin_bit_cast(float, magnitude);
  unsigned code = (unsigned)(value > 0.25f) + (unsigned)(value >= 0.75f) + (unsigned)(value > 1.25f) + (unsigned)(value >= 1.75f) +
                  (unsigned)(value > 2.5f) + (unsigned)(value >= 3.5f) + (unsigned)(value > 5.0f);
  return (__nv_fp4_storage_t)(code | ((bits >> 28) & 8));
}
__WL_NARROW __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__warplens_odd_float(x), kind, rounding);
}
__WL_NARROW __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__warplens_half_to_float(x.x), kind, rounding);
}
__WL_NARROW __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x, __nv_fp4_interpretation_t kind,
                                                           enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__warplens_bfloat16_to_float(x.x), kind, rounding);
}
#define __WL_FP4_PAIR(from, type)                                                                                          \
  __WL_NARROW __nv_fp4x2_storage_t __nv_cvt_##from##2_to_fp4x2(type x, __nv_fp4_interpretation_t kind,                     \
                                                               enum cudaRoundMode rounding) {                              \
    return (__nv_fp4x2_storage_t)(__WL_FP4_PART(from, x) | __WL_FP4_PART(from, y) << 4);                                    \
  }
#define __WL_FP4_PART(from, part) __nv_cvt_##from##_to_fp4(x.part, kind, rounding)
__WL_FP4_PAIR(float, float2)
__WL_FP4_PAIR(double, double2)
#undef __WL_FP4_PART
#define __WL_FP4_PART(from, part) __nv_cvt_##from##_to_fp4({x.part}, kind, rounding)
__WL_FP4_PAIR(halfraw, __half2_raw)
__WL_FP4_PAIR(bfloat16raw, __nv_bfloat162_raw)
#undef __WL_FP4_PART
#undef __WL_FP4_PAIR

__WL_NARROW __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) {
  unsigned code = x & 7, sign = (unsigned)(x & 8) << 12;
  /* A half with 14 more in its exponent; 1 is the only one without a leading bit. */
  unsigned magnitude = code == 1 ? 0x3800 : code == 0 ? 0 : (code << 9) + (14 << 10);
  return __half_raw{(unsigned short)(sign | magnitude)};
}
__WL_NARROW __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp4_to_halfraw(x, kind).x, __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), kind).x};
}
__WL_NARROW float __warplens_fp4_to_float(unsigned x) {
  return __warplens_half_to_float(__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)x, __NV_E2M1).x);
}

#define __WL_MEMBER __inline__ __WARPLENS_HOST_DEVICE_MEMBER__
#define __WL_TO_INTEGER(type)                                                                                              \
  explicit __WL_MEMBER operator type() const {                                                                             \
    return __warplens_to_integer<type>(__builtin_truncf(__warplens_fp4_to_float(__x)));                                    \
  }
#define __WL_INTEGER(type)                                                                                                 \
  explicit __WL_MEMBER __nv_fp4_e2m1(type i) : __x(__nv_cvt_float_to_fp4((float)i, __NV_E2M1, cudaRoundNearest)) {}        \
  __WL_TO_INTEGER(type)

struct __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
  __nv_fp4_e2m1() = default;
  explicit __WL_MEMBER __nv_fp4_e2m1(__half h) : __x(__nv_cvt_halfraw_to_fp4(h, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4_e2m1(__nv_bfloat16 b) : __x(__nv_cvt_bfloat16raw_to_fp4(b, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4_e2m1(float f) : __x(__nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4_e2m1(double d) : __x(__nv_cvt_double_to_fp4(d, __NV_E2M1, cudaRoundNearest)) {}
  __WL_INTEGER(short)
  __WL_INTEGER(unsigned short)
  __WL_INTEGER(int)
  __WL_INTEGER(unsigned int)
  __WL_INTEGER(long)
  __WL_INTEGER(unsigned long)
  __WL_INTEGER(long long)
  __WL_INTEGER(unsigned long long)
  explicit __WL_MEMBER operator __half() const { return __nv_cvt_fp4_to_halfraw(__x, __NV_E2M1); }
  explicit __WL_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16(__warplens_fp4_to_float(__x)); }
  explicit __WL_MEMBER operator float() const { return __warplens_fp4_to_float(__x); }
  explicit __WL_MEMBER operator double() const { return __warplens_fp4_to_float(__x); }
  __WL_TO_INTEGER(char)
  __WL_TO_INTEGER(signed char)
  __WL_TO_INTEGER(unsigned char)
  explicit __WL_MEMBER operator bool() const { return (__x & 7) != 0; }
};

struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
  __nv_fp4x2_e2m1() = default;
  explicit __WL_MEMBER __nv_fp4x2_e2m1(__half2 h) : __x(__nv_cvt_halfraw2_to_fp4x2(h, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4x2_e2m1(__nv_bfloat162 b) : __x(__nv_cvt_bfloat16raw2_to_fp4x2(b, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4x2_e2m1(float2 f) : __x(__nv_cvt_float2_to_fp4x2(f, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER __nv_fp4x2_e2m1(double2 d) : __x(__nv_cvt_double2_to_fp4x2(d, __NV_E2M1, cudaRoundNearest)) {}
  explicit __WL_MEMBER operator __half2() const { return __nv_cvt_fp4x2_to_halfraw2(__x, __NV_E2M1); }
  explicit __WL_MEMBER operator float2() const { return float2{__warplens_fp4_to_float(__x), __warplens_fp4_to_float(__x >> 4)}; }
};

struct __attribute__((aligned(2))) __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
  __nv_fp4x4_e2m1() = default;
  explicit __WL_MEMBER __nv_fp4x4_e2m1(__half2 low, __half2 high)
      : __x((__nv_fp4x4_storage_t)(__nv_fp4x2_e2m1(low).__x | __nv_fp4x2_e2m1(high).__x << 8)) {}
  explicit __WL_MEMBER __nv_fp4x4_e2m1(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x((__nv_fp4x4_storage_t)(__nv_fp4x2_e2m1(low).__x | __nv_fp4x2_e2m1(high).__x << 8)) {}
  explicit __WL_MEMBER __nv_fp4x4_e2m1(float4 f)
      : __x((__nv_fp4x4_storage_t)(__nv_fp4x2_e2m1(float2{f.x, f.y}).__x | __nv_fp4x2_e2m1(float2{f.z, f.w}).__x << 8)) {}
  explicit __WL_MEMBER __nv_fp4x4_e2m1(double4 d)
      : __x((__nv_fp4x4_storage_t)(__nv_fp4x2_e2m1(double2{d.x, d.y}).__x | __nv_fp4x2_e2m1(double2{d.z, d.w}).__x << 8)) {}
  explicit __WL_MEMBER operator float4() const {
    return float4{__warplens_fp4_to_float(__x), __warplens_fp4_to_float(__x >> 4), __warplens_fp4_to_float(__x >> 8),
                  __warplens_fp4_to_float(__x >> 12)};
  }
};
#undef __WL_INTEGER
#undef __WL_TO_INTEGER
#undef __WL_MEMBER

#endif
#endif
