/* The runtime as kernels call it: launches of child grids. clang turns a kernel's `<<<>>>` into these two calls.
   Source: CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device-Side Launch from PTX". */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__cplusplus)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size) __attribute__((nothrow));
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block, unsigned sharedBytes,
                                        cudaStream_t stream) __attribute__((nothrow));
}
#endif

#endif
