/* cuBLAS's functions for banded matrices and for packed triangles (warplens/cublas_compact_kernels.h).
   Source: cuBLAS documentation, "cuBLAS Level-2 Function Reference", cublas<t>tpttr and cublas<t>trttp of "BLAS-like Extension". */
#ifndef WARPLENS_CUBLAS_COMPACT_H
#define WARPLENS_CUBLAS_COMPACT_H

#include <warplens/cublas_compact_kernels.h>
#include <warplens/cublas_structured.h>

template <class T> static inline warplens::Packed<warplens::Number<T>> __warplens_packed_triangle(cublasFillMode_t fill, int n, const T *a) {
  return {__warplens_numbers(a), n, __warplens_lower(fill)};
}
template <class T>
static inline warplens::Band<warplens::Number<T>> __warplens_triangle_band(cublasFillMode_t fill, int k, const T *a, int lda) {
  bool lower = __warplens_lower(fill);
  return {__warplens_numbers(a), lda, lower ? k : 0, lower ? 0 : k};
}
template <class T, class Storage>
static inline cublasStatus_t __warplens_compact_symv(cublasHandle_t h, bool hermitian, int n, const T *alpha, Storage a, const T *x,
                                                     int incx, const T *beta, T *y, int incy) {
  typedef warplens::Number<T> N;
  if (n < 0 || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  __warplens_scalar<N> scale(h, __warplens_numbers(alpha)), keep(h, __warplens_numbers(beta));
  warplens::compactSymv<N><<<__warplens_blocks(n, 1 << 30), 256, 0, h->stream>>>(
      hermitian, n, scale.value, scale.onDevice, a, __warplens_first(__warplens_numbers(x), n, incx), incx, keep.value, keep.onDevice,
      __warplens_first(__warplens_numbers(y), n, incy), incy);
  return __warplens_blas_status();
}
template <class T, class Storage>
static inline cublasStatus_t __warplens_compact_triangle(cublasHandle_t h, bool solves, cublasFillMode_t fill, cublasOperation_t trans,
                                                         cublasDiagType_t diagonal, int n, Storage a, T *x, int incx) {
  typedef warplens::Number<T> N;
  if (n < 0 || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  bool lower = __warplens_lower(fill), unit = diagonal == CUBLAS_DIAG_UNIT;
  N *first = __warplens_first(__warplens_numbers(x), n, incx);
  if (solves) warplens::compactTrsv<N><<<1, 256, 0, h->stream>>>(lower, trans, unit, n, a, first, incx);
  else warplens::compactTrmv<N><<<1, 256, 0, h->stream>>>(lower, trans, unit, n, a, first, incx);
  return __warplens_blas_status();
}
template <class T, class Alpha>
static inline cublasStatus_t __warplens_spr(cublasHandle_t h, cublasFillMode_t fill, bool hermitian, bool both, int n,
                                            const Alpha *alpha, const T *x, int incx, const T *y, int incy, T *a) {
  typedef warplens::Number<T> N;
  if (n < 0 || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  warplens::Number<Alpha> scale;
  if (h->pointerMode == CUBLAS_POINTER_MODE_HOST) scale = *__warplens_numbers(alpha);
  else if (cudaMemcpy(&scale, alpha, sizeof scale, cudaMemcpyDeviceToHost) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  warplens::spr<N><<<__warplens_grid(n, n), 256, 0, h->stream>>>(
      __warplens_lower(fill), hermitian, both, n, N(scale), __warplens_first(__warplens_numbers(x), n, incx), incx,
      __warplens_first(__warplens_numbers(y), n, incy), incy, __warplens_numbers(a));
  return __warplens_blas_status();
}

#define __WARPLENS_BLAS(name) template <class = void> static inline cublasStatus_t cublas##name

#define __WARPLENS_COMPACT(letter, T)                                                                                      \
  __WARPLENS_BLAS(letter##gbmv)(cublasHandle_t h, cublasOperation_t trans, int m, int n, int kl, int ku, const T *alpha,   \
                                const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {                \
    typedef warplens::Number<T> N;                                                                                         \
    if (m < 0 || n < 0 || kl < 0 || ku < 0 || lda < kl + ku + 1 || incx == 0 || incy == 0)                                 \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                                  \
    int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;                                       \
    if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;                                                           \
    __warplens_scalar<N> scale(h, __warplens_numbers(alpha)), keep(h, __warplens_numbers(beta));                           \
    warplens::gbmv<N><<<__warplens_blocks(rows, 1 << 30), 256, 0, h->stream>>>(                                            \
        trans, rows, columns, scale.value, scale.onDevice, warplens::Band<N>{__warplens_numbers(a), lda, kl, ku},          \
        __warplens_first(__warplens_numbers(x), columns, incx), incx, keep.value, keep.onDevice,                           \
        __warplens_first(__warplens_numbers(y), rows, incy), incy);                                                        \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t __warplens_##letter##tb(bool solves, cublasHandle_t h, cublasFillMode_t fill,               \
                                                       cublasOperation_t trans, cublasDiagType_t diagonal, int n, int k,   \
                                                       const T *a, int lda, T *x, int incx) {                              \
    if (k < 0 || lda < k + 1) return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return __warplens_compact_triangle(h, solves, fill, trans, diagonal, n, __warplens_triangle_band(fill, k, a, lda), x,  \
                                       incx);                                                                              \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##tbmv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, int k, const T *a, int lda, T *x, int incx) {            \
    return __warplens_##letter##tb(false, h, fill, trans, diagonal, n, k, a, lda, x, incx);                                \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##tbsv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, int k, const T *a, int lda, T *x, int incx) {            \
    return __warplens_##letter##tb(true, h, fill, trans, diagonal, n, k, a, lda, x, incx);                                 \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##tpmv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, const T *a, T *x, int incx) {                            \
    return __warplens_compact_triangle(h, false, fill, trans, diagonal, n, __warplens_packed_triangle(fill, n, a), x,      \
                                       incx);                                                                              \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##tpsv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, const T *a, T *x, int incx) {                            \
    return __warplens_compact_triangle(h, true, fill, trans, diagonal, n, __warplens_packed_triangle(fill, n, a), x,       \
                                       incx);                                                                              \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##tpttr)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *packed, T *a, int lda) {         \
    typedef warplens::Number<T> N;                                                                                         \
    if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                                          \
    if (n == 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::unpackTriangle<N><<<__warplens_grid(n, n), 256, 0, h->stream>>>(                                             \
        __warplens_packed_triangle(fill, n, packed), __warplens_numbers(a), lda);                                          \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trttp)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *a, int lda, T *packed) {         \
    typedef warplens::Number<T> N;                                                                                         \
    if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                                          \
    if (n == 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::packTriangle<N><<<__warplens_grid(n, n), 256, 0, h->stream>>>(                                               \
        __warplens_lower(fill), n, __warplens_numbers(a), lda, __warplens_numbers(packed));                                \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_COMPACT(S, float)
__WARPLENS_COMPACT(D, double)
__WARPLENS_COMPACT(C, cuComplex)
__WARPLENS_COMPACT(Z, cuDoubleComplex)
#undef __WARPLENS_COMPACT

/* Symmetric matrices of real numbers and Hermitian ones of complex numbers; `R`: the factor of an update by one vector. */
#define __WARPLENS_COMPACT_SYMMETRIC(letter, T, R, hermitian, banded, packed)                                              \
  __WARPLENS_BLAS(letter##banded##mv)(cublasHandle_t h, cublasFillMode_t fill, int n, int k, const T *alpha, const T *a,   \
                                      int lda, const T *x, int incx, const T *beta, T *y, int incy) {                      \
    if (k < 0 || lda < k + 1) return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return __warplens_compact_symv(h, hermitian, n, alpha, __warplens_triangle_band(fill, k, a, lda), x, incx, beta, y,    \
                                   incy);                                                                                  \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##packed##mv)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *a,          \
                                      const T *x, int incx, const T *beta, T *y, int incy) {                               \
    return __warplens_compact_symv(h, hermitian, n, alpha, __warplens_packed_triangle(fill, n, a), x, incx, beta, y,       \
                                   incy);                                                                                  \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##packed##r)(cublasHandle_t h, cublasFillMode_t fill, int n, const R *alpha, const T *x, int incx, \
                                     T *a) {                                                                               \
    return __warplens_spr(h, fill, hermitian, false, n, alpha, x, incx, x, incx, a);                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##packed##r2)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x,          \
                                      int incx, const T *y, int incy, T *a) {                                              \
    return __warplens_spr(h, fill, hermitian, true, n, alpha, x, incx, y, incy, a);                                        \
  }
__WARPLENS_COMPACT_SYMMETRIC(S, float, float, false, sb, sp)
__WARPLENS_COMPACT_SYMMETRIC(D, double, double, false, sb, sp)
__WARPLENS_COMPACT_SYMMETRIC(C, cuComplex, float, true, hb, hp)
__WARPLENS_COMPACT_SYMMETRIC(Z, cuDoubleComplex, double, true, hb, hp)
#undef __WARPLENS_COMPACT_SYMMETRIC
#undef __WARPLENS_BLAS

#endif
