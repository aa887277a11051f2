// CUDA's overloads for float in the global namespace, of the functions that clang's __clang_cuda_cmath.h leaves undefined.
#pragma once
#include "core.h"

#define __WL_OVERLOAD(name) \
  __WL_FN float name(float x) { return name##f(x); }
__WL_OVERLOAD(acosh)
__WL_OVERLOAD(asinh)
__WL_OVERLOAD(atanh)
__WL_OVERLOAD(cbrt)
__WL_OVERLOAD(erf)
__WL_OVERLOAD(erfc)
__WL_OVERLOAD(exp2)
__WL_OVERLOAD(expm1)
__WL_OVERLOAD(lgamma)
__WL_OVERLOAD(log1p)
__WL_OVERLOAD(log2)
__WL_OVERLOAD(logb)
__WL_OVERLOAD(nearbyint)
__WL_OVERLOAD(rint)
__WL_OVERLOAD(round)
__WL_OVERLOAD(tgamma)
__WL_OVERLOAD(trunc)
__WL_OVERLOAD(exp10)
__WL_OVERLOAD(j0)
__WL_OVERLOAD(j1)
__WL_OVERLOAD(y0)
__WL_OVERLOAD(y1)
__WL_OVERLOAD(cyl_bessel_i0)
__WL_OVERLOAD(cyl_bessel_i1)
#undef __WL_OVERLOAD

#define __WL_OVERLOAD(name) \
  __WL_BOTH float name(float x) { return name##f(x); }
__WL_OVERLOAD(rsqrt)
__WL_OVERLOAD(rcbrt)
__WL_OVERLOAD(sinpi)
__WL_OVERLOAD(cospi)
__WL_OVERLOAD(erfinv)
__WL_OVERLOAD(erfcinv)
__WL_OVERLOAD(erfcx)
__WL_OVERLOAD(normcdf)
__WL_OVERLOAD(normcdfinv)
#undef __WL_OVERLOAD

#define __WL_OVERLOAD(name) \
  __WL_FN float name(float x, float y) { return name##f(x, y); }
__WL_OVERLOAD(copysign)
__WL_OVERLOAD(fdim)
__WL_OVERLOAD(fmax)
__WL_OVERLOAD(fmin)
__WL_OVERLOAD(hypot)
__WL_OVERLOAD(nextafter)
__WL_OVERLOAD(remainder)
__WL_OVERLOAD(rhypot)
#undef __WL_OVERLOAD

__WL_FN float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__WL_FN float norm3d(float x, float y, float z) { return norm3df(x, y, z); }
__WL_FN float rnorm3d(float x, float y, float z) { return rnorm3df(x, y, z); }
__WL_FN float norm4d(float x, float y, float z, float w) { return norm4df(x, y, z, w); }
__WL_FN float rnorm4d(float x, float y, float z, float w) { return rnorm4df(x, y, z, w); }
__WL_FN float norm(int dimension, const float* vector) { return normf(dimension, vector); }
__WL_FN float rnorm(int dimension, const float* vector) { return rnormf(dimension, vector); }
__WL_FN int ilogb(float x) { return ilogbf(x); }
__WL_FN long lrint(float x) { return lrintf(x); }
__WL_FN long lround(float x) { return lroundf(x); }
__WL_FN long long llrint(float x) { return llrintf(x); }
__WL_FN long long llround(float x) { return llroundf(x); }
__WL_FN float scalbn(float x, int n) { return scalbnf(x, n); }
__WL_FN float scalbln(float x, long n) { return scalblnf(x, n); }
__WL_FN void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
__WL_BOTH void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
__WL_FN float jn(int n, float x) { return jnf(n, x); }
__WL_FN float yn(int n, float x) { return ynf(n, x); }
