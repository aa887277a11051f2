/* cuBLAS's vector functions that take types as arguments (`cublasAxpyEx` and its kind), half and bfloat16 among them, which are
   computed in float and rounded once. Templates, so that programs pay for what they call.
   Source: cuBLAS documentation, "cublasAxpyEx()" to "cublasScalEx()" (which types go together). */
#ifndef WARPLENS_CUBLAS_LEVEL1_MIXED_H
#define WARPLENS_CUBLAS_LEVEL1_MIXED_H

#include <warplens/cublas_rotations.h>

namespace warplens {
template <class In> __global__ void axpyMixed(int n, float a, const float *aOnDevice, const In *x, int incx, In *y, int incy) {
  if (aOnDevice) a = *aOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i * incy] = In(a * (float)x[i * incx] + (float)y[i * incy]);
}
template <class In> __global__ void scalMixed(int n, float a, const float *aOnDevice, In *x, int incx) {
  if (aOnDevice) a = *aOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i * incx] = In(a * (float)x[i * incx]);
}
/* Mode 0 dot, 1 asum, 2 nrm2, as `reduce` has them. */
template <class In> __global__ void reduceMixed(int mode, int n, const In *x, int incx, const In *y, int incy, In *result) {
  __shared__ float sums[reduceThreads];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += reduceThreads) {
    float value = x[i * incx];
    sum += mode == 0 ? value * (float)y[i * incy] : mode == 1 ? magnitude(value) : value * value;
  }
  sums[threadIdx.x] = sum;
  for (int half = reduceThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = In(mode == 2 ? root(sums[0]) : sums[0]);
}
template <class In> __global__ void rotateMixed(int n, In *x, int incx, In *y, int incy, In c, In s, const In *cOnDevice, const In *sOnDevice) {
  if (cOnDevice) c = *cOnDevice, s = *sOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float first = x[i * incx], second = y[i * incy];
    x[i * incx] = In((float)c * first + (float)s * second);
    y[i * incy] = In((float)c * second - (float)s * first);
  }
}
} // namespace warplens

#define __WARPLENS_BLAS(name) template <class = void> static inline cublasStatus_t cublas##name

/* `whole` where all types are that of x, with its letter and type as the other functions have them; `narrow` for half and bfloat16. */
#define __WARPLENS_BY_TYPE(xType, execution, whole, narrow)                                                                \
  if (xType == CUDA_R_32F && execution == CUDA_R_32F) return whole(S, s, float, float);                                    \
  if (xType == CUDA_R_64F && execution == CUDA_R_64F) return whole(D, d, double, double);                                  \
  if (xType == CUDA_C_32F && execution == CUDA_C_32F) return whole(C, c, cuComplex, float);                                \
  if (xType == CUDA_C_64F && execution == CUDA_C_64F) return whole(Z, z, cuDoubleComplex, double);                         \
  if (xType == CUDA_R_16F && execution == CUDA_R_32F) return narrow(__half);                                               \
  if (xType == CUDA_R_16BF && execution == CUDA_R_32F) return narrow(__nv_bfloat16);                                       \
  return CUBLAS_STATUS_NOT_SUPPORTED;

template <class In, class Launch>
static inline cublasStatus_t __warplens_narrow_result(cublasHandle_t h, int n, void *result, Launch launch) {
  bool toHost = h->pointerMode == CUBLAS_POINTER_MODE_HOST;
  if (n <= 0) return toHost ? (*(In *)result = In(0.0f), CUBLAS_STATUS_SUCCESS) : CUBLAS_STATUS_INVALID_VALUE;
  launch(toHost ? (In *)h->result : (In *)result);
  if (toHost && cudaMemcpy(result, h->result, sizeof(In), cudaMemcpyDeviceToHost) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return __warplens_blas_status();
}

/* The scalar of half and bfloat16 vectors is a float. */
static inline bool __warplens_scalar_fits(cudaDataType alpha, cudaDataType x) {
  return alpha == (x == CUDA_R_16F || x == CUDA_R_16BF ? CUDA_R_32F : x);
}

template <class In>
static inline cublasStatus_t __warplens_narrow_axpy(cublasHandle_t h, int n, const void *alpha, const void *x, int incx, void *y,
                                                    int incy) {
  __warplens_scalar<float> a(h, (const float *)alpha);
  warplens::axpyMixed<In><<<__warplens_blocks(n), 256, 0, h->stream>>>(
      n, a.value, a.onDevice, __warplens_first((const In *)x, n, incx), incx, __warplens_first((In *)y, n, incy), incy);
  return __warplens_blas_status();
}
__WARPLENS_BLAS(AxpyEx)(cublasHandle_t h, int n, const void *alpha, cudaDataType alphaType, const void *x, cudaDataType xType,
                        int incx, void *y, cudaDataType yType, int incy, cudaDataType execution) {
  if (xType != yType || !__warplens_scalar_fits(alphaType, xType)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
#define __WARPLENS_WHOLE(letter, lower, T, R) cublas##letter##axpy(h, n, (const T *)alpha, (const T *)x, incx, (T *)y, incy)
#define __WARPLENS_NARROW(In) __warplens_narrow_axpy<In>(h, n, alpha, x, incx, y, incy)
  __WARPLENS_BY_TYPE(xType, execution, __WARPLENS_WHOLE, __WARPLENS_NARROW)
#undef __WARPLENS_WHOLE
#undef __WARPLENS_NARROW
}
template <class In>
static inline cublasStatus_t __warplens_narrow_scal(cublasHandle_t h, int n, const void *alpha, void *x, int incx) {
  __warplens_scalar<float> a(h, (const float *)alpha);
  warplens::scalMixed<In><<<__warplens_blocks(n), 256, 0, h->stream>>>(n, a.value, a.onDevice, (In *)x, incx);
  return __warplens_blas_status();
}
__WARPLENS_BLAS(ScalEx)(cublasHandle_t h, int n, const void *alpha, cudaDataType alphaType, void *x, cudaDataType xType, int incx,
                        cudaDataType execution) {
  if (!__warplens_scalar_fits(alphaType, xType)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
#define __WARPLENS_WHOLE(letter, lower, T, R) cublas##letter##scal(h, n, (const T *)alpha, (T *)x, incx)
#define __WARPLENS_NARROW(In) __warplens_narrow_scal<In>(h, n, alpha, x, incx)
  __WARPLENS_BY_TYPE(xType, execution, __WARPLENS_WHOLE, __WARPLENS_NARROW)
#undef __WARPLENS_WHOLE
#undef __WARPLENS_NARROW
}
template <class In>
static inline cublasStatus_t __warplens_narrow_sum(int mode, cublasHandle_t h, int n, const void *x, int incx, const void *y,
                                                   int incy, void *result) {
  return __warplens_narrow_result<In>(h, n, result, [&](In *out) {
    warplens::reduceMixed<In><<<1, warplens::reduceThreads, 0, h->stream>>>(
        mode, n, __warplens_first((const In *)x, n, incx), incx, __warplens_first((const In *)y, n, incy), incy, out);
  });
}
template <class = void>
static inline cublasStatus_t __warplens_dot_mixed(bool conjugates, cublasHandle_t h, int n, const void *x, cudaDataType xType,
                                                  int incx, const void *y, cudaDataType yType, int incy, void *result,
                                                  cudaDataType resultType, cudaDataType execution) {
  if (xType != yType || resultType != xType) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (xType == CUDA_C_32F && execution == CUDA_C_32F)
    return __warplens_Csum(conjugates ? 3 : 0, h, n, (const cuComplex *)x, incx, (const cuComplex *)y, incy, (cuComplex *)result);
  if (xType == CUDA_C_64F && execution == CUDA_C_64F)
    return __warplens_Zsum(conjugates ? 3 : 0, h, n, (const cuDoubleComplex *)x, incx, (const cuDoubleComplex *)y, incy,
                           (cuDoubleComplex *)result);
  if (xType == CUDA_R_32F && execution == CUDA_R_32F)
    return cublasSdot(h, n, (const float *)x, incx, (const float *)y, incy, (float *)result);
  if (xType == CUDA_R_64F && execution == CUDA_R_64F)
    return cublasDdot(h, n, (const double *)x, incx, (const double *)y, incy, (double *)result);
  if (xType == CUDA_R_16F && execution == CUDA_R_32F) return __warplens_narrow_sum<__half>(0, h, n, x, incx, y, incy, result);
  if (xType == CUDA_R_16BF && execution == CUDA_R_32F)
    return __warplens_narrow_sum<__nv_bfloat16>(0, h, n, x, incx, y, incy, result);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
__WARPLENS_BLAS(DotEx)(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, const void *y, cudaDataType yType,
                       int incy, void *result, cudaDataType resultType, cudaDataType execution) {
  return __warplens_dot_mixed(false, h, n, x, xType, incx, y, yType, incy, result, resultType, execution);
}
__WARPLENS_BLAS(DotcEx)(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, const void *y, cudaDataType yType,
                        int incy, void *result, cudaDataType resultType, cudaDataType execution) {
  return __warplens_dot_mixed(true, h, n, x, xType, incx, y, yType, incy, result, resultType, execution);
}
/* Norms of complex vectors are real. */
#define __WARPLENS_NORM(name, mode, real, complex)                                                                         \
  __WARPLENS_BLAS(name)(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, void *result,                \
                        cudaDataType resultType, cudaDataType execution) {                                                 \
    cudaDataType norm = xType == CUDA_C_32F ? CUDA_R_32F : xType == CUDA_C_64F ? CUDA_R_64F : xType;                       \
    cudaDataType in = norm == CUDA_R_16F || norm == CUDA_R_16BF ? CUDA_R_32F : norm;                                       \
    if (resultType != norm || execution != in) return CUBLAS_STATUS_NOT_SUPPORTED;                                         \
    switch (xType) {                                                                                                       \
    case CUDA_R_32F: return cublasS##real(h, n, (const float *)x, incx, (float *)result);                                  \
    case CUDA_R_64F: return cublasD##real(h, n, (const double *)x, incx, (double *)result);                                \
    case CUDA_C_32F: return cublasSc##complex(h, n, (const cuComplex *)x, incx, (float *)result);                          \
    case CUDA_C_64F: return cublasDz##complex(h, n, (const cuDoubleComplex *)x, incx, (double *)result);                   \
    case CUDA_R_16F: return __warplens_narrow_sum<__half>(mode, h, n, x, incx, x, incx, result);                           \
    case CUDA_R_16BF: return __warplens_narrow_sum<__nv_bfloat16>(mode, h, n, x, incx, x, incx, result);                   \
    default: return CUBLAS_STATUS_NOT_SUPPORTED;                                                                           \
    }                                                                                                                      \
  }
__WARPLENS_NORM(Nrm2Ex, 2, nrm2, nrm2)
__WARPLENS_NORM(AsumEx, 1, asum, asum)
#undef __WARPLENS_NORM

template <class In>
static inline cublasStatus_t __warplens_narrow_rot(cublasHandle_t h, int n, void *x, int incx, void *y, int incy, const void *c,
                                                   const void *s) {
  __warplens_scalar<In> cosine(h, (const In *)c), sine(h, (const In *)s);
  warplens::rotateMixed<In><<<__warplens_blocks(n), 256, 0, h->stream>>>(
      n, __warplens_first((In *)x, n, incx), incx, __warplens_first((In *)y, n, incy), incy, cosine.value, sine.value,
      cosine.onDevice, sine.onDevice);
  return __warplens_blas_status();
}
/* The rotation's numbers are of the type of real vectors; of complex ones they are real. */
__WARPLENS_BLAS(RotEx)(cublasHandle_t h, int n, void *x, cudaDataType xType, int incx, void *y, cudaDataType yType, int incy,
                       const void *c, const void *s, cudaDataType csType, cudaDataType execution) {
  if (xType != yType) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (xType == CUDA_R_32F && csType == xType && execution == xType)
    return cublasSrot(h, n, (float *)x, incx, (float *)y, incy, (const float *)c, (const float *)s);
  if (xType == CUDA_R_64F && csType == xType && execution == xType)
    return cublasDrot(h, n, (double *)x, incx, (double *)y, incy, (const double *)c, (const double *)s);
  if (xType == CUDA_C_32F && csType == CUDA_R_32F && execution == xType)
    return cublasCsrot(h, n, (cuComplex *)x, incx, (cuComplex *)y, incy, (const float *)c, (const float *)s);
  if (xType == CUDA_C_64F && csType == CUDA_R_64F && execution == xType)
    return cublasZdrot(h, n, (cuDoubleComplex *)x, incx, (cuDoubleComplex *)y, incy, (const double *)c, (const double *)s);
  if (xType == CUDA_R_16F && csType == xType && execution == CUDA_R_32F) return __warplens_narrow_rot<__half>(h, n, x, incx, y, incy, c, s);
  if (xType == CUDA_R_16BF && csType == xType && execution == CUDA_R_32F)
    return __warplens_narrow_rot<__nv_bfloat16>(h, n, x, incx, y, incy, c, s);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
#undef __WARPLENS_BY_TYPE
#undef __WARPLENS_BLAS

#endif
