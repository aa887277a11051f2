/* Half precision: __half and __half2, conversions, arithmetic, comparison, mathematics. Our own code after the CUDA Math API,
   "Half Precision Intrinsics". A sum, difference, product, quotient or root is computed in float and rounded once more, which
   is exact for these (24 >= 2 x 11 + 2 bits); a fused multiply-add goes through double, rounded to odd first. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)

#define __WL_HALF __WARPLENS_HOST_DEVICE__
#define __WL_HALF_MEMBER __inline__ __attribute__((host, device, always_inline, nodebug))

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

__WL_HALF float __warplens_half_to_float(unsigned short bits) { return (float)__builtin_bit_cast(__fp16, bits); }
__WL_HALF unsigned short __warplens_half_from_float(float value) {
  return __builtin_bit_cast(unsigned short, (__fp16)value);
}
__WL_HALF unsigned short __warplens_half_from_double(double value) {
  return __builtin_bit_cast(unsigned short, (__fp16)value);
}

struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __WL_HALF_MEMBER constexpr __half(const __half_raw &raw) : __x(raw.x) {}
  __WL_HALF_MEMBER __half(float f) : __x(__warplens_half_from_float(f)) {}
  __WL_HALF_MEMBER __half(double d) : __x(__warplens_half_from_double(d)) {}
  __WL_HALF_MEMBER __half(short i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(unsigned short i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(int i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(unsigned i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(long i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(unsigned long i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(long long i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER __half(unsigned long long i) : __x(__warplens_half_from_double((double)i)) {}
  __WL_HALF_MEMBER operator float() const { return __warplens_half_to_float(__x); }
  __WL_HALF_MEMBER operator __half_raw() const { return __half_raw{__x}; }
  explicit __WL_HALF_MEMBER operator char() const { return (char)(float)*this; }
  explicit __WL_HALF_MEMBER operator signed char() const { return (signed char)(float)*this; }
  explicit __WL_HALF_MEMBER operator unsigned char() const { return (unsigned char)(float)*this; }
  explicit __WL_HALF_MEMBER operator short() const { return (short)(float)*this; }
  explicit __WL_HALF_MEMBER operator unsigned short() const { return (unsigned short)(float)*this; }
  explicit __WL_HALF_MEMBER operator int() const { return (int)(float)*this; }
  explicit __WL_HALF_MEMBER operator unsigned() const { return (unsigned)(float)*this; }
  explicit __WL_HALF_MEMBER operator long() const { return (long)(float)*this; }
  explicit __WL_HALF_MEMBER operator unsigned long() const { return (unsigned long)(float)*this; }
  explicit __WL_HALF_MEMBER operator long long() const { return (long long)(float)*this; }
  explicit __WL_HALF_MEMBER operator unsigned long long() const { return (unsigned long long)(float)*this; }
  explicit __WL_HALF_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __half half;
typedef __half __nv_half;

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __WL_HALF_MEMBER __half2(const __half &a, const __half &b) : x(a), y(b) {}
  __WL_HALF_MEMBER __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
};
typedef __half2 half2;
typedef __half2 __nv_half2;

/* Bits and single values */
__WL_HALF __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
__WL_HALF __half __short_as_half(short bits) { return __half(__half_raw{(unsigned short)bits}); }
__WL_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }
__WL_HALF short __half_as_short(__half h) { return (short)h.__x; }
__WL_HALF float __half2float(__half h) { return __warplens_half_to_float(h.__x); }
__WL_HALF __half __float2half(float f) { return __half(f); }
__WL_HALF __half __float2half_rn(float f) { return __half(f); }
__WL_HALF __half __double2half(double d) { return __half(d); }
/* Directed rounding: the nearest value, moved one step where it lies on the wrong side. */
__WL_HALF __half __warplens_half_toward(float f, bool up, bool down) {
  __half nearest(f);
  float back = __half2float(nearest);
  if (back != back || back == f) return nearest;
  bool tooHigh = back > f, negative = (nearest.__x & 0x8000) != 0;
  if (tooHigh ? !down : !up) return nearest;
  if ((nearest.__x & 0x7fff) == 0) return __ushort_as_half(tooHigh ? 0x8001 : 0x0001);
  return __ushort_as_half((unsigned short)(nearest.__x + (tooHigh == negative ? 1 : -1)));
}
__WL_HALF __half __float2half_rz(float f) { return __warplens_half_toward(f, f < 0, f > 0); }
__WL_HALF __half __float2half_rd(float f) { return __warplens_half_toward(f, false, true); }
__WL_HALF __half __float2half_ru(float f) { return __warplens_half_toward(f, true, false); }

__WL_HALF int __half2int_rn(__half h) { return (int)__builtin_rintf(__half2float(h)); }
__WL_HALF int __half2int_rz(__half h) { return (int)__builtin_truncf(__half2float(h)); }
__WL_HALF int __half2int_rd(__half h) { return (int)__builtin_floorf(__half2float(h)); }
__WL_HALF int __half2int_ru(__half h) { return (int)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __int2half_rn(int i) { return __half(i); }
__WL_HALF unsigned __half2uint_rn(__half h) { return (unsigned)__builtin_rintf(__half2float(h)); }
__WL_HALF unsigned __half2uint_rz(__half h) { return (unsigned)__builtin_truncf(__half2float(h)); }
__WL_HALF unsigned __half2uint_rd(__half h) { return (unsigned)__builtin_floorf(__half2float(h)); }
__WL_HALF unsigned __half2uint_ru(__half h) { return (unsigned)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __uint2half_rn(unsigned i) { return __half(i); }
__WL_HALF short __half2short_rn(__half h) { return (short)__builtin_rintf(__half2float(h)); }
__WL_HALF short __half2short_rz(__half h) { return (short)__builtin_truncf(__half2float(h)); }
__WL_HALF short __half2short_rd(__half h) { return (short)__builtin_floorf(__half2float(h)); }
__WL_HALF short __half2short_ru(__half h) { return (short)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __short2half_rn(short i) { return __half(i); }
__WL_HALF unsigned short __half2ushort_rn(__half h) { return (unsigned short)__builtin_rintf(__half2float(h)); }
__WL_HALF unsigned short __half2ushort_rz(__half h) { return (unsigned short)__builtin_truncf(__half2float(h)); }
__WL_HALF unsigned short __half2ushort_rd(__half h) { return (unsigned short)__builtin_floorf(__half2float(h)); }
__WL_HALF unsigned short __half2ushort_ru(__half h) { return (unsigned short)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __ushort2half_rn(unsigned short i) { return __half(i); }
__WL_HALF long long __half2ll_rn(__half h) { return (long long)__builtin_rintf(__half2float(h)); }
__WL_HALF long long __half2ll_rz(__half h) { return (long long)__builtin_truncf(__half2float(h)); }
__WL_HALF long long __half2ll_rd(__half h) { return (long long)__builtin_floorf(__half2float(h)); }
__WL_HALF long long __half2ll_ru(__half h) { return (long long)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __ll2half_rn(long long i) { return __half(i); }
__WL_HALF unsigned long long __half2ull_rn(__half h) { return (unsigned long long)__builtin_rintf(__half2float(h)); }
__WL_HALF unsigned long long __half2ull_rz(__half h) { return (unsigned long long)__builtin_truncf(__half2float(h)); }
__WL_HALF unsigned long long __half2ull_rd(__half h) { return (unsigned long long)__builtin_floorf(__half2float(h)); }
__WL_HALF unsigned long long __half2ull_ru(__half h) { return (unsigned long long)__builtin_ceilf(__half2float(h)); }
__WL_HALF __half __ull2half_rn(unsigned long long i) { return __half(i); }

/* Pairs */
__WL_HALF __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__WL_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__WL_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
__WL_HALF __half __low2half(__half2 a) { return a.x; }
__WL_HALF __half __high2half(__half2 a) { return a.y; }
__WL_HALF float __low2float(__half2 a) { return __half2float(a.x); }
__WL_HALF float __high2float(__half2 a) { return __half2float(a.y); }
__WL_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__WL_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__WL_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__WL_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
__WL_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
__WL_HALF __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
__WL_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
__WL_HALF __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
__WL_HALF float2 __half22float2(__half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }

/* Arithmetic */
__WL_HALF __half __hadd(__half a, __half b) { return __half(__half2float(a) + __half2float(b)); }
__WL_HALF __half __hsub(__half a, __half b) { return __half(__half2float(a) - __half2float(b)); }
__WL_HALF __half __hmul(__half a, __half b) { return __half(__half2float(a) * __half2float(b)); }
__WL_HALF __half __hdiv(__half a, __half b) { return __half(__half2float(a) / __half2float(b)); }
__WL_HALF __half __hneg(__half a) { return __ushort_as_half((unsigned short)(a.__x ^ 0x8000)); }
__WL_HALF __half __habs(__half a) { return __ushort_as_half((unsigned short)(a.__x & 0x7fff)); }
__WL_HALF __half __hfma(__half a, __half b, __half c) {
#pragma clang fp contract(off)
  double product = (double)__half2float(a) * (double)__half2float(b), addend = (double)__half2float(c);
  double sum = product + addend;
  double part = sum - product, rest = (product - (sum - part)) + (addend - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  /* Round to odd: a discarded rest leaves its mark in the last bit, so that the second rounding cannot err. */
  if (rest != 0 && rest == rest && !(bits & 1)) bits += (rest > 0) == (sum > 0) ? 1 : -1ull;
  return __half(__builtin_bit_cast(double, bits));
}
__WL_HALF __half __warplens_half_saturate(__half a) {
  float f = __half2float(a);
  return f >= 1.0f ? __ushort_as_half(0x3c00) : f > 0.0f ? a : __ushort_as_half(0);
}
__WL_HALF __half __hadd_sat(__half a, __half b) { return __warplens_half_saturate(__hadd(a, b)); }
__WL_HALF __half __hsub_sat(__half a, __half b) { return __warplens_half_saturate(__hsub(a, b)); }
__WL_HALF __half __hmul_sat(__half a, __half b) { return __warplens_half_saturate(__hmul(a, b)); }
__WL_HALF __half __hfma_sat(__half a, __half b, __half c) { return __warplens_half_saturate(__hfma(a, b, c)); }
__WL_HALF __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
__WL_HALF __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
__WL_HALF __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }

/* Comparison: the u forms are true for a NaN. */
__WL_HALF bool __heq(__half a, __half b) { return __half2float(a) == __half2float(b); }
__WL_HALF bool __hequ(__half a, __half b) { return !(__builtin_islessgreater(__half2float(a), __half2float(b))); }
__WL_HALF bool __hlt(__half a, __half b) { return __half2float(a) < __half2float(b); }
__WL_HALF bool __hltu(__half a, __half b) { return !(__half2float(a) >= __half2float(b)); }
__WL_HALF bool __hle(__half a, __half b) { return __half2float(a) <= __half2float(b); }
__WL_HALF bool __hleu(__half a, __half b) { return !(__half2float(a) > __half2float(b)); }
__WL_HALF bool __hgt(__half a, __half b) { return __half2float(a) > __half2float(b); }
__WL_HALF bool __hgtu(__half a, __half b) { return !(__half2float(a) <= __half2float(b)); }
__WL_HALF bool __hge(__half a, __half b) { return __half2float(a) >= __half2float(b); }
__WL_HALF bool __hgeu(__half a, __half b) { return !(__half2float(a) < __half2float(b)); }
__WL_HALF bool __hne(__half a, __half b) { return __builtin_islessgreater(__half2float(a), __half2float(b)); }
__WL_HALF bool __hneu(__half a, __half b) { return __half2float(a) != __half2float(b); }
__WL_HALF bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
__WL_HALF int __hisinf(__half a) { return a.__x == 0xfc00 ? -1 : a.__x == 0x7c00; }
__WL_HALF __half __hmin(__half a, __half b) { return __half(__builtin_fminf(__half2float(a), __half2float(b))); }
__WL_HALF __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf(__half2float(a), __half2float(b))); }

/* Mathematics, through float */
#define __WL_HALF_MATH(name, expression)                                                                                   \
  __WARPLENS_DEVICE__ __half h##name(__half a) {                                                                           \
    float x = __half2float(a);                                                                                             \
    return __half(expression);                                                                                             \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
__WL_HALF_MATH(sqrt, __builtin_sqrtf(x))
__WL_HALF_MATH(rsqrt, 1.0f / __builtin_sqrtf(x))
__WL_HALF_MATH(rcp, 1.0f / x)
__WL_HALF_MATH(exp, ::expf(x))
__WL_HALF_MATH(exp2, ::exp2f(x))
__WL_HALF_MATH(exp10, ::exp10f(x))
__WL_HALF_MATH(log, ::logf(x))
__WL_HALF_MATH(log2, ::log2f(x))
__WL_HALF_MATH(log10, ::log10f(x))
__WL_HALF_MATH(sin, ::sinf(x))
__WL_HALF_MATH(cos, ::cosf(x))
__WL_HALF_MATH(floor, __builtin_floorf(x))
__WL_HALF_MATH(ceil, __builtin_ceilf(x))
__WL_HALF_MATH(trunc, __builtin_truncf(x))
__WL_HALF_MATH(rint, __builtin_rintf(x))
#undef __WL_HALF_MATH

/* The same on pairs */
#define __WL_HALF_PAIR(pair, single)                                                                                       \
  __WL_HALF __half2 pair(__half2 a, __half2 b) { return __half2(single(a.x, b.x), single(a.y, b.y)); }
__WL_HALF_PAIR(__hadd2, __hadd)
__WL_HALF_PAIR(__hsub2, __hsub)
__WL_HALF_PAIR(__hmul2, __hmul)
__WL_HALF_PAIR(__h2div, __hdiv)
__WL_HALF_PAIR(__hadd2_rn, __hadd)
__WL_HALF_PAIR(__hsub2_rn, __hsub)
__WL_HALF_PAIR(__hmul2_rn, __hmul)
__WL_HALF_PAIR(__hadd2_sat, __hadd_sat)
__WL_HALF_PAIR(__hsub2_sat, __hsub_sat)
__WL_HALF_PAIR(__hmul2_sat, __hmul_sat)
__WL_HALF_PAIR(__hmin2, __hmin)
__WL_HALF_PAIR(__hmax2, __hmax)
#undef __WL_HALF_PAIR
__WL_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
__WL_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
__WL_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
__WL_HALF __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__WL_HALF __half2 __hisnan2(__half2 a) { return __half2(__half(__hisnan(a.x) ? 1.0f : 0.0f), __half(__hisnan(a.y) ? 1.0f : 0.0f)); }
/* h..2: 1 or 0 for each; hb..2: true where both are. */
#define __WL_HALF_COMPARE(name)                                                                                            \
  __WL_HALF __half2 __h##name##2(__half2 a, __half2 b) {                                                                   \
    return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f));                  \
  }                                                                                                                        \
  __WL_HALF bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
__WL_HALF_COMPARE(eq)
__WL_HALF_COMPARE(ne)
__WL_HALF_COMPARE(lt)
__WL_HALF_COMPARE(le)
__WL_HALF_COMPARE(gt)
__WL_HALF_COMPARE(ge)
__WL_HALF_COMPARE(equ)
__WL_HALF_COMPARE(neu)
__WL_HALF_COMPARE(ltu)
__WL_HALF_COMPARE(leu)
__WL_HALF_COMPARE(gtu)
__WL_HALF_COMPARE(geu)
#undef __WL_HALF_COMPARE

/* Operators */
#if !defined(__CUDA_NO_HALF_OPERATORS__)
__WL_HALF __half operator+(const __half &a, const __half &b) { return __hadd(a, b); }
__WL_HALF __half &operator+=(__half &a, const __half &b) { return a = __hadd(a, b); }
__WL_HALF __half operator-(const __half &a, const __half &b) { return __hsub(a, b); }
__WL_HALF __half &operator-=(__half &a, const __half &b) { return a = __hsub(a, b); }
__WL_HALF __half operator*(const __half &a, const __half &b) { return __hmul(a, b); }
__WL_HALF __half &operator*=(__half &a, const __half &b) { return a = __hmul(a, b); }
__WL_HALF __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
__WL_HALF __half &operator/=(__half &a, const __half &b) { return a = __hdiv(a, b); }
__WL_HALF bool operator==(const __half &a, const __half &b) { return __heq(a, b); }
__WL_HALF bool operator!=(const __half &a, const __half &b) { return __hneu(a, b); }
__WL_HALF bool operator<(const __half &a, const __half &b) { return __hlt(a, b); }
__WL_HALF bool operator<=(const __half &a, const __half &b) { return __hle(a, b); }
__WL_HALF bool operator>(const __half &a, const __half &b) { return __hgt(a, b); }
__WL_HALF bool operator>=(const __half &a, const __half &b) { return __hge(a, b); }
__WL_HALF __half operator+(const __half &a) { return a; }
__WL_HALF __half operator-(const __half &a) { return __hneg(a); }
__WL_HALF __half &operator++(__half &a) { return a = __hadd(a, __half(1.0f)); }
__WL_HALF __half &operator--(__half &a) { return a = __hsub(a, __half(1.0f)); }
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
__WL_HALF __half2 operator+(const __half2 &a, const __half2 &b) { return __hadd2(a, b); }
__WL_HALF __half2 &operator+=(__half2 &a, const __half2 &b) { return a = __hadd2(a, b); }
__WL_HALF __half2 operator-(const __half2 &a, const __half2 &b) { return __hsub2(a, b); }
__WL_HALF __half2 &operator-=(__half2 &a, const __half2 &b) { return a = __hsub2(a, b); }
__WL_HALF __half2 operator*(const __half2 &a, const __half2 &b) { return __hmul2(a, b); }
__WL_HALF __half2 &operator*=(__half2 &a, const __half2 &b) { return a = __hmul2(a, b); }
__WL_HALF __half2 operator/(const __half2 &a, const __half2 &b) { return __h2div(a, b); }
__WL_HALF __half2 &operator/=(__half2 &a, const __half2 &b) { return a = __h2div(a, b); }
__WL_HALF bool operator==(const __half2 &a, const __half2 &b) { return __hbeq2(a, b); }
__WL_HALF bool operator!=(const __half2 &a, const __half2 &b) { return !__hbeq2(a, b); }
__WL_HALF bool operator<(const __half2 &a, const __half2 &b) { return __hblt2(a, b); }
__WL_HALF bool operator<=(const __half2 &a, const __half2 &b) { return __hble2(a, b); }
__WL_HALF bool operator>(const __half2 &a, const __half2 &b) { return __hbgt2(a, b); }
__WL_HALF bool operator>=(const __half2 &a, const __half2 &b) { return __hbge2(a, b); }
__WL_HALF __half2 operator-(const __half2 &a) { return __hneg2(a); }
#endif

/* Shuffles of the bits, and atomic sums. The pair is one 32-bit compare-and-swap at a time. */
#define __WL_HALF_SHUFFLE(name, offset_type)                                                                               \
  __WARPLENS_DEVICE__ __half2 name(unsigned mask, __half2 value, offset_type offset, int width = 32) {                     \
    return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(int, value), offset, width));                         \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ __half name(unsigned mask, __half value, offset_type offset, int width = 32) {                       \
    return __ushort_as_half((unsigned short)name(mask, (int)value.__x, offset, width));                                    \
  }
__WL_HALF_SHUFFLE(__shfl_sync, int)
__WL_HALF_SHUFFLE(__shfl_up_sync, unsigned)
__WL_HALF_SHUFFLE(__shfl_down_sync, unsigned)
__WL_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef __WL_HALF_SHUFFLE
__WARPLENS_DEVICE__ __half2 atomicAdd(__half2 *address, __half2 value) {
  int *word = (int *)address, old = *word, seen;
  do {
    seen = old;
    __half2 sum = __hadd2(__builtin_bit_cast(__half2, seen), value);
    old = atomicCAS(word, seen, __builtin_bit_cast(int, sum));
  } while (old != seen);
  return __builtin_bit_cast(__half2, old);
}
__WARPLENS_DEVICE__ __half atomicAdd(__half *address, __half value) {
  unsigned short *word = (unsigned short *)address, old = *word, seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, __hadd(__ushort_as_half(seen), value).__x);
  } while (old != seen);
  return __ushort_as_half(old);
}

#undef __WL_HALF
#undef __WL_HALF_MEMBER

#endif
#endif
