/* cuSPARSE's sparse vectors with dense ones: gather, scatter, sums, rotations, inner products. Templates, so that programs pay for what
   they call. Source: cuSPARSE documentation, "Generic APIs": cusparseAxpby to cusparseSpVV. */
#ifndef WARPLENS_CUSPARSE_VECTORS_H
#define WARPLENS_CUSPARSE_VECTORS_H

#include <warplens/cusparse_host.h>

struct cusparseSpVecDescr {
  int64_t size, nonzeros;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;

namespace warplens {
template <class T> struct SparseVector {
  int nonzeros, base;
  SparseIndices indices;
  T *values;
};
template <class T> __global__ void sparseGather(SparseVector<T> x, const T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.nonzeros) x.values[i] = y[x.indices[i] - x.base];
}
template <class T> __global__ void sparseScatterVector(SparseVector<const T> x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.nonzeros) y[x.indices[i] - x.base] = x.values[i];
}
template <class T> __global__ void sparseAdd(SparseVector<const T> x, SparseScalar<T> alpha, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.nonzeros) y[x.indices[i] - x.base] += alpha.get() * x.values[i];
}
template <class T> __global__ void sparseRotate(SparseVector<T> x, T *y, SparseScalar<T> c, SparseScalar<T> s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.nonzeros) return;
  T first = x.values[i], &second = y[x.indices[i] - x.base], before = second;
  x.values[i] = c.get() * first + s.get() * before;
  second = c.get() * before - s.get() * first;
}
template <class T> __global__ void sparseInner(SparseVector<const T> x, const T *y, T *result) {
  T sum = 0;
  for (int i = threadIdx.x; i < x.nonzeros; i += 32) sum += x.values[i] * y[x.indices[i] - x.base];
  sum = sparseWarpSum(sum);
  if (threadIdx.x == 0) *result = sum;
}
} // namespace warplens

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name

__WARPLENS_SPARSE(CreateSpVec)(cusparseSpVecDescr_t *vector, int64_t size, int64_t nonzeros, void *indices, void *values,
                               cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
  if (size < 0 || nonzeros < 0 || nonzeros > size) return CUSPARSE_STATUS_INVALID_VALUE;
  *vector = new cusparseSpVecDescr{size, nonzeros, indices, values, indexType, base, type};
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(CreateConstSpVec)(cusparseConstSpVecDescr_t *vector, int64_t size, int64_t nonzeros, const void *indices,
                                    const void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateSpVec((cusparseSpVecDescr_t *)vector, size, nonzeros, (void *)indices, (void *)values, indexType, base, type);
}
__WARPLENS_SPARSE(DestroySpVec)(cusparseConstSpVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpVecGet)(cusparseSpVecDescr_t vector, int64_t *size, int64_t *nonzeros, void **indices, void **values,
                            cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {
  *size = vector->size, *nonzeros = vector->nonzeros, *indices = vector->indices, *values = vector->values;
  *indexType = vector->indexType, *base = vector->base, *type = vector->type;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpVecGetValues)(cusparseSpVecDescr_t vector, void **values) {
  *values = vector->values;
  return CUSPARSE_STATUS_SUCCESS;
}
__WARPLENS_SPARSE(SpVecSetValues)(cusparseSpVecDescr_t vector, void *values) {
  vector->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class = void>
static inline cusparseStatus_t __warplens_sparse_pair(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x->indexType == CUSPARSE_INDEX_16U) return __warplens_sparse_refusal("indices of 16 bits are");
  if (x->type != y->type || (x->type != CUDA_R_32F && x->type != CUDA_R_64F))
    return __warplens_sparse_refusal("other types than float and double, and mixed ones, are");
  return x->size == y->size ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
template <class T> static inline warplens::SparseVector<T> __warplens_sparse_vector(cusparseConstSpVecDescr_t x) {
  return {(int)x->nonzeros, (int)x->base, __warplens_sparse_indices(x->indices, x->indexType), (T *)x->values};
}
static inline dim3 __warplens_sparse_blocks(int64_t threads) {
  return dim3((unsigned)((threads + warplens::sparseThreads - 1) / warplens::sparseThreads));
}
/* One of the statements, by the type that they call T; nothing to do for a vector without elements. */
#define __WARPLENS_SPARSE_BY_TYPE(handle, x, y, launch)                                                                    \
  if (auto wrong = __warplens_sparse_pair(handle, x, y)) return wrong;                                                     \
  if (x->nonzeros > 0 && x->type == CUDA_R_32F) {                                                                          \
    typedef float T;                                                                                                       \
    launch;                                                                                                                \
  } else if (x->nonzeros > 0) {                                                                                            \
    typedef double T;                                                                                                      \
    launch;                                                                                                                \
  }                                                                                                                        \
  return __warplens_sparse_status();
#define __WARPLENS_SPARSE_SHAPE __warplens_sparse_blocks(x->nonzeros), warplens::sparseThreads, 0, handle->stream

__WARPLENS_SPARSE(Gather)(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  __WARPLENS_SPARSE_BY_TYPE(handle, x, y,
                            (warplens::sparseGather<<<__WARPLENS_SPARSE_SHAPE>>>(__warplens_sparse_vector<T>(x), (const T *)y->values)))
}
__WARPLENS_SPARSE(Scatter)(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  __WARPLENS_SPARSE_BY_TYPE(handle, x, y,
                            (warplens::sparseScatterVector<<<__WARPLENS_SPARSE_SHAPE>>>(__warplens_sparse_vector<const T>(x),
                                                                                        (T *)y->values)))
}
/* y = alpha x + beta y, all of y. */
__WARPLENS_SPARSE(Axpby)(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta,
                         cusparseDnVecDescr_t y) {
  if (auto wrong = __warplens_sparse_pair(handle, x, y)) return wrong;
  const dim3 blocks = __warplens_sparse_blocks(y->size);
  if (y->size > 0 && y->type == CUDA_R_32F)
    warplens::sparseScale<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(
        (int)y->size, __warplens_sparse_scalar<float>(handle, beta), warplens::DenseMatrix<float>{(float *)y->values, 1, 1, 0});
  else if (y->size > 0)
    warplens::sparseScale<<<blocks, warplens::sparseThreads, 0, handle->stream>>>(
        (int)y->size, __warplens_sparse_scalar<double>(handle, beta), warplens::DenseMatrix<double>{(double *)y->values, 1, 1, 0});
  __WARPLENS_SPARSE_BY_TYPE(handle, x, y,
                            (warplens::sparseAdd<<<__WARPLENS_SPARSE_SHAPE>>>(__warplens_sparse_vector<const T>(x),
                                                                              __warplens_sparse_scalar<T>(handle, alpha),
                                                                              (T *)y->values)))
}
__WARPLENS_SPARSE(Rot)(cusparseHandle_t handle, const void *c, const void *s, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  __WARPLENS_SPARSE_BY_TYPE(handle, x, y,
                            (warplens::sparseRotate<<<__WARPLENS_SPARSE_SHAPE>>>(
                                __warplens_sparse_vector<T>(x), (T *)y->values, __warplens_sparse_scalar<T>(handle, c),
                                __warplens_sparse_scalar<T>(handle, s))))
}
__WARPLENS_SPARSE(SpVV_bufferSize)(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                   const void *, cudaDataType, size_t *bytes) {
  *bytes = sizeof(double);
  return CUSPARSE_STATUS_SUCCESS;
}
/* The result is where the handle's scalars are; the buffer holds it on its way to the host. */
template <class T>
static inline cusparseStatus_t __warplens_sparse_inner(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, const void *y, void *result,
                                                       void *buffer) {
  bool isOnHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
  warplens::sparseInner<<<1, 32, 0, handle->stream>>>(__warplens_sparse_vector<const T>(x), (const T *)y,
                                                     (T *)(isOnHost ? buffer : result));
  if (isOnHost && cudaMemcpyAsync(result, buffer, sizeof(T), cudaMemcpyDeviceToHost, handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  /* Into a graph goes the copy, and nobody waits. */
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(handle->stream, &capture);
  if (isOnHost && capture == cudaStreamCaptureStatusNone && cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  return __warplens_sparse_status();
}
__WARPLENS_SPARSE(SpVV)(cusparseHandle_t handle, cusparseOperation_t, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                        void *result, cudaDataType type, void *buffer) {
  if (auto wrong = __warplens_sparse_pair(handle, x, y)) return wrong;
  if (type != x->type) return __warplens_sparse_refusal("other types than float and double, and mixed ones, are");
  return type == CUDA_R_32F ? __warplens_sparse_inner<float>(handle, x, y->values, result, buffer)
                            : __warplens_sparse_inner<double>(handle, x, y->values, result, buffer);
}
#undef __WARPLENS_SPARSE_BY_TYPE
#undef __WARPLENS_SPARSE_SHAPE
#undef __WARPLENS_SPARSE

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSpVV_bufferSize)
#endif
