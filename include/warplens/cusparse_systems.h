/* cuSPARSE's triangular systems with matrices of right sides (SpSM), and lists of coordinates put in order (coosort). Templates, so that
   programs pay for what they call. Source: cuSPARSE documentation, "cusparseSpSM()", "cusparseXcoosort()". */
#ifndef WARPLENS_CUSPARSE_SYSTEMS_H
#define WARPLENS_CUSPARSE_SYSTEMS_H

#include <algorithm>
#include <vector>
#include <warplens/cusparse_vectors.h>

struct cusparseSpSMDescr {
  char unused;
};

namespace warplens {
template <class = void> __global__ void sparseCountUp(int count, int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) places[i] = i;
}
} // namespace warplens

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name

__WARPLENS_SPARSE(SpSM_createDescr)(cusparseSpSMDescr_t *descriptor) {
  *descriptor = new cusparseSpSMDescr{};
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpSM_destroyDescr)(cusparseSpSMDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpSM_bufferSize)(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                   cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                   cusparseSpSMDescr_t, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpSM_analysis)(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                 cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t,
                                 void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpSM_solve)(cusparseHandle_t handle, cusparseOperation_t operationA, cusparseOperation_t operationB, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpSMAlg_t, cusparseSpSMDescr_t) {
  if (auto wrong = __warplens_sparse_check(handle, a, b->type, c->type, type)) return wrong;
  const bool transposed = operationB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (a->rows != a->columns || (transposed ? b->rows : b->columns) != c->columns) return CUSPARSE_STATUS_INVALID_VALUE;
  return type == CUDA_R_32F ? __warplens_sparse_solve_columns(handle, operationA, alpha, a,
                                                              __warplens_sparse_dense<const float>(b, transposed),
                                                              __warplens_sparse_dense<float>(c, false))
                            : __warplens_sparse_solve_columns(handle, operationA, alpha, a,
                                                              __warplens_sparse_dense<const double>(b, transposed),
                                                              __warplens_sparse_dense<double>(c, false));
}

__WARPLENS_SPARSE(CreateIdentityPermutation)(cusparseHandle_t handle, int count, int *places) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (count > 0)
    warplens::sparseCountUp<><<<__warplens_sparse_blocks(count), warplens::sparseThreads, 0, handle->stream>>>(count, places);
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(Xcoosort_bufferSizeExt)(cusparseHandle_t, int, int, int, const int *, const int *, size_t *bytes) {
  *bytes = 4;
  return CUSPARSE_STATUS_SUCCESS;
}
/* By `first`, then `second`, and what came with each of them: on the host, between two copies. */
template <class = void>
static inline cusparseStatus_t __warplens_sparse_sort(cusparseHandle_t handle, int count, int *first, int *second, int *carried) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  struct Element {
    int first, second, carried;
  };
  std::vector<Element> elements(count);
  std::vector<int> one(count);
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  const struct Part {
    int *array;
    int Element::*part;
  } parts[] = {{first, &Element::first}, {second, &Element::second}, {carried, &Element::carried}};
  for (const Part &from : parts) {
    if (!from.array) continue;
    cudaMemcpy(one.data(), from.array, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) elements[i].*from.part = one[i];
  }
  std::stable_sort(elements.begin(), elements.end(), [](const Element &a, const Element &b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  for (const Part &to : parts) {
    if (!to.array) continue;
    for (int i = 0; i < count; i++) one[i] = elements[i].*to.part;
    cudaMemcpy(to.array, one.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  }
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(XcoosortByRow)(cusparseHandle_t handle, int, int, int nonzeros, int *rows, int *columns, int *places, void *) {
  return __warplens_sparse_sort(handle, nonzeros, rows, columns, places);
}
__WARPLENS_SPARSE(XcoosortByColumn)(cusparseHandle_t handle, int, int, int nonzeros, int *rows, int *columns, int *places, void *) {
  return __warplens_sparse_sort(handle, nonzeros, columns, rows, places);
}
#undef __WARPLENS_SPARSE

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpSM_bufferSize)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseXcoosort_bufferSizeExt)
#endif
