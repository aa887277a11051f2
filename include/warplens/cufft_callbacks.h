/* cuFFT's callbacks: a device function of the program reads each element that goes into a transform, or writes each that comes out.
   Source: cuFFT documentation, "cuFFT Callback Routines". */
#ifndef WARPLENS_CUFFT_CALLBACKS_H
#define WARPLENS_CUFFT_CALLBACKS_H

namespace warplens {
/* fftLoad and fftStore (warplens/cufft_kernels.h) with a function for the access itself. `T`: an element as the function has it, `C` its
   complex type. */
template <class C, class T>
__global__ void fftLoadCalling(T (*load)(void *, size_t, void *, void *), void *info, void *in, C *out, FftLayout layout, FftForm form,
                               int elements) {
  extern __shared__ double2 fftShared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (i >= elements) return;
  bool mirrored;
  int place = fftPlace(layout, i, batch, form == fftHalf, &mirrored);
  C value = {0, 0};
  *(T *)&value = load(in, place, info, fftShared);
  if (mirrored) value.y = -value.y;
  out[batch * elements + i] = value;
}
template <class C, class T>
__global__ void fftStoreCalling(void (*store)(void *, size_t, T, void *, void *), void *info, const C *in, void *out, FftLayout layout,
                                FftForm form, int elements) {
  extern __shared__ double2 fftShared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (i >= elements) return;
  bool mirrored;
  int place = fftPlace(layout, i, batch, form == fftHalf, &mirrored);
  C value = in[batch * elements + i];
  if (!mirrored) store(out, place, *(const T *)&value, info, fftShared);
}
} // namespace warplens

template <class C, class T> static inline auto __warplens_fft_load_launch() {
  return [](const __warplens_fft_callback &callback, dim3 blocks, cudaStream_t stream, const void *from, void *to,
            const warplens::FftLayout &layout, warplens::FftForm form, int elements) {
    warplens::fftLoadCalling<<<blocks, warplens::fftThreads, callback.sharedBytes, stream>>>(
        (T(*)(void *, size_t, void *, void *))callback.function, callback.info, (void *)from, (C *)to, layout, form, elements);
  };
}
template <class C, class T> static inline auto __warplens_fft_store_launch() {
  return [](const __warplens_fft_callback &callback, dim3 blocks, cudaStream_t stream, const void *from, void *to,
            const warplens::FftLayout &layout, warplens::FftForm form, int elements) {
    warplens::fftStoreCalling<<<blocks, warplens::fftThreads, callback.sharedBytes, stream>>>(
        (void (*)(void *, size_t, T, void *, void *))callback.function, callback.info, (const C *)from, to, layout, form, elements);
  };
}
/* What the type names, if the plan has such elements there. */
static inline __warplens_fft_callback *__warplens_fft_callback_of(__warplens_fft_plan *plan, cufftXtCallbackType type) {
  const bool isStore = type >= CUFFT_CB_ST_COMPLEX, isReal = type & 2, isDouble = type & 1;
  if (type >= CUFFT_CB_UNDEFINED || isDouble != plan->isDouble()) return nullptr;
  if (isReal != (isStore ? plan->givesReal() : plan->takesReal())) return nullptr;
  return isStore ? &plan->store : &plan->load;
}
static inline cufftResult cufftXtSetCallback(cufftHandle handle, void **function, cufftXtCallbackType type, void **info) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade) return CUFFT_INVALID_PLAN;
  auto callback = __warplens_fft_callback_of(plan, type);
  if (!callback) return CUFFT_INVALID_TYPE;
  if (!function || !*function) return CUFFT_INVALID_VALUE;
  callback->function = *function;
  callback->info = info ? *info : nullptr;
  switch (type) {
    case CUFFT_CB_LD_COMPLEX: callback->launch = __warplens_fft_load_launch<float2, float2>(); break;
    case CUFFT_CB_LD_COMPLEX_DOUBLE: callback->launch = __warplens_fft_load_launch<double2, double2>(); break;
    case CUFFT_CB_LD_REAL: callback->launch = __warplens_fft_load_launch<float2, float>(); break;
    case CUFFT_CB_LD_REAL_DOUBLE: callback->launch = __warplens_fft_load_launch<double2, double>(); break;
    case CUFFT_CB_ST_COMPLEX: callback->launch = __warplens_fft_store_launch<float2, float2>(); break;
    case CUFFT_CB_ST_COMPLEX_DOUBLE: callback->launch = __warplens_fft_store_launch<double2, double2>(); break;
    case CUFFT_CB_ST_REAL: callback->launch = __warplens_fft_store_launch<float2, float>(); break;
    default: callback->launch = __warplens_fft_store_launch<double2, double>();
  }
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade) return CUFFT_INVALID_PLAN;
  auto callback = __warplens_fft_callback_of(plan, type);
  if (!callback) return CUFFT_INVALID_TYPE;
  *callback = {};
  return CUFFT_SUCCESS;
}
/* At most 16 KB, as the documentation says. */
static inline cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type, size_t sharedBytes) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade) return CUFFT_INVALID_PLAN;
  auto callback = __warplens_fft_callback_of(plan, type);
  if (!callback) return CUFFT_INVALID_TYPE;
  if (sharedBytes > 16 * 1024) return CUFFT_INVALID_VALUE;
  callback->sharedBytes = sharedBytes;
  return CUFFT_SUCCESS;
}

#endif
