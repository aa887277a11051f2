/* cublasLtMatmul: the checks of a product, and the launch of warplens/cublaslt_kernels.h for its types. Templates, so that
   programs pay for what they call. Source: cuBLAS documentation, "cublasLtMatmul()" (which types go together; what is computed
   in half there is computed in float here and rounded once). */
#ifndef WARPLENS_CUBLASLT_MATMUL_H
#define WARPLENS_CUBLASLT_MATMUL_H

#include <warplens/cublaslt_fp8.h>
#include <warplens/cublaslt_kernels.h>

struct __warplens_lt_call {
  const cublasLtMatmulDescOpaque_t *desc;
  const void *alpha, *beta;
  int m, n, k, count;
  warplens::Strided a, b, c, d;
  warplens::Epilogue epilogue;
  cudaStream_t stream;
};

static inline bool __warplens_lt_has_room(const cublasLtMatrixLayoutOpaque_t &l) {
  uint64_t along = l.order == CUBLASLT_ORDER_ROW ? l.cols : l.rows;
  return l.ld >= (int64_t)(along > 1 ? along : 1);
}
static inline warplens::Strided __warplens_lt_strided(const cublasLtMatrixLayoutOpaque_t &l, const void *p, bool isTransposed) {
  bool byRows = (l.order == CUBLASLT_ORDER_ROW) != isTransposed;
  return {(void *)p, byRows ? l.ld : 1, byRows ? 1 : l.ld, l.batchOffset};
}
/* Which data the scalars, bias and auxiliary matrix must have besides the operands' types, or why the product is refused. */
static inline cublasStatus_t __warplens_lt_check(const cublasLtMatmulDescOpaque_t *desc, const cublasLtMatrixLayoutOpaque_t *a,
                                                 const cublasLtMatrixLayoutOpaque_t *b, const cublasLtMatrixLayoutOpaque_t *c,
                                                 const cublasLtMatrixLayoutOpaque_t *d) {
  if (!desc || !a || !b || !c || !d) return CUBLAS_STATUS_INVALID_VALUE;
  for (const cublasLtMatrixLayoutOpaque_t *l : {a, b, c, d}) {
    if (l->order != CUBLASLT_ORDER_COL && l->order != CUBLASLT_ORDER_ROW)
      return __warplens_lt_refuse("this cublasLtOrder_t of a matrix", l->order);
    if (!__warplens_lt_has_room(*l) || l->batchCount != d->batchCount) return CUBLAS_STATUS_INVALID_VALUE;
    if (l->rows > 0x7fffffff || l->cols > 0x7fffffff) return CUBLAS_STATUS_INVALID_VALUE;
  }
  uint64_t m = desc->transA ? a->cols : a->rows, k = desc->transA ? a->rows : a->cols;
  uint64_t alsoK = desc->transB ? b->cols : b->rows, n = desc->transB ? b->rows : b->cols;
  if (k != alsoK || m != d->rows || n != d->cols || m != c->rows || n != c->cols) return CUBLAS_STATUS_INVALID_VALUE;
  if (desc->pointerMode != CUBLASLT_POINTER_MODE_HOST && desc->pointerMode != CUBLASLT_POINTER_MODE_DEVICE)
    return __warplens_lt_refuse("this cublasLtPointerMode_t", desc->pointerMode);
  if (__warplens_lt_is_fp8(a->type)) return __warplens_lt_check_fp8(desc, a, b, c, d);
  if (desc->scaleA || desc->scaleB || desc->scaleC || desc->scaleD || desc->largestD)
    return __warplens_lt_refuse("a pointer to a scale or largest value where A has not floats of 8 bits, cudaDataType of A", a->type);
  if (a->type != b->type) return __warplens_lt_refuse("a product of two types, cudaDataType of A", a->type);
  if (c->type != d->type) return __warplens_lt_refuse("C of another type than D, cudaDataType of C", c->type);
  switch (desc->epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT:
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DGELU: break;
  default: return __warplens_lt_refuse("this cublasLtEpilogue_t", desc->epilogue);
  }
  if (d->type == CUDA_R_32I && desc->epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    return __warplens_lt_refuse("of integers this cublasLtEpilogue_t", desc->epilogue);
  if (desc->epilogue & CUBLASLT_EPILOGUE_BIAS) {
    if (desc->biasType >= 0 && desc->biasType != d->type) return __warplens_lt_refuse("a bias of another type than D", desc->biasType);
  }
  if (desc->epilogue & 128) {
    if (desc->auxType >= 0 && desc->auxType != d->type)
      return __warplens_lt_refuse("an auxiliary matrix of another type than D", desc->auxType);
    if (d->order != CUBLASLT_ORDER_COL) return __warplens_lt_refuse("an auxiliary matrix with D by rows, cublasLtOrder_t", d->order);
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class Scale, class Kernel>
static inline cublasStatus_t __warplens_lt_launch(const __warplens_lt_call *g, Kernel kernel) {
  /* Asked only whether there is such a product. */
  if (!g) return CUBLAS_STATUS_SUCCESS;
  bool onHost = g->desc->pointerMode == CUBLASLT_POINTER_MODE_HOST;
  const Scale *alpha = (const Scale *)g->alpha, *beta = (const Scale *)g->beta;
  dim3 grid((g->m + warplens::tile - 1) / warplens::tile, (g->n + warplens::tile - 1) / warplens::tile, g->count);
  kernel<<<grid, dim3(warplens::tile, warplens::tile), 0, g->stream>>>(
      g->m, g->n, g->k, onHost ? (T)*alpha : T(0), onHost ? nullptr : alpha, g->a, g->b, onHost ? (T)*beta : T(0),
      onHost ? nullptr : beta, g->c, g->d, g->epilogue);
  return __warplens_blas_status();
}
struct __warplens_lt_run {
  const __warplens_lt_call *g;
  cudaDataType scale;
  template <class T, class In, class Out, class Scale> cublasStatus_t of() const {
    return scale == type((Scale *)0) ? as<In, Out, Scale>((T *)0) : CUBLAS_STATUS_NOT_SUPPORTED;
  }

private:
  template <class In, class Out, class Scale, class T> cublasStatus_t as(T *) const {
    return __warplens_lt_launch<T, Scale>(g, warplens::matmul<T, In, Out, Scale>);
  }
  template <class In, class Out, class Scale> cublasStatus_t as(int *) const {
    return __warplens_lt_launch<int, Scale>(g, warplens::integerMatmul<int, In, Out, Scale>);
  }
  static cudaDataType type(__half *) { return CUDA_R_16F; }
  static cudaDataType type(float *) { return CUDA_R_32F; }
  static cudaDataType type(double *) { return CUDA_R_64F; }
  static cudaDataType type(int *) { return CUDA_R_32I; }
};
/* The product of these types; without a call, whether there is one. */
template <class = void>
static inline cublasStatus_t __warplens_lt_typed(const __warplens_lt_call *g, cublasComputeType_t compute, cudaDataType scale,
                                                 cudaDataType a, cudaDataType d) {
  cublasStatus_t status = __warplens_with_types(__warplens_lt_run{g, scale}, compute, a, d);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED) return status;
  fprintf(stderr,
          "warning: cublasLt: a product with cublasComputeType_t %d, scale type %d, A and B of cudaDataType %d and D of %d is not "
          "supported: the call returns CUBLAS_STATUS_NOT_SUPPORTED\n",
          compute, scale, a, d);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class = void>
static inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,
                                            cublasLtMatrixLayout_t aLayout, const void *b, cublasLtMatrixLayout_t bLayout,
                                            const void *beta, const void *c, cublasLtMatrixLayout_t cLayout, void *d,
                                            cublasLtMatrixLayout_t dLayout, const cublasLtMatmulAlgo_t *, void *, size_t,
                                            cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t status = __warplens_lt_check(desc, aLayout, bLayout, cLayout, dLayout);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (((desc->epilogue & CUBLASLT_EPILOGUE_BIAS) && !desc->bias) || ((desc->epilogue & 128) && (!desc->aux || desc->auxLd <= 0)))
    return CUBLAS_STATUS_INVALID_VALUE;
  int m = (int)dLayout->rows, n = (int)dLayout->cols, k = (int)(desc->transA ? aLayout->rows : aLayout->cols);
  if (m == 0 || n == 0 || dLayout->batchCount == 0) return CUBLAS_STATUS_SUCCESS;
  if (!alpha || !beta || !a || !b || !d) return CUBLAS_STATUS_INVALID_VALUE;
  __warplens_lt_call call{desc, alpha, beta, m, n, k, dLayout->batchCount,
                          __warplens_lt_strided(*aLayout, a, desc->transA != CUBLAS_OP_N),
                          __warplens_lt_strided(*bLayout, b, desc->transB != CUBLAS_OP_N),
                          __warplens_lt_strided(*cLayout, c ? c : d, false),
                          __warplens_lt_strided(*dLayout, d, false),
                          {desc->epilogue, desc->bias, desc->biasBatchStride, {desc->aux, 1, desc->auxLd, desc->auxBatchStride}},
                          stream};
  if (__warplens_lt_is_fp8(aLayout->type)) return __warplens_lt_fp8(call, aLayout->type, bLayout->type, cLayout->type, dLayout->type);
  return __warplens_lt_typed<>(&call, desc->compute, desc->scaleType, aLayout->type, dLayout->type);
}
template <class = void>
static inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                                            cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                            cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                            cublasLtMatmulPreference_t, int requested,
                                                            cublasLtMatmulHeuristicResult_t results[], int *returned) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1 || !results || !returned) return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  cublasStatus_t status = __warplens_lt_check(desc, a, b, c, d);
  if (status == CUBLAS_STATUS_SUCCESS && !__warplens_lt_is_fp8(a->type))
    status = __warplens_lt_typed<>(nullptr, desc->compute, desc->scaleType, a->type, d->type);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {{}, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

#endif
