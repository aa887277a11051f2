/* Complex numbers of the CUDA toolkit: float2 and double2 with their arithmetic, for host and device. Division and absolute
   value scale their operands, so that they overflow no sooner than the result does. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>
#include <vector_functions.h>

#define __WARPLENS_COMPLEX static __WARPLENS_BOTH inline
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __WARPLENS_COMPLEX_OPERATIONS(Complex, real, suffix, prefix, absolute, root)                                       \
  __WARPLENS_COMPLEX real cuCreal##suffix(Complex x) { return x.x; }                                                       \
  __WARPLENS_COMPLEX real cuCimag##suffix(Complex x) { return x.y; }                                                       \
  __WARPLENS_COMPLEX Complex make_##prefix(real r, real i) {                                                               \
    Complex z;                                                                                                             \
    z.x = r, z.y = i;                                                                                                      \
    return z;                                                                                                              \
  }                                                                                                                        \
  __WARPLENS_COMPLEX Complex cuConj##suffix(Complex x) { return make_##prefix(x.x, -x.y); }                                \
  __WARPLENS_COMPLEX Complex cuCadd##suffix(Complex x, Complex y) { return make_##prefix(x.x + y.x, x.y + y.y); }          \
  __WARPLENS_COMPLEX Complex cuCsub##suffix(Complex x, Complex y) { return make_##prefix(x.x - y.x, x.y - y.y); }          \
  __WARPLENS_COMPLEX Complex cuCmul##suffix(Complex x, Complex y) {                                                        \
    return make_##prefix(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                                    \
  }                                                                                                                        \
  __WARPLENS_COMPLEX Complex cuCdiv##suffix(Complex x, Complex y) {                                                        \
    real s = 1 / (absolute(y.x) + absolute(y.y));                                                                          \
    real ar = x.x * s, ai = x.y * s, br = y.x * s, bi = y.y * s;                                                           \
    real n = 1 / (br * br + bi * bi);                                                                                      \
    return make_##prefix((ar * br + ai * bi) * n, (ai * br - ar * bi) * n);                                                \
  }                                                                                                                        \
  __WARPLENS_COMPLEX real cuCabs##suffix(Complex x) {                                                                      \
    real a = absolute(x.x), b = absolute(x.y), large = a > b ? a : b, small = a > b ? b : a;                               \
    if (large == 0 || large > 1.0e300 * 1.0e300 || small > 1.0e300 * 1.0e300) return a + b;                                \
    real t = small / large;                                                                                                \
    return large * root(1 + t * t);                                                                                        \
  }
__WARPLENS_COMPLEX_OPERATIONS(cuFloatComplex, float, f, cuFloatComplex, fabsf, sqrtf)
__WARPLENS_COMPLEX_OPERATIONS(cuDoubleComplex, double, , cuDoubleComplex, fabs, sqrt)
#undef __WARPLENS_COMPLEX_OPERATIONS

__WARPLENS_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
__WARPLENS_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_cuDoubleComplex(x.x, x.y); }
__WARPLENS_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}
__WARPLENS_COMPLEX cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d) { return cuCaddf(cuCmulf(x, y), d); }
__WARPLENS_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
  return cuCadd(cuCmul(x, y), d);
}

#endif
