/* cuSOLVER's dense functions: checks, sizes of work space, launches of warplens/cusolver_kernels.h in the handle's stream.
   Templates, so that programs pay for what they call. Source: cuSOLVER documentation, "cuSolverDN". */
#ifndef WARPLENS_CUSOLVER_HOST_H
#define WARPLENS_CUSOLVER_HOST_H

#include <warplens/cublas_structured.h>
#include <warplens/cusolver_kernels.h>

struct cusolverDnContext {
  cudaStream_t stream;
};
struct syevjInfo {
  double tolerance;
  int sweeps;
};

#define __WARPLENS_SOLVER(name) template <class = void> static inline cusolverStatus_t cusolverDn##name

__WARPLENS_SOLVER(Create)(cusolverDnHandle_t *handle) {
  *handle = new cusolverDnContext{0};
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(Destroy)(cusolverDnHandle_t handle) {
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(SetStream)(cusolverDnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(GetStream)(cusolverDnHandle_t handle, cudaStream_t *stream) {
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(CreateSyevjInfo)(syevjInfo_t *info) {
  *info = new syevjInfo{0, 100};
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(DestroySyevjInfo)(syevjInfo_t info) {
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(XsyevjSetTolerance)(syevjInfo_t info, double tolerance) {
  info->tolerance = tolerance;
  return CUSOLVER_STATUS_SUCCESS;
}
__WARPLENS_SOLVER(XsyevjSetMaxSweeps)(syevjInfo_t info, int sweeps) {
  info->sweeps = sweeps;
  return CUSOLVER_STATUS_SUCCESS;
}
/* Eigenvalues are always sorted. */
__WARPLENS_SOLVER(XsyevjSetSortEig)(syevjInfo_t, int) { return CUSOLVER_STATUS_SUCCESS; }

static inline cusolverStatus_t __warplens_solver_status() {
  return cudaPeekAtLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
static inline bool __warplens_wrong(cusolverDnHandle_t handle, int m, int n, int lda) {
  return !handle || m < 0 || n < 0 || lda < __warplens_most(m, 1);
}

#define __WARPLENS_SYSTEMS(letter, T)                                                                                      \
  __WARPLENS_SOLVER(letter##getrf_bufferSize)(cusolverDnHandle_t h, int m, int n, T *, int lda, int *size) {               \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = m * n, CUSOLVER_STATUS_SUCCESS;                                                                         \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##getrf)(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *, int *pivots, int *info) {       \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    warplens::getrf<<<1, warplens::solverThreads, 0, h->stream>>>(m, n, __warplens_numbers(a), lda, pivots, info);         \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##getrs)(cusolverDnHandle_t h, cublasOperation_t trans, int n, int columns, const T *a, int lda, \
                                   const int *pivots, T *b, int ldb, int *info) {                                          \
    if (__warplens_wrong(h, n, columns, lda) || ldb < __warplens_most(n, 1)) return CUSOLVER_STATUS_INVALID_VALUE;         \
    warplens::getrs<<<__warplens_most((columns + 63) / 64, 1), 64, 0, h->stream>>>(                                        \
        trans, n, columns, __warplens_numbers(a), lda, pivots, __warplens_numbers(b), ldb, info);                          \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##potrf_bufferSize)(cusolverDnHandle_t h, cublasFillMode_t, int n, T *, int lda, int *size) {    \
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = n, CUSOLVER_STATUS_SUCCESS;                                                                             \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##potrf)(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *a, int lda, T *, int,            \
                                   int *info) {                                                                            \
    typedef warplens::Number<T> N;                                                                                         \
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    warplens::potrf<N><<<1, warplens::solverThreads, 0, h->stream>>>(__warplens_lower(fill), n, __warplens_numbers(a),     \
                                                                     nullptr, lda, info);                                  \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##potrfBatched)(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *a[], int lda, int *info,  \
                                          int count) {                                                                     \
    typedef warplens::Number<T> N;                                                                                         \
    if (__warplens_wrong(h, n, n, lda) || count < 0) return CUSOLVER_STATUS_INVALID_VALUE;                                 \
    if (count == 0) return CUSOLVER_STATUS_SUCCESS;                                                                        \
    warplens::potrf<N><<<count, warplens::solverThreads, 0, h->stream>>>(__warplens_lower(fill), n, nullptr,               \
                                                                         (N *const *)a, lda, info);                        \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##potrs)(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const T *a, int lda,   \
                                   T *b, int ldb, int *info) {                                                             \
    if (__warplens_wrong(h, n, columns, lda) || ldb < __warplens_most(n, 1)) return CUSOLVER_STATUS_INVALID_VALUE;         \
    warplens::potrs<<<__warplens_most((columns + 63) / 64, 1), 64, 0, h->stream>>>(                                        \
        __warplens_lower(fill), n, columns, __warplens_numbers(a), lda, __warplens_numbers(b), ldb, info);                 \
    return __warplens_solver_status();                                                                                     \
  }
__WARPLENS_SYSTEMS(S, float)
__WARPLENS_SYSTEMS(D, double)
__WARPLENS_SYSTEMS(C, cuComplex)
__WARPLENS_SYSTEMS(Z, cuDoubleComplex)
#undef __WARPLENS_SYSTEMS

/* Of `count` matrices, one behind the other. */
template <class T>
static inline cusolverStatus_t __warplens_syev(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a,
                                               int lda, warplens::RealOf<T> *w, T *work, int size, int *info, int count,
                                               const syevjInfo *how) {
  typedef warplens::RealOf<T> R;
  if (__warplens_wrong(h, n, n, lda) || size < count * n * (n + 1)) return CUSOLVER_STATUS_INVALID_VALUE;
  R least = sizeof(R) == 4 ? R(1e-7) : R(1e-15), tolerance = how && how->tolerance > least ? (R)how->tolerance : least;
  if (n == 0 || count == 0) return CUSOLVER_STATUS_SUCCESS;
  warplens::syev<warplens::Number<T>><<<count, warplens::solverThreads, 0, h->stream>>>(
      mode == CUSOLVER_EIG_MODE_VECTOR, __warplens_lower(fill), n, __warplens_numbers(a), lda, lda * n, w,
      __warplens_numbers(work), info, how ? how->sweeps : 100, tolerance);
  return __warplens_solver_status();
}

/* A x = l B x: with B = L L', the eigenvalues of inv(L) A inv(L)', whose vectors inv(L)' takes back. */
template <class T>
static inline cusolverStatus_t __warplens_sygv(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode,
                                               cublasFillMode_t fill, int n, T *a, int lda, T *b, int ldb, T *w, T *work, int size,
                                               int *info) {
  if (__warplens_wrong(h, n, n, lda) || ldb < __warplens_most(n, 1)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (type != CUSOLVER_EIG_TYPE_1) return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  bool lower = __warplens_lower(fill);
  int failed = 0;
  warplens::potrf<T><<<1, warplens::solverThreads, 0, h->stream>>>(lower, n, b, nullptr, ldb, info);
  cudaMemcpyAsync(&failed, info, sizeof failed, cudaMemcpyDeviceToHost, h->stream);
  if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (failed) {
    /* LAPACK counts behind the eigenvalues' own failures. */
    failed += n;
    cudaMemcpy(info, &failed, sizeof failed, cudaMemcpyHostToDevice);
    return CUSOLVER_STATUS_SUCCESS;
  }
  /* inv(L) is that of U' where B's upper triangle holds U. */
  int plain = lower ? CUBLAS_OP_N : CUBLAS_OP_T, turned = lower ? CUBLAS_OP_T : CUBLAS_OP_N;
  dim3 grid((n + 63) / 64);
  warplens::mirror<<<1, warplens::solverThreads, 0, h->stream>>>(lower, n, a, lda);
  warplens::trsm<T><<<grid, 64, 0, h->stream>>>(true, lower, plain, false, n, n, 1, nullptr, b, ldb, a, lda, false);
  warplens::trsm<T><<<grid, 64, 0, h->stream>>>(false, lower, turned, false, n, n, 1, nullptr, b, ldb, a, lda, false);
  cusolverStatus_t status = __warplens_syev(h, mode, fill, n, a, lda, w, work, size, info, 1, nullptr);
  if (status == CUSOLVER_STATUS_SUCCESS && mode == CUSOLVER_EIG_MODE_VECTOR)
    warplens::trsm<T><<<grid, 64, 0, h->stream>>>(true, lower, turned, false, n, n, 1, nullptr, b, ldb, a, lda, false);
  return status;
}

/* Factors Q R; `or` is "un" for complex numbers. */
#define __WARPLENS_REFLECTORS(letter, T, or)                                                                               \
  __WARPLENS_SOLVER(letter##geqrf_bufferSize)(cusolverDnHandle_t h, int m, int n, T *, int lda, int *size) {               \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = n, CUSOLVER_STATUS_SUCCESS;                                                                             \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##geqrf)(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *tau, T *, int, int *info) {       \
    if (__warplens_wrong(h, m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    warplens::geqrf<<<1, warplens::solverThreads, 0, h->stream>>>(m, n, __warplens_numbers(a), lda,                        \
                                                                  __warplens_numbers(tau), info);                          \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##or##mqr_bufferSize)(cusolverDnHandle_t h, cublasSideMode_t, cublasOperation_t, int m, int n,   \
                                                int, const T *, int, const T *, const T *, int, int *size) {               \
    if (!h || m < 0 || n < 0) return CUSOLVER_STATUS_INVALID_VALUE;                                                        \
    return *size = m > n ? m : n, CUSOLVER_STATUS_SUCCESS;                                                                 \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##or##mqr)(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
                                     int k, const T *a, int lda, const T *tau, T *c, int ldc, T *, int, int *info) {       \
    bool left = side == CUBLAS_SIDE_LEFT;                                                                                  \
    if (__warplens_wrong(h, m, n, ldc) || k < 0 || k > (left ? m : n)) return CUSOLVER_STATUS_INVALID_VALUE;               \
    if (trans == CUBLAS_OP_T && sizeof(T) != sizeof(warplens::RealOf<T>)) return CUSOLVER_STATUS_INVALID_VALUE;            \
    warplens::ormqr<<<__warplens_most(((left ? n : m) + 63) / 64, 1), 64, 0, h->stream>>>(                                 \
        left, trans != CUBLAS_OP_N, m, n, k, __warplens_numbers(a), lda, __warplens_numbers(tau), __warplens_numbers(c),   \
        ldc, info);                                                                                                        \
    return __warplens_solver_status();                                                                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##or##gqr_bufferSize)(cusolverDnHandle_t h, int m, int n, int k, const T *, int lda, const T *,  \
                                                int *size) {                                                               \
    if (__warplens_wrong(h, m, n, lda) || k > n || n > m) return CUSOLVER_STATUS_INVALID_VALUE;                            \
    return *size = m * k, CUSOLVER_STATUS_SUCCESS;                                                                         \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##or##gqr)(cusolverDnHandle_t h, int m, int n, int k, T *a, int lda, const T *tau, T *work,      \
                                     int size, int *info) {                                                                \
    if (__warplens_wrong(h, m, n, lda) || k > n || n > m || size < m * k) return CUSOLVER_STATUS_INVALID_VALUE;            \
    warplens::orgqr<<<1, warplens::solverThreads, 0, h->stream>>>(m, n, k, __warplens_numbers(a), lda,                     \
                                                                  __warplens_numbers(tau), __warplens_numbers(work), info); \
    return __warplens_solver_status();                                                                                     \
  }
__WARPLENS_REFLECTORS(S, float, or)
__WARPLENS_REFLECTORS(D, double, or)
__WARPLENS_REFLECTORS(C, cuComplex, un)
__WARPLENS_REFLECTORS(Z, cuDoubleComplex, un)
#undef __WARPLENS_REFLECTORS

/* Eigenvalues of symmetric matrices, or Hermitian ones ("he"). */
#define __WARPLENS_EIGENVALUES(letter, T, R, kind)                                                                         \
  __WARPLENS_SOLVER(letter##kind##evd_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n, const T *,\
                                                  int lda, const R *, int *size) {                                         \
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evd)(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a,   \
                                       int lda, R *w, T *work, int size, int *info) {                                      \
    return __warplens_syev(h, mode, fill, n, a, lda, w, work, size, info, 1, nullptr);                                     \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evj_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n, const T *,\
                                                  int lda, const R *, int *size, syevjInfo_t) {                            \
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evj)(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a,   \
                                       int lda, R *w, T *work, int size, int *info, syevjInfo_t how) {                     \
    return __warplens_syev(h, mode, fill, n, a, lda, w, work, size, info, 1, how);                                         \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evjBatched_bufferSize)(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n, \
                                                         const T *, int lda, const R *, int *size, syevjInfo_t, int count) {\
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = count * n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                           \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##kind##evjBatched)(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n,  \
                                              T *a, int lda, R *w, T *work, int size, int *info, syevjInfo_t how,          \
                                              int count) {                                                                 \
    return __warplens_syev(h, mode, fill, n, a, lda, w, work, size, info, count, how);                                     \
  }
__WARPLENS_EIGENVALUES(S, float, float, sy)
__WARPLENS_EIGENVALUES(D, double, double, sy)
__WARPLENS_EIGENVALUES(C, cuComplex, float, he)
__WARPLENS_EIGENVALUES(Z, cuDoubleComplex, double, he)
#undef __WARPLENS_EIGENVALUES

#define __WARPLENS_REAL_SOLVER(letter, T)                                                                                  \
  __WARPLENS_SOLVER(letter##sygvd_bufferSize)(cusolverDnHandle_t h, cusolverEigType_t, cusolverEigMode_t,                  \
                                              cublasFillMode_t, int n, const T *, int lda, const T *, int, const T *,      \
                                              int *size) {                                                                 \
    if (__warplens_wrong(h, n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    return *size = n * (n + 1), CUSOLVER_STATUS_SUCCESS;                                                                   \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##sygvd)(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode,                   \
                                   cublasFillMode_t fill, int n, T *a, int lda, T *b, int ldb, T *w, T *work, int size,    \
                                   int *info) {                                                                            \
    return __warplens_sygv(h, type, mode, fill, n, a, lda, b, ldb, w, work, size, info);                                   \
  }
__WARPLENS_REAL_SOLVER(S, float)
__WARPLENS_REAL_SOLVER(D, double)
#undef __WARPLENS_REAL_SOLVER

#define __WARPLENS_SINGULAR(letter, T, R)                                                                                  \
  __WARPLENS_SOLVER(letter##gesvd_bufferSize)(cusolverDnHandle_t h, int m, int n, int *size) {                             \
    if (!h || m < n || n < 0) return CUSOLVER_STATUS_INVALID_VALUE;                                                        \
    return *size = (m + n + 1) * n, CUSOLVER_STATUS_SUCCESS;                                                               \
  }                                                                                                                        \
  __WARPLENS_SOLVER(letter##gesvd)(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, \
                                   R *values, T *u, int ldu, T *vt, int ldvt, T *work, int size, R *, int *info) {         \
    if (__warplens_wrong(h, m, n, lda) || m < n || size < (m + n + 1) * n) return CUSOLVER_STATUS_INVALID_VALUE;           \
    if (jobu == 'O' || jobvt == 'O') return CUSOLVER_STATUS_NOT_SUPPORTED;                                                 \
    auto *left = jobu == 'N' ? nullptr : __warplens_numbers(u), *right = jobvt == 'N' ? nullptr : __warplens_numbers(vt);  \
    warplens::SingularValues<warplens::Number<T>> whole = {m, n, __warplens_numbers(a), lda, 0, values, 0, left, ldu, 0,   \
                                                           right, ldvt, 0, true, jobu == 'A' ? m : n};                      \
    warplens::gesvd<<<1, warplens::solverThreads, 0, h->stream>>>(whole, __warplens_numbers(work), info, 60);              \
    return __warplens_solver_status();                                                                                     \
  }
__WARPLENS_SINGULAR(S, float, float)
__WARPLENS_SINGULAR(D, double, double)
__WARPLENS_SINGULAR(C, cuComplex, float)
__WARPLENS_SINGULAR(Z, cuDoubleComplex, double)
#undef __WARPLENS_SINGULAR
#undef __WARPLENS_SOLVER

#endif
