/* What an address of the driver API belongs to: attributes, the allocation around it, what is known of managed memory; and handles
   for other processes, which the runtime API's calls refuse.
   Source: CUDA Driver API, "Unified Addressing", cuMemGetAddressRange, "Memory Management". */
#ifndef WARPLENS_DRIVER_POINTERS_H
#define WARPLENS_DRIVER_POINTERS_H

#include <warplens/driver_memory.h>

typedef enum CUpointer_attribute_enum {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
  CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
  CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
  CU_POINTER_ATTRIBUTE_MAPPED = 13,
  CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
  CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
  CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
  CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
} CUpointer_attribute;
typedef enum CUmem_range_attribute_enum {
  CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = cudaMemRangeAttributeReadMostly,
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = cudaMemRangeAttributePreferredLocation,
  CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = cudaMemRangeAttributeAccessedBy,
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = cudaMemRangeAttributeLastPrefetchLocation,
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = cudaMemRangeAttributePreferredLocationType,
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = cudaMemRangeAttributePreferredLocationId,
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = cudaMemRangeAttributeLastPrefetchLocationType,
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = cudaMemRangeAttributeLastPrefetchLocationId
} CUmem_range_attribute;
typedef cudaIpcMemHandle_t CUipcMemHandle;
typedef cudaIpcEventHandle_t CUipcEventHandle;
#define CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS cudaIpcMemLazyEnablePeerAccess
#define cuMemGetAddressRange_v2 cuMemGetAddressRange
#define cuIpcOpenMemHandle_v2 cuIpcOpenMemHandle

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t __warplens_address_range(CUdeviceptr address, CUdeviceptr *base, __SIZE_TYPE__ *bytes);
#if defined(__cplusplus)
}
#endif

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult

/* Either result may be left out. */
__WARPLENS_DRIVER cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  CUdeviceptr first = 0;
  __SIZE_TYPE__ length = 0;
  if (__warplens_address_range(address, &first, &length) != cudaSuccess) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = first;
  if (bytes) *bytes = length;
  return CUDA_SUCCESS;
}
/* Types are numbered as CUmemorytype: 1 of the host, 2 of a device. */
__WARPLENS_DRIVER cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  struct cudaPointerAttributes known;
  CUdeviceptr base = 0;
  __SIZE_TYPE__ bytes = 0;
  CUresult result = (CUresult)cudaPointerGetAttributes(&known, (const void *)address);
  if (result != CUDA_SUCCESS || known.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  __warplens_address_range(address, &base, &bytes);
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)data = __warplens_context_of(known.device); break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned int *)data = known.type == cudaMemoryTypeHost ? 1 : 2; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)data = (CUdeviceptr)known.devicePointer; break;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!known.hostPointer) return CUDA_ERROR_INVALID_VALUE;
    *(void **)data = known.hostPointer;
    break;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned int *)data = 1; break;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)data = base; break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned int *)data = known.type == cudaMemoryTypeManaged; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = known.device; break;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: *(unsigned int *)data = 0; break;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)data = base; break;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)data = bytes; break;
  case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned int *)data = 1; break;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}
/* Of an address that is nobody's all values are 0, and it is no error. */
__WARPLENS_DRIVER cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  struct cudaPointerAttributes known;
  CUresult result = (CUresult)cudaPointerGetAttributes(&known, (const void *)address);
  for (unsigned int i = 0; i < count && result == CUDA_SUCCESS; i++) {
    if (known.type == cudaMemoryTypeUnregistered || (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER && !known.hostPointer))
      memset(data[i], 0, attributes[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID ? 8 : 4);
    else
      result = cuPointerGetAttribute(data[i], attributes[i], address);
  }
  return result;
}
/* Everything runs in order: copies are waited for, whether that was asked for or not. */
__WARPLENS_DRIVER cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  (void)value, (void)address;
  return attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
__WARPLENS_DRIVER cuMemRangeGetAttribute(void *data, size_t bytesOfData, CUmem_range_attribute attribute, CUdeviceptr address,
                                         size_t bytes) {
  return (CUresult)cudaMemRangeGetAttribute(data, bytesOfData, (enum cudaMemRangeAttribute)attribute, (const void *)address, bytes);
}

typedef enum CUdevice_P2PAttribute_enum {
  CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = cudaDevP2PAttrPerformanceRank,
  CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = cudaDevP2PAttrAccessSupported,
  CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = cudaDevP2PAttrNativeAtomicSupported,
  CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = cudaDevP2PAttrCudaArrayAccessSupported,
  CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = cudaDevP2PAttrCudaArrayAccessSupported
} CUdevice_P2PAttribute;
__WARPLENS_DRIVER cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return (CUresult)cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, from, to);
}

__WARPLENS_DRIVER cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  return (CUresult)cudaIpcGetMemHandle(handle, (void *)address);
}
__WARPLENS_DRIVER cuIpcOpenMemHandle(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags) {
  void *memory = 0;
  CUresult result = (CUresult)cudaIpcOpenMemHandle(&memory, handle, flags);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuIpcCloseMemHandle(CUdeviceptr address) { return (CUresult)cudaIpcCloseMemHandle((void *)address); }
__WARPLENS_DRIVER cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  return (CUresult)cudaIpcGetEventHandle(handle, event);
}
__WARPLENS_DRIVER cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  return (CUresult)cudaIpcOpenEventHandle(event, handle);
}

#undef __WARPLENS_DRIVER

__WARPLENS_WIDE_SIZES(CUresult, cuMemGetAddressRange)
#endif
