/* The functions whose result is one exactly rounded LLVM operation or intrinsic: no polynomial, no branch.
   Also the classification helpers that clang's __clang_cuda_cmath.h expects. Everything else is in warplens/math/.
   Source: CUDA C++ Programming Guide, appendix "Mathematical Functions" (maximum error 0 ulp). */
#ifndef WARPLENS_DEVICE_MATH_EXACT_H
#define WARPLENS_DEVICE_MATH_EXACT_H

#define __WARPLENS_UNARY(name)                                                                                             \
  __WARPLENS_DEVICE__ double name(double x) { return __builtin_##name(x); }                                                \
  __WARPLENS_DEVICE__ float name##f(float x) { return __builtin_##name##f(x); }
#define __WARPLENS_BINARY(name)                                                                                            \
  __WARPLENS_DEVICE__ double name(double x, double y) { return __builtin_##name(x, y); }                                   \
  __WARPLENS_DEVICE__ float name##f(float x, float y) { return __builtin_##name##f(x, y); }

__WARPLENS_UNARY(fabs)
__WARPLENS_UNARY(sqrt)
__WARPLENS_UNARY(floor)
__WARPLENS_UNARY(ceil)
__WARPLENS_UNARY(trunc)
__WARPLENS_UNARY(rint)
__WARPLENS_BINARY(fmin)
__WARPLENS_BINARY(fmax)
__WARPLENS_BINARY(copysign)
#undef __WARPLENS_UNARY
#undef __WARPLENS_BINARY
__WARPLENS_DEVICE__ double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__WARPLENS_DEVICE__ float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
/* The device has no dynamic rounding mode: both are round half to even. */
__WARPLENS_DEVICE__ double nearbyint(double x) { return __builtin_rint(x); }
__WARPLENS_DEVICE__ float nearbyintf(float x) { return __builtin_rintf(x); }

__WARPLENS_DEVICE__ int abs(int x) { return x < 0 ? -x : x; }
__WARPLENS_DEVICE__ long labs(long x) { return x < 0 ? -x : x; }
__WARPLENS_DEVICE__ long long llabs(long long x) { return x < 0 ? -x : x; }

/* Powers with integer exponents, by squaring: what pow(x, int) becomes. A negative exponent takes the reciprocal at the end.
   Templates, which give way to a program's own functions of these names. */
template <class = void> __WARPLENS_DEVICE__ double powi(double base, int exponent) {
  double result = 1.0;
  for (unsigned n = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent; n; n >>= 1, base *= base)
    if (n & 1) result *= base;
  return exponent < 0 ? 1.0 / result : result;
}
template <class = void> __WARPLENS_DEVICE__ float powif(float base, int exponent) {
  float result = 1.0f;
  for (unsigned n = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent; n; n >>= 1, base *= base)
    if (n & 1) result *= base;
  return exponent < 0 ? 1.0f / result : result;
}

__WARPLENS_DEVICE__ int __isnan(double x) { return __builtin_isnan(x); }
__WARPLENS_DEVICE__ int __isnanf(float x) { return __builtin_isnan(x); }
__WARPLENS_DEVICE__ int __isinf(double x) { return __builtin_isinf(x); }
__WARPLENS_DEVICE__ int __isinff(float x) { return __builtin_isinf(x); }
__WARPLENS_DEVICE__ int __isfinited(double x) { return __builtin_isfinite(x); }
__WARPLENS_DEVICE__ int __finite(double x) { return __builtin_isfinite(x); }
__WARPLENS_DEVICE__ int __finitef(float x) { return __builtin_isfinite(x); }
__WARPLENS_DEVICE__ int __signbitd(double x) { return __builtin_signbit(x); }
__WARPLENS_DEVICE__ int __signbit(double x) { return __builtin_signbit(x); }
__WARPLENS_DEVICE__ int __signbitf(float x) { return __builtin_signbit(x); }
__WARPLENS_DEVICE__ double nan(const char *) { return __builtin_nan(""); }
__WARPLENS_DEVICE__ float nanf(const char *) { return __builtin_nanf(""); }

#endif
