/* cuSPARSE's products of two sparse matrices (SpGEMM), dense products at the places of a sparse matrix (SDDMM), and conversions between
   formats. Templates, so that programs pay for what they call.
   Source: cuSPARSE documentation, "cusparseSpGEMM()", "cusparseSDDMM()", "cusparseDenseToSparse()", "cusparseSparseToDense()",
   "Format Conversion". */
#ifndef WARPLENS_CUSPARSE_MATRICES_H
#define WARPLENS_CUSPARSE_MATRICES_H

#include <warplens/cusparse_vectors.h>

typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINISTIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINISTIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;

/* The product on its way: each row has room for all that it could hold; then how much it does hold, and where its room begins. */
struct cusparseSpGEMMDescr {
  int *columns, *counts, *starts;
  void *values;
};
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;

namespace warplens {
/* How many products make up each row. */
template <class T> __global__ void sparseProductRoom(SparseMatrix<T> a, SparseMatrix<T> b, int *room) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows) return;
  int sum = 0;
  for (int i = a.offsets[row] - a.base; i < a.offsets[row + 1] - a.base; i++) {
    int middle = a.columns[i] - a.base;
    sum += b.offsets[middle + 1] - b.offsets[middle];
  }
  room[row] = sum;
}
/* Offsets from counts, in place and one more: by one thread. */
template <class = void> __global__ void sparseOffsets(int rows, const int *counts, SparseSlots offsets, int base) {
  int sum = base;
  for (int row = 0; row < rows; row++) {
    const int count = counts[row];
    offsets.set(row, sum);
    sum += count;
  }
  offsets.set(rows, sum);
}
/* A thread for each row, which keeps it in the order of its columns. */
template <class T>
__global__ void sparseProduct(SparseMatrix<T> a, SparseMatrix<T> b, SparseScalar<T> alpha, const int *starts, int *columns, T *values,
                              int *counts) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows) return;
  int *own = columns + starts[row], count = 0;
  T *sums = values + starts[row];
  for (int i = a.offsets[row] - a.base; i < a.offsets[row + 1] - a.base; i++) {
    int middle = a.columns[i] - a.base;
    T factor = alpha.get() * a.values[i];
    for (int k = b.offsets[middle] - b.base; k < b.offsets[middle + 1] - b.base; k++) {
      int column = b.columns[k] - b.base, low = 0, high = count;
      while (low < high) {
        int half = (low + high) / 2;
        if (own[half] < column) low = half + 1;
        else high = half;
      }
      if (low == count || own[low] != column) {
        for (int at = count++; at > low; at--) own[at] = own[at - 1], sums[at] = sums[at - 1];
        own[low] = column, sums[low] = 0;
      }
      sums[low] += factor * b.values[k];
    }
  }
  counts[row] = count;
}
template <class T>
__global__ void sparseProductCopy(int rows, const int *starts, const int *from, const T *fromValues, SparseSlots offsets, int base,
                                  SparseSlots columns, T *values) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int to = offsets.get(row) - base, count = offsets.get(row + 1) - offsets.get(row);
  for (int i = 0; i < count; i++) columns.set(to + i, from[starts[row] + i] + base), values[to + i] = fromValues[starts[row] + i];
}
/* C = alpha (A B at the places of C) + beta C. */
template <class T>
__global__ void sparseSampled(SparseMatrix<T> c, T *values, int inner, SparseScalar<T> alpha, DenseMatrix<const T> a,
                              DenseMatrix<const T> b, SparseScalar<T> beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.rows) return;
  for (int i = c.offsets[row] - c.base; i < c.offsets[row + 1] - c.base; i++) {
    T sum = 0;
    for (int k = 0; k < inner; k++) sum += a.at(row, k) * b.at(k, c.columns[i] - c.base);
    values[i] = beta.get() == 0 ? alpha.get() * sum : alpha.get() * sum + beta.get() * values[i];
  }
}
/* Lines are rows, or the columns of a matrix that is compressed by them. */
template <class T> __global__ void sparseCountLine(DenseMatrix<const T> m, int lines, int *counts) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  int count = 0;
  for (int i = 0; i < m.columns; i++) count += m.at(line, i) != 0;
  counts[line] = count;
}
template <class T>
__global__ void sparseFillLine(DenseMatrix<const T> m, int lines, SparseSlots offsets, int base, SparseSlots places, SparseSlots columns,
                               T *values) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  int to = offsets.get(line) - base;
  for (int i = 0; i < m.columns; i++)
    if (m.at(line, i) != 0) {
      if (places) places.set(to, line + base);
      columns.set(to, i + base), values[to++] = m.at(line, i);
    }
}
template <class T> __global__ void sparseSpread(SparseMatrix<T> a, DenseMatrix<T> m) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (a.places) {
    if (line < a.nonzeros) m.at(a.places[line] - a.base, a.columns[line] - a.base) = a.values[line];
  } else if (line < a.rows)
    for (int i = a.offsets[line] - a.base; i < a.offsets[line + 1] - a.base; i++) m.at(line, a.columns[i] - a.base) = a.values[i];
}
template <class = void> __global__ void sparsePlaces(const int *offsets, int rows, int base, int *places) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int i = offsets[row] - base; i < offsets[row + 1] - base; i++) places[i] = row + base;
}
/* Where the first of the sorted places is that belongs to this row or a later one. */
template <class = void> __global__ void sparseRowStarts(const int *places, int nonzeros, int rows, int base, int *offsets) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > rows) return;
  int low = 0, high = nonzeros;
  while (low < high) {
    int half = (low + high) / 2;
    if (places[half] - base < row) low = half + 1;
    else high = half;
  }
  offsets[row] = low + base;
}
} // namespace warplens

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name

__WARPLENS_SPARSE(SpGEMM_createDescr)(cusparseSpGEMMDescr_t *descriptor) {
  *descriptor = new cusparseSpGEMMDescr{};
  return CUSPARSE_STATUS_SUCCESS;
}
template <class = void> static inline void __warplens_sparse_forget(cusparseSpGEMMDescr_t product) {
  cudaFree(product->columns);
  cudaFree(product->counts);
  cudaFree(product->starts);
  cudaFree(product->values);
  *product = cusparseSpGEMMDescr{};
}
__WARPLENS_SPARSE(SpGEMM_destroyDescr)(cusparseSpGEMMDescr_t descriptor) {
  __warplens_sparse_forget(descriptor);
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
/* The buffers are the program's; the product is made in memory of its own. */
__WARPLENS_SPARSE(SpGEMM_workEstimation)(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t,
                                         cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *bytes, void *) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_spgemm(cusparseHandle_t handle, const void *alpha, cusparseConstSpMatDescr_t a,
                                                        cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                                        cusparseSpGEMMDescr_t product) {
  const int rows = (int)a->rows;
  const dim3 blocks = __warplens_sparse_blocks(rows > 0 ? rows : 1);
  const auto first = __warplens_sparse_matrix<T>(a), second = __warplens_sparse_matrix<T>(b);
  int room = 0, nonzeros = 0;
  __warplens_sparse_forget(product);
  if (cudaMalloc(&product->counts, sizeof(int) * (rows + 1)) != cudaSuccess ||
      cudaMalloc(&product->starts, sizeof(int) * (rows + 1)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  warplens::sparseProductRoom<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(first, second, product->counts);
  warplens::sparseOffsets<><<<1, 1, 0, handle->stream>>>(rows, product->counts, warplens::SparseSlots{product->starts, 1}, 0);
  cudaMemcpyAsync(&room, product->starts + rows, sizeof room, cudaMemcpyDeviceToHost, handle->stream);
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  if (room < 0) return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  if (cudaMalloc(&product->columns, sizeof(int) * (room + 1)) != cudaSuccess ||
      cudaMalloc(&product->values, sizeof(T) * (room + 1)) != cudaSuccess)
    return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  warplens::sparseProduct<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(
      first, second, __warplens_sparse_scalar<T>(handle, alpha), product->starts, product->columns, (T *)product->values,
      product->counts);
  int *offsets;
  if (cudaMalloc(&offsets, sizeof(int) * (rows + 1)) != cudaSuccess) return CUSPARSE_STATUS_ALLOC_FAILED;
  warplens::sparseOffsets<><<<1, 1, 0, handle->stream>>>(rows, product->counts, warplens::SparseSlots{offsets, 1}, 0);
  cudaMemcpyAsync(&nonzeros, offsets + rows, sizeof nonzeros, cudaMemcpyDeviceToHost, handle->stream);
  cudaError_t status = cudaStreamSynchronize(handle->stream);
  cudaFree(offsets);
  c->nonzeros = nonzeros;
  return status == cudaSuccess ? __warplens_sparse_status() : CUSPARSE_STATUS_EXECUTION_FAILED;
}
__WARPLENS_SPARSE(SpGEMM_compute)(cusparseHandle_t handle, cusparseOperation_t operationA, cusparseOperation_t operationB,
                                  const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
                                  cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
                                  size_t *bytes, void *buffer) {
  if (auto wrong = __warplens_sparse_check(handle, a, b->type, c->type, type)) return wrong;
  if (operationA != CUSPARSE_OPERATION_NON_TRANSPOSE || operationB != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      a->format != CUSPARSE_FORMAT_CSR || b->format != CUSPARSE_FORMAT_CSR || c->format != CUSPARSE_FORMAT_CSR)
    return __warplens_sparse_refusal("products of sparse matrices that are transposed or not compressed by rows are");
  const bool isOnHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
  if (!isOnHost || (type == CUDA_R_32F ? *(const float *)beta != 0 : *(const double *)beta != 0))
    return __warplens_sparse_refusal("SpGEMM with a beta other than 0, or scalars on the device, is");
  if (a->columns != b->rows || a->rows != c->rows || b->columns != c->columns) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 4;
  if (!buffer) return CUSPARSE_STATUS_SUCCESS;
  return type == CUDA_R_32F ? __warplens_sparse_spgemm<float>(handle, alpha, a, b, c, product)
                            : __warplens_sparse_spgemm<double>(handle, alpha, a, b, c, product);
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_spgemm_copy(cusparseHandle_t handle, cusparseSpMatDescr_t c,
                                                             cusparseSpGEMMDescr_t product) {
  const int rows = (int)c->rows;
  const warplens::SparseSlots offsets = __warplens_sparse_slots(c->first, c->firstType);
  const warplens::SparseSlots columns = __warplens_sparse_slots(c->second, c->secondType);
  warplens::sparseOffsets<><<<1, 1, 0, handle->stream>>>(rows, product->counts, offsets, (int)c->base);
  if (rows > 0)
    warplens::sparseProductCopy<<<__warplens_sparse_blocks(rows), warplens::sparseThreads, 0, handle->stream>>>(
        rows, product->starts, product->columns, (const T *)product->values, offsets, (int)c->base, columns, (T *)c->values);
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(SpGEMM_copy)(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void *,
                               cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t c,
                               cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product) {
  if (!product->counts || type != c->type) return CUSPARSE_STATUS_INVALID_VALUE;
  return type == CUDA_R_32F ? __warplens_sparse_spgemm_copy<float>(handle, c, product)
                            : __warplens_sparse_spgemm_copy<double>(handle, c, product);
}

__WARPLENS_SPARSE(SDDMM_bufferSize)(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
                                    cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                    size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SDDMM_preprocess)(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
                                    cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                    void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_sampled(cusparseHandle_t handle, bool turnedA, bool turnedB, const void *alpha,
                                                         cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                                                         cusparseSpMatDescr_t c) {
  if (c->rows > 0)
    warplens::sparseSampled<<<__warplens_sparse_blocks(c->rows), warplens::sparseThreads, 0, handle->stream>>>(
        __warplens_sparse_matrix<T>(c), (T *)c->values, (int)(turnedA ? a->rows : a->columns),
        __warplens_sparse_scalar<T>(handle, alpha), __warplens_sparse_dense<const T>(a, turnedA),
        __warplens_sparse_dense<const T>(b, turnedB), __warplens_sparse_scalar<T>(handle, beta));
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(SDDMM)(cusparseHandle_t handle, cusparseOperation_t operationA, cusparseOperation_t operationB, const void *alpha,
                         cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                         cudaDataType type, cusparseSDDMMAlg_t, void *) {
  if (auto wrong = __warplens_sparse_check(handle, c, a->type, b->type, type)) return wrong;
  if (c->format != CUSPARSE_FORMAT_CSR) return __warplens_sparse_refusal("SDDMM into matrices that are not compressed by rows is");
  bool turnedA = operationA != CUSPARSE_OPERATION_NON_TRANSPOSE, turnedB = operationB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if ((turnedA ? a->columns : a->rows) != c->rows || (turnedB ? b->rows : b->columns) != c->columns ||
      (turnedA ? a->rows : a->columns) != (turnedB ? b->columns : b->rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!__warplens_sparse_batched(c->batches, a->batches, b->batches)) return CUSPARSE_STATUS_INVALID_VALUE;
  for (int batch = 0; batch < c->batches; batch++) {
    const cusparseDnMatDescr first = __warplens_sparse_of_batch(a, batch), second = __warplens_sparse_of_batch(b, batch);
    cusparseSpMatDescr result = __warplens_sparse_of_batch(c, batch);
    const cusparseStatus_t status =
        type == CUDA_R_32F ? __warplens_sparse_sampled<float>(handle, turnedA, turnedB, alpha, &first, &second, beta, &result)
                           : __warplens_sparse_sampled<double>(handle, turnedA, turnedB, alpha, &first, &second, beta, &result);
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

/* A dense matrix's elements that are not zero: their number is known after the analysis, which also writes the offsets. The buffer
   holds offsets of lists of coordinates. */
__WARPLENS_SPARSE(DenseToSparse_bufferSize)(cusparseHandle_t, cusparseConstDnMatDescr_t m, cusparseSpMatDescr_t,
                                            cusparseDenseToSparseAlg_t, size_t *bytes) {
  *bytes = sizeof(int) * 2 * (size_t)((m->rows > m->columns ? m->rows : m->columns) + 1);
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_compress(cusparseHandle_t handle, cusparseConstDnMatDescr_t m, cusparseSpMatDescr_t a,
                                                          void *buffer, bool isFilled) {
  const bool byColumns = a->format == CUSPARSE_FORMAT_CSC, isList = a->format == CUSPARSE_FORMAT_COO;
  const int lines = (int)(byColumns ? m->columns : m->rows);
  int *counts = (int *)buffer, last = 0;
  const warplens::SparseSlots own = {counts + lines + 1, 1}, first = __warplens_sparse_slots(a->first, a->firstType);
  const warplens::SparseSlots offsets = isList ? own : first, places = isList ? first : warplens::SparseSlots{nullptr, 1};
  const auto dense = __warplens_sparse_dense<const T>(m, byColumns);
  const dim3 blocks = __warplens_sparse_blocks(lines);
  if (lines == 0) return CUSPARSE_STATUS_SUCCESS;
  if (isFilled) {
    warplens::sparseFillLine<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(
        dense, lines, offsets, (int)a->base, places, __warplens_sparse_slots(a->second, a->secondType), (T *)a->values);
    return __warplens_sparse_status();
  }
  warplens::sparseCountLine<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(dense, lines, counts);
  warplens::sparseOffsets<><<<1, 1, 0, handle->stream>>>(lines, counts, offsets, (int)a->base);
  cudaMemcpyAsync(&last, offsets.words + lines * offsets.step, sizeof last, cudaMemcpyDeviceToHost, handle->stream);
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  a->nonzeros = last - (int)a->base;
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(DenseToSparse_analysis)(cusparseHandle_t handle, cusparseConstDnMatDescr_t m, cusparseSpMatDescr_t a,
                                          cusparseDenseToSparseAlg_t, void *buffer) {
  if (auto wrong = __warplens_sparse_check(handle, a, m->type, m->type, m->type)) return wrong;
  return m->type == CUDA_R_32F ? __warplens_sparse_compress<float>(handle, m, a, buffer, false)
                               : __warplens_sparse_compress<double>(handle, m, a, buffer, false);
}
__WARPLENS_SPARSE(DenseToSparse_convert)(cusparseHandle_t handle, cusparseConstDnMatDescr_t m, cusparseSpMatDescr_t a,
                                         cusparseDenseToSparseAlg_t, void *buffer) {
  if (auto wrong = __warplens_sparse_check(handle, a, m->type, m->type, m->type)) return wrong;
  return m->type == CUDA_R_32F ? __warplens_sparse_compress<float>(handle, m, a, buffer, true)
                               : __warplens_sparse_compress<double>(handle, m, a, buffer, true);
}
__WARPLENS_SPARSE(SparseToDense_bufferSize)(cusparseHandle_t, cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
                                            cusparseSparseToDenseAlg_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_spread(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t m) {
  const bool byColumns = a->format == CUSPARSE_FORMAT_CSC;
  const auto matrix = __warplens_sparse_matrix<T>(a);
  const int threads = matrix.places ? matrix.nonzeros : matrix.rows;
  const dim3 blocks((unsigned)((m->rows + warplens::sparseThreads - 1) / warplens::sparseThreads), (unsigned)m->columns);
  if (m->rows > 0 && m->columns > 0)
    warplens::sparseScale<<<blocks, warplens::sparseThreads, 0, handle->stream>>>((int)m->rows, warplens::SparseScalar<T>{0, nullptr},
                                                                                 __warplens_sparse_dense<T>(m, false));
  if (threads > 0)
    warplens::sparseSpread<<<__warplens_sparse_blocks(threads), warplens::sparseThreads, 0, handle->stream>>>(
        matrix, __warplens_sparse_dense<T>(m, byColumns));
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(SparseToDense)(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t m,
                                 cusparseSparseToDenseAlg_t, void *) {
  if (auto wrong = __warplens_sparse_check(handle, a, m->type, m->type, m->type)) return wrong;
  return m->type == CUDA_R_32F ? __warplens_sparse_spread<float>(handle, a, m) : __warplens_sparse_spread<double>(handle, a, m);
}

__WARPLENS_SPARSE(Xcsr2coo)(cusparseHandle_t handle, const int *offsets, int, int rows, int *places, cusparseIndexBase_t base) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows > 0)
    warplens::sparsePlaces<><<<__warplens_sparse_blocks(rows), warplens::sparseThreads, 0, handle->stream>>>(offsets, rows, (int)base,
                                                                                                          places);
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(Xcoo2csr)(cusparseHandle_t handle, const int *places, int nonzeros, int rows, int *offsets, cusparseIndexBase_t base) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  warplens::sparseRowStarts<><<<__warplens_sparse_blocks(rows + 1), warplens::sparseThreads, 0, handle->stream>>>(
      places, nonzeros, rows, (int)base, offsets);
  return __warplens_sparse_status();
}
#undef __WARPLENS_SPARSE

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpGEMM_workEstimation)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpGEMM_compute)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSDDMM_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDenseToSparse_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSparseToDense_bufferSize)
#endif
