/* What cufftXt.h has for one device: plans and transforms whose types are values, and callbacks. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include <cufft.h>

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0x0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 0x1,
  CUFFT_CB_LD_REAL = 0x2,
  CUFFT_CB_LD_REAL_DOUBLE = 0x3,
  CUFFT_CB_ST_COMPLEX = 0x4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 0x5,
  CUFFT_CB_ST_REAL = 0x6,
  CUFFT_CB_ST_REAL_DOUBLE = 0x7,
  CUFFT_CB_UNDEFINED = 0x8
} cufftXtCallbackType;
/* A load gives the element at `offset`, a store puts it there. */
#define __WARPLENS_CALLBACKS(letter, element)                                                                              \
  typedef element (*cufftCallbackLoad##letter)(void *in, size_t offset, void *callerInfo, void *sharedPointer);            \
  typedef void (*cufftCallbackStore##letter)(void *out, size_t offset, element value, void *callerInfo, void *sharedPointer);
__WARPLENS_CALLBACKS(C, cufftComplex)
__WARPLENS_CALLBACKS(Z, cufftDoubleComplex)
__WARPLENS_CALLBACKS(R, cufftReal)
__WARPLENS_CALLBACKS(D, cufftDoubleReal)
#undef __WARPLENS_CALLBACKS

#if defined(__cplusplus) && defined(__CUDA__)
#include <warplens/cufft_callbacks.h>

static inline cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                                              long long idist, cudaDataType inputType, long long *onembed, long long ostride,
                                              long long odist, cudaDataType outputType, long long batch, size_t *workSize,
                                              cudaDataType) {
  const struct {
    cudaDataType in, out;
    cufftType type;
  } kinds[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R},
               {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z}, {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (auto &kind : kinds)
    if (kind.in == inputType && kind.out == outputType)
      return cufftMakePlanMany64(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, kind.type, batch, workSize);
  return CUFFT_NOT_SUPPORTED;
}
/* `direction` counts for complex transforms only. */
static inline cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade) return CUFFT_INVALID_PLAN;
  const bool inverse = plan->givesReal() || (!plan->takesReal() && direction == CUFFT_INVERSE);
  return plan->isDouble() ? __warplens_fft_execute<double2>(handle, plan->type, in, out, inverse)
                          : __warplens_fft_execute<float2>(handle, plan->type, in, out, inverse);
}
#endif

__WARPLENS_WIDE_SIZES(cufftResult, cufftXtMakePlanMany)
#endif
