/* The runtime as kernels call it: launches of child grids, and what goes with them. clang turns a kernel's `<<<>>>` into the
   first two calls; the functions without a body are src/runtime/deviceLaunches.ts.
   Source: CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device-Side Launch from PTX". */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__cplusplus)

/* Streams of launches by kernels: after the parent grid and all its children; with no order among them. */
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size) __attribute__((nothrow));
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block, unsigned sharedBytes,
                                        cudaStream_t stream) __attribute__((nothrow));
/* Waiting for children, gone from CUDA 12 for compute capability 9.0; older programs do it. */
__device__ cudaError_t cudaDeviceSynchronize(void) __attribute__((nothrow));
__device__ cudaError_t cudaGetLastError(void) __attribute__((nothrow));
__device__ cudaError_t cudaPeekAtLastError(void) __attribute__((nothrow));
}

/* The kernels' side of functions that the host has as well. */
#ifdef __CUDA_ARCH__
#define __WARPLENS_KERNELS_SIDE__ extern "C" __inline__ __attribute__((host, device, always_inline, nodebug, unused))
/* Children run in the order of their launches, whatever their stream: that is an order that every stream allows. */
__WARPLENS_KERNELS_SIDE__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  *stream = (cudaStream_t)0x5;
  return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}
__WARPLENS_KERNELS_SIDE__ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
__WARPLENS_KERNELS_SIDE__ cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  *pointer = ::malloc(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
__WARPLENS_KERNELS_SIDE__ cudaError_t cudaFree(void *pointer) {
  ::free(pointer);
  return cudaSuccess;
}

/* The errors that the calls of this file give. */
__WARPLENS_KERNELS_SIDE__ const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
  case cudaErrorInvalidDeviceFunction: return "invalid device function";
  default: return "an error of a launch by a kernel";
  }
}
__WARPLENS_KERNELS_SIDE__ const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "cudaSuccess";
  case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
  case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
  case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
  case cudaErrorInvalidMemcpyDirection: return "cudaErrorInvalidMemcpyDirection";
  case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
  default: return "cudaErrorUnknown";
  }
}
#undef __WARPLENS_KERNELS_SIDE__
#endif
template <class T> static __inline__ __device__ cudaError_t cudaMalloc(T **pointer, unsigned long long bytes) {
  *pointer = bytes > (size_t)-1 ? 0 : (T *)::malloc((size_t)bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Copies and fills by kernels are child grids too, in the order of launches. Only where the program launches any. */
#if defined(__CLANG_RDC__)
template <class Word> __global__ void __warplens_copy_child(Word *to, const Word *from, size_t count) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
template <class Byte> __global__ void __warplens_fill_child(Byte *to, int value, size_t count) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < count) to[i] = (Byte)value;
}
__WARPLENS_DEVICE__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                                cudaStream_t stream = 0) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if ((((size_t)to | (size_t)from | bytes) & 3) == 0)
    __warplens_copy_child<<<(bytes / 4 + 255) / 256, 256, 0, stream>>>((unsigned *)to, (const unsigned *)from, bytes / 4);
  else
    __warplens_copy_child<<<(bytes + 255) / 256, 256, 0, stream>>>((unsigned char *)to, (const unsigned char *)from, bytes);
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0) {
  if (bytes == 0) return cudaSuccess;
  __warplens_fill_child<<<(bytes + 255) / 256, 256, 0, stream>>>((unsigned char *)to, value, bytes);
  return cudaSuccess;
}
#endif

#endif

#endif
