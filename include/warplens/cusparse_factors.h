/* cuSPARSE's incomplete factors at the places of a matrix compressed by rows, in place: LU (csrilu02) and Cholesky's (csric02), of which
   preconditioners are made. Columns of a row are in order. Templates, so that programs pay for what they call.
   Source: cuSPARSE documentation, "cusparse<t>csric02()", "cusparse<t>csrilu02()". */
#ifndef WARPLENS_CUSPARSE_FACTORS_H
#define WARPLENS_CUSPARSE_FACTORS_H

#include <warplens/cusparse_vectors.h>

/* The first row without a pivot, counted from the matrix's base, or -1: on the device. */
struct csrilu02Info {
  int *pivot;
};
struct csric02Info {
  int *pivot;
};

namespace warplens {
/* Where in a row the element of a column is, or -1. */
__device__ inline int sparseFind(const int *columns, int first, int end, int column) {
  while (first < end) {
    int middle = (first + end) / 2;
    if (columns[middle] == column) return middle;
    if (columns[middle] < column) first = middle + 1;
    else end = middle;
  }
  return -1;
}
/* One warp, row after row, and in it element after element. Columns and offsets count from `base`. */
template <class T>
__global__ void sparseFactorLu(int rows, int base, const int *offsets, const int *columns, T *values, int *pivot) {
  for (int row = 0; row < rows; row++) {
    const int first = offsets[row] - base, end = offsets[row + 1] - base;
    int at = first;
    for (; at < end && columns[at] - base < row; at++) {
      const int above = columns[at] - base, aboveFirst = offsets[above] - base, aboveEnd = offsets[above + 1] - base;
      const int diagonal = sparseFind(columns, aboveFirst, aboveEnd, columns[at]);
      const T factor = diagonal < 0 ? values[at] : values[at] / values[diagonal];
      __syncwarp();
      if (threadIdx.x == 0) values[at] = factor;
      for (int i = at + 1 + threadIdx.x; i < end; i += 32) {
        const int from = sparseFind(columns, aboveFirst, aboveEnd, columns[i]);
        if (from >= 0) values[i] -= factor * values[from];
      }
      __syncwarp();
    }
    const bool isMissing = at == end || columns[at] - base != row || values[at] == 0;
    if (isMissing && threadIdx.x == 0 && *pivot < 0) *pivot = row + base;
  }
}
/* Of a symmetric matrix the lower triangle is read and written. */
template <class T>
__global__ void sparseFactorCholesky(int rows, int base, const int *offsets, const int *columns, T *values, int *pivot) {
  for (int row = 0; row < rows; row++) {
    const int first = offsets[row] - base, end = offsets[row + 1] - base;
    bool isMissing = true;
    for (int at = first; at < end && columns[at] - base <= row; at++) {
      const int above = columns[at] - base, aboveFirst = offsets[above] - base, aboveEnd = offsets[above + 1] - base;
      T sum = 0;
      for (int i = first + threadIdx.x; i < at; i += 32) {
        const int from = sparseFind(columns, aboveFirst, aboveEnd, columns[i]);
        if (from >= 0) sum += values[i] * values[from];
      }
      const T rest = values[at] - sparseWarpSum(sum);
      const int diagonal = above == row ? at : sparseFind(columns, aboveFirst, aboveEnd, columns[at]);
      const T result = above == row ? sqrt(rest) : diagonal < 0 ? rest : rest / values[diagonal];
      if (above == row) isMissing = !(rest > 0);
      __syncwarp();
      if (threadIdx.x == 0) values[at] = result;
      __syncwarp();
    }
    if (isMissing && threadIdx.x == 0 && *pivot < 0) *pivot = row + base;
  }
}
} // namespace warplens

template <class = void> static inline cusparseStatus_t __warplens_sparse_pivot(cusparseHandle_t handle, int *pivot, int *position) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  int found = -1;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  cudaMemcpy(&found, pivot, sizeof found, cudaMemcpyDeviceToHost);
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_HOST) *position = found;
  else cudaMemcpy(position, &found, sizeof found, cudaMemcpyHostToDevice);
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
template <class = void> static inline cusparseStatus_t __warplens_sparse_no_pivot(int *pivot) {
  return cudaMemset(pivot, -1, sizeof *pivot) == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name
#define __WARPLENS_FACTORS_OF(letter, T, factor, kernel)                                                                   \
  __WARPLENS_SPARSE(letter##factor##_bufferSize)(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,   \
                                                 const int *, factor##Info_t, int *bytes) {                                \
    *bytes = 4;                                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                        \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##factor##_analysis)(cusparseHandle_t, int, int, const cusparseMatDescr_t, const T *,            \
                                               const int *, const int *, factor##Info_t info, cusparseSolvePolicy_t,       \
                                               void *) {                                                                   \
    return __warplens_sparse_no_pivot(info->pivot);                                                                        \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##factor)(cusparseHandle_t handle, int rows, int, const cusparseMatDescr_t descriptor, T *values, \
                                    const int *offsets, const int *columns, factor##Info_t info, cusparseSolvePolicy_t,    \
                                    void *) {                                                                              \
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;                                                                   \
    if (descriptor->type != CUSPARSE_MATRIX_TYPE_GENERAL) return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;                \
    if (rows > 0)                                                                                                          \
      warplens::kernel<<<1, 32, 0, handle->stream>>>(rows, (int)descriptor->base, offsets, columns, values, info->pivot);  \
    return __warplens_sparse_status();                                                                                     \
  }
#define __WARPLENS_FACTORS(name, factor, kernel)                                                                           \
  __WARPLENS_SPARSE(Create##name##Info)(factor##Info_t *info) {                                                            \
    *info = new factor##Info{};                                                                                            \
    if (cudaMalloc(&(*info)->pivot, sizeof(int)) != cudaSuccess) return CUSPARSE_STATUS_ALLOC_FAILED;                      \
    return __warplens_sparse_no_pivot((*info)->pivot);                                                                     \
  }                                                                                                                        \
  __WARPLENS_SPARSE(Destroy##name##Info)(factor##Info_t info) {                                                            \
    cudaFree(info->pivot);                                                                                                 \
    delete info;                                                                                                           \
    return CUSPARSE_STATUS_SUCCESS;                                                                                        \
  }                                                                                                                        \
  __WARPLENS_SPARSE(X##factor##_zeroPivot)(cusparseHandle_t handle, factor##Info_t info, int *position) {                  \
    return __warplens_sparse_pivot(handle, info->pivot, position);                                                         \
  }                                                                                                                        \
  __WARPLENS_FACTORS_OF(S, float, factor, kernel)                                                                          \
  __WARPLENS_FACTORS_OF(D, double, factor, kernel)
__WARPLENS_FACTORS(Csrilu02, csrilu02, sparseFactorLu)
__WARPLENS_FACTORS(Csric02, csric02, sparseFactorCholesky)
#undef __WARPLENS_FACTORS
#undef __WARPLENS_FACTORS_OF
#undef __WARPLENS_SPARSE

#endif
