/* cuSPARSE's conversions of matrices without descriptors of their own: rows to columns (csr2csc), what a dense matrix holds (nnz), indices of
   each row in order (csrsort). Templates, so that programs pay for what they call. Source: cuSPARSE documentation, "cusparseCsr2cscEx2()",
   "cusparse<t>nnz()", "cusparseXcsrsort()". */
#ifndef WARPLENS_CUSPARSE_CONVERSIONS_H
#define WARPLENS_CUSPARSE_CONVERSIONS_H

#include <vector>
#include <warplens/cusparse_matrices.h>
#include <warplens/cusparse_systems.h>

namespace warplens {
/* One warp, row after row, so that each column has its rows in order. `offsets` are first counts, then where the next element of a column
   goes, which in the end is where the column after it begins. */
template <class T>
__global__ void sparseTurn(int rows, int columns, int base, const T *values, const int *rowOffsets, const int *columnIndices,
                           T *turnedValues, int *offsets, int *rowIndices) {
  const int lane = threadIdx.x, nonzeros = rowOffsets[rows] - base;
  for (int column = lane; column <= columns; column += 32) offsets[column] = 0;
  __syncwarp();
  for (int i = lane; i < nonzeros; i += 32) atomicAdd(&offsets[columnIndices[i] - base], 1);
  __syncwarp();
  int before = 0;
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane, count = column < columns ? offsets[column] : 0;
    int sum = count;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(~0u, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (column < columns) offsets[column] = before + sum - count;
    before += __shfl_sync(~0u, sum, 31);
  }
  __syncwarp();
  for (int row = 0; row < rows; row++) {
    for (int i = rowOffsets[row] - base + lane, end = rowOffsets[row + 1] - base; i < end; i += 32) {
      const int place = atomicAdd(&offsets[columnIndices[i] - base], 1);
      rowIndices[place] = row + base;
      if (values) turnedValues[place] = values[i];
    }
    __syncwarp();
  }
  for (int last = columns; last >= 0; last -= 32) {
    const int column = last - lane, begin = column > 0 ? offsets[column - 1] : 0;
    __syncwarp();
    if (column >= 0) offsets[column] = begin + base;
    __syncwarp();
  }
}

template <class T> __host__ __device__ inline bool sparseIsZero(T value) { return value == T(0); }
__host__ __device__ inline bool sparseIsZero(cuComplex value) { return value.x == 0 && value.y == 0; }
__host__ __device__ inline bool sparseIsZero(cuDoubleComplex value) { return value.x == 0 && value.y == 0; }

/* A thread for each row, or for each column: `across` apart, their elements `along`. */
template <class T>
__global__ void sparseCount(int lines, int length, const T *matrix, int across, int along, int *counts) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  int count = 0;
  for (int i = 0; i < length; i++) count += !sparseIsZero(matrix[line * across + i * along]);
  counts[line] = count;
}
template <class = void> __global__ void sparseTotal(int count, const int *counts, int *total) {
  int sum = 0;
  for (int i = threadIdx.x; i < count; i += 32) sum += counts[i];
  sum = sparseWarpSum(sum);
  if (threadIdx.x == 0) *total = sum;
}
} // namespace warplens

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name

__WARPLENS_SPARSE(Csr2cscEx2_bufferSize)(cusparseHandle_t, int, int, int, const void *, const int *, const int *, void *, int *, int *,
                                         cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
static inline cusparseStatus_t __warplens_sparse_turn(cusparseHandle_t handle, int rows, int columns, int base, const void *values,
                                                      const int *rowOffsets, const int *columnIndices, void *turnedValues, int *offsets,
                                                      int *rowIndices) {
  warplens::sparseTurn<T><<<1, 32, 0, handle->stream>>>(rows, columns, base, (const T *)values, rowOffsets, columnIndices,
                                                        (T *)turnedValues, offsets, rowIndices);
  return __warplens_sparse_status();
}
/* Values are moved, whatever they mean: only their size counts. */
__WARPLENS_SPARSE(Csr2cscEx2)(cusparseHandle_t handle, int rows, int columns, int nonzeros, const void *values, const int *rowOffsets,
                              const int *columnIndices, void *turnedValues, int *offsets, int *rowIndices, cudaDataType type,
                              cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || columns < 0 || nonzeros < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (action == CUSPARSE_ACTION_SYMBOLIC) values = nullptr;
#define __WARPLENS_TURN(T) \
  return __warplens_sparse_turn<T>(handle, rows, columns, (int)base, values, rowOffsets, columnIndices, turnedValues, offsets, rowIndices)
  switch (type) {
  case CUDA_R_8I: __WARPLENS_TURN(unsigned char);
  case CUDA_R_16F:
  case CUDA_R_16BF: __WARPLENS_TURN(unsigned short);
  case CUDA_R_32F: __WARPLENS_TURN(float);
  case CUDA_R_64F: __WARPLENS_TURN(double);
  case CUDA_C_32F: __WARPLENS_TURN(float2);
  case CUDA_C_64F: __WARPLENS_TURN(double2);
  default: return __warplens_sparse_refusal("csr2csc of values of this type is");
  }
#undef __WARPLENS_TURN
}

template <class T>
static inline cusparseStatus_t __warplens_sparse_nnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                                                     const T *matrix, int leading, int *counts, int *total) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || columns < 0 || leading < rows) return CUSPARSE_STATUS_INVALID_VALUE;
  const bool byRow = direction == CUSPARSE_DIRECTION_ROW;
  const int lines = byRow ? rows : columns;
  if (lines > 0)
    warplens::sparseCount<T><<<__warplens_sparse_blocks(lines), warplens::sparseThreads, 0, handle->stream>>>(
        lines, byRow ? columns : rows, matrix, byRow ? 1 : leading, byRow ? leading : 1, counts);
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE) {
    warplens::sparseTotal<><<<1, 32, 0, handle->stream>>>(lines, counts, total);
    return __warplens_sparse_status();
  }
  std::vector<int> counted(lines);
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  cudaMemcpy(counted.data(), counts, lines * sizeof(int), cudaMemcpyDeviceToHost);
  *total = 0;
  for (int count : counted) *total += count;
  return __warplens_sparse_status();
}
#define __WARPLENS_NNZ(letter, T)                                                                                            \
  __WARPLENS_SPARSE(letter##nnz)(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,              \
                                 const cusparseMatDescr_t, const T *matrix, int leading, int *counts, int *total) {          \
    return __warplens_sparse_nnz<T>(handle, direction, rows, columns, matrix, leading, counts, total);                       \
  }
__WARPLENS_NNZ(S, float)
__WARPLENS_NNZ(D, double)
__WARPLENS_NNZ(C, cuComplex)
__WARPLENS_NNZ(Z, cuDoubleComplex)
#undef __WARPLENS_NNZ

__WARPLENS_SPARSE(Xcsrsort_bufferSizeExt)(cusparseHandle_t, int, int, int, const int *, const int *, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
/* As coordinates, whose rows are in order. */
__WARPLENS_SPARSE(Xcsrsort)(cusparseHandle_t handle, int rows, int, int nonzeros, const cusparseMatDescr_t descriptor, const int *offsets,
                            int *indices, int *places, void *) {
  int *rowOfEach;
  if (cudaMalloc(&rowOfEach, (nonzeros > 0 ? nonzeros : 1) * sizeof(int)) != cudaSuccess) return CUSPARSE_STATUS_ALLOC_FAILED;
  cusparseStatus_t status = cusparseXcsr2coo(handle, offsets, nonzeros, rows, rowOfEach, descriptor->base);
  if (status == CUSPARSE_STATUS_SUCCESS) status = __warplens_sparse_sort(handle, nonzeros, rowOfEach, indices, places);
  cudaFree(rowOfEach);
  return status;
}
__WARPLENS_SPARSE(Xcscsort_bufferSizeExt)(cusparseHandle_t, int, int, int, const int *, const int *, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(Xcscsort)(cusparseHandle_t handle, int rows, int columns, int nonzeros, const cusparseMatDescr_t descriptor,
                            const int *offsets, int *indices, int *places, void *buffer) {
  return cusparseXcsrsort(handle, columns, rows, nonzeros, descriptor, offsets, indices, places, buffer);
}
#undef __WARPLENS_SPARSE

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseCsr2cscEx2_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseXcsrsort_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseXcscsort_bufferSizeExt)
#endif
