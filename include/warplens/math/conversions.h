// Conversions between numbers with an explicit rounding, saturating as the GPU's cvt does (PTX ISA).
#pragma once
#include "basics.h"
#include "core.h"
#include "directed.h"

#define __WL_TO_INTEGERS(suffix, rounding)                                                                                 \
  __WL_FN int __float2int_##suffix(float x) { return __wl_float_to_int(__builtin_##rounding##f(x)); }                      \
  __WL_FN unsigned __float2uint_##suffix(float x) { return __wl_float_to_uint(__builtin_##rounding##f(x)); }               \
  __WL_FN long long __float2ll_##suffix(float x) { return __wl_double_to_ll(__builtin_##rounding((double)x)); }            \
  __WL_FN unsigned long long __float2ull_##suffix(float x) { return __wl_double_to_ull(__builtin_##rounding((double)x)); } \
  __WL_FN int __double2int_##suffix(double x) { return __wl_double_to_int(__builtin_##rounding(x)); }                      \
  __WL_FN unsigned __double2uint_##suffix(double x) { return __wl_double_to_uint(__builtin_##rounding(x)); }               \
  __WL_FN long long __double2ll_##suffix(double x) { return __wl_double_to_ll(__builtin_##rounding(x)); }                  \
  __WL_FN unsigned long long __double2ull_##suffix(double x) { return __wl_double_to_ull(__builtin_##rounding(x)); }
__WL_TO_INTEGERS(rn, rint)
__WL_TO_INTEGERS(rz, trunc)
__WL_TO_INTEGERS(ru, ceil)
__WL_TO_INTEGERS(rd, floor)
#undef __WL_TO_INTEGERS

/// A 64-bit magnitude and sign as two exact doubles, whose sum rounded to odd keeps what the second rounding needs.
__WL_BOTH double __wl_odd_from(unsigned long long magnitude, bool negative) {
  __WL_EXACT
  double high = (double)(unsigned)(magnitude >> 32) * 4294967296.0, low = (double)(unsigned)magnitude;
  return negative ? __wl_add_odd(-high, -low) : __wl_add_odd(high, low);
}
__WL_BOTH unsigned long long __wl_magnitude(long long x) { return x < 0 ? 0ULL - (unsigned long long)x : (unsigned long long)x; }
__WL_BOTH double __wl_double_from(int mode, unsigned long long magnitude, bool negative) {
  __WL_EXACT
  double high = (double)(unsigned)(magnitude >> 32) * 4294967296.0, low = (double)(unsigned)magnitude;
  return negative ? __wl_dadd(mode, -high, -low) : __wl_dadd(mode, high, low);
}

#define __WL_FROM_NUMBERS(suffix, mode)                                                                                 \
  __WL_FN float __int2float_##suffix(int x) { return __wl_narrow(mode, (double)x); }                                    \
  __WL_FN float __uint2float_##suffix(unsigned x) { return __wl_narrow(mode, (double)x); }                              \
  __WL_FN float __ll2float_##suffix(long long x) { return __wl_narrow(mode, __wl_odd_from(__wl_magnitude(x), x < 0)); } \
  __WL_FN float __ull2float_##suffix(unsigned long long x) { return __wl_narrow(mode, __wl_odd_from(x, false)); }       \
  __WL_FN double __ll2double_##suffix(long long x) {                                                                    \
    return x ? __wl_double_from(mode, __wl_magnitude(x), x < 0) : 0.0;                                                  \
  }                                                                                                                     \
  __WL_FN double __ull2double_##suffix(unsigned long long x) { return __wl_double_from(mode, x, false); }               \
  __WL_FN float __double2float_##suffix(double x) { return __wl_narrow(mode, x); }
__WL_FROM_NUMBERS(rn, __WL_RN)
__WL_FROM_NUMBERS(rz, __WL_RZ)
__WL_FROM_NUMBERS(ru, __WL_RU)
__WL_FROM_NUMBERS(rd, __WL_RD)
#undef __WL_FROM_NUMBERS
__WL_FN double __int2double_rn(int x) { return (double)x; }
__WL_FN double __uint2double_rn(unsigned x) { return (double)x; }

