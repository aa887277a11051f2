/* cuBLAS's functions for complex numbers, for triangular, symmetric and Hermitian matrices, and for lists of small matrices.
   Templates, so that programs pay for what they call.
   Source: cuBLAS documentation, "cuBLAS Level-1/2/3 Function Reference", "BLAS-like Extension". */
#ifndef WARPLENS_CUBLAS_STRUCTURED_H
#define WARPLENS_CUBLAS_STRUCTURED_H

#include <warplens/cublas_host.h>
#include <warplens/cublas_structured_kernels.h>

/* The interface's numbers as the kernels compute with them. */
template <class T> static inline const warplens::Number<T> *__warplens_numbers(const T *values) {
  return (const warplens::Number<T> *)values;
}
template <class T> static inline warplens::Number<T> *__warplens_numbers(T *values) { return (warplens::Number<T> *)values; }
static inline dim3 __warplens_grid(int rows, int columns) { return dim3((rows + 255) / 256, columns); }
static inline bool __warplens_lower(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_LOWER; }
static inline int __warplens_most(int a, int b) { return a > b ? a : b; }

#define __WARPLENS_BLAS(name) template <class = void> static inline cublasStatus_t cublas##name

/* Level 1 and 2, and general matrices, of complex numbers; `scalar` makes a number of R one of T. */
#define __WARPLENS_COMPLEX_BLAS(letter, T, lower, R, realLetters, absLetters)                                              \
  __WARPLENS_BLAS(letter##axpy)(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) {           \
    typedef warplens::Number<T> N;                                                                                         \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<N> a(h, __warplens_numbers(alpha));                                                                  \
    warplens::axpy<N><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice,                                 \
                                                                   __warplens_first(__warplens_numbers(x), n, incx), incx, \
                                                                   __warplens_first(__warplens_numbers(y), n, incy), incy); \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##scal)(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {                                 \
    typedef warplens::Number<T> N;                                                                                         \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<N> a(h, __warplens_numbers(alpha));                                                                  \
    warplens::scal<N><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, __warplens_numbers(x), incx);   \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(realLetters##scal)(cublasHandle_t h, int n, const R *alpha, T *x, int incx) {                            \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<R> a(h, alpha);                                                                                      \
    warplens::scal<R><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, (R *)x, 2 * incx);              \
    warplens::scal<R><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, (R *)x + 1, 2 * incx);          \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##copy)(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {                           \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::copy<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, __warplens_first(x, n, incx), incx,                  \
                                                                   __warplens_first(y, n, incy), incy);                    \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##swap)(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {                                 \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::swap<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, __warplens_first(x, n, incx), incx,                  \
                                                                   __warplens_first(y, n, incy), incy);                    \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t __warplens_##letter##sum(int mode, cublasHandle_t h, int n, const T *x, int incx,           \
                                                        const T *y, int incy, T *result) {                                 \
    typedef warplens::Number<T> N;                                                                                         \
    return __warplens_result(h, n, __warplens_numbers(result), [&](N *out) {                                               \
      warplens::reduce<N><<<1, warplens::reduceThreads, 0, h->stream>>>(                                                   \
          mode, n, __warplens_first(__warplens_numbers(x), n, incx), incx,                                                 \
          __warplens_first(__warplens_numbers(y), n, incy), incy, out);                                                    \
    });                                                                                                                    \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##dotu)(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) {          \
    return __warplens_##letter##sum(0, h, n, x, incx, y, incy, result);                                                    \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##dotc)(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) {          \
    return __warplens_##letter##sum(3, h, n, x, incx, y, incy, result);                                                    \
  }                                                                                                                        \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t __warplens_##letter##norm(int mode, cublasHandle_t h, int n, const T *x, int incx,          \
                                                         R *result) {                                                      \
    typedef warplens::Number<T> N;                                                                                         \
    return __warplens_result(h, n, result, [&](R *out) {                                                                   \
      warplens::reduce<N, R><<<1, warplens::reduceThreads, 0, h->stream>>>(mode, n, __warplens_numbers(x), incx,           \
                                                                           __warplens_numbers(x), incx, out);              \
    });                                                                                                                    \
  }                                                                                                                        \
  __WARPLENS_BLAS(absLetters##asum)(cublasHandle_t h, int n, const T *x, int incx, R *result) {                            \
    return __warplens_##letter##norm(1, h, n, x, incx, result);                                                            \
  }                                                                                                                        \
  __WARPLENS_BLAS(absLetters##nrm2)(cublasHandle_t h, int n, const T *x, int incx, R *result) {                            \
    return __warplens_##letter##norm(2, h, n, x, incx, result);                                                            \
  }                                                                                                                        \
  __WARPLENS_BLAS(I##lower##amax)(cublasHandle_t h, int n, const T *x, int incx, int *result) {                            \
    typedef warplens::Number<T> N;                                                                                         \
    return __warplens_result(h, n, result, [&](int *out) {                                                                 \
      warplens::extreme<N><<<1, warplens::reduceThreads, 0, h->stream>>>(1, n, __warplens_numbers(x), incx, out);          \
    });                                                                                                                    \
  }                                                                                                                        \
  __WARPLENS_BLAS(I##lower##amin)(cublasHandle_t h, int n, const T *x, int incx, int *result) {                            \
    typedef warplens::Number<T> N;                                                                                         \
    return __warplens_result(h, n, result, [&](int *out) {                                                                 \
      warplens::extreme<N><<<1, warplens::reduceThreads, 0, h->stream>>>(-1, n, __warplens_numbers(x), incx, out);         \
    });                                                                                                                    \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gemv)(cublasHandle_t h, cublasOperation_t trans, int m, int n, const T *alpha, const T *a,       \
                                int lda, const T *x, int incx, const T *beta, T *y, int incy) {                            \
    typedef warplens::Number<T> N;                                                                                         \
    if (m < 0 || n < 0 || lda < __warplens_most(m, 1)) return CUBLAS_STATUS_INVALID_VALUE;                                 \
    int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;                                       \
    if (rows == 0) return CUBLAS_STATUS_SUCCESS;                                                                           \
    __warplens_scalar<N> scale(h, __warplens_numbers(alpha)), keep(h, __warplens_numbers(beta));                           \
    warplens::gemv<N><<<__warplens_blocks(rows, 1 << 30), 256, 0, h->stream>>>(                                            \
        trans, m, n, scale.value, scale.onDevice, __warplens_numbers(a), lda,                                              \
        __warplens_first(__warplens_numbers(x), columns, incx), incx, keep.value, keep.onDevice,                           \
        __warplens_first(__warplens_numbers(y), rows, incy), incy);                                                        \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t __warplens_##letter##ger(bool conjugates, cublasHandle_t h, int m, int n, const T *alpha,   \
                                                        const T *x, int incx, const T *y, int incy, T *a, int lda) {       \
    typedef warplens::Number<T> N;                                                                                         \
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    __warplens_scalar<N> scale(h, __warplens_numbers(alpha));                                                              \
    warplens::ger<N><<<__warplens_grid(m, n), 256, 0, h->stream>>>(                                                        \
        m, n, scale.value, scale.onDevice, __warplens_first(__warplens_numbers(x), m, incx), incx,                         \
        __warplens_first(__warplens_numbers(y), n, incy), incy, __warplens_numbers(a), lda, conjugates);                   \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##geru)(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y,          \
                                int incy, T *a, int lda) {                                                                 \
    return __warplens_##letter##ger(false, h, m, n, alpha, x, incx, y, incy, a, lda);                                      \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gerc)(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y,          \
                                int incy, T *a, int lda) {                                                                 \
    return __warplens_##letter##ger(true, h, m, n, alpha, x, incx, y, incy, a, lda);                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gemm)(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,         \
                                const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {  \
    return __warplens_gemm<warplens::Number<T>>(h, ta, tb, m, n, k, __warplens_numbers(alpha), a, lda, 0, b, ldb, 0,       \
                                                __warplens_numbers(beta), c, ldc, 0, 1, false);                            \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gemm3m)(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,       \
                                  const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,           \
                                  int ldc) {                                                                               \
    return cublas##letter##gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                  \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gemmStridedBatched)(                                                                             \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a,       \
      int lda, long long sa, const T *b, int ldb, long long sb, const T *beta, T *c, int ldc, long long sc, int count) {   \
    return __warplens_gemm<warplens::Number<T>>(h, ta, tb, m, n, k, __warplens_numbers(alpha), a, lda, sa, b, ldb, sb,     \
                                                __warplens_numbers(beta), c, ldc, sc, count, false);                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##gemmBatched)(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,  \
                                       const T *alpha, const T *const a[], int lda, const T *const b[], int ldb,           \
                                       const T *beta, T *const c[], int ldc, int count) {                                  \
    return __warplens_gemm<warplens::Number<T>>(h, ta, tb, m, n, k, __warplens_numbers(alpha), a, lda, 0, b, ldb, 0,       \
                                                __warplens_numbers(beta), (void *)c, ldc, 0, count, true);                 \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##geam)(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,                \
                                const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) {  \
    typedef warplens::Number<T> N;                                                                                         \
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    __warplens_scalar<N> first(h, __warplens_numbers(alpha)), second(h, __warplens_numbers(beta));                         \
    warplens::geam<N><<<__warplens_grid(m, n), 256, 0, h->stream>>>(                                                       \
        ta, tb, m, n, first.value, first.onDevice, __warplens_numbers(a), lda, second.value, second.onDevice,              \
        __warplens_numbers(b), ldb, __warplens_numbers(c), ldc);                                                           \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_COMPLEX_BLAS(C, cuComplex, c, float, Cs, Sc)
__WARPLENS_COMPLEX_BLAS(Z, cuDoubleComplex, z, double, Zd, Dz)
#undef __WARPLENS_COMPLEX_BLAS

/* One triangle of C = alpha op(A) op(B)' + beta C; the scalars of Hermitian ones may be of the type R. */
template <class T, class Alpha, class Beta>
static inline cublasStatus_t __warplens_syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, bool hermitian,
                                             bool both, int n, int k, const Alpha *alpha, const T *a, int lda, const T *b, int ldb,
                                             const Beta *beta, T *c, int ldc) {
  typedef warplens::Number<T> N;
  int rows = trans == CUBLAS_OP_N ? n : k;
  if (n < 0 || k < 0 || lda < __warplens_most(rows, 1) || ldb < __warplens_most(rows, 1) || ldc < __warplens_most(n, 1))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  N scale, keep;
  /* Scalars on the device are fetched: they may be of two types. */
  if (h->pointerMode == CUBLAS_POINTER_MODE_HOST)
    scale = N(*__warplens_numbers(alpha)), keep = N(*__warplens_numbers(beta));
  else {
    warplens::Number<Alpha> fetchedScale;
    warplens::Number<Beta> fetchedKeep;
    cudaMemcpyAsync(&fetchedScale, alpha, sizeof fetchedScale, cudaMemcpyDeviceToHost, h->stream);
    cudaMemcpyAsync(&fetchedKeep, beta, sizeof fetchedKeep, cudaMemcpyDeviceToHost, h->stream);
    if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    scale = N(fetchedScale), keep = N(fetchedKeep);
  }
  warplens::syrk<N><<<__warplens_grid(n, n), 256, 0, h->stream>>>(__warplens_lower(fill), trans, hermitian, both, n, k, scale,
                                                                  nullptr, __warplens_numbers(a), lda, __warplens_numbers(b), ldb,
                                                                  keep, nullptr, __warplens_numbers(c), ldc);
  return __warplens_blas_status();
}
template <class T>
static inline cublasStatus_t __warplens_symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, bool hermitian, int m,
                                             int n, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,
                                             int ldc) {
  typedef warplens::Number<T> N;
  int rows = side == CUBLAS_SIDE_LEFT ? m : n;
  if (m < 0 || n < 0 || lda < __warplens_most(rows, 1) || ldb < __warplens_most(m, 1) || ldc < __warplens_most(m, 1))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  __warplens_scalar<N> scale(h, __warplens_numbers(alpha)), keep(h, __warplens_numbers(beta));
  warplens::symm<N><<<__warplens_grid(m, n), 256, 0, h->stream>>>(
      side == CUBLAS_SIDE_LEFT, __warplens_lower(fill), hermitian, m, n, scale.value, scale.onDevice, __warplens_numbers(a), lda,
      __warplens_numbers(b), ldb, keep.value, keep.onDevice, __warplens_numbers(c), ldc);
  return __warplens_blas_status();
}
template <class T>
static inline cublasStatus_t __warplens_symv(cublasHandle_t h, cublasFillMode_t fill, bool hermitian, int n, const T *alpha,
                                             const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {
  typedef warplens::Number<T> N;
  if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  __warplens_scalar<N> scale(h, __warplens_numbers(alpha)), keep(h, __warplens_numbers(beta));
  warplens::symv<N><<<__warplens_blocks(n, 1 << 30), 256, 0, h->stream>>>(
      __warplens_lower(fill), hermitian, n, scale.value, scale.onDevice, __warplens_numbers(a), lda,
      __warplens_first(__warplens_numbers(x), n, incx), incx, keep.value, keep.onDevice,
      __warplens_first(__warplens_numbers(y), n, incy), incy);
  return __warplens_blas_status();
}
template <class T, class Alpha>
static inline cublasStatus_t __warplens_syr(cublasHandle_t h, cublasFillMode_t fill, bool hermitian, bool both, int n,
                                            const Alpha *alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
  typedef warplens::Number<T> N;
  if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  warplens::Number<Alpha> scale;
  if (h->pointerMode == CUBLAS_POINTER_MODE_HOST) scale = *__warplens_numbers(alpha);
  else if (cudaMemcpy(&scale, alpha, sizeof scale, cudaMemcpyDeviceToHost) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  warplens::syr<N><<<__warplens_grid(n, n), 256, 0, h->stream>>>(
      __warplens_lower(fill), hermitian, both, n, N(scale), nullptr, __warplens_first(__warplens_numbers(x), n, incx), incx,
      __warplens_first(__warplens_numbers(y), n, incy), incy, __warplens_numbers(a), lda);
  return __warplens_blas_status();
}
template <class T>
static inline cublasStatus_t __warplens_trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,
                                             cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n, const T *alpha,
                                             const void *a, int lda, void *b, int ldb, int count, bool lists) {
  typedef warplens::Number<T> N;
  bool left = side == CUBLAS_SIDE_LEFT;
  if (m < 0 || n < 0 || count < 0 || lda < __warplens_most(left ? m : n, 1) || ldb < __warplens_most(m, 1))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  __warplens_scalar<N> scale(h, __warplens_numbers(alpha));
  warplens::trsm<N><<<dim3(((left ? n : m) + 63) / 64, count), 64, 0, h->stream>>>(
      left, __warplens_lower(fill), trans, diagonal == CUBLAS_DIAG_UNIT, m, n, scale.value, scale.onDevice, a, lda, b, ldb, lists);
  return __warplens_blas_status();
}

#define __WARPLENS_STRUCTURED(letter, T)                                                                                   \
  __WARPLENS_BLAS(letter##syrk)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k,            \
                                const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc) {                       \
    return __warplens_syrk(h, fill, trans, false, false, n, k, alpha, a, lda, a, lda, beta, c, ldc);                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##syrkx)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k,           \
                                 const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,            \
                                 int ldc) {                                                                                \
    return __warplens_syrk(h, fill, trans, false, false, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##syr2k)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k,           \
                                 const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,            \
                                 int ldc) {                                                                                \
    return __warplens_syrk(h, fill, trans, false, true, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                        \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##symm)(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,              \
                                const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {  \
    return __warplens_symm(h, side, fill, false, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                               \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trmm)(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,   \
                                cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *a, int lda, const T *b,  \
                                int ldb, T *c, int ldc) {                                                                  \
    typedef warplens::Number<T> N;                                                                                         \
    if (m < 0 || n < 0 || ldb < __warplens_most(m, 1) || ldc < __warplens_most(m, 1)) return CUBLAS_STATUS_INVALID_VALUE;  \
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    __warplens_scalar<N> scale(h, __warplens_numbers(alpha));                                                              \
    /* B may be C: then the product is made elsewhere first. */                                                            \
    N *made = __warplens_numbers(c);                                                                                       \
    int rows = ldc;                                                                                                        \
    if (b == c && (rows = m, cudaMalloc(&made, sizeof(N) * m * n) != cudaSuccess)) return CUBLAS_STATUS_ALLOC_FAILED;      \
    warplens::trmm<N><<<__warplens_grid(m, n), 256, 0, h->stream>>>(                                                       \
        side == CUBLAS_SIDE_LEFT, __warplens_lower(fill), trans, diagonal == CUBLAS_DIAG_UNIT, m, n, scale.value,          \
        scale.onDevice, __warplens_numbers(a), lda, __warplens_numbers(b), ldb, made, rows);                               \
    if (b == c) {                                                                                                          \
      cudaMemcpy2DAsync(c, sizeof(N) * ldc, made, sizeof(N) * m, sizeof(N) * m, n, cudaMemcpyDeviceToDevice, h->stream);   \
      cudaFree(made);                                                                                                      \
    }                                                                                                                      \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trsm)(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,   \
                                cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *a, int lda, T *b,        \
                                int ldb) {                                                                                 \
    return __warplens_trsm(h, side, fill, trans, diagonal, m, n, alpha, a, lda, b, ldb, 1, false);                         \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trsmBatched)(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,                     \
                                       cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n, const T *alpha,   \
                                       const T *const a[], int lda, T *const b[], int ldb, int count) {                    \
    return __warplens_trsm(h, side, fill, trans, diagonal, m, n, alpha, a, lda, (void *)b, ldb, count, true);              \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trsv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int incx) {                   \
    if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                                          \
    if (n == 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::trsv<<<1, 256, 0, h->stream>>>(__warplens_lower(fill), trans, diagonal == CUBLAS_DIAG_UNIT, n,               \
                                             __warplens_numbers(a), lda,                                                   \
                                             __warplens_first(__warplens_numbers(x), n, incx), incx);                      \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##trmv)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans,                          \
                                cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int incx) {                   \
    if (n < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                                          \
    if (n == 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::trmv<<<1, 256, 0, h->stream>>>(__warplens_lower(fill), trans, diagonal == CUBLAS_DIAG_UNIT, n,               \
                                             __warplens_numbers(a), lda,                                                   \
                                             __warplens_first(__warplens_numbers(x), n, incx), incx);                      \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##symv)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *a, int lda,       \
                                const T *x, int incx, const T *beta, T *y, int incy) {                                     \
    return __warplens_symv(h, fill, false, n, alpha, a, lda, x, incx, beta, y, incy);                                      \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##syr)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int incx, T *a, \
                               int lda) {                                                                                  \
    return __warplens_syr(h, fill, false, false, n, alpha, x, incx, x, incx, a, lda);                                      \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##syr2)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int incx,      \
                                const T *y, int incy, T *a, int lda) {                                                     \
    return __warplens_syr(h, fill, false, true, n, alpha, x, incx, y, incy, a, lda);                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##dgmm)(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x,    \
                                int incx, T *c, int ldc) {                                                                 \
    if (m < 0 || n < 0 || lda < __warplens_most(m, 1) || ldc < __warplens_most(m, 1)) return CUBLAS_STATUS_INVALID_VALUE;  \
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    bool left = side == CUBLAS_SIDE_LEFT;                                                                                  \
    warplens::dgmm<<<__warplens_grid(m, n), 256, 0, h->stream>>>(                                                          \
        left, m, n, __warplens_numbers(a), lda, __warplens_first(__warplens_numbers(x), left ? m : n, incx), incx,         \
        __warplens_numbers(c), ldc);                                                                                       \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##getrfBatched)(cublasHandle_t h, int n, T *const a[], int lda, int *pivots, int *info,            \
                                        int count) {                                                                       \
    if (n < 0 || count < 0 || lda < __warplens_most(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                             \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                                \
    warplens::getrfBatched<<<count, 64, 0, h->stream>>>(n, (warplens::Number<T> *const *)a, lda, pivots, info);            \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##getriBatched)(cublasHandle_t h, int n, const T *const a[], int lda, const int *pivots,           \
                                        T *const c[], int ldc, int *info, int count) {                                     \
    typedef warplens::Number<T> N;                                                                                         \
    if (n < 0 || count < 0 || lda < __warplens_most(n, 1) || ldc < __warplens_most(n, 1))                                  \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                                  \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                                \
    warplens::getriBatched<N><<<count, 64, 0, h->stream>>>(true, n, (const N *const *)a, lda, pivots, (N *const *)c, ldc,  \
                                                           nullptr, nullptr, info);                                        \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##matinvBatched)(cublasHandle_t h, int n, const T *const a[], int lda, T *const c[], int ldc,      \
                                         int *info, int count) {                                                           \
    typedef warplens::Number<T> N;                                                                                         \
    if (n < 0 || count < 0 || n > 32 || lda < __warplens_most(n, 1) || ldc < __warplens_most(n, 1))                        \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                                  \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                                \
    void *work;                                                                                                            \
    if (cudaMalloc(&work, (size_t)count * n * (n * sizeof(N) + sizeof(int))) != cudaSuccess)                               \
      return CUBLAS_STATUS_ALLOC_FAILED;                                                                                   \
    warplens::getriBatched<N><<<count, 64, 0, h->stream>>>(false, n, (const N *const *)a, lda, nullptr, (N *const *)c,     \
                                                           ldc, (N *)work, (int *)((N *)work + (size_t)count * n * n),     \
                                                           info);                                                          \
    cudaFree(work);                                                                                                        \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##getrsBatched)(cublasHandle_t h, cublasOperation_t trans, int n, int columns,                     \
                                        const T *const a[], int lda, const int *pivots, T *const b[], int ldb, int *info,  \
                                        int count) {                                                                       \
    typedef warplens::Number<T> N;                                                                                         \
    *info = n < 0 ? -2 : columns < 0 ? -3 : lda < __warplens_most(n, 1) ? -5 : ldb < __warplens_most(n, 1) ? -8 : 0;       \
    if (*info) return CUBLAS_STATUS_INVALID_VALUE;                                                                         \
    if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                \
    warplens::getrsBatched<N><<<dim3((columns + 63) / 64, count), 64, 0, h->stream>>>(                                     \
        trans, n, columns, (const N *const *)a, lda, pivots, (N *const *)b, ldb);                                          \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_STRUCTURED(S, float)
__WARPLENS_STRUCTURED(D, double)
__WARPLENS_STRUCTURED(C, cuComplex)
__WARPLENS_STRUCTURED(Z, cuDoubleComplex)
#undef __WARPLENS_STRUCTURED

#define __WARPLENS_HERMITIAN(letter, T, R)                                                                                 \
  __WARPLENS_BLAS(letter##herk)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k,            \
                                const R *alpha, const T *a, int lda, const R *beta, T *c, int ldc) {                       \
    return __warplens_syrk(h, fill, trans, true, false, n, k, alpha, a, lda, a, lda, beta, c, ldc);                        \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##her2k)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k,           \
                                 const T *alpha, const T *a, int lda, const T *b, int ldb, const R *beta, T *c,            \
                                 int ldc) {                                                                                \
    return __warplens_syrk(h, fill, trans, true, true, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                         \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##hemm)(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,              \
                                const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {  \
    return __warplens_symm(h, side, fill, true, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                                \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##hemv)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *a, int lda,       \
                                const T *x, int incx, const T *beta, T *y, int incy) {                                     \
    return __warplens_symv(h, fill, true, n, alpha, a, lda, x, incx, beta, y, incy);                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##her)(cublasHandle_t h, cublasFillMode_t fill, int n, const R *alpha, const T *x, int incx, T *a, \
                               int lda) {                                                                                  \
    return __warplens_syr(h, fill, true, false, n, alpha, x, incx, x, incx, a, lda);                                       \
  }                                                                                                                        \
  __WARPLENS_BLAS(letter##her2)(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int incx,      \
                                const T *y, int incy, T *a, int lda) {                                                     \
    return __warplens_syr(h, fill, true, true, n, alpha, x, incx, y, incy, a, lda);                                        \
  }
__WARPLENS_HERMITIAN(C, cuComplex, float)
__WARPLENS_HERMITIAN(Z, cuDoubleComplex, double)
#undef __WARPLENS_HERMITIAN

/* Products of a complex matrix and its own transpose by types: single ones are all that is here, bytes are CUBLAS_STATUS_NOT_SUPPORTED.
   Those of three real products (3m) are the same but for their rounding. Source: cuBLAS documentation, "cublasCsyrkEx", "cublasCherk3mEx". */
#define __WARPLENS_RANK_EX(name, of, S)                                                                                    \
  __WARPLENS_BLAS(name)(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t trans, int n, int k, const S *alpha,    \
                        const void *a, cudaDataType aType, int lda, const S *beta, void *c, cudaDataType cType, int ldc) { \
    if (aType != CUDA_C_32F || cType != CUDA_C_32F) return CUBLAS_STATUS_NOT_SUPPORTED;                                    \
    return cublas##of(h, fill, trans, n, k, alpha, (const cuComplex *)a, lda, beta, (cuComplex *)c, ldc);                  \
  }
__WARPLENS_RANK_EX(CsyrkEx, Csyrk, cuComplex)
__WARPLENS_RANK_EX(Csyrk3mEx, Csyrk, cuComplex)
__WARPLENS_RANK_EX(CherkEx, Cherk, float)
__WARPLENS_RANK_EX(Cherk3mEx, Cherk, float)
#undef __WARPLENS_RANK_EX
#undef __WARPLENS_BLAS

#endif
