/* The driver API's pools of memory, over the runtime API's. Source: CUDA Driver API, "Stream Ordered Memory Allocator". */
#ifndef WARPLENS_DRIVER_POOLS_H
#define WARPLENS_DRIVER_POOLS_H

#include <warplens/driver_virtual_memory.h>

typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef enum CUmemPool_attribute_enum {
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
  CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
  CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
  CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
  CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
} CUmemPool_attribute;
typedef struct CUmemPoolProps_st {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult

__WARPLENS_DRIVER cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  if (!pool || !properties || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE || properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  return (CUresult)__warplens_create_pool(pool, properties->location.id);
}
__WARPLENS_DRIVER cuMemPoolDestroy(CUmemoryPool pool) { return (CUresult)cudaMemPoolDestroy(pool); }
__WARPLENS_DRIVER cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) { return (CUresult)cudaMemPoolTrimTo(pool, bytes); }
__WARPLENS_DRIVER cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return (CUresult)cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value);
}
__WARPLENS_DRIVER cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return (CUresult)cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value);
}
__WARPLENS_DRIVER cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count) {
  return (CUresult)cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)list, count);
}
__WARPLENS_DRIVER cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  return (CUresult)cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (struct cudaMemLocation *)location);
}
__WARPLENS_DRIVER cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  void *memory = 0;
  CUresult result = (CUresult)cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
  *address = (CUdeviceptr)memory;
  return result;
}
__WARPLENS_DRIVER cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return (CUresult)cudaDeviceGetDefaultMemPool(pool, device);
}
__WARPLENS_DRIVER cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) { return (CUresult)cudaDeviceGetMemPool(pool, device); }
__WARPLENS_DRIVER cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) { return (CUresult)cudaDeviceSetMemPool(device, pool); }

#undef __WARPLENS_DRIVER
#endif
