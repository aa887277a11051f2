/* cublasLtMatmul of floats of 8 bits: D = scaleD * t, the largest |t| is told, t = epilogue(alpha scaleA scaleB A' B + beta C + bias).
   The types of the other matrices are asked while it runs, so that all combinations are one kernel. Source: cuBLAS
   documentation, "cublasLtMatmul()" (what goes together) and "8-bit Floating Point Data Types (FP8) Usage". */
#ifndef WARPLENS_CUBLASLT_FP8_H
#define WARPLENS_CUBLASLT_FP8_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <warplens/cublaslt_kernels.h>

namespace warplens {
/* A matrix with elements of a type that is known at run time. */
struct Typed {
  Strided lies;
  cudaDataType type;
};
/* Null where the program set none. Scales are of matrices of 8 bits only, which C never is. */
struct Scales {
  const float *a, *b, *d;
  float *largestD;
};
__device__ inline float loadTyped(const void *p, long long at, cudaDataType type) {
  switch (type) {
  case CUDA_R_8F_E4M3: return (float)((const __nv_fp8_e4m3 *)p)[at];
  case CUDA_R_8F_E5M2: return (float)((const __nv_fp8_e5m2 *)p)[at];
  case CUDA_R_16F: return (float)((const __half *)p)[at];
  case CUDA_R_16BF: return (float)((const __nv_bfloat16 *)p)[at];
  default: return ((const float *)p)[at];
  }
}
__device__ inline void storeTyped(void *p, long long at, cudaDataType type, float value) {
  switch (type) {
  case CUDA_R_8F_E4M3: ((__nv_fp8_e4m3 *)p)[at] = (__nv_fp8_e4m3)value; break;
  case CUDA_R_8F_E5M2: ((__nv_fp8_e5m2 *)p)[at] = (__nv_fp8_e5m2)value; break;
  case CUDA_R_16F: ((__half *)p)[at] = (__half)value; break;
  case CUDA_R_16BF: ((__nv_bfloat16 *)p)[at] = (__nv_bfloat16)value; break;
  default: ((float *)p)[at] = value;
  }
}
__device__ inline float loadTyped(const Typed &matrix, int i, int j) {
  return loadTyped(matrix.lies.p, matrix.lies.at(i, j), matrix.type);
}
__device__ inline float scaleOf(const float *scale) { return scale ? *scale : 1; }

template <class = void>
__global__ void fp8Matmul(int m, int n, int k, float alpha, const float *alphaOnDevice, Typed a, Typed b, float beta,
                          const float *betaOnDevice, Typed c, Typed d, Epilogue e, cudaDataType biasType, Scales scales) {
  __shared__ float tileA[tile][tile + 1], tileB[tile][tile + 1];
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int row = blockIdx.x * tile + threadIdx.x, column = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int start = 0; start < k; start += tile) {
    int alongA = start + threadIdx.y, alongB = start + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] = row < m && alongA < k ? loadTyped(a, row, alongA) : 0;
    tileB[threadIdx.y][threadIdx.x] = column < n && alongB < k ? loadTyped(b, alongB, column) : 0;
    __syncthreads();
    for (int i = 0; i < tile; i++) sum += tileA[i][threadIdx.x] * tileB[threadIdx.y][i];
    __syncthreads();
  }
  if (row >= m || column >= n) return;
  float value = alpha * scaleOf(scales.a) * scaleOf(scales.b) * sum;
  if (beta != 0) value += beta * loadTyped(c, row, column);
  if (e.bits & CUBLASLT_EPILOGUE_BIAS) value += loadTyped(e.bias, row + blockIdx.z * e.biasBatch, biasType);
  if (e.bits & CUBLASLT_EPILOGUE_RELU) value = value > 0 ? value : 0;
  if (e.bits & CUBLASLT_EPILOGUE_GELU) value = gelu(value);
  /* Floats without a sign are in the order of their bits. */
  if (scales.largestD) atomicMax((int *)scales.largestD, __float_as_int(fabsf(value)));
  storeTyped(d.lies.p, d.lies.at(row, column), d.type, value * scaleOf(scales.d));
}
} // namespace warplens

static inline bool __warplens_lt_is_fp8(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

/* Which products there are of these types, besides what holds for all. */
static inline cublasStatus_t __warplens_lt_check_fp8(const cublasLtMatmulDescOpaque_t *desc, const cublasLtMatrixLayoutOpaque_t *a,
                                                     const cublasLtMatrixLayoutOpaque_t *b, const cublasLtMatrixLayoutOpaque_t *c,
                                                     const cublasLtMatrixLayoutOpaque_t *d) {
  if (!__warplens_lt_is_fp8(b->type) || (a->type == CUDA_R_8F_E5M2 && b->type == CUDA_R_8F_E5M2)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc->compute != CUBLAS_COMPUTE_32F || desc->scaleType != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (c->type != CUDA_R_16BF && c->type != CUDA_R_16F && c->type != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  bool isNarrow = __warplens_lt_is_fp8(d->type);
  if (isNarrow ? c->type == CUDA_R_32F : d->type != c->type) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc->transA != CUBLAS_OP_T || desc->transB != CUBLAS_OP_N) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (const cublasLtMatrixLayoutOpaque_t *l : {a, b, c, d})
    if (l->order != CUBLASLT_ORDER_COL) return CUBLAS_STATUS_NOT_SUPPORTED;
  int bytesD = isNarrow ? 1 : d->type == CUDA_R_32F ? 4 : 2, bytesC = c->type == CUDA_R_32F ? 4 : 2;
  if (a->ld % 16 || b->ld % 16 || c->ld * bytesC % 16 || d->ld * bytesD % 16) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc->epilogue & ~(CUBLASLT_EPILOGUE_RELU_BIAS | CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_DEFAULT))
    return __warplens_lt_refuse("of floats of 8 bits this cublasLtEpilogue_t", desc->epilogue);
  return CUBLAS_STATUS_SUCCESS;
}

/* The bias has the type of C, in which sums of floats have a bias of bfloat16, unless the program says another. */
static inline cudaDataType __warplens_lt_bias_type(const cublasLtMatmulDescOpaque_t *desc, cudaDataType c) {
  if (desc->biasType >= 0) return (cudaDataType)desc->biasType;
  return c == CUDA_R_32F ? CUDA_R_16BF : c;
}
template <class Call>
static inline cublasStatus_t __warplens_lt_fp8(const Call &g, cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType d) {
  const cublasLtMatmulDescOpaque_t *desc = g.desc;
  bool onHost = desc->pointerMode == CUBLASLT_POINTER_MODE_HOST, isNarrow = __warplens_lt_is_fp8(d);
  const float *alpha = (const float *)g.alpha, *beta = (const float *)g.beta;
  warplens::Scales scales = {desc->scaleA, desc->scaleB, isNarrow ? desc->scaleD : nullptr, isNarrow ? desc->largestD : nullptr};
  if (scales.largestD) cudaMemsetAsync(scales.largestD, 0, sizeof(float), g.stream);
  dim3 grid((g.m + warplens::tile - 1) / warplens::tile, (g.n + warplens::tile - 1) / warplens::tile, g.count);
  warplens::fp8Matmul<><<<grid, dim3(warplens::tile, warplens::tile), 0, g.stream>>>(
      g.m, g.n, g.k, onHost ? *alpha : 0, onHost ? nullptr : alpha, {g.a, a}, {g.b, b}, onHost ? *beta : 0, onHost ? nullptr : beta,
      {g.c, c}, {g.d, d}, g.epilogue, __warplens_lt_bias_type(desc, c), scales);
  return __warplens_blas_status();
}

#endif
