/* Device code that a program loads while it runs, as the runtime API has it: libraries and their kernels (src/runtime/calls/cudaModules.ts).
   A kernel's handle goes wherever a kernel's function does. The driver API's modules are in warplens/driver_modules.h.
   Source: CUDA Runtime API, "Library Management". */
#ifndef WARPLENS_HOST_LIBRARIES_H
#define WARPLENS_HOST_LIBRARIES_H

typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;
typedef enum cudaJitOption { cudaJitMaxRegisters = 0, cudaJitThreadsPerBlock = 1, cudaJitWallTime = 2, cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4, cudaJitErrorLogBuffer = 5, cudaJitErrorLogBufferSizeBytes = 6, cudaJitOptimizationLevel = 7,
  cudaJitFallbackStrategy = 10, cudaJitGenerateDebugInfo = 11, cudaJitLogVerbose = 12, cudaJitGenerateLineInfo = 13,
  cudaJitCacheMode = 14, cudaJitPositionIndependentCode = 30, cudaJitMinCtaPerSm = 31, cudaJitMaxThreadsPerBlock = 32,
  cudaJitOverrideDirectiveValues = 33 } cudaJitOption;
typedef enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 } cudaLibraryOption;

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t __warplens_load_code(unsigned int *code, const void *image);
cudaError_t __warplens_load_file(unsigned int *code, const char *path);
cudaError_t __warplens_unload_code(unsigned int code);
cudaError_t __warplens_code_kernel(void *kernel, unsigned int code, const char *name);
/* The first `most` kernels; where that is 0, their number. */
cudaError_t __warplens_code_kernels(void *kernels, unsigned int most, unsigned int code);
cudaError_t __warplens_code_variable(void *address, unsigned int *bytes, unsigned int code, const char *name);
cudaError_t __warplens_kernel_name(const char **name, const void *kernel);
cudaError_t __warplens_kernel_code(unsigned int *code, const void *kernel);
cudaError_t __warplens_kernel_parameter(const void *kernel, unsigned int index, unsigned int *offset, unsigned int *bytes);
cudaError_t __warplens_link_code(void **image, unsigned int *bytes, const void *const *images, unsigned int count);
#if defined(__cplusplus)
}
#endif

#define __WARPLENS_LIBRARY __WARPLENS_CALL__ __attribute__((unused)) cudaError_t
/* What may stop the program, as functions of their own: the message has the line that calls. */
#define __WARPLENS_STOPS static __attribute__((unused, noinline)) cudaError_t
/* What a compiler of PTX would say goes into buffers of options: it says nothing. */
__WARPLENS_LIBRARY __warplens_quiet_logs(const int *options, void **values, unsigned int count) {
  for (unsigned int i = 0; i < count; ++i)
    if ((options[i] == cudaJitInfoLogBuffer || options[i] == cudaJitErrorLogBuffer) && values[i]) *(char *)values[i] = 0;
  for (unsigned int i = 0; i < count; ++i)
    if (options[i] == cudaJitInfoLogBufferSizeBytes || options[i] == cudaJitErrorLogBufferSizeBytes) values[i] = 0;
  return cudaSuccess;
}
__WARPLENS_STOPS cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *options, void **values,
                                       unsigned int count, enum cudaLibraryOption *libraryOptions, void **libraryValues,
                                       unsigned int libraryCount) {
  unsigned int code = 0;
  (void)libraryOptions, (void)libraryValues, (void)libraryCount;
  __warplens_quiet_logs((const int *)options, values, count);
  cudaError_t result = __warplens_load_code(&code, image);
  *library = (cudaLibrary_t)(__SIZE_TYPE__)code;
  return result;
}
__WARPLENS_STOPS cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *options, void **values,
                                           unsigned int count, enum cudaLibraryOption *libraryOptions, void **libraryValues,
                                           unsigned int libraryCount) {
  unsigned int code = 0;
  (void)libraryOptions, (void)libraryValues, (void)libraryCount;
  __warplens_quiet_logs((const int *)options, values, count);
  cudaError_t result = __warplens_load_file(&code, path);
  *library = (cudaLibrary_t)(__SIZE_TYPE__)code;
  return result;
}
__WARPLENS_LIBRARY cudaLibraryUnload(cudaLibrary_t library) { return __warplens_unload_code((unsigned int)(__SIZE_TYPE__)library); }
__WARPLENS_STOPS cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  return __warplens_code_kernel(kernel, (unsigned int)(__SIZE_TYPE__)library, name);
}
__WARPLENS_LIBRARY cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name) {
  unsigned int size = 0;
  cudaError_t result = __warplens_code_variable(address, &size, (unsigned int)(__SIZE_TYPE__)library, name);
  if (result == cudaSuccess && bytes) *bytes = size;
  return result;
}
__WARPLENS_LIBRARY cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
  return __warplens_code_kernels(count, 0, (unsigned int)(__SIZE_TYPE__)library);
}
__WARPLENS_LIBRARY cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int most, cudaLibrary_t library) {
  return most == 0 ? cudaSuccess : __warplens_code_kernels(kernels, most, (unsigned int)(__SIZE_TYPE__)library);
}
__WARPLENS_LIBRARY cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device) {
  cudaError_t result = __warplens_check_device(device);
  return result == cudaSuccess ? cudaFuncSetAttribute((const void *)kernel, attribute, value) : result;
}
/* A kernel's function is its handle. */
__WARPLENS_LIBRARY cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  int value = 0;
  cudaError_t result = __warplens_function_attribute(symbol, 0, &value);
  *function = result == cudaSuccess ? (cudaFunction_t)symbol : 0;
  return result;
}
__WARPLENS_LIBRARY cudaGetKernel(cudaKernel_t *kernel, const void *symbol) {
  return cudaGetFuncBySymbol((cudaFunction_t *)kernel, symbol);
}
__WARPLENS_LIBRARY cudaFuncGetName(const char **name, const void *function) { return __warplens_kernel_name(name, function); }
#undef __WARPLENS_STOPS
#undef __WARPLENS_LIBRARY

__WARPLENS_WIDE_SIZES(cudaError_t, cudaLibraryGetGlobal)
#if defined(__cplusplus)
template <class T> __WARPLENS_CALL__ cudaError_t cudaLibraryGetGlobal(T **address, size_t *bytes, cudaLibrary_t library, const char *name) {
  return cudaLibraryGetGlobal((void **)address, bytes, library, name);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *symbol) {
  return cudaGetFuncBySymbol(function, (const void *)symbol);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaGetKernel(cudaKernel_t *kernel, T *symbol) {
  return cudaGetKernel(kernel, (const void *)symbol);
}
#endif

#endif
