/* cuSPARSE's functions: descriptors, checks, launches of warplens/cusparse_kernels.h in the handle's stream. */
#ifndef WARPLENS_CUSPARSE_HOST_H
#define WARPLENS_CUSPARSE_HOST_H

#include <stdio.h>
#include <warplens/cusparse_kernels.h>

struct cusparseContext {
  cudaStream_t stream;
  cusparsePointerMode_t pointerMode;
};
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, nonzeros;
  /* Offsets of rows (CSR) or columns (CSC), or the row of each element (COO); then the other index. */
  void *first, *second, *values;
  cusparseIndexType_t firstType, secondType;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  /* Matrices of one pattern or several, one behind the other: elements from one's offsets (of rows) to the next one's, and from one's
     other arrays. */
  int batches;
  int64_t offsetStride, elementStride;
};
struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, leading;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches;
  int64_t stride;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type;
  cusparseIndexBase_t base;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
};
struct cusparseSpSVDescr {
  char unused;
};

static inline cusparseStatus_t __warplens_sparse_status() {
  return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
static inline cusparseStatus_t __warplens_sparse_refusal(const char *what) {
  fprintf(stderr, "warplens: cuSPARSE: %s not supported\n", what);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
static inline cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  *handle = new cusparseContext{0, CUSPARSE_POINTER_MODE_HOST};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  handle->pointerMode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  *mode = handle->pointerMode;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *version) {
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline const char *cusparseGetErrorName(cusparseStatus_t status) {
  const char *names[] = {"SUCCESS", "NOT_INITIALIZED", "ALLOC_FAILED", "INVALID_VALUE", "ARCH_MISMATCH", "MAPPING_ERROR",
                         "EXECUTION_FAILED", "INTERNAL_ERROR", "MATRIX_TYPE_NOT_SUPPORTED", "ZERO_PIVOT", "NOT_SUPPORTED",
                         "INSUFFICIENT_RESOURCES"};
  static char name[64];
  snprintf(name, sizeof name, "CUSPARSE_STATUS_%s", status >= 0 && status < 12 ? names[status] : "UNKNOWN");
  return name;
}
static inline const char *cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
  case CUSPARSE_STATUS_SUCCESS: return "success";
  case CUSPARSE_STATUS_INVALID_VALUE: return "invalid value";
  case CUSPARSE_STATUS_EXECUTION_FAILED: return "kernel launch failure";
  case CUSPARSE_STATUS_NOT_SUPPORTED: return "operation not supported";
  default: return "internal error";
  }
}

static inline cusparseStatus_t __warplens_sparse_create(cusparseSpMatDescr_t *matrix, cusparseFormat_t format, int64_t rows,
                                                        int64_t columns, int64_t nonzeros, const void *first, const void *second,
                                                        const void *values, cusparseIndexType_t firstType,
                                                        cusparseIndexType_t secondType, cusparseIndexBase_t base,
                                                        cudaDataType type) {
  if (rows < 0 || columns < 0 || nonzeros < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  *matrix = new cusparseSpMatDescr{format, rows, columns, nonzeros, (void *)first, (void *)second, (void *)values, firstType, secondType, base, type,
                                   CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                                 void *rowOffsets, void *columnIndices, void *values, cusparseIndexType_t offsets,
                                                 cusparseIndexType_t indices, cusparseIndexBase_t base, cudaDataType type) {
  return __warplens_sparse_create(matrix, CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, rowOffsets, columnIndices, values,
                                  offsets, indices, base, type);
}
static inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                                 void *columnOffsets, void *rowIndices, void *values, cusparseIndexType_t offsets,
                                                 cusparseIndexType_t indices, cusparseIndexBase_t base, cudaDataType type) {
  return __warplens_sparse_create(matrix, CUSPARSE_FORMAT_CSC, rows, columns, nonzeros, columnOffsets, rowIndices, values,
                                  offsets, indices, base, type);
}
static inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                                 void *rowIndices, void *columnIndices, void *values, cusparseIndexType_t indices,
                                                 cusparseIndexBase_t base, cudaDataType type) {
  return __warplens_sparse_create(matrix, CUSPARSE_FORMAT_COO, rows, columns, nonzeros, rowIndices, columnIndices, values,
                                  indices, indices, base, type);
}
static inline cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nonzeros) {
  *rows = matrix->rows, *columns = matrix->columns, *nonzeros = matrix->nonzeros;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *columns, void *values) {
  matrix->first = offsets, matrix->second = columns, matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void *data,
                                                         size_t) {
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) matrix->fill = *(cusparseFillMode_t *)data;
  else matrix->diagonal = *(cusparseDiagType_t *)data;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batches, int64_t offsetStride,
                                                          int64_t elementStride) {
  if (batches <= 0 || offsetStride < 0 || elementStride < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = batches, matrix->offsetStride = offsetStride, matrix->elementStride = elementStride;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int batches, int64_t stride) {
  return cusparseCsrSetStridedBatch(matrix, batches, stride, stride);
}
static inline cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int *batches) {
  *batches = matrix->batches;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values, cudaDataType type) {
  *vector = new cusparseDnVecDescr{size, values, type};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
  vector->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values) {
  *values = vector->values;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t leading,
                                                   void *values, cudaDataType type, cusparseOrder_t order) {
  *matrix = new cusparseDnMatDescr{rows, columns, leading, values, type, order, 1, 0};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int batches, int64_t stride) {
  if (batches <= 0 || stride < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = batches, matrix->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values) {
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class T> static inline warplens::SparseScalar<T> __warplens_sparse_scalar(cusparseHandle_t handle, const void *value) {
  const bool isOnHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
  return {isOnHost ? *(const T *)value : T(), isOnHost ? nullptr : (const T *)value};
}
/* 32-bit words of an index. */
static inline int __warplens_sparse_step(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 2 : 1; }
static inline warplens::SparseIndices __warplens_sparse_indices(const void *indices, cusparseIndexType_t type) {
  return {(const int *)indices, __warplens_sparse_step(type)};
}
static inline warplens::SparseSlots __warplens_sparse_slots(void *indices, cusparseIndexType_t type) {
  return {(int *)indices, __warplens_sparse_step(type)};
}
template <class T> static inline warplens::SparseMatrix<T> __warplens_sparse_matrix(cusparseConstSpMatDescr_t a) {
  const bool isList = a->format == CUSPARSE_FORMAT_COO, isByColumns = a->format == CUSPARSE_FORMAT_CSC;
  const warplens::SparseIndices first = __warplens_sparse_indices(a->first, a->firstType), none = {nullptr, 1};
  return {(int)(isByColumns ? a->columns : a->rows), (int)a->nonzeros, (int)a->base, isList ? none : first, isList ? first : none,
          __warplens_sparse_indices(a->second, a->secondType), (const T *)a->values};
}
/* One of a batch; a single matrix goes with all. */
static inline cusparseSpMatDescr __warplens_sparse_of_batch(cusparseConstSpMatDescr_t a, int batch) {
  cusparseSpMatDescr one = *a;
  if (a->batches == 1) return one;
  one.first = (int *)a->first + batch * a->offsetStride * __warplens_sparse_step(a->firstType);
  one.second = (int *)a->second + batch * a->elementStride * __warplens_sparse_step(a->secondType);
  one.values = (char *)a->values + batch * a->elementStride * (a->type == CUDA_R_32F ? sizeof(float) : sizeof(double));
  return one;
}
static inline cusparseDnMatDescr __warplens_sparse_of_batch(cusparseConstDnMatDescr_t m, int batch) {
  cusparseDnMatDescr one = *m;
  if (m->batches > 1) one.values = (char *)m->values + batch * m->stride * (m->type == CUDA_R_32F ? sizeof(float) : sizeof(double));
  return one;
}
/* `batches` of a product whose result has so many; false where a factor has another number of them. */
static inline bool __warplens_sparse_batched(int batches, int first, int second) {
  return (first == batches || first == 1) && (second == batches || second == 1);
}
static inline cusparseStatus_t __warplens_sparse_check(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cudaDataType from,
                                                       cudaDataType to, cudaDataType type) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->firstType == CUSPARSE_INDEX_16U || a->secondType == CUSPARSE_INDEX_16U)
    return __warplens_sparse_refusal("indices of 16 bits are");
  if (a->type != type || from != type || to != type || (type != CUDA_R_32F && type != CUDA_R_64F))
    return __warplens_sparse_refusal("other types than float and double, and mixed ones, are");
  return CUSPARSE_STATUS_SUCCESS;
}

/* C = alpha op(A) B + beta C. */
template <class T>
static inline cusparseStatus_t __warplens_sparse_product(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                                         cusparseConstSpMatDescr_t matrix, warplens::DenseMatrix<const T> b,
                                                         const void *beta, warplens::DenseMatrix<T> c, bool isVector) {
  using namespace warplens;
  const bool transposed = (operation != CUSPARSE_OPERATION_NON_TRANSPOSE) != (matrix->format == CUSPARSE_FORMAT_CSC);
  const int rows = (int)(operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix->rows : matrix->columns);
  const auto a = __warplens_sparse_matrix<T>(matrix);
  const auto scale = __warplens_sparse_scalar<T>(handle, alpha), keep = __warplens_sparse_scalar<T>(handle, beta);
  const auto blocks = [&](int threads) { return dim3((threads + sparseThreads - 1) / sparseThreads, c.columns); };
  if (rows == 0 || c.columns == 0) return CUSPARSE_STATUS_SUCCESS;
  if (transposed || a.places) {
    sparseScale<<<blocks(rows), sparseThreads, 0, handle->stream>>>(rows, keep, c);
    if (a.nonzeros > 0)
      sparseScatter<<<blocks(a.nonzeros), sparseThreads, 0, handle->stream>>>(transposed, a, scale, b, c);
  } else if (isVector)
    sparseVector<<<(rows + 7) / 8, sparseThreads, 0, handle->stream>>>(a, scale, b.values, keep, c.values);
  else sparseMatrix<<<blocks(rows), sparseThreads, 0, handle->stream>>>(a, scale, b, keep, c);
  return __warplens_sparse_status();
}
static inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                                       cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType,
                                                       cusparseSpMVAlg_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                                       cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType,
                                                       cusparseSpMVAlg_t, void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                            cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                            cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t, void *) {
  if (auto wrong = __warplens_sparse_check(handle, a, x->type, y->type, type)) return wrong;
  const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (x->size != (plain ? a->columns : a->rows) || y->size != (plain ? a->rows : a->columns)) return CUSPARSE_STATUS_INVALID_VALUE;
  return type == CUDA_R_32F ? __warplens_sparse_product<float>(handle, operation, alpha, a, {(const float *)x->values, 1, 1, 0}, beta,
                                                               {(float *)y->values, 1, 1, 0}, true)
                            : __warplens_sparse_product<double>(handle, operation, alpha, a, {(const double *)x->values, 1, 1, 0},
                                                                beta, {(double *)y->values, 1, 1, 0}, true);
}
template <class T> static inline warplens::DenseMatrix<T> __warplens_sparse_dense(cusparseConstDnMatDescr_t m, bool transposed) {
  const int leading = (int)m->leading;
  const bool isByRows = (m->order == CUSPARSE_ORDER_ROW) != transposed;
  return {(T *)m->values, (int)(transposed ? m->rows : m->columns), isByRows ? leading : 1, isByRows ? 1 : leading};
}
static inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                                       cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
                                                       cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                                       cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
                                                       cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operationA, cusparseOperation_t operationB,
                                            const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                            const void *beta, cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t, void *) {
  if (auto wrong = __warplens_sparse_check(handle, a, b->type, c->type, type)) return wrong;
  const bool transposed = operationB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if ((transposed ? b->rows : b->columns) != c->columns) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!__warplens_sparse_batched(c->batches, a->batches, b->batches)) return CUSPARSE_STATUS_INVALID_VALUE;
  for (int batch = 0; batch < c->batches; batch++) {
    const cusparseSpMatDescr first = __warplens_sparse_of_batch(a, batch);
    const cusparseDnMatDescr second = __warplens_sparse_of_batch(b, batch), result = __warplens_sparse_of_batch(c, batch);
    const cusparseStatus_t status =
        type == CUDA_R_32F
            ? __warplens_sparse_product(handle, operationA, alpha, &first, __warplens_sparse_dense<const float>(&second, transposed),
                                        beta, __warplens_sparse_dense<float>(&result, false), false)
            : __warplens_sparse_product(handle, operationA, alpha, &first, __warplens_sparse_dense<const double>(&second, transposed),
                                        beta, __warplens_sparse_dense<double>(&result, false), false);
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

static inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor) {
  *descriptor = new cusparseSpSVDescr{};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                                       cusparseConstDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType,
                                                       cusparseSpSVAlg_t, cusparseSpSVDescr_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                                     cusparseConstDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                                     cusparseSpSVDescr_t, void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_solve(cusparseHandle_t handle, const void *alpha, cusparseConstSpMatDescr_t a,
                                                       const void *x, void *y) {
  warplens::sparseSolve<<<1, 32, 0, handle->stream>>>(a->fill == CUSPARSE_FILL_MODE_UPPER, a->diagonal == CUSPARSE_DIAG_TYPE_UNIT,
                                                     __warplens_sparse_matrix<T>(a), __warplens_sparse_scalar<T>(handle, alpha),
                                                     (const T *)x, (T *)y);
  return __warplens_sparse_status();
}
/* The same for matrices of any format, transposed ones, and several right sides. */
template <class T>
static inline cusparseStatus_t __warplens_sparse_solve_columns(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                                               cusparseConstSpMatDescr_t a, warplens::DenseMatrix<const T> b,
                                                               warplens::DenseMatrix<T> c) {
  const bool isByColumns = a->format == CUSPARSE_FORMAT_CSC, isUpper = a->fill == CUSPARSE_FILL_MODE_UPPER;
  if (a->rows > 0 && c.columns > 0)
    warplens::sparseSolveColumns<<<c.columns, 32, 0, handle->stream>>>(
        isUpper != isByColumns, a->diagonal == CUSPARSE_DIAG_TYPE_UNIT, (operation != CUSPARSE_OPERATION_NON_TRANSPOSE) != isByColumns,
        (int)a->rows, __warplens_sparse_matrix<T>(a), __warplens_sparse_scalar<T>(handle, alpha), b, c);
  return __warplens_sparse_status();
}
static inline cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                                  cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                                  cudaDataType type, cusparseSpSVAlg_t, cusparseSpSVDescr_t) {
  if (auto wrong = __warplens_sparse_check(handle, a, x->type, y->type, type)) return wrong;
  if (operation != CUSPARSE_OPERATION_NON_TRANSPOSE || a->format != CUSPARSE_FORMAT_CSR)
    return type == CUDA_R_32F
               ? __warplens_sparse_solve_columns<float>(handle, operation, alpha, a, {(const float *)x->values, 1, 1, 0},
                                                        {(float *)y->values, 1, 1, 0})
               : __warplens_sparse_solve_columns<double>(handle, operation, alpha, a, {(const double *)x->values, 1, 1, 0},
                                                         {(double *)y->values, 1, 1, 0});
  return type == CUDA_R_32F ? __warplens_sparse_solve<float>(handle, alpha, a, x->values, y->values)
                            : __warplens_sparse_solve<double>(handle, alpha, a, x->values, y->values);
}

/* The first interface, of CUDA 10 and before. */
static inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor) {
  *descriptor = new cusparseMatDescr{};
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  descriptor->type = type;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  descriptor->base = base;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t fill) {
  descriptor->fill = fill;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t diagonal) {
  descriptor->diagonal = diagonal;
  return CUSPARSE_STATUS_SUCCESS;
}
static inline cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descriptor) { return descriptor->type; }
static inline cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descriptor) { return descriptor->base; }
template <class T>
static inline cusparseStatus_t __warplens_csrmv(cusparseHandle_t handle, cusparseOperation_t operation, int rows, int columns, int nonzeros,
                                                const T *alpha, cusparseMatDescr_t descriptor, const T *values, const int *offsets,
                                                const int *indices, const T *x, const T *beta, T *y) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (descriptor->type != CUSPARSE_MATRIX_TYPE_GENERAL) return __warplens_sparse_refusal("csrmv of matrices that are not general is");
  const cusparseSpMatDescr a = {CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, (void *)offsets, (void *)indices, (void *)values,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,                                descriptor->base, CUDA_R_32F, descriptor->fill, descriptor->diagonal, 1, 0, 0};
  return __warplens_sparse_product<T>(handle, operation, alpha, &a, {x, 1, 1, 0}, beta, {y, 1, 1, 0}, true);
}
#define __WARPLENS_CSRMV(letter, T)                                                                                        \
  static inline cusparseStatus_t cusparse##letter##csrmv(cusparseHandle_t handle, cusparseOperation_t operation, int rows, \
                                                         int columns, int nonzeros, const T *alpha,                        \
                                                         const cusparseMatDescr_t descriptor, const T *values,             \
                                                         const int *offsets, const int *indices, const T *x, const T *beta, \
                                                         T *y) {                                                           \
    return __warplens_csrmv<T>(handle, operation, rows, columns, nonzeros, alpha, descriptor, values, offsets, indices, x, beta, y); \
  }
__WARPLENS_CSRMV(S, float)
__WARPLENS_CSRMV(D, double)
#undef __WARPLENS_CSRMV

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpMV_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpMM_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpSV_bufferSize)
#endif
