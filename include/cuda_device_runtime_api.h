/* The runtime as kernels call it: launches of child grids, and what goes with them. clang turns a kernel's `<<<>>>` into the
   first two calls; the functions without a body are src/runtime/launches/deviceLaunches.ts.
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

/* What the runtime knows of the device (src/runtime/program/deviceFacts.ts has the places): its number, how many there are, cudaLimits, attributes. */
extern "C" __device__ int __warplens_device_facts[160];
__WARPLENS_DEVICE__ cudaError_t cudaGetDevice(int *device) {
  *device = __warplens_device_facts[0];
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaGetDeviceCount(int *count) {
  *count = __warplens_device_facts[1];
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  if ((unsigned)limit > 6) return cudaErrorInvalidValue;
  *value = (unsigned)__warplens_device_facts[2 + limit];
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  if (device < 0 || device >= __warplens_device_facts[1]) return cudaErrorInvalidDevice;
  if ((unsigned)attribute >= 144) return cudaErrorInvalidValue;
  *value = __warplens_device_facts[16 + attribute];
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

/* Children run in the order of their launches: events ask for no other. */
__WARPLENS_DEVICE__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  *event = (cudaEvent_t)0x5;
  return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
}
__WARPLENS_DEVICE__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) { return cudaSuccess; }
__WARPLENS_DEVICE__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned = 0) { return cudaSuccess; }
__WARPLENS_DEVICE__ cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
__WARPLENS_DEVICE__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }

/* The kernels' side of functions that are the host's by the same name. */
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
__WARPLENS_DEVICE__ cudaError_t cudaDeviceGetLimit(__sz8t *value, enum cudaLimit limit) {
  size_t narrow = 0;
  cudaError_t status = cudaDeviceGetLimit(&narrow, limit);
  *value = narrow;
  return status;
}
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
/* Boxes of bytes: pitches of rows, rows of slices. */
template <class Byte>
__global__ void __warplens_copy_box_child(Byte *to, size_t toPitch, size_t toRows, const Byte *from, size_t fromPitch,
                                          size_t fromRows, cudaExtent box) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, row = i / box.width, column = i % box.width;
  if (i >= box.width * box.height * box.depth) return;
  size_t slice = row / box.height;
  row %= box.height;
  to[(slice * toRows + row) * toPitch + column] = from[(slice * fromRows + row) * fromPitch + column];
}
template <class Byte> __global__ void __warplens_fill_box_child(Byte *to, size_t pitch, size_t rows, int value, cudaExtent box) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, row = i / box.width;
  if (i < box.width * box.height * box.depth)
    to[(row / box.height * rows + row % box.height) * pitch + i % box.width] = (Byte)value;
}
__WARPLENS_DEVICE__ unsigned __warplens_box_blocks(cudaExtent box) { return (box.width * box.height * box.depth + 255) / 256; }
__WARPLENS_DEVICE__ cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                                  size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (width > toPitch || width > fromPitch) return cudaErrorInvalidPitchValue;
  cudaExtent box = {width, height, 1};
  if (width * height)
    __warplens_copy_box_child<<<__warplens_box_blocks(box), 256, 0, stream>>>((unsigned char *)to, toPitch, height,
                                                                             (const unsigned char *)from, fromPitch, height, box);
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0) {
  if (p->srcArray || p->dstArray) return cudaErrorInvalidValue;
  if (p->kind != cudaMemcpyDeviceToDevice && p->kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  cudaExtent box = p->extent;
  if (box.width * box.height * box.depth == 0) return cudaSuccess;
  unsigned char *to = (unsigned char *)p->dstPtr.ptr + (p->dstPos.z * p->dstPtr.ysize + p->dstPos.y) * p->dstPtr.pitch + p->dstPos.x;
  const unsigned char *from =
      (const unsigned char *)p->srcPtr.ptr + (p->srcPos.z * p->srcPtr.ysize + p->srcPos.y) * p->srcPtr.pitch + p->srcPos.x;
  __warplens_copy_box_child<<<__warplens_box_blocks(box), 256, 0, stream>>>(to, p->dstPtr.pitch, p->dstPtr.ysize, from,
                                                                           p->srcPtr.pitch, p->srcPtr.ysize, box);
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent box, cudaStream_t stream = 0) {
  if (box.width * box.height * box.depth)
    __warplens_fill_box_child<<<__warplens_box_blocks(box), 256, 0, stream>>>((unsigned char *)p.ptr, p.pitch, p.ysize, value, box);
  return cudaSuccess;
}
__WARPLENS_DEVICE__ cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                                  cudaStream_t stream = 0) {
  if (width > pitch) return cudaErrorInvalidPitchValue;
  cudaPitchedPtr p = {to, pitch, width, height};
  cudaExtent box = {width, height, 1};
  return cudaMemset3DAsync(p, value, box, stream);
}
__WARPLENS_DEVICE__ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0) {
  if (bytes == 0) return cudaSuccess;
  __warplens_fill_child<<<(bytes + 255) / 256, 256, 0, stream>>>((unsigned char *)to, value, bytes);
  return cudaSuccess;
}
#endif

#endif

#endif
