/* Complex numbers as the kernels behind cuBLAS and cuSOLVER compute with them (they lie in memory as cuComplex does), and what the
   same code makes of real ones. */
#ifndef WARPLENS_CUBLAS_NUMBERS_H
#define WARPLENS_CUBLAS_NUMBERS_H

#include <cuComplex.h>

namespace warplens {

template <class R> struct alignas(2 * sizeof(R)) Complex {
  R x, y;
  Complex() = default;
  __WARPLENS_BOTH Complex(R real, R imaginary = 0) : x(real), y(imaginary) {}
  friend __WARPLENS_BOTH Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }
  friend __WARPLENS_BOTH Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }
  friend __WARPLENS_BOTH Complex operator-(Complex a) { return {-a.x, -a.y}; }
  friend __WARPLENS_BOTH Complex operator*(Complex a, Complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
  /* Scaled, so that it overflows no sooner than its result does. */
  friend __WARPLENS_BOTH Complex operator/(Complex a, Complex b) {
    R scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));
    R ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale, n = 1 / (br * br + bi * bi);
    return {(ar * br + ai * bi) * n, (ai * br - ar * bi) * n};
  }
  friend __WARPLENS_BOTH bool operator==(Complex a, Complex b) { return a.x == b.x && a.y == b.y; }
  friend __WARPLENS_BOTH bool operator!=(Complex a, Complex b) { return a.x != b.x || a.y != b.y; }
  __WARPLENS_BOTH Complex &operator+=(Complex b) { return *this = *this + b; }
  __WARPLENS_BOTH Complex &operator-=(Complex b) { return *this = *this - b; }
  __WARPLENS_BOTH Complex &operator*=(Complex b) { return *this = *this * b; }
};

/* What the kernels take for a type of the interface, and the type of its absolute values. */
template <class T> struct NumberTraits {
  typedef T Number;
  typedef T Real;
};
template <> struct NumberTraits<cuComplex> {
  typedef Complex<float> Number;
  typedef float Real;
};
template <> struct NumberTraits<cuDoubleComplex> {
  typedef Complex<double> Number;
  typedef double Real;
};
template <class R> struct NumberTraits<Complex<R>> {
  typedef Complex<R> Number;
  typedef R Real;
};
template <class T> using Number = typename NumberTraits<T>::Number;
template <class T> using RealOf = typename NumberTraits<T>::Real;

template <class T> __WARPLENS_BOTH T conjugate(T value, bool) { return value; }
template <class R> __WARPLENS_BOTH Complex<R> conjugate(Complex<R> value, bool is) {
  return {value.x, is ? -value.y : value.y};
}
/* What BLAS compares: |x|, of complex numbers the sum of both parts' (asum, amax). */
template <class T> __WARPLENS_BOTH T magnitude(T value) { return value < 0 ? -value : value; }
template <class R> __WARPLENS_BOTH R magnitude(Complex<R> value) {
  return (value.x < 0 ? -value.x : value.x) + (value.y < 0 ? -value.y : value.y);
}
template <class T> __WARPLENS_BOTH T realPart(T value) { return value; }
template <class R> __WARPLENS_BOTH R realPart(Complex<R> value) { return value.x; }
/* Of a number that is real and not negative. */
template <class T> __WARPLENS_BOTH T root(T value) { return sqrt(value); }
template <class R> __WARPLENS_BOTH Complex<R> root(Complex<R> value) { return {sqrt(value.x), 0}; }
template <class T> __device__ void keep(T *place, T value) { *place = value; }
template <class R> __device__ void keep(R *place, Complex<R> value) { *place = value.x; }

} // namespace warplens

#endif
