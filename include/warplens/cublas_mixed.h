/* cuBLAS's matrix products of other types than the one they are computed in: half, bfloat16, 8-bit integers. What cuBLAS computes
   in half is computed in float here and rounded once. Templates, so that programs pay for what they call.
   Source: cuBLAS documentation, "cublasGemmEx" (which types go together), "cublas<t>gemm". */
#ifndef WARPLENS_CUBLAS_MIXED_H
#define WARPLENS_CUBLAS_MIXED_H

#include <warplens/cublas_host.h>

/* The arguments of all forms; strides are 0 and count is 1 for a single product, `lists` where a, b, c are arrays of pointers. */
struct __warplens_gemm_call {
  cublasHandle_t h;
  cublasOperation_t ta, tb;
  int m, n, k;
  const void *alpha, *a;
  int lda;
  long long sa;
  const void *b;
  int ldb;
  long long sb;
  const void *beta;
  void *c;
  int ldc;
  long long sc;
  int count;
  bool lists;
};

template <class T, class In, class Out, class Scale>
static inline cublasStatus_t __warplens_run(const __warplens_gemm_call &g) {
  return __warplens_gemm<T, In, Out, Scale>(g.h, g.ta, g.tb, g.m, g.n, g.k, (const Scale *)g.alpha, g.a, g.lda, g.sa, g.b, g.ldb,
                                            g.sb, (const Scale *)g.beta, g.c, g.ldc, g.sc, g.count, g.lists);
}

/* Calls run.of<T, In, Out, Scale>() with the types that a product of these is computed in, of A and B, of C, of the scalars;
   CUBLAS_STATUS_NOT_SUPPORTED where there is none. */
template <class Run>
static inline cublasStatus_t __warplens_with_types(const Run &run, cublasComputeType_t compute, cudaDataType a, cudaDataType c) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    if (a == CUDA_R_16F && c == CUDA_R_16F) return run.template of<float, __half, __half, __half>();
    break;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    if (a == CUDA_R_32F && c == CUDA_R_32F) return run.template of<float, float, float, float>();
    if (a == CUDA_R_16F && c == CUDA_R_16F) return run.template of<float, __half, __half, float>();
    if (a == CUDA_R_16F && c == CUDA_R_32F) return run.template of<float, __half, float, float>();
    if (a == CUDA_R_16BF && c == CUDA_R_16BF) return run.template of<float, __nv_bfloat16, __nv_bfloat16, float>();
    if (a == CUDA_R_16BF && c == CUDA_R_32F) return run.template of<float, __nv_bfloat16, float, float>();
    if (a == CUDA_R_8I && c == CUDA_R_32F) return run.template of<float, signed char, float, float>();
    break;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    if (a == CUDA_R_64F && c == CUDA_R_64F) return run.template of<double, double, double, double>();
    break;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    if (a == CUDA_R_8I && c == CUDA_R_32I) return run.template of<int, signed char, int, int>();
    break;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

struct __warplens_gemm_run {
  const __warplens_gemm_call &g;
  template <class T, class In, class Out, class Scale> cublasStatus_t of() const { return __warplens_run<T, In, Out, Scale>(g); }
};
template <class = void>
static inline cublasStatus_t __warplens_mixed(const __warplens_gemm_call &g, cudaDataType a, cudaDataType b, cudaDataType c,
                                              cublasComputeType_t compute) {
  typedef warplens::Complex<float> Complex32;
  typedef warplens::Complex<double> Complex64;
  if (a != b) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (a == CUDA_C_32F && c == a && (compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                                                compute == CUBLAS_COMPUTE_32F_FAST_TF32))
    return __warplens_run<Complex32, Complex32, Complex32, Complex32>(g);
  if (a == CUDA_C_64F && c == a && (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC))
    return __warplens_run<Complex64, Complex64, Complex64, Complex64>(g);
  return __warplens_with_types(__warplens_gemm_run{g}, compute, a, c);
}

/* Before version 11 the last argument but one was a type of data. */
static inline cublasComputeType_t __warplens_compute(cublasComputeType_t type) { return type; }
static inline cublasComputeType_t __warplens_compute(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}

template <class Compute>
static inline cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType aType, int lda, const void *b,
                                          cudaDataType bType, int ldb, const void *beta, void *c, cudaDataType cType, int ldc,
                                          Compute compute, cublasGemmAlgo_t) {
  return __warplens_mixed<>({h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, false}, aType, bType, cType,
                            __warplens_compute(compute));
}
template <class Compute>
static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                                        int k, const void *alpha, const void *a, cudaDataType aType, int lda,
                                                        long long sa, const void *b, cudaDataType bType, int ldb, long long sb,
                                                        const void *beta, void *c, cudaDataType cType, int ldc, long long sc,
                                                        int count, Compute compute, cublasGemmAlgo_t) {
  return __warplens_mixed<>({h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count, false}, aType, bType,
                            cType, __warplens_compute(compute));
}
template <class Compute>
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                                 const void *alpha, const void *const a[], cudaDataType aType, int lda,
                                                 const void *const b[], cudaDataType bType, int ldb, const void *beta,
                                                 void *const c[], cudaDataType cType, int ldc, int count, Compute compute,
                                                 cublasGemmAlgo_t) {
  return __warplens_mixed<>({h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, (void *)c, ldc, 0, count, true}, aType, bType,
                            cType, __warplens_compute(compute));
}
/* Groups of products, each group with sizes and scalars of its own: a launch a group, where cuBLAS may make one of all. The lists of
   matrices are on the device, all else on the host. Source: cuBLAS documentation, "cublasGemmGroupedBatchedEx" (types, places). */
template <class = void>
static inline cublasStatus_t cublasGemmGroupedBatchedEx(cublasHandle_t h, const cublasOperation_t ta[], const cublasOperation_t tb[],
                                                        const int m[], const int n[], const int k[], const void *alphas,
                                                        const void *const a[], cudaDataType aType, const int lda[],
                                                        const void *const b[], cudaDataType bType, const int ldb[],
                                                        const void *betas, void *const c[], cudaDataType cType, const int ldc[],
                                                        int groups, const int sizes[], cublasComputeType_t compute) {
  if (groups < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const int scalar = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC ? sizeof(double) : sizeof(float);
  for (int g = 0; g < groups; g++) {
    const void *alpha = (const char *)alphas + g * scalar, *beta = (const char *)betas + g * scalar;
    const cublasStatus_t status =
        __warplens_mixed<>({h, ta[g], tb[g], m[g], n[g], k[g], alpha, a, lda[g], 0, b, ldb[g], 0, beta, (void *)c, ldc[g], 0,
                            sizes[g], true}, aType, bType, cType, compute);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    a += sizes[g], b += sizes[g], c += sizes[g];
  }
  return CUBLAS_STATUS_SUCCESS;
}
template <class = void>
static inline cublasStatus_t cublasSgemmGroupedBatched(cublasHandle_t h, const cublasOperation_t ta[], const cublasOperation_t tb[],
                                                       const int m[], const int n[], const int k[], const float alphas[],
                                                       const float *const a[], const int lda[], const float *const b[],
                                                       const int ldb[], const float betas[], float *const c[], const int ldc[],
                                                       int groups, const int sizes[]) {
  return cublasGemmGroupedBatchedEx<>(h, ta, tb, m, n, k, alphas, (const void *const *)a, CUDA_R_32F, lda, (const void *const *)b,
                                      CUDA_R_32F, ldb, betas, (void *const *)c, CUDA_R_32F, ldc, groups, sizes,
                                      CUBLAS_COMPUTE_32F);
}
template <class = void>
static inline cublasStatus_t cublasDgemmGroupedBatched(cublasHandle_t h, const cublasOperation_t ta[], const cublasOperation_t tb[],
                                                       const int m[], const int n[], const int k[], const double alphas[],
                                                       const double *const a[], const int lda[], const double *const b[],
                                                       const int ldb[], const double betas[], double *const c[], const int ldc[],
                                                       int groups, const int sizes[]) {
  return cublasGemmGroupedBatchedEx<>(h, ta, tb, m, n, k, alphas, (const void *const *)a, CUDA_R_64F, lda, (const void *const *)b,
                                      CUDA_R_64F, ldb, betas, (void *const *)c, CUDA_R_64F, ldc, groups, sizes,
                                      CUBLAS_COMPUTE_64F);
}
template <class = void>
static inline cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                           const float *alpha, const void *a, cudaDataType aType, int lda, const void *b,
                                           cudaDataType bType, int ldb, const float *beta, void *c, cudaDataType cType, int ldc) {
  return __warplens_mixed<>({h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, false}, aType, bType, cType,
                            CUBLAS_COMPUTE_32F);
}
template <class = void>
static inline cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                                         const __half *beta, __half *c, int ldc) {
  return __warplens_run<float, __half, __half, __half>(
      {h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, false});
}
template <class = void>
static inline cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                                       int k, const __half *alpha, const __half *a, int lda, long long sa,
                                                       const __half *b, int ldb, long long sb, const __half *beta, __half *c,
                                                       int ldc, long long sc, int count) {
  return __warplens_run<float, __half, __half, __half>(
      {h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count, false});
}
template <class = void>
static inline cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                                const __half *alpha, const __half *const a[], int lda, const __half *const b[],
                                                int ldb, const __half *beta, __half *const c[], int ldc, int count) {
  return __warplens_run<float, __half, __half, __half>(
      {h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, (void *)c, ldc, 0, count, true});
}

#endif
