/* cuSOLVER's functions with 64-bit sizes and types as arguments (`cusolverDnXgetrf` and its kind): the other functions, by type.
   Source: cuSOLVER documentation, "cuSolverDN: 64-bit API". */
#ifndef WARPLENS_CUSOLVER_GENERIC_H
#define WARPLENS_CUSOLVER_GENERIC_H

#include <warplens/cusolver_singular.h>

struct cusolverDnParams {
  int algorithm;
};
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;
typedef enum { CUSOLVER_ALG_0 = 0, CUSOLVER_ALG_1 = 1, CUSOLVER_ALG_2 = 2 } cusolverAlgMode_t;

#define __WARPLENS_SOLVER(name) template <class = void> static inline cusolverStatus_t cusolverDn##name

__WARPLENS_SOLVER(CreateParams)(cusolverDnParams_t *params) {
  *params = new cusolverDnParams{0};
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(DestroyParams)(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
/* Algorithms differ in speed; there is one here. */
__WARPLENS_SOLVER(SetAdvOptions)(cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algorithm) {
  if (!params || function > CUSOLVERDN_SYEVBATCHED) return CUSOLVER_STATUS_INVALID_VALUE;
  params->algorithm = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

/* `call(letter, T)` for the type of the data; warplens/cusolver_ranges.h has them too. */
#define __WARPLENS_REAL_TYPES(type, call)                                                                                  \
  if (type == CUDA_R_32F) return call(S, float);                                                                           \
  if (type == CUDA_R_64F) return call(D, double);
#define __WARPLENS_ALL_TYPES(type, call)                                                                                   \
  __WARPLENS_REAL_TYPES(type, call)                                                                                        \
  if (type == CUDA_C_32F) return call(C, cuComplex);                                                                       \
  if (type == CUDA_C_64F) return call(Z, cuDoubleComplex);
/* Work space is counted in elements by the other functions, in bytes by these. */
template <class T> static inline cusolverStatus_t __warplens_bytes(cusolverStatus_t status, int elements, size_t *device, size_t *host) {
  *device = sizeof(T) * (size_t)elements;
  *host = 0;
  return status;
}
static inline cudaDataType __warplens_real(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

__WARPLENS_SOLVER(Xgetrf_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                     const void *, int64_t lda, cudaDataType compute, size_t *device, size_t *host) {
  if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, m *n, device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xgetrf)(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda,
                          int64_t *pivots, cudaDataType compute, void *, size_t, void *, size_t, int *info) {
  if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  (warplens::getrf<<<1, warplens::solverThreads, 0, h->stream>>>((int)m, (int)n, __warplens_numbers((T *)a), (int)lda,     \
                                                                 pivots, info),                                            \
   __warplens_solver_status())
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xgetrs)(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t trans, int64_t n, int64_t columns,
                          cudaDataType type, const void *a, int64_t lda, const int64_t *pivots, cudaDataType typeB, void *b,
                          int64_t ldb, int *info) {
  if (__warplens_wrong(h, n, columns, lda) || ldb < __warplens_most(n, 1)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (typeB != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  (warplens::getrs<<<__warplens_most((columns + 63) / 64, 1), 64, 0, h->stream>>>(                                         \
       trans, (int)n, (int)columns, __warplens_numbers((const T *)a), (int)lda, pivots, __warplens_numbers((T *)b),        \
       (int)ldb, info),                                                                                                    \
   __warplens_solver_status())
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

__WARPLENS_SOLVER(Xpotrf_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t, int64_t n, cudaDataType type,
                                     const void *, int64_t lda, cudaDataType compute, size_t *device, size_t *host) {
  if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, n, device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xpotrf)(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill, int64_t n, cudaDataType type, void *a,
                          int64_t lda, cudaDataType compute, void *work, size_t bytes, void *, size_t, int *info) {
  if (compute != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) cusolverDn##letter##potrf(h, fill, n, (T *)a, lda, (T *)work, bytes / sizeof(T), info)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xpotrs)(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill, int64_t n, int64_t columns,
                          cudaDataType type, const void *a, int64_t lda, cudaDataType typeB, void *b, int64_t ldb, int *info) {
  if (typeB != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) cusolverDn##letter##potrs(h, fill, n, columns, (const T *)a, lda, (T *)b, ldb, info)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

__WARPLENS_SOLVER(Xgeqrf_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                     const void *, int64_t lda, cudaDataType typeTau, const void *, cudaDataType compute,
                                     size_t *device, size_t *host) {
  if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type || typeTau != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, n, device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xgeqrf)(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda,
                          cudaDataType typeTau, void *tau, cudaDataType compute, void *work, size_t bytes, void *, size_t,
                          int *info) {
  if (compute != type || typeTau != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  cusolverDn##letter##geqrf(h, m, n, (T *)a, lda, (T *)tau, (T *)work, bytes / sizeof(T), info)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

__WARPLENS_SOLVER(Xsyevd_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t, int64_t n,
                                     cudaDataType type, const void *, int64_t lda, cudaDataType typeW, const void *,
                                     cudaDataType compute, size_t *device, size_t *host) {
  if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type || typeW != __warplens_real(type)) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T) __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, n *(n + 1), device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xsyevd)(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode, cublasFillMode_t fill, int64_t n,
                          cudaDataType type, void *a, int64_t lda, cudaDataType typeW, void *w, cudaDataType compute, void *work,
                          size_t bytes, void *, size_t, int *info) {
  if (compute != type || typeW != __warplens_real(type)) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  __warplens_syev(h, mode, fill, n, (T *)a, lda, (warplens::RealOf<T> *)w, (T *)work, bytes / sizeof(T), info, 1, nullptr)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

__WARPLENS_SOLVER(Xgesvd_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, signed char, signed char, int64_t m, int64_t n,
                                     cudaDataType type, const void *, int64_t lda, cudaDataType typeS, const void *,
                                     cudaDataType typeU, const void *, int64_t, cudaDataType typeV, const void *, int64_t,
                                     cudaDataType compute, size_t *device, size_t *host) {
  if (__warplens_wrong(h, m, n, lda) || m < n) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type || typeS != __warplens_real(type) || typeU != type || typeV != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, __warplens_singular_size(m, n), device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xgesvd)(cusolverDnHandle_t h, cusolverDnParams_t, signed char jobu, signed char jobvt, int64_t m, int64_t n,
                          cudaDataType type, void *a, int64_t lda, cudaDataType typeS, void *values, cudaDataType typeU, void *u,
                          int64_t ldu, cudaDataType typeV, void *vt, int64_t ldvt, cudaDataType compute, void *work, size_t bytes,
                          void *, size_t, int *info) {
  if (compute != type || typeS != __warplens_real(type) || typeU != type || typeV != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  cusolverDn##letter##gesvd(h, jobu, jobvt, m, n, (T *)a, lda, (warplens::RealOf<T> *)values, (T *)u, ldu, (T *)vt, ldvt, (T *)work,         \
                            bytes / sizeof(T), nullptr, info)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
/* By the polar factor there, and with the error that this leaves; here there is none of that kind. */
__WARPLENS_SOLVER(Xgesvdp_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t, int, int64_t m, int64_t n,
                                      cudaDataType type, const void *, int64_t lda, cudaDataType typeS, const void *,
                                      cudaDataType typeU, const void *, int64_t, cudaDataType typeV, const void *, int64_t,
                                      cudaDataType compute, size_t *device, size_t *host) {
  if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (compute != type || typeS != __warplens_real(type) || typeU != type || typeV != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, __warplens_singular_size(m, n), device, host)
  __WARPLENS_REAL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xgesvdp)(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode, int econ, int64_t m, int64_t n,
                           cudaDataType type, void *a, int64_t lda, cudaDataType typeS, void *values, cudaDataType typeU, void *u,
                           int64_t ldu, cudaDataType typeV, void *v, int64_t ldv, cudaDataType compute, void *work, size_t bytes,
                           void *, size_t, int *info, double *error) {
  if (compute != type || typeS != __warplens_real(type) || typeU != type || typeV != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
  int given = econ ? __warplens_least(m, n) : __warplens_most(m, n);
  *error = 0;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  __warplens_singular<T>(h, mode == CUSOLVER_EIG_MODE_VECTOR,                                                              \
                         {(int)m, (int)n, (T *)a, (int)lda, 0, (T *)values, 0, (T *)u, (int)ldu, 0, (T *)v, (int)ldv, 0,   \
                          false, given},                                                                                   \
                         (T *)work, bytes / sizeof(T), info, 100, 1)
  __WARPLENS_REAL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

/* The inverse of a triangle, over it. */
__WARPLENS_SOLVER(Xtrtri_bufferSize)(cusolverDnHandle_t h, cublasFillMode_t, cublasDiagType_t, int64_t n, cudaDataType type, void *,
                                     int64_t lda, size_t *device, size_t *host) {
  if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
#define __WARPLENS_CALL(letter, T) __warplens_bytes<T>(CUSOLVER_STATUS_SUCCESS, n *n, device, host)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
__WARPLENS_SOLVER(Xtrtri)(cusolverDnHandle_t h, cublasFillMode_t fill, cublasDiagType_t diagonal, int64_t n, cudaDataType type,
                          void *a, int64_t lda, void *work, size_t bytes, void *, size_t, int *info) {
  if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  (bytes < sizeof(T) * n * n                                                                                               \
       ? CUSOLVER_STATUS_INVALID_VALUE                                                                                     \
       : (warplens::trtri<<<1, warplens::solverThreads, 0, h->stream>>>(__warplens_lower(fill),                            \
                                                                        diagonal == CUBLAS_DIAG_UNIT, (int)n,              \
                                                                        __warplens_numbers((T *)a), (int)lda,              \
                                                                        __warplens_numbers((T *)work), info),              \
          __warplens_solver_status()))
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
#undef __WARPLENS_SOLVER

__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXgetrf_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXpotrf_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXgeqrf_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXsyevd_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXgesvd_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXgesvdp_bufferSize)
__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXtrtri_bufferSize)
#endif
