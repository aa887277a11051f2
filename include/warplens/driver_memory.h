/* The driver API's contexts, memory, streams and events, over the runtime API: both have the same devices, results and flags.
   A device has one context, whatever is created: that of the runtime API. Source: CUDA Driver API, "Context Management", "Memory Management", "Stream Management", "Event Management". */
#ifndef WARPLENS_DRIVER_MEMORY_H
#define WARPLENS_DRIVER_MEMORY_H

#include <warplens/driver_queries.h>

typedef enum CUctx_flags_enum {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_MAP_HOST = 8,
  CU_CTX_LMEM_RESIZE_TO_MAX = 16
} CUctx_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 } CUstream_flags;
typedef enum CUevent_flags_enum {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4
} CUevent_flags;
typedef enum CUmemAttach_flags_enum {
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_MEM_ATTACH_HOST = 2,
  CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;
typedef enum CUlimit_enum {
  CU_LIMIT_STACK_SIZE = 0,
  CU_LIMIT_PRINTF_FIFO_SIZE = 1,
  CU_LIMIT_MALLOC_HEAP_SIZE = 2,
  CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
  CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
  CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,
  CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6
} CUlimit;
typedef enum CUmem_advise_enum {
  CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
  CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
  CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
  CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
  CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2
typedef void (*CUhostFn)(void *);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);

/* What cuda.h makes of the names of the first versions. */
#define cuCtxCreate_v2 cuCtxCreate
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuDevicePrimaryCtxSetFlags_v2 cuDevicePrimaryCtxSetFlags
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemFree_v2 cuMemFree
#define cuMemAllocHost_v2 cuMemAllocHost
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemHostGetDevicePointer_v2 cuMemHostGetDevicePointer
#define cuMemHostRegister_v2 cuMemHostRegister
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemsetD8_v2 cuMemsetD8
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD32_v2 cuMemsetD32
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuEventDestroy_v2 cuEventDestroy
#define cuMemsetD2D8_v2 cuMemsetD2D8
#define cuMemsetD2D16_v2 cuMemsetD2D16
#define cuMemsetD2D32_v2 cuMemsetD2D32

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult

/* A context's handle is the number of its device, from 1. */
__WARPLENS_CALL__ CUcontext __warplens_context_of(CUdevice device) { return (CUcontext)(uintptr_t)(device + 1); }
__WARPLENS_CALL__ CUdevice __warplens_device_of(CUcontext context) { return (CUdevice)(uintptr_t)context - 1; }

__WARPLENS_DRIVER cuCtxGetDevice(CUdevice *device) { return (CUresult)cudaGetDevice(device); }
__WARPLENS_DRIVER cuCtxGetCurrent(CUcontext *context) {
  int device = 0;
  CUresult result = cuCtxGetDevice(&device);
  *context = __warplens_context_of(device);
  return result;
}
/* No context at all is the one of the device that is current: the runtime API would make it. */
__WARPLENS_DRIVER cuCtxSetCurrent(CUcontext context) {
  if (!context) return CUDA_SUCCESS;
  return cudaSetDevice(__warplens_device_of(context)) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
/* Devices that pushed contexts put aside, the last one last. */
struct __warplens_context_stack {
  int count, devices[64];
};
__attribute__((weak, visibility("hidden"))) struct __warplens_context_stack __warplens_contexts;
__WARPLENS_DRIVER cuCtxPushCurrent(CUcontext context) {
  int device = 0;
  if (!context || __warplens_contexts.count == 64) return CUDA_ERROR_INVALID_CONTEXT;
  cudaGetDevice(&device);
  CUresult result = cuCtxSetCurrent(context);
  if (result == CUDA_SUCCESS) __warplens_contexts.devices[__warplens_contexts.count++] = device;
  return result;
}
__WARPLENS_DRIVER cuCtxPopCurrent(CUcontext *context) {
  if (context) cuCtxGetCurrent(context);
  if (__warplens_contexts.count > 0) cudaSetDevice(__warplens_contexts.devices[--__warplens_contexts.count]);
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  (void)flags;
  *context = __warplens_context_of(device);
  return cuCtxPushCurrent(*context) == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
#if defined(__cplusplus)
/* From CUDA 12.5 on, with parameters of which none means anything here. */
typedef struct CUctxCreateParams_st {
  void *execAffinityParams;
  int numExecAffinityParams;
  void *cigParams;
} CUctxCreateParams;
__WARPLENS_DRIVER cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
#define cuCtxCreate_v4 cuCtxCreate
#endif
__WARPLENS_DRIVER cuCtxDestroy(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  return __warplens_contexts.count > 0 ? cuCtxPopCurrent(0) : CUDA_SUCCESS;
}
/* No context is ever made anew, so that the number of one stays that of its device. */
__WARPLENS_DRIVER cuCtxGetId(CUcontext context, unsigned long long *id) {
  CUdevice device = 0;
  CUresult result = context ? CUDA_SUCCESS : cuCtxGetDevice(&device);
  *id = (uintptr_t)(context ? context : __warplens_context_of(device));
  return result;
}
__WARPLENS_DRIVER cuCtxGetFlags(unsigned int *flags) { return (CUresult)cudaGetDeviceFlags(flags); }
__WARPLENS_DRIVER cuCtxSetFlags(unsigned int flags) { return (CUresult)cudaSetDeviceFlags(flags); }
__WARPLENS_DRIVER cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  (void)context;
  *version = 3020;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return (CUresult)cudaDeviceGetStreamPriorityRange(least, greatest);
}
__WARPLENS_DRIVER cuCtxSetLimit(CUlimit limit, size_t value) { return (CUresult)cudaDeviceSetLimit((enum cudaLimit)limit, value); }
__WARPLENS_DRIVER cuCtxGetLimit(size_t *value, CUlimit limit) { return (CUresult)cudaDeviceGetLimit(value, (enum cudaLimit)limit); }
__WARPLENS_DRIVER cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return (CUresult)cudaDeviceEnablePeerAccess(__warplens_device_of(peer), flags);
}
__WARPLENS_DRIVER cuCtxDisablePeerAccess(CUcontext peer) {
  return (CUresult)cudaDeviceDisablePeerAccess(__warplens_device_of(peer));
}
__WARPLENS_DRIVER cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  *context = __warplens_context_of(device);
  return cuDeviceGet(&device, device);
}
__WARPLENS_DRIVER cuDevicePrimaryCtxRelease(CUdevice device) { return cuDeviceGet(&device, device); }
__WARPLENS_DRIVER cuDevicePrimaryCtxReset(CUdevice device) {
  int current = 0;
  cudaGetDevice(&current);
  CUresult result = (CUresult)cudaSetDevice(device);
  if (result == CUDA_SUCCESS) result = (CUresult)cudaDeviceReset();
  cudaSetDevice(current);
  return result;
}
__WARPLENS_DRIVER cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) { return (void)flags, cuDeviceGet(&device, device); }
__WARPLENS_DRIVER cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
  *flags = 0;
  *active = 1;
  return cuDeviceGet(&device, device);
}

/* Memory: an address is a number here. */
__WARPLENS_DRIVER cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  void *memory = 0;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = (CUresult)cudaMalloc(&memory, bytes);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags) {
  void *memory = 0;
  CUresult result = (CUresult)cudaMallocManaged(&memory, bytes, flags);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int bytes) {
  void *memory = 0;
  if (bytes != 4 && bytes != 8 && bytes != 16) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = (CUresult)cudaMallocPitch(&memory, pitch, width, height);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuMemFree(CUdeviceptr address) { return (CUresult)cudaFree((void *)address); }
__WARPLENS_DRIVER cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  return (CUresult)cudaHostAlloc(memory, bytes, flags);
}
__WARPLENS_DRIVER cuMemAllocHost(void **memory, size_t bytes) { return (CUresult)cudaHostAlloc(memory, bytes, 0); }
__WARPLENS_DRIVER cuMemFreeHost(void *memory) { return (CUresult)cudaFreeHost(memory); }
__WARPLENS_DRIVER cuMemHostGetDevicePointer(CUdeviceptr *address, void *memory, unsigned int flags) {
  void *mapped = 0;
  CUresult result = (CUresult)cudaHostGetDevicePointer(&mapped, memory, flags);
  *address = (CUdeviceptr)mapped;
  return result;
}
__WARPLENS_DRIVER cuMemHostRegister(void *memory, size_t bytes, unsigned int flags) {
  return (CUresult)cudaHostRegister(memory, bytes, flags);
}
__WARPLENS_DRIVER cuMemHostUnregister(void *memory) { return (CUresult)cudaHostUnregister(memory); }
#define __WARPLENS_COPY(name, To, From, kind)                                                                              \
  __WARPLENS_DRIVER cuMemcpy##name(To to, From from, size_t bytes) {                                                       \
    return (CUresult)cudaMemcpy((void *)to, (const void *)from, bytes, kind);                                              \
  }                                                                                                                        \
  __WARPLENS_DRIVER cuMemcpy##name##Async(To to, From from, size_t bytes, CUstream stream) {                               \
    return (CUresult)cudaMemcpyAsync((void *)to, (const void *)from, bytes, kind, stream);                                 \
  }
__WARPLENS_COPY(HtoD, CUdeviceptr, const void *, cudaMemcpyHostToDevice)
__WARPLENS_COPY(DtoH, void *, CUdeviceptr, cudaMemcpyDeviceToHost)
__WARPLENS_COPY(DtoD, CUdeviceptr, CUdeviceptr, cudaMemcpyDeviceToDevice)
__WARPLENS_COPY(, CUdeviceptr, CUdeviceptr, cudaMemcpyDefault)
#undef __WARPLENS_COPY
__WARPLENS_DRIVER cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return (CUresult)cudaMemsetAsync((void *)to, value, count, stream);
}
/* Elements of several bytes: byte by byte, each a column of its own. */
__WARPLENS_DRIVER __warplens_memset(CUdeviceptr to, unsigned int value, size_t bytes, size_t count, CUstream stream) {
  CUresult result = CUDA_SUCCESS;
  if (to % bytes != 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t byte = 0; byte < bytes && result == CUDA_SUCCESS; ++byte)
    result = (CUresult)cudaMemset2DAsync((char *)to + byte, bytes, (int)(value >> 8 * byte & 255), 1, count, stream);
  return result;
}
__WARPLENS_DRIVER cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return __warplens_memset(to, value, 2, count, stream);
}
__WARPLENS_DRIVER cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return __warplens_memset(to, value, 4, count, stream);
}
__WARPLENS_DRIVER cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) { return cuMemsetD8Async(to, value, count, 0); }
__WARPLENS_DRIVER cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) { return cuMemsetD16Async(to, value, count, 0); }
__WARPLENS_DRIVER cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) { return cuMemsetD32Async(to, value, count, 0); }

/* A rectangle of elements, row by row; of several bytes byte by byte. */
__WARPLENS_DRIVER __warplens_memset_rows(CUdeviceptr to, size_t pitch, unsigned int value, size_t bytes, size_t width, size_t height,
                                         CUstream stream) {
  CUresult result = CUDA_SUCCESS;
  for (size_t row = 0; row < height && result == CUDA_SUCCESS; ++row) result = __warplens_memset(to + row * pitch, value, bytes, width, stream);
  return result;
}
__WARPLENS_DRIVER cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return (CUresult)cudaMemset2D((void *)to, pitch, value, width, height);
}
__WARPLENS_DRIVER cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return __warplens_memset_rows(to, pitch, value, 2, width, height, 0);
}
__WARPLENS_DRIVER cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
  return __warplens_memset_rows(to, pitch, value, 4, width, height, 0);
}
__WARPLENS_DRIVER cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream) {
  return (CUresult)cudaMemset2DAsync((void *)to, pitch, value, width, height, stream);
}
__WARPLENS_DRIVER cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream) {
  return __warplens_memset_rows(to, pitch, value, 2, width, height, stream);
}
__WARPLENS_DRIVER cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream) {
  return __warplens_memset_rows(to, pitch, value, 4, width, height, stream);
}
__WARPLENS_DRIVER cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes) {
  return (CUresult)cudaMemcpyPeer((void *)to, __warplens_device_of(toContext), (const void *)from, __warplens_device_of(fromContext), bytes);
}
__WARPLENS_DRIVER cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes,
                                    CUstream stream) {
  return (CUresult)cudaMemcpyPeerAsync((void *)to, __warplens_device_of(toContext), (const void *)from,
                                       __warplens_device_of(fromContext), bytes, stream);
}
__WARPLENS_DRIVER cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  void *memory = 0;
  CUresult result = (CUresult)cudaMallocAsync(&memory, bytes, stream);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuMemFreeAsync(CUdeviceptr address, CUstream stream) { return (CUresult)cudaFreeAsync((void *)address, stream); }
__WARPLENS_DRIVER cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return (CUresult)cudaMemPrefetchAsync((const void *)address, bytes, device, stream);
}
__WARPLENS_DRIVER cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  return (CUresult)cudaMemAdvise((const void *)address, bytes, (enum cudaMemoryAdvise)advice, device);
}
/* Streams and events. */
__WARPLENS_DRIVER cuStreamGetFlags(CUstream stream, unsigned int *flags) { return (CUresult)cudaStreamGetFlags(stream, flags); }
__WARPLENS_DRIVER cuStreamGetPriority(CUstream stream, int *priority) { return (CUresult)cudaStreamGetPriority(stream, priority); }
__WARPLENS_DRIVER cuStreamGetDevice(CUstream stream, CUdevice *device) { return (CUresult)cudaStreamGetDevice(stream, device); }
__WARPLENS_DRIVER cuStreamGetCtx(CUstream stream, CUcontext *context) { return (void)stream, cuCtxGetCurrent(context); }
__WARPLENS_DRIVER cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags) {
  return (CUresult)cudaStreamAddCallback(stream, (cudaStreamCallback_t)callback, data, flags);
}
__WARPLENS_DRIVER cuStreamCreate(CUstream *stream, unsigned int flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
__WARPLENS_DRIVER cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return (CUresult)cudaStreamCreateWithPriority(stream, flags, priority);
}
__WARPLENS_DRIVER cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }
__WARPLENS_DRIVER cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
__WARPLENS_DRIVER cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
__WARPLENS_DRIVER cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}
__WARPLENS_DRIVER cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return (CUresult)cudaLaunchHostFunc(stream, function, data);
}
__WARPLENS_DRIVER cuEventCreate(CUevent *event, unsigned int flags) { return (CUresult)cudaEventCreateWithFlags(event, flags); }
__WARPLENS_DRIVER cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }
__WARPLENS_DRIVER cuEventRecord(CUevent event, CUstream stream) { return (CUresult)cudaEventRecord(event, stream); }
__WARPLENS_DRIVER cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
__WARPLENS_DRIVER cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
__WARPLENS_DRIVER cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return (CUresult)cudaEventElapsedTime(milliseconds, start, end);
}

__WARPLENS_DRIVER cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return (CUresult)cudaEventRecordWithFlags(event, stream, flags);
}
__WARPLENS_DRIVER cuStreamGetId(CUstream stream, unsigned long long *id) { return (CUresult)cudaStreamGetId(stream, id); }
__WARPLENS_DRIVER cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned int flags) {
  return (CUresult)cudaStreamAttachMemAsync(stream, (void *)address, bytes, flags);
}
__WARPLENS_DRIVER cuMemHostGetFlags(unsigned int *flags, void *memory) { return (CUresult)cudaHostGetFlags(flags, memory); }

#undef __WARPLENS_DRIVER

__WARPLENS_WIDE_SIZES(CUresult, cuMemAllocPitch)
__WARPLENS_WIDE_SIZES(CUresult, cuCtxGetLimit)
#endif
