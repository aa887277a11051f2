/* cuBLASLt's descriptors: what a product's operands and its epilogue are. An attribute that we do not know, or a value of one
   that would change the result in a way we do not compute, is refused here by name; so the product finds none. */
#ifndef WARPLENS_CUBLASLT_DESCRIPTORS_H
#define WARPLENS_CUBLASLT_DESCRIPTORS_H

#include <string.h>

struct cublasLtContext {
  int unused;
};

static inline cublasStatus_t __warplens_lt_refuse(const char *what, long long value) {
  fprintf(stderr, "warning: cublasLt: %s (%lld) is not supported: the call returns CUBLAS_STATUS_NOT_SUPPORTED\n", what, value);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
/* Copies an attribute's value, which must have the size of the field. */
template <class Field> static inline cublasStatus_t __warplens_lt_set(Field *field, const void *value, size_t bytes) {
  if (!value || bytes != sizeof(Field)) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(field, value, sizeof(Field));
  return CUBLAS_STATUS_SUCCESS;
}
template <class Field>
static inline cublasStatus_t __warplens_lt_get(const Field &field, void *value, size_t bytes, size_t *written) {
  if (written) *written = sizeof(Field);
  if (bytes == 0 && written) return CUBLAS_STATUS_SUCCESS;
  if (!value || bytes != sizeof(Field)) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(value, &field, sizeof(Field));
  return CUBLAS_STATUS_SUCCESS;
}
/* An attribute that may only have the value which changes nothing. */
template <class Field>
static inline cublasStatus_t __warplens_lt_only(Field allowed, const void *value, size_t bytes, const char *name) {
  Field given;
  cublasStatus_t status = __warplens_lt_set(&given, value, bytes);
  if (status != CUBLAS_STATUS_SUCCESS || given == allowed) return status;
  return __warplens_lt_refuse(name, (long long)given);
}

static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasLtContext{};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
static inline size_t cublasLtGetVersion() { return 120800; }
#define cublasLtGetStatusName cublasGetStatusName
#define cublasLtGetStatusString cublasGetStatusString

static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows,
                                                      uint64_t columns, int64_t ld) {
  *layout = {type, CUBLASLT_ORDER_COL, rows, columns, ld, 0, 1};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                                        uint64_t columns, int64_t ld) {
  *layout = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit(*layout, type, rows, columns, ld);
}
static inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                                                              const void *value, size_t bytes) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE: return __warplens_lt_set(&layout->type, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_ORDER: return __warplens_lt_set(&layout->order, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_ROWS: return __warplens_lt_set(&layout->rows, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_COLS: return __warplens_lt_set(&layout->cols, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_LD: return __warplens_lt_set(&layout->ld, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return __warplens_lt_set(&layout->batchCount, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return __warplens_lt_set(&layout->batchOffset, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET:
    return __warplens_lt_only<int64_t>(0, value, bytes, "CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET");
  }
  return __warplens_lt_refuse("a matrix layout's attribute", attribute);
}
static inline cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                                                              void *value, size_t bytes, size_t *written) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE: return __warplens_lt_get(layout->type, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_ORDER: return __warplens_lt_get(layout->order, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_ROWS: return __warplens_lt_get(layout->rows, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_COLS: return __warplens_lt_get(layout->cols, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_LD: return __warplens_lt_get(layout->ld, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return __warplens_lt_get(layout->batchCount, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return __warplens_lt_get(layout->batchOffset, value, bytes, written);
  case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET: return __warplens_lt_get((int64_t)0, value, bytes, written);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t desc, cublasComputeType_t compute, cudaDataType scaleType) {
  *desc = {compute, scaleType, CUBLASLT_POINTER_MODE_HOST, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, nullptr, nullptr,
           0, 0, 0, -1, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute, cudaDataType scaleType) {
  *desc = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit(*desc, compute, scaleType);
}
static inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete desc;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
                                                            const void *value, size_t bytes) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return __warplens_lt_set(&desc->compute, value, bytes);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return __warplens_lt_set(&desc->scaleType, value, bytes);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE: return __warplens_lt_set(&desc->pointerMode, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSA: return __warplens_lt_set(&desc->transA, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSB: return __warplens_lt_set(&desc->transB, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE: return __warplens_lt_set(&desc->epilogue, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return __warplens_lt_set(&desc->bias, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return __warplens_lt_set(&desc->biasBatchStride, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return __warplens_lt_set(&desc->biasType, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return __warplens_lt_set(&desc->aux, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return __warplens_lt_set(&desc->auxLd, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return __warplens_lt_set(&desc->auxBatchStride, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return __warplens_lt_set(&desc->auxType, value, bytes);
  /* How the GPU would compute it; our sums are never less exact. */
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return CUBLAS_STATUS_SUCCESS;
  case CUBLASLT_MATMUL_DESC_TRANSC:
    return __warplens_lt_only<int>(CUBLAS_OP_N, value, bytes, "CUBLASLT_MATMUL_DESC_TRANSC");
  case CUBLASLT_MATMUL_DESC_FILL_MODE:
    return __warplens_lt_only<int>(CUBLAS_FILL_MODE_FULL, value, bytes, "CUBLASLT_MATMUL_DESC_FILL_MODE");
  case CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE:
    return __warplens_lt_only<int64_t>(0, value, bytes, "CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE");
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return __warplens_lt_set(&desc->scaleA, value, bytes);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return __warplens_lt_set(&desc->scaleB, value, bytes);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return __warplens_lt_set(&desc->scaleC, value, bytes);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return __warplens_lt_set(&desc->scaleD, value, bytes);
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return __warplens_lt_set(&desc->largestD, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER:
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER:
    return __warplens_lt_only<uintptr_t>(0, value, bytes, "a pointer to an auxiliary matrix's scale or largest value");
  case CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER:
    return __warplens_lt_only<uintptr_t>(0, value, bytes, "CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER");
  case CUBLASLT_MATMUL_DESC_A_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_B_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_C_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_D_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE:
    return __warplens_lt_only<int>(CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, value, bytes, "scales by blocks or rows, cublasLtMatmulMatrixScale_t");
  }
  return __warplens_lt_refuse("a product's attribute", attribute);
}

static inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  *preference = {};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                                  const void *value, size_t) {
  return value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

__WARPLENS_WIDE_SIZES(cublasStatus_t, cublasLtMatrixLayoutGetAttribute)
#endif
