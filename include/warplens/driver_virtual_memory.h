/* The driver API's addresses and memory apart (src/runtime/memory/virtualMemory.ts): reserved, created, mapped, opened. Handles for other
   processes are refused, and so is memory at two places at the same time.
   Source: CUDA Driver API, "Virtual Memory Management". */
#ifndef WARPLENS_DRIVER_VIRTUAL_MEMORY_H
#define WARPLENS_DRIVER_VIRTUAL_MEMORY_H

#include <warplens/driver_memory.h>

typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1 } CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
  CU_MEM_HANDLE_TYPE_NONE = 0,
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  CU_MEM_HANDLE_TYPE_WIN32 = 2,
  CU_MEM_HANDLE_TYPE_WIN32_KMT = 4,
  CU_MEM_HANDLE_TYPE_FABRIC = 8
} CUmemAllocationHandleType;
typedef enum CUmemLocationType_enum {
  CU_MEM_LOCATION_TYPE_INVALID = 0,
  CU_MEM_LOCATION_TYPE_DEVICE = 1,
  CU_MEM_LOCATION_TYPE_HOST = 2
} CUmemLocationType;
typedef enum CUmemAccess_flags_enum {
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
  CU_MEM_ALLOCATION_COMP_NONE = 0,
  CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;
typedef struct CUmemLocation_st {
  CUmemLocationType type;
  int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
  CUmemLocation location;
  CUmemAccess_flags flags;
} CUmemAccessDesc;

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t __warplens_reserve_addresses(CUdeviceptr *address, size_t bytes, CUdeviceptr wanted);
cudaError_t __warplens_return_addresses(CUdeviceptr address, size_t bytes);
cudaError_t __warplens_create_memory(unsigned int *handle, size_t bytes, int device);
cudaError_t __warplens_release_memory(unsigned int handle);
cudaError_t __warplens_memory_device(unsigned int handle, int *device);
cudaError_t __warplens_map_memory(CUdeviceptr address, size_t bytes, unsigned int handle);
cudaError_t __warplens_unmap_memory(CUdeviceptr address, size_t bytes);
cudaError_t __warplens_open_memory(CUdeviceptr address, size_t bytes, int isOpen);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                                CUmemAllocationGranularity_flags which) {
  (void)which;
  if (!bytes || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  *bytes = 2 << 20;
  return CUDA_SUCCESS;
}
/* Addresses are multiples of the granularity, whatever smaller alignment is asked for. */
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                                      unsigned long long flags) {
  if (flags != 0 || (alignment & (alignment - 1)) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (alignment > (2 << 20)) return CUDA_ERROR_NOT_SUPPORTED;
  return (CUresult)__warplens_reserve_addresses(address, bytes, wanted);
}
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return (CUresult)__warplens_return_addresses(address, bytes);
}
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                              unsigned long long flags) {
  unsigned int made = 0;
  if (flags != 0 || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE || properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  CUresult result = (CUresult)__warplens_create_memory(&made, bytes, properties->location.id);
  *handle = made;
  return result;
}
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return (CUresult)__warplens_release_memory((unsigned int)handle);
}
/* Memory is never compressed, whether that was asked for or not: it is a hint. */
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                                                      CUmemGenericAllocationHandle handle) {
  int device = 0;
  CUresult result = (CUresult)__warplens_memory_device((unsigned int)handle, &device);
  memset(properties, 0, sizeof *properties);
  properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties->location.id = device;
  return result;
}
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                           unsigned long long flags) {
  if (flags != 0 || offset != 0) return CUDA_ERROR_INVALID_VALUE;
  return (CUresult)__warplens_map_memory(address, bytes, (unsigned int)handle);
}
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) { return (CUresult)__warplens_unmap_memory(address, bytes); }
/* A device reaches memory of another that is its peer; what is told of several devices is that of any that may. */
__WARPLENS_CALL__ __attribute__((unused)) CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *list, size_t count) {
  int isOpen = 0;
  for (size_t i = 0; i < count; i++) {
    if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    if (list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) isOpen = 1;
  }
  return count == 0 ? CUDA_ERROR_INVALID_VALUE : (CUresult)__warplens_open_memory(address, bytes, isOpen);
}

__WARPLENS_WIDE_SIZES(CUresult, cuMemGetAllocationGranularity)
#endif
