/* cuBLAS's first interface: no handle, scalars by value, operations as letters, results returned, the last error kept. The names
   are overloads of those of cublas_v2.h, which do the work. */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#include <cublas_v2.h>

#if defined(__cplusplus) && defined(__CUDA__)

/* One for the program; made by the first call that needs it, since programs leave cublasInit out. */
struct __warplens_blas_first {
  cublasHandle_t handle;
  cublasStatus_t status;
};
inline __warplens_blas_first &__warplens_blas_state() {
  static __warplens_blas_first state = {nullptr, CUBLAS_STATUS_SUCCESS};
  return state;
}
static inline cublasHandle_t __warplens_blas_handle() {
  __warplens_blas_first &state = __warplens_blas_state();
  if (!state.handle && cublasCreate(&state.handle) != CUBLAS_STATUS_SUCCESS) state.status = CUBLAS_STATUS_NOT_INITIALIZED;
  return state.handle;
}
static inline void __warplens_blas_keep(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) __warplens_blas_state().status = status;
}
static inline cublasOperation_t __warplens_blas_operation(char letter) {
  return letter == 'N' || letter == 'n' ? CUBLAS_OP_N : letter == 'T' || letter == 't' ? CUBLAS_OP_T : CUBLAS_OP_C;
}

static inline cublasStatus_t cublasInit() {
  __warplens_blas_state().status = CUBLAS_STATUS_SUCCESS;
  return __warplens_blas_handle() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus_t cublasShutdown() {
  __warplens_blas_first &state = __warplens_blas_state();
  if (!state.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasHandle_t handle = state.handle;
  state.handle = nullptr;
  return cublasDestroy(handle);
}
/* Reading it clears it. */
static inline cublasStatus_t cublasGetError() {
  __warplens_blas_first &state = __warplens_blas_state();
  cublasStatus_t status = state.status;
  state.status = CUBLAS_STATUS_SUCCESS;
  return status;
}
static inline cublasStatus_t cublasGetVersion(int *version) { return cublasGetVersion(__warplens_blas_handle(), version); }
static inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream(__warplens_blas_handle(), stream);
}
static inline cublasStatus_t cublasAlloc(int n, int elementBytes, void **pointer) {
  if (n <= 0 || elementBytes <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(pointer, (size_t)n * elementBytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus_t cublasFree(void *pointer) {
  return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

#define __WARPLENS_BLAS(letter, T, lower)                                                                                \
  static inline void cublas##letter##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) {                        \
    __warplens_blas_keep(cublas##letter##axpy(__warplens_blas_handle(), n, &alpha, x, incx, y, incy));                   \
  }                                                                                                                      \
  static inline void cublas##letter##scal(int n, T alpha, T *x, int incx) {                                              \
    __warplens_blas_keep(cublas##letter##scal(__warplens_blas_handle(), n, &alpha, x, incx));                            \
  }                                                                                                                      \
  static inline void cublas##letter##copy(int n, const T *x, int incx, T *y, int incy) {                                 \
    __warplens_blas_keep(cublas##letter##copy(__warplens_blas_handle(), n, x, incx, y, incy));                           \
  }                                                                                                                      \
  static inline void cublas##letter##swap(int n, T *x, int incx, T *y, int incy) {                                       \
    __warplens_blas_keep(cublas##letter##swap(__warplens_blas_handle(), n, x, incx, y, incy));                           \
  }                                                                                                                      \
  static inline T cublas##letter##dot(int n, const T *x, int incx, const T *y, int incy) {                               \
    T result = 0;                                                                                                        \
    __warplens_blas_keep(cublas##letter##dot(__warplens_blas_handle(), n, x, incx, y, incy, &result));                   \
    return result;                                                                                                       \
  }                                                                                                                      \
  static inline T cublas##letter##asum(int n, const T *x, int incx) {                                                    \
    T result = 0;                                                                                                        \
    __warplens_blas_keep(cublas##letter##asum(__warplens_blas_handle(), n, x, incx, &result));                           \
    return result;                                                                                                       \
  }                                                                                                                      \
  static inline T cublas##letter##nrm2(int n, const T *x, int incx) {                                                    \
    T result = 0;                                                                                                        \
    __warplens_blas_keep(cublas##letter##nrm2(__warplens_blas_handle(), n, x, incx, &result));                           \
    return result;                                                                                                       \
  }                                                                                                                      \
  static inline int cublasI##lower##amax(int n, const T *x, int incx) {                                                  \
    int result = 0;                                                                                                      \
    __warplens_blas_keep(cublasI##lower##amax(__warplens_blas_handle(), n, x, incx, &result));                           \
    return result;                                                                                                       \
  }                                                                                                                      \
  static inline int cublasI##lower##amin(int n, const T *x, int incx) {                                                  \
    int result = 0;                                                                                                      \
    __warplens_blas_keep(cublasI##lower##amin(__warplens_blas_handle(), n, x, incx, &result));                           \
    return result;                                                                                                       \
  }                                                                                                                      \
  static inline void cublas##letter##gemv(                                                                               \
      char trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {            \
    __warplens_blas_keep(cublas##letter##gemv(                                                                           \
        __warplens_blas_handle(), __warplens_blas_operation(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));     \
  }                                                                                                                      \
  static inline void cublas##letter##ger(                                                                                \
      int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {                                \
    __warplens_blas_keep(cublas##letter##ger(                                                                            \
        __warplens_blas_handle(), m, n, &alpha, x, incx, y, incy, a, lda));                                              \
  }                                                                                                                      \
  static inline void cublas##letter##gemm(                                                                               \
      char transa, char transb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta,          \
      T *c, int ldc) {                                                                                                   \
    __warplens_blas_keep(cublas##letter##gemm(                                                                           \
        __warplens_blas_handle(), __warplens_blas_operation(transa), __warplens_blas_operation(transb), m, n, k,         \
        &alpha, a, lda, b, ldb, &beta, c, ldc));                                                                         \
  }
__WARPLENS_BLAS(S, float, s)
__WARPLENS_BLAS(D, double, d)
#undef __WARPLENS_BLAS

#endif
#endif
