/* cuBLAS's plane rotations: made (rotg, rotmg) and applied (rot, rotm). Templates, so that programs pay for what they call.
   Source: cuBLAS documentation, "cublas<t>rot()" to "cublas<t>rotmg()"; the numbers are those of the reference BLAS, but that
   rotmg, scaling twice, does not write over what it scaled before. */
#ifndef WARPLENS_CUBLAS_ROTATIONS_H
#define WARPLENS_CUBLAS_ROTATIONS_H

#include <warplens/cublas_structured.h>

namespace warplens {

template <class T> __WARPLENS_BOTH T magnitudeOf(T value) { return value < 0 ? -value : value; }
template <class R> __WARPLENS_BOTH R magnitudeOf(Complex<R> value) {
  R x = value.x < 0 ? -value.x : value.x, y = value.y < 0 ? -value.y : value.y, large = x > y ? x : y, small = x > y ? y : x;
  return large == 0 ? R(0) : large * (R)sqrt(1 + small / large * (small / large));
}

/* The rotation that makes b of (a, b) zero; a becomes the length, b what c and s can be made from again. */
template <class R> __WARPLENS_BOTH void makeRotation(R *a, R *b, R *c, R *s) {
  R sizeA = magnitudeOf(*a), sizeB = magnitudeOf(*b), scale = sizeA + sizeB;
  if (scale == 0) {
    *c = 1, *s = 0, *a = 0, *b = 0;
    return;
  }
  R length = scale * (R)sqrt(*a / scale * (*a / scale) + *b / scale * (*b / scale));
  if ((sizeA > sizeB ? *a : *b) < 0) length = -length;
  *c = *a / length, *s = *b / length;
  *b = sizeA > sizeB ? *s : *c != 0 ? 1 / *c : R(1);
  *a = length;
}
template <class R> __WARPLENS_BOTH void makeRotation(Complex<R> *a, Complex<R> *b, R *c, Complex<R> *s) {
  R sizeA = magnitudeOf(*a), sizeB = magnitudeOf(*b);
  if (sizeA == 0) {
    *c = 0, *s = Complex<R>(1), *a = *b;
    return;
  }
  R scale = sizeA + sizeB, length = scale * (R)sqrt(sizeA / scale * (sizeA / scale) + sizeB / scale * (sizeB / scale));
  Complex<R> direction = {a->x / sizeA, a->y / sizeA}, turned = direction * conjugate(*b, true);
  *c = sizeA / length, *s = {turned.x / length, turned.y / length};
  *a = {direction.x * length, direction.y * length};
}

/* The modified rotation that makes the second of (sqrt(d1) x1, sqrt(d2) y1) zero: a flag, then h11, h21, h12, h22, of which the
   flag says which count. */
template <class R> __WARPLENS_BOTH void makeModifiedRotation(R *d1, R *d2, R *x1, R y1, R *parameters) {
  const R much = 4096, most = much * much, least = 1 / most;
  R flag = -1, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  R p2 = *d2 * y1, p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1;
  bool none = *d1 < 0;
  if (!none && p2 == 0) {
    parameters[0] = -2;
    return;
  }
  if (!none && magnitudeOf(q1) > magnitudeOf(q2)) {
    h21 = -y1 / *x1, h12 = p2 / p1;
    R u = 1 - h12 * h21;
    if (u > 0) flag = 0, *d1 /= u, *d2 /= u, *x1 *= u;
    else none = true;
  } else if (!none && q2 >= 0) {
    flag = 1, h11 = p1 / p2, h22 = *x1 / y1;
    R u = 1 + h11 * h22, first = *d2 / u;
    *d2 = *d1 / u, *d1 = first, *x1 = y1 * u;
  } else
    none = true;
  if (none) h11 = h12 = h21 = h22 = 0, *d1 = *d2 = *x1 = 0;
  for (int second = 0; second < 2 && !none; second++) {
    R *d = second ? d2 : d1, *row1 = second ? &h21 : &h11, *row2 = second ? &h22 : &h12;
    while (*d != 0 && (magnitudeOf(*d) <= least || magnitudeOf(*d) >= most)) {
      if (flag == 0) h11 = h22 = 1;
      if (flag == 1) h21 = -1, h12 = 1;
      flag = -1;
      R by = magnitudeOf(*d) <= least ? much : 1 / much;
      *d *= by * by, *row1 /= by, *row2 /= by;
      if (!second) *x1 /= by;
    }
  }
  if (flag != 0) parameters[1] = h11, parameters[4] = h22;
  if (flag != 1) parameters[2] = h21, parameters[3] = h12;
  parameters[0] = flag;
}

template <class T, class R, class Sine> __global__ void rotg(T *a, T *b, R *c, Sine *s) { makeRotation(a, b, c, s); }
template <class R> __global__ void rotmg(R *d1, R *d2, R *x1, const R *y1, R *parameters) {
  makeModifiedRotation(d1, d2, x1, *y1, parameters);
}
template <class T, class Cosine, class Sine>
__global__ void rotate(int n, T *x, int incx, T *y, int incy, Cosine c, const Cosine *cOnDevice, Sine s, const Sine *sOnDevice) {
  if (cOnDevice) c = *cOnDevice, s = *sOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    T first = x[i * incx], second = y[i * incy];
    x[i * incx] = T(c) * first + T(s) * second;
    y[i * incy] = T(c) * second - conjugate(T(s), true) * first;
  }
}
template <class R> struct ModifiedRotation {
  R parameters[5];
};
template <class R>
__global__ void rotm(int n, R *x, int incx, R *y, int incy, ModifiedRotation<R> h, const R *onDevice) {
  const R *p = onDevice ? onDevice : h.parameters;
  R flag = p[0];
  if (flag == -2) return;
  R h11 = flag == 0 ? R(1) : p[1], h22 = flag == 0 ? R(1) : p[4], h21 = flag == 1 ? R(-1) : p[2], h12 = flag == 1 ? R(1) : p[3];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    R first = x[i * incx], second = y[i * incy];
    x[i * incx] = h11 * first + h12 * second;
    y[i * incy] = h21 * first + h22 * second;
  }
}

} // namespace warplens

#define __WARPLENS_BLAS(name) template <class = void> static inline cublasStatus_t cublas##name

/* Cosine and Sine: the types of the rotation's two numbers. */
#define __WARPLENS_ROTATE(letters, T, Cosine, Sine)                                                                        \
  __WARPLENS_BLAS(letters##rot)(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const Cosine *c, const Sine *s) { \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<warplens::Number<Cosine>> cosine(h, __warplens_numbers(c));                                          \
    __warplens_scalar<warplens::Number<Sine>> sine(h, __warplens_numbers(s));                                              \
    warplens::rotate<<<__warplens_blocks(n), 256, 0, h->stream>>>(                                                         \
        n, __warplens_first(__warplens_numbers(x), n, incx), incx, __warplens_first(__warplens_numbers(y), n, incy), incy, \
        cosine.value, cosine.onDevice, sine.value, sine.onDevice);                                                         \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_ROTATE(S, float, float, float)
__WARPLENS_ROTATE(D, double, double, double)
__WARPLENS_ROTATE(C, cuComplex, float, cuComplex)
__WARPLENS_ROTATE(Cs, cuComplex, float, float)
__WARPLENS_ROTATE(Z, cuDoubleComplex, double, cuDoubleComplex)
__WARPLENS_ROTATE(Zd, cuDoubleComplex, double, double)
#undef __WARPLENS_ROTATE

#define __WARPLENS_ROTATION(letter, T, R)                                                                                  \
  __WARPLENS_BLAS(letter##rotg)(cublasHandle_t h, T *a, T *b, R *c, T *s) {                                                \
    if (h->pointerMode == CUBLAS_POINTER_MODE_HOST)                                                                        \
      return warplens::makeRotation(__warplens_numbers(a), __warplens_numbers(b), c, __warplens_numbers(s)),               \
             CUBLAS_STATUS_SUCCESS;                                                                                        \
    warplens::rotg<<<1, 1, 0, h->stream>>>(__warplens_numbers(a), __warplens_numbers(b), c, __warplens_numbers(s));        \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_ROTATION(S, float, float)
__WARPLENS_ROTATION(D, double, double)
__WARPLENS_ROTATION(C, cuComplex, float)
__WARPLENS_ROTATION(Z, cuDoubleComplex, double)
#undef __WARPLENS_ROTATION

#define __WARPLENS_MODIFIED_ROTATION(letter, R)                                                                            \
  __WARPLENS_BLAS(letter##rotm)(cublasHandle_t h, int n, R *x, int incx, R *y, int incy, const R *parameters) {            \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    bool isHost = h->pointerMode == CUBLAS_POINTER_MODE_HOST;                                                              \
    warplens::ModifiedRotation<R> rotation = {};                                                                           \
    if (isHost) memcpy(rotation.parameters, parameters, sizeof rotation.parameters);                                       \
    warplens::rotm<R><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, __warplens_first(x, n, incx), incx,                  \
                                                                   __warplens_first(y, n, incy), incy, rotation,           \
                                                                   isHost ? nullptr : parameters);                         \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##rotmg)(cublasHandle_t h, R *d1, R *d2, R *x1, const R *y1, R *parameters) {                      \
    if (h->pointerMode == CUBLAS_POINTER_MODE_HOST)                                                                        \
      return warplens::makeModifiedRotation(d1, d2, x1, *y1, parameters), CUBLAS_STATUS_SUCCESS;                           \
    warplens::rotmg<<<1, 1, 0, h->stream>>>(d1, d2, x1, y1, parameters);                                                   \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_MODIFIED_ROTATION(S, float)
__WARPLENS_MODIFIED_ROTATION(D, double)
#undef __WARPLENS_MODIFIED_ROTATION
#undef __WARPLENS_BLAS

#endif
