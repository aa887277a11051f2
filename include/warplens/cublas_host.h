/* cuBLAS's functions: checks, pointer modes, launches of warplens/cublas_kernels.h in the handle's stream. */
#ifndef WARPLENS_CUBLAS_HOST_H
#define WARPLENS_CUBLAS_HOST_H

#include <warplens/cublas_kernels.h>
#include <warplens/cublas_names.h>

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointerMode;
  cublasMath_t mathMode;
  cublasAtomicsMode_t atomicsMode;
  /* Device memory for results that go to the host. */
  void *result;
};

static inline cublasStatus_t __warplens_blas_status() {
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
static inline cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  void *result = nullptr;
  if (cudaMalloc(&result, 16) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  *handle = new cublasContext{0, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH, CUBLAS_ATOMICS_NOT_ALLOWED, result};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaFree(handle->result);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  handle->pointerMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
  *mode = handle->pointerMode;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  handle->mathMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  *mode = handle->mathMode;
  return CUBLAS_STATUS_SUCCESS;
}
/* Sums are made in one order whatever is allowed, and in no memory of the program's. */
static inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  handle->atomicsMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) {
  *mode = handle->atomicsMode;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
static inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
static inline size_t cublasGetCudartVersion() { return CUDART_VERSION; }
static inline const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS: return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
  case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
  case CUBLAS_STATUS_INVALID_VALUE: return "an invalid value was used as an argument";
  case CUBLAS_STATUS_EXECUTION_FAILED: return "the GPU program failed to execute";
  case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality is not supported";
  default: return "an internal operation failed";
  }
}
static inline const char *cublasGetStatusName(cublasStatus_t status) {
#define __WARPLENS_NAMED(name)                                                                                             \
  case name: return #name;
  switch (status) {
    __WARPLENS_NAMED(CUBLAS_STATUS_SUCCESS)
    __WARPLENS_NAMED(CUBLAS_STATUS_NOT_INITIALIZED)
    __WARPLENS_NAMED(CUBLAS_STATUS_ALLOC_FAILED)
    __WARPLENS_NAMED(CUBLAS_STATUS_INVALID_VALUE)
    __WARPLENS_NAMED(CUBLAS_STATUS_ARCH_MISMATCH)
    __WARPLENS_NAMED(CUBLAS_STATUS_MAPPING_ERROR)
    __WARPLENS_NAMED(CUBLAS_STATUS_EXECUTION_FAILED)
    __WARPLENS_NAMED(CUBLAS_STATUS_INTERNAL_ERROR)
    __WARPLENS_NAMED(CUBLAS_STATUS_NOT_SUPPORTED)
    __WARPLENS_NAMED(CUBLAS_STATUS_LICENSE_ERROR)
  }
#undef __WARPLENS_NAMED
  return "CUBLAS_STATUS_UNKNOWN";
}
static inline cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
  return cudaMemcpy2D(b, (size_t)ldb * bytes, a, (size_t)lda * bytes, (size_t)rows * bytes, columns, cudaMemcpyHostToDevice) ==
                 cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
  return cudaMemcpy2D(b, (size_t)ldb * bytes, a, (size_t)lda * bytes, (size_t)rows * bytes, columns, cudaMemcpyDeviceToHost) ==
                 cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy) {
  return cudaMemcpy2D(y, (size_t)incy * bytes, x, (size_t)incx * bytes, bytes, n, cudaMemcpyHostToDevice) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy) {
  return cudaMemcpy2D(y, (size_t)incy * bytes, x, (size_t)incx * bytes, bytes, n, cudaMemcpyDeviceToHost) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

static inline cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb,
                                                  cudaStream_t stream) {
  return cudaMemcpy2DAsync(b, (size_t)ldb * bytes, a, (size_t)lda * bytes, (size_t)rows * bytes, columns,
                           cudaMemcpyHostToDevice, stream) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb,
                                                  cudaStream_t stream) {
  return cudaMemcpy2DAsync(b, (size_t)ldb * bytes, a, (size_t)lda * bytes, (size_t)rows * bytes, columns,
                           cudaMemcpyDeviceToHost, stream) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
                                                  cudaStream_t stream) {
  return cublasSetMatrixAsync(1, n, bytes, x, incx, y, incy, stream);
}
static inline cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
                                                  cudaStream_t stream) {
  return cublasGetMatrixAsync(1, n, bytes, x, incx, y, incy, stream);
}

/* A scalar argument: its value, or where on the device it is. */
template <class T> struct __warplens_scalar {
  T value;
  const T *onDevice;
  __warplens_scalar(cublasHandle_t h, const T *p)
      : value(h->pointerMode == CUBLAS_POINTER_MODE_HOST ? *p : T()),
        onDevice(h->pointerMode == CUBLAS_POINTER_MODE_HOST ? nullptr : p) {}
};
static inline dim3 __warplens_blocks(int n, int most = 1024) {
  int blocks = (n + 255) / 256;
  return dim3(blocks < most ? blocks : most);
}
/* A negative increment walks backwards from the end. */
template <class T> static inline T *__warplens_first(T *x, int n, int inc) { return inc < 0 ? x - (n - 1) * inc : x; }

template <class T, class Launch> static inline cublasStatus_t __warplens_result(cublasHandle_t h, int n, T *out, Launch launch) {
  bool toHost = h->pointerMode == CUBLAS_POINTER_MODE_HOST;
  if (n <= 0) return toHost ? (*out = 0, CUBLAS_STATUS_SUCCESS) : CUBLAS_STATUS_INVALID_VALUE;
  launch(toHost ? (T *)h->result : out);
  if (toHost && cudaMemcpy(out, h->result, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return __warplens_blas_status();
}
template <class T, class In = T, class Out = T, class Scale = T>
static inline cublasStatus_t __warplens_gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                             const Scale *alpha, const void *a, int lda, long long sa, const void *b, int ldb,
                                             long long sb, const Scale *beta, void *c, int ldc, long long sc, int count, bool lists) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  int rowsA = ta == CUBLAS_OP_N ? m : k, rowsB = tb == CUBLAS_OP_N ? k : n;
  if (m < 0 || n < 0 || k < 0 || count < 0 || lda < (rowsA > 1 ? rowsA : 1) || ldb < (rowsB > 1 ? rowsB : 1) ||
      ldc < (m > 1 ? m : 1))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  __warplens_scalar<Scale> scale(h, alpha), keep(h, beta);
  dim3 grid((m + warplens::tile - 1) / warplens::tile, (n + warplens::tile - 1) / warplens::tile, count);
  warplens::gemm<T, In, Out, Scale><<<grid, dim3(warplens::tile, warplens::tile), 0, h->stream>>>(
      ta, tb, m, n, k, (T)scale.value, scale.onDevice, a, lda, sa, b, ldb, sb, (T)keep.value,
      keep.onDevice, c, ldc, sc, lists);
  return __warplens_blas_status();
}

#define __WARPLENS_BLAS(letter, T, lower)                                                                                  \
  static inline cublasStatus_t cublas##letter##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y,   \
                                                    int incy) {                                                            \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<T> a(h, alpha);                                                                                      \
    warplens::axpy<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, __warplens_first(x, n, incx),   \
                                                                   incx, __warplens_first(y, n, incy), incy);             \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {             \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    __warplens_scalar<T> a(h, alpha);                                                                                      \
    warplens::scal<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, x, incx);                       \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {       \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::copy<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, __warplens_first(x, n, incx), incx,                  \
                                                                   __warplens_first(y, n, incy), incy);                   \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {             \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                              \
    warplens::swap<T><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, __warplens_first(x, n, incx), incx,                  \
                                                                   __warplens_first(y, n, incy), incy);                   \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy,    \
                                                   T *result) {                                                            \
    return __warplens_result(h, n, result, [&](T *out) {                                                                   \
      warplens::reduce<T><<<1, warplens::reduceThreads, 0, h->stream>>>(0, n, __warplens_first(x, n, incx), incx,          \
                                                                        __warplens_first(y, n, incy), incy, out);         \
    });                                                                                                                    \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##asum(cublasHandle_t h, int n, const T *x, int incx, T *result) {            \
    return __warplens_result(h, n, result, [&](T *out) {                                                                   \
      warplens::reduce<T><<<1, warplens::reduceThreads, 0, h->stream>>>(1, n, x, incx, x, incx, out);                      \
    });                                                                                                                    \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result) {            \
    return __warplens_result(h, n, result, [&](T *out) {                                                                   \
      warplens::reduce<T><<<1, warplens::reduceThreads, 0, h->stream>>>(2, n, x, incx, x, incx, out);                      \
    });                                                                                                                    \
  }                                                                                                                        \
  static inline cublasStatus_t cublasI##lower##amax(cublasHandle_t h, int n, const T *x, int incx, int *result) {          \
    return __warplens_result(h, n, result, [&](int *out) {                                                                 \
      warplens::extreme<T><<<1, warplens::reduceThreads, 0, h->stream>>>(1, n, x, incx, out);                              \
    });                                                                                                                    \
  }                                                                                                                        \
  static inline cublasStatus_t cublasI##lower##amin(cublasHandle_t h, int n, const T *x, int incx, int *result) {          \
    return __warplens_result(h, n, result, [&](int *out) {                                                                 \
      warplens::extreme<T><<<1, warplens::reduceThreads, 0, h->stream>>>(-1, n, x, incx, out);                             \
    });                                                                                                                    \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n,               \
                                                    const T *alpha, const T *a, int lda, const T *x, int incx,             \
                                                    const T *beta, T *y, int incy) {                                       \
    if (m < 0 || n < 0 || lda < (m > 1 ? m : 1)) return CUBLAS_STATUS_INVALID_VALUE;                                       \
    int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;                                       \
    if (rows == 0) return CUBLAS_STATUS_SUCCESS;                                                                           \
    __warplens_scalar<T> scale(h, alpha), keep(h, beta);                                                                   \
    warplens::gemv<T><<<__warplens_blocks(rows, 1 << 30), 256, 0, h->stream>>>(                                            \
        trans, m, n, scale.value, scale.onDevice, a, lda, __warplens_first(x, columns, incx), incx,         \
        keep.value, keep.onDevice, __warplens_first(y, rows, incy), incy);                                                 \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx,   \
                                                   const T *y, int incy, T *a, int lda) {                                  \
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    __warplens_scalar<T> scale(h, alpha);                                                                                  \
    warplens::ger<T><<<dim3((m + 255) / 256, n), 256, 0, h->stream>>>(m, n, scale.value, scale.onDevice,                   \
                                                                      __warplens_first(x, m, incx), incx,                 \
                                                                      __warplens_first(y, n, incy), incy, a, lda);        \
    return __warplens_blas_status();                                                                                       \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
                                                    int n, int k, const T *alpha, const T *a, int lda, const T *b,         \
                                                    int ldb, const T *beta, T *c, int ldc) {                               \
    return __warplens_gemm<T>(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, false);                 \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##gemmStridedBatched(                                                         \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a,       \
      int lda, long long sa, const T *b, int ldb, long long sb, const T *beta, T *c, int ldc, long long sc, int count) {   \
    return __warplens_gemm<T>(h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count, false);          \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##gemmBatched(                                                                \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,                   \
      const T *const a[], int lda, const T *const b[], int ldb, const T *beta, T *const c[], int ldc, int count) {         \
    return __warplens_gemm<T>(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, (void *)c, ldc, 0, count, true);      \
  }                                                                                                                        \
  static inline cublasStatus_t cublas##letter##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
                                                    int n, const T *alpha, const T *a, int lda, const T *beta,             \
                                                    const T *b, int ldb, T *c, int ldc) {                                  \
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                    \
    __warplens_scalar<T> first(h, alpha), second(h, beta);                                                                 \
    warplens::geam<T><<<dim3((m + 255) / 256, n), 256, 0, h->stream>>>(ta, tb, m, n,         \
                                                                       first.value, first.onDevice, a, lda, second.value,  \
                                                                       second.onDevice, b, ldb, c, ldc);                   \
    return __warplens_blas_status();                                                                                       \
  }
__WARPLENS_BLAS(S, float, s)
__WARPLENS_BLAS(D, double, d)
#undef __WARPLENS_BLAS

#endif
