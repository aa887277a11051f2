/* cuBLAS's lists of matrices as orthogonal ones times triangles (geqrfBatched), and least squares by them (gelsBatched). Templates, so that
   programs pay for what they call. Source: cuBLAS documentation, "cublas<t>geqrfBatched()", "cublas<t>gelsBatched()". */
#ifndef WARPLENS_CUBLAS_LEAST_SQUARES_H
#define WARPLENS_CUBLAS_LEAST_SQUARES_H

#include <warplens/cublas_structured.h>
#include <warplens/cublas_reflector_kernels.h>

namespace warplens {
template <class T> __global__ void geqrfBatched(int m, int n, T *const *a, int lda, T *const *tau) {
  factorQr(m, n, a[blockIdx.x], lda, tau[blockIdx.x]);
}
/* The columns of C that come nearest to A X = C: X in their first n rows. A zero on R's diagonal is told and ends it. */
template <class T>
__global__ void gelsBatched(int m, int n, int columns, T *const *as, int lda, T *const *cs, int ldc, T *taus, int *info) {
  T *a = as[blockIdx.x], *tau = taus + blockIdx.x * n;
  factorQr(m, n, a, lda, tau);
  int failed = 0;
  for (int i = n - 1; i >= 0; i--)
    if (a[i * lda + i] == T(0)) failed = i + 1;
  if (threadIdx.x == 0 && info) info[blockIdx.x] = failed;
  if (failed) return;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    T *x = cs[blockIdx.x] + column * ldc;
    reflect(false, true, false, m, n, a, lda, tau, x, 1);
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) x[i] -= a[k * lda + i] * x[k];
      x[i] = x[i] / a[i * lda + i];
    }
  }
}
} // namespace warplens

#define __WARPLENS_LEAST_SQUARES(letter, T)                                                                                \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t h, int m, int n, T *const a[], int lda,         \
                                                            T *const tau[], int *info, int count) {                        \
    typedef warplens::Number<T> N;                                                                                         \
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < __warplens_most(m, 1) ? -4 : count < 0 ? -7 : 0;                               \
    if (*info) return CUBLAS_STATUS_INVALID_VALUE;                                                                         \
    if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                      \
    warplens::geqrfBatched<N><<<count, warplens::solverThreads, 0, h->stream>>>(m, n, (N *const *)a, lda, (N *const *)tau); \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  template <class = void>                                                                                                  \
  static inline cublasStatus_t cublas##letter##gelsBatched(cublasHandle_t h, cublasOperation_t trans, int m, int n,        \
                                                           int columns, T *const a[], int lda, T *const c[], int ldc,      \
                                                           int *info, int *infoOfEach, int count) {                        \
    typedef warplens::Number<T> N;                                                                                         \
    *info = m < 0 ? -2 : n < 0 ? -3 : columns < 0 ? -4 : lda < __warplens_most(m, 1) ? -6                                  \
            : ldc < __warplens_most(m, 1) ? -8 : count < 0 ? -11 : 0;                                                      \
    if (*info) return CUBLAS_STATUS_INVALID_VALUE;                                                                         \
    if (trans != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;                                                 \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                                \
    void *taus;                                                                                                            \
    if (cudaMalloc(&taus, (size_t)count * n * sizeof(N)) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;                \
    warplens::gelsBatched<N><<<count, warplens::solverThreads, 0, h->stream>>>(m, n, columns, (N *const *)a, lda,          \
                                                                               (N *const *)c, ldc, (N *)taus, infoOfEach); \
    cudaFree(taus);                                                                                                        \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_LEAST_SQUARES(S, float)
__WARPLENS_LEAST_SQUARES(D, double)
__WARPLENS_LEAST_SQUARES(C, cuComplex)
__WARPLENS_LEAST_SQUARES(Z, cuDoubleComplex)
#undef __WARPLENS_LEAST_SQUARES

#endif
