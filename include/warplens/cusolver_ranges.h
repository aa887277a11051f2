/* cuSOLVER's eigenvalues of a range, by their numbers or by their values. All are found, and those of the range kept.
   Source: cuSOLVER documentation, "cusolverDn<t>syevdx()", "cusolverDn<t>sygvdx()", "cusolverDnXsyevdx()". */
#ifndef WARPLENS_CUSOLVER_RANGES_H
#define WARPLENS_CUSOLVER_RANGES_H

#include <warplens/cusolver_generic.h>

namespace warplens {
/* What is kept of n values, in ascending order, and of as many columns comes first; a thread for each row. */
template <class T, class R> __global__ void keepEigen(int n, int first, int count, T *columns, int lda, R *values) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int i = 0; columns && i < count; i++) columns[i * lda + row] = columns[(first + i) * lda + row];
  for (int i = 0; row == 0 && i < count; i++) values[i] = values[first + i];
}
} // namespace warplens

/* Which values there are to be: (low, high], or numbers low to high, from 1. */
template <class R> struct __warplens_eigen_range {
  cusolverEigRange_t range;
  R low, high;
  int64_t from, to;
  bool isWrong(int64_t n) const {
    if (range == CUSOLVER_EIG_RANGE_V) return !(low < high);
    if (range == CUSOLVER_EIG_RANGE_I) return from < 1 || to < from || to > n;
    return range != CUSOLVER_EIG_RANGE_ALL;
  }
};
template <class T, class R>
static inline cusolverStatus_t __warplens_keep_eigen(cusolverDnHandle_t h, cusolverEigMode_t mode, __warplens_eigen_range<R> range,
                                                     int n, T *a, int lda, R *w, const int *info, int64_t *found) {
  int first = 0, count = n, failed = 0;
  cudaMemcpyAsync(&failed, info, sizeof failed, cudaMemcpyDeviceToHost, h->stream);
  if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (failed) return *found = 0, CUSOLVER_STATUS_SUCCESS;
  if (range.range == CUSOLVER_EIG_RANGE_I) first = (int)range.from - 1, count = (int)(range.to - range.from) + 1;
  if (range.range == CUSOLVER_EIG_RANGE_V) {
    R *values = new R[n];
    cudaMemcpyAsync(values, w, sizeof(R) * n, cudaMemcpyDeviceToHost, h->stream);
    cudaStreamSynchronize(h->stream);
    while (first < n && !(values[first] > range.low)) first++;
    for (count = 0; first + count < n && values[first + count] <= range.high;) count++;
    delete[] values;
  }
  *found = count;
  if (first > 0 && count > 0)
    warplens::keepEigen<<<(n + 63) / 64, 64, 0, h->stream>>>(n, first, count, mode == CUSOLVER_EIG_MODE_VECTOR ? a : nullptr, lda, w);
  return __warplens_solver_status();
}
template <class T, class R>
static inline cusolverStatus_t __warplens_syevdx(cusolverDnHandle_t h, cusolverEigMode_t mode, __warplens_eigen_range<R> range,
                                                 cublasFillMode_t fill, int n, T *a, int lda, int64_t *found, R *w, T *work, int size,
                                                 int *info) {
  if (__warplens_wrong(h, n, n, lda) || range.isWrong(n)) return CUSOLVER_STATUS_INVALID_VALUE;
  *found = 0;
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  cusolverStatus_t status = __warplens_syev(h, mode, fill, n, a, lda, w, work, size, info, 1, nullptr);
  return status == CUSOLVER_STATUS_SUCCESS ? __warplens_keep_eigen(h, mode, range, n, a, lda, w, info, found) : status;
}

#define __WARPLENS_SOLVER(name) template <class = void> static inline cusolverStatus_t cusolverDn##name

#define __WARPLENS_EIGENVALUES_OF(letter, T, R, kind)                                                                      \
  __WARPLENS_SOLVER(letter##kind##evdx_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, cusolverEigRange_t range,      \
                                                   cublasFillMode_t, int n, const T *, int lda, R low, R high, int from,   \
                                                   int to, int *, const R *, int *size) {                                  \
    if (__warplens_wrong(h, n, n, lda) || __warplens_eigen_range<R>{range, low, high, from, to}.isWrong(n))                \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                                                \
    return *size = n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evdx)(cusolverDnHandle_t h, cusolverEigMode_t mode, cusolverEigRange_t range,            \
                                        cublasFillMode_t fill, int n, T *a, int lda, R low, R high, int from, int to,      \
                                        int *found, R *w, T *work, int size, int *info) {                                  \
    int64_t count = 0;                                                                                                     \
    cusolverStatus_t status = __warplens_syevdx(h, mode, __warplens_eigen_range<R>{range, low, high, from, to}, fill, n,   \
                                                a, lda, &count, w, work, size, info);                                      \
    return *found = (int)count, status;                                                                                    \
  }
__WARPLENS_EIGENVALUES_OF(S, float, float, sy)
__WARPLENS_EIGENVALUES_OF(D, double, double, sy)
__WARPLENS_EIGENVALUES_OF(C, cuComplex, float, he)
__WARPLENS_EIGENVALUES_OF(Z, cuDoubleComplex, double, he)
#undef __WARPLENS_EIGENVALUES_OF

/* Of A x = w B x. */
#define __WARPLENS_PAIRS_OF(letter, T)                                                                                     \
  __WARPLENS_SOLVER(letter##sygvdx_bufferSize)(cusolverDnHandle_t h, cusolverEigType_t, cusolverEigMode_t,                 \
                                               cusolverEigRange_t range, cublasFillMode_t, int n, const T *, int lda,      \
                                               const T *, int, T low, T high, int from, int to, int *, const T *,          \
                                               int *size) {                                                                \
    if (__warplens_wrong(h, n, n, lda) || __warplens_eigen_range<T>{range, low, high, from, to}.isWrong(n))                \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                                                \
    return *size = n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##sygvdx)(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode,                  \
                                    cusolverEigRange_t range, cublasFillMode_t fill, int n, T *a, int lda, T *b, int ldb,  \
                                    T low, T high, int from, int to, int *found, T *w, T *work, int size, int *info) {     \
    __warplens_eigen_range<T> wanted{range, low, high, from, to};                                                          \
    int64_t count = 0;                                                                                                     \
    if (__warplens_wrong(h, n, n, lda) || wanted.isWrong(n)) return CUSOLVER_STATUS_INVALID_VALUE;                         \
    cusolverStatus_t status = __warplens_sygv(h, type, mode, fill, n, a, lda, b, ldb, w, work, size, info);                \
    if (status == CUSOLVER_STATUS_SUCCESS && n > 0)                                                                        \
      status = __warplens_keep_eigen(h, mode, wanted, n, a, lda, w, info, &count);                                         \
    return *found = (int)count, status;                                                                                    \
  }
__WARPLENS_PAIRS_OF(S, float)
__WARPLENS_PAIRS_OF(D, double)
#undef __WARPLENS_PAIRS_OF

/* All eigenvalues are computed, whatever the range. */
__WARPLENS_SOLVER(Xsyevdx_bufferSize)(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t mode, cusolverEigRange_t,
                                      cublasFillMode_t fill, int64_t n, cudaDataType type, const void *a, int64_t lda, void *,
                                      void *, int64_t, int64_t, int64_t *, cudaDataType typeW, const void *w,
                                      cudaDataType compute, size_t *device, size_t *host) {
  return cusolverDnXsyevd_bufferSize(h, params, mode, fill, n, type, a, lda, typeW, w, compute, device, host);
}
template <class R>
static inline __warplens_eigen_range<R> __warplens_range_of(cusolverEigRange_t range, const void *low, const void *high, int64_t from,
                                                            int64_t to) {
  bool byValue = range == CUSOLVER_EIG_RANGE_V;
  return {range, byValue ? *(const R *)low : R(0), byValue ? *(const R *)high : R(0), from, to};
}
__WARPLENS_SOLVER(Xsyevdx)(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode, cusolverEigRange_t range,
                           cublasFillMode_t fill, int64_t n, cudaDataType type, void *a, int64_t lda, void *low, void *high,
                           int64_t from, int64_t to, int64_t *found, cudaDataType typeW, void *w, cudaDataType compute, void *work,
                           size_t bytes, void *, size_t, int *info) {
  if (compute != type || typeW != __warplens_real(type)) return CUSOLVER_STATUS_NOT_SUPPORTED;
#define __WARPLENS_CALL(letter, T)                                                                                         \
  __warplens_syevdx(h, mode, __warplens_range_of<warplens::RealOf<T>>(range, low, high, from, to), fill, n, (T *)a, lda, found, \
                    (warplens::RealOf<T> *)w, (T *)work, bytes / sizeof(T), info)
  __WARPLENS_ALL_TYPES(type, __WARPLENS_CALL)
#undef __WARPLENS_CALL
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
#undef __WARPLENS_REAL_TYPES
#undef __WARPLENS_ALL_TYPES
#undef __WARPLENS_SOLVER

__WARPLENS_WIDE_SIZES(cusolverStatus_t, cusolverDnXsyevdx_bufferSize)
#endif
