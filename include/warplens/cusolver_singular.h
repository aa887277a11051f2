/* cuSOLVER's singular values by Jacobi's rotations (gesvdj, and of many matrices) and approximate ones of many (gesvda), which here
   are exact. Source: cuSOLVER documentation, "cusolverDn<t>gesvdj()" to "cusolverDn<t>gesvdaStridedBatched()". */
#ifndef WARPLENS_CUSOLVER_SINGULAR_H
#define WARPLENS_CUSOLVER_SINGULAR_H

#include <warplens/cusolver_host.h>

struct gesvdjInfo {
  double tolerance;
  int sweeps;
};
typedef struct gesvdjInfo *gesvdjInfo_t;

#define __WARPLENS_SOLVER(name) template <class = void> static inline cusolverStatus_t cusolverDn##name

__WARPLENS_SOLVER(CreateGesvdjInfo)(gesvdjInfo_t *info) {
  *info = new gesvdjInfo{0, 100};
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(DestroyGesvdjInfo)(gesvdjInfo_t info) {
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(XgesvdjSetTolerance)(gesvdjInfo_t info, double tolerance) {
  info->tolerance = tolerance;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(XgesvdjSetMaxSweeps)(gesvdjInfo_t info, int sweeps) {
  info->sweeps = sweeps;
  return CUSOLVER_STATUS_SUCCESS;
}
/* Singular values are always sorted. */
__WARPLENS_SOLVER(XgesvdjSetSortEig)(gesvdjInfo_t, int) { return CUSOLVER_STATUS_SUCCESS; }

static inline int __warplens_least(int a, int b) { return a < b ? a : b; }
/* Elements of work space for one matrix. */
static inline int __warplens_singular_size(int m, int n) { return (m + n + 1) * __warplens_least(m, n); }

template <class T>
static inline cusolverStatus_t __warplens_singular(cusolverDnHandle_t h, bool vectors, warplens::SingularValues<T> p, T *work, int size,
                                                   int *info, int sweeps, int count) {
  if (__warplens_wrong(h, p.m, p.n, p.lda) || count < 0 || size < count * __warplens_singular_size(p.m, p.n))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (vectors && (p.ldu < __warplens_most(p.m, 1) || p.ldv < __warplens_most(p.n, 1))) return CUSOLVER_STATUS_INVALID_VALUE;
  if (p.m == 0 || p.n == 0 || count == 0) return CUSOLVER_STATUS_SUCCESS;
  if (!vectors) p.u = p.v = nullptr;
  warplens::gesvd<<<count, warplens::solverThreads, 0, h->stream>>>(p, work, info, sweeps);
  return __warplens_solver_status();
}

#define __WARPLENS_SINGULAR(letter, T)                                                                                     \
  __WARPLENS_SOLVER(letter##gesvdj_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, int, int m, int n, const T *,      \
                                               int lda, const T *, const T *, int, const T *, int, int *size,              \
                                               gesvdjInfo_t) {                                                             \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = __warplens_singular_size(m, n), CUSOLVER_STATUS_SUCCESS;                                                \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##gesvdj)(cusolverDnHandle_t h, cusolverEigMode_t mode, int econ, int m, int n, T *a, int lda,   \
                                    T *values, T *u, int ldu, T *v, int ldv, T *work, int size, int *info,                 \
                                    gesvdjInfo_t how) {                                                                    \
    int given = econ ? __warplens_least(m, n) : __warplens_most(m, n);                                                     \
    return __warplens_singular<T>(h, mode == CUSOLVER_EIG_MODE_VECTOR,                                                     \
                                  {m, n, a, lda, 0, values, 0, u, ldu, 0, v, ldv, 0, false, given}, work, size, info,      \
                                  how->sweeps, 1);                                                                         \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##gesvdjBatched_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, int m, int n, const T *,    \
                                                      int lda, const T *, const T *, int, const T *, int, int *size,       \
                                                      gesvdjInfo_t, int count) {                                           \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = count * __warplens_singular_size(m, n), CUSOLVER_STATUS_SUCCESS;                                        \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##gesvdjBatched)(cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n, T *a, int lda,      \
                                           T *values, T *u, int ldu, T *v, int ldv, T *work, int size, int *info,          \
                                           gesvdjInfo_t how, int count) {                                                  \
    int small = __warplens_least(m, n), given = __warplens_most(m, n);                                                     \
    /* "performs on many small matrices": larger ones are refused there too. */                                            \
    if (m > 32 || n > 32) return CUSOLVER_STATUS_INVALID_VALUE;                                                            \
    return __warplens_singular<T>(h, mode == CUSOLVER_EIG_MODE_VECTOR,                                                     \
                                  {m, n, a, lda, lda * n, values, small, u, ldu, ldu * m, v, ldv, ldv * n, false, given},  \
                                  work, size, info, how->sweeps, count);                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##gesvdaStridedBatched_bufferSize)(                                                              \
      cusolverDnHandle_t h, cusolverEigMode_t, int, int m, int n, const T *, int lda, long long, const T *, long long,     \
      const T *, int, long long, const T *, int, long long, int *size, int count) {                                        \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = count * (__warplens_singular_size(m, n) + m * n + n * n + n), CUSOLVER_STATUS_SUCCESS;                  \
  }                                                                                                                        \
  /* The first `rank` values and vectors of each. The norms of what is left out, on the host. */                           \
  __WARPLENS_SOLVER(letter##gesvdaStridedBatched)(                                                                         \
      cusolverDnHandle_t h, cusolverEigMode_t mode, int rank, int m, int n, const T *a, int lda, long long strideA,        \
      T *values, long long strideValues, T *u, int ldu, long long strideU, T *v, int ldv, long long strideV, T *work,      \
      int size, int *info, double *residuals, int count) {                                                                 \
    if (m < n || rank < 1 || rank > n) return CUSOLVER_STATUS_INVALID_VALUE;                                               \
    return __warplens_leading<T>(h, mode == CUSOLVER_EIG_MODE_VECTOR, rank,                                                \
                                 {m, n, (T *)a, lda, (int)strideA, values, (int)strideValues, u, ldu, (int)strideU, v,     \
                                  ldv, (int)strideV, false, rank},                                                         \
                                 work, size, info, residuals, count);                                                      \
  }

/* All values and V into the work space, the first of them to where they belong; U's columns are few enough already. */
template <class T>
static inline cusolverStatus_t __warplens_leading(cusolverDnHandle_t h, bool vectors, int rank, warplens::SingularValues<T> p, T *work,
                                                  int size, int *info, double *residuals, int count) {
  int n = p.n, one = __warplens_singular_size(p.m, n);
  if (size < count * (one + n * n + n)) return CUSOLVER_STATUS_INVALID_VALUE;
  warplens::SingularValues<T> all = p;
  all.values = work + count * one, all.strideValues = n;
  all.v = all.values + count * n, all.ldv = n, all.strideV = n * n;
  if (!vectors) all.u = nullptr, all.v = nullptr;
  if (p.m == 0 || n == 0 || count == 0) return CUSOLVER_STATUS_SUCCESS;
  warplens::gesvd<<<count, warplens::solverThreads, 0, h->stream>>>(all, work, info, 100);
  T *values = new T[n * count];
  cudaMemcpyAsync(values, all.values, sizeof(T) * n * count, cudaMemcpyDeviceToHost, h->stream);
  for (int each = 0; each < count; each++) {
    cudaMemcpyAsync(p.values + each * p.strideValues, all.values + each * n, sizeof(T) * rank, cudaMemcpyDeviceToDevice, h->stream);
    if (vectors)
      cudaMemcpy2DAsync(p.v + each * p.strideV, sizeof(T) * p.ldv, all.v + each * n * n, sizeof(T) * n, sizeof(T) * n, rank,
                        cudaMemcpyDeviceToDevice, h->stream);
  }
  bool isDone = cudaStreamSynchronize(h->stream) == cudaSuccess;
  for (int each = 0; residuals && isDone && each < count; each++) {
    double sum = 0;
    for (int i = rank; i < n; i++) sum += (double)values[each * n + i] * values[each * n + i];
    residuals[each] = sqrt(sum);
  }
  delete[] values;
  return isDone ? __warplens_solver_status() : CUSOLVER_STATUS_EXECUTION_FAILED;
}
__WARPLENS_SINGULAR(S, float)
__WARPLENS_SINGULAR(D, double)
#undef __WARPLENS_SINGULAR
#undef __WARPLENS_SOLVER

#endif
