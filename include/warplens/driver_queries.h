/* What programs of the runtime API ask the driver API for: that it starts, and what the device is. Both APIs' results and
   attributes have the same numbers. driver_memory.h has contexts and memory.
   Source: CUDA Driver API, "Initialization", "Version Management", "Device Management", "Error Handling". */
#ifndef WARPLENS_DRIVER_QUERIES_H
#define WARPLENS_DRIVER_QUERIES_H

#include <cuda_runtime_api.h>
#include <string.h>

typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = cudaDevAttrMaxThreadsPerBlock,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = cudaDevAttrMaxBlockDimX,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = cudaDevAttrMaxBlockDimY,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = cudaDevAttrMaxBlockDimZ,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = cudaDevAttrMaxGridDimX,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = cudaDevAttrMaxGridDimY,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = cudaDevAttrMaxGridDimZ,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = cudaDevAttrMaxSharedMemoryPerBlock,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = cudaDevAttrTotalConstantMemory,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = cudaDevAttrWarpSize,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = cudaDevAttrMaxPitch,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = cudaDevAttrMaxRegistersPerBlock,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = cudaDevAttrClockRate,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = cudaDevAttrTextureAlignment,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = cudaDevAttrGpuOverlap,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = cudaDevAttrMultiProcessorCount,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = cudaDevAttrKernelExecTimeout,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = cudaDevAttrIntegrated,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = cudaDevAttrCanMapHostMemory,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = cudaDevAttrComputeMode,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = cudaDevAttrConcurrentKernels,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = cudaDevAttrEccEnabled,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = cudaDevAttrPciBusId,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = cudaDevAttrPciDeviceId,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = cudaDevAttrTccDriver,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = cudaDevAttrMemoryClockRate,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = cudaDevAttrGlobalMemoryBusWidth,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = cudaDevAttrL2CacheSize,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = cudaDevAttrMaxThreadsPerMultiProcessor,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = cudaDevAttrAsyncEngineCount,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = cudaDevAttrUnifiedAddressing,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = cudaDevAttrPciDomainId,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = cudaDevAttrComputeCapabilityMajor,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = cudaDevAttrComputeCapabilityMinor,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = cudaDevAttrMaxRegistersPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = cudaDevAttrManagedMemory,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = cudaDevAttrConcurrentManagedAccess,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = cudaDevAttrCooperativeLaunch,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = cudaDevAttrMaxSharedMemoryPerBlockOptin,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = cudaDevAttrMaxBlocksPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = cudaDevAttrMemoryPoolsSupported,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = cudaDevAttrMaxTexture1DWidth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = cudaDevAttrMaxTexture2DWidth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = cudaDevAttrMaxTexture2DHeight,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = cudaDevAttrMaxTexture3DWidth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = cudaDevAttrMaxTexture3DHeight,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = cudaDevAttrMaxTexture3DDepth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = cudaDevAttrMaxTexture2DLayeredWidth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = cudaDevAttrMaxTexture2DLayeredHeight,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = cudaDevAttrMaxTexture2DLayeredLayers,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = cudaDevAttrMaxTexture1DLayeredWidth,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = cudaDevAttrMaxTexture1DLayeredLayers,
  CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = cudaDevAttrSurfaceAlignment,
  CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = cudaDevAttrTexturePitchAlignment,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = cudaDevAttrStreamPrioritiesSupported,
  CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = cudaDevAttrGlobalL1CacheSupported,
  CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = cudaDevAttrLocalL1CacheSupported,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = cudaDevAttrIsMultiGpuBoard,
  CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = cudaDevAttrHostNativeAtomicSupported,
  CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = cudaDevAttrSingleToDoublePrecisionPerfRatio,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = cudaDevAttrPageableMemoryAccess,
  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = cudaDevAttrComputePreemptionSupported,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = cudaDevAttrCooperativeMultiDeviceLaunch,
  CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = cudaDevAttrHostRegisterSupported,
  CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = cudaDevAttrReservedSharedMemoryPerBlock,
  CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = cudaDevAttrClusterLaunch,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = cudaDevAttrMultiGpuBoardGroupID,
  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = cudaDevAttrCanUseHostPointerForRegisteredMem,
  CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93,
  CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = cudaDevAttrCanFlushRemoteWrites,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = cudaDevAttrPageableMemoryAccessUsesHostPageTables,
  CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = cudaDevAttrDirectManagedMemAccessFromHost,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
  CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
  CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = cudaDevAttrMaxPersistingL2CacheSize,
  CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = cudaDevAttrMaxAccessPolicyWindowSize,
  CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
  CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = cudaDevAttrSparseCudaArraySupported,
  CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
  CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
  CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119,
  CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
} CUdevice_attribute;
typedef enum CUcomputemode_enum {
  CU_COMPUTEMODE_DEFAULT = 0,
  CU_COMPUTEMODE_PROHIBITED = 2,
  CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuMemGetInfo_v2 cuMemGetInfo

__WARPLENS_CALL__ CUresult cuInit(unsigned int flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
__WARPLENS_CALL__ CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
__WARPLENS_CALL__ CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
__WARPLENS_CALL__ CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (ordinal < 0 || ordinal >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
__WARPLENS_CALL__ CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}
__WARPLENS_CALL__ CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (result != CUDA_SUCCESS) return result;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
__WARPLENS_CALL__ CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
  if (result != CUDA_SUCCESS || length <= 0) return result;
  strncpy(name, properties.name, (size_t)length - 1);
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}
__WARPLENS_CALL__ CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
  if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
  return result;
}
__WARPLENS_CALL__ CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
  return (CUresult)cudaDeviceGetPCIBusId(text, length, device);
}
__WARPLENS_CALL__ CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return (CUresult)cudaDeviceCanAccessPeer(can, device, peer);
}
__WARPLENS_CALL__ CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
  return (CUresult)cudaDeviceGetByPCIBusId(device, text);
}
__WARPLENS_CALL__ CUresult cuMemGetInfo(size_t *available, size_t *total) {
  return (CUresult)cudaMemGetInfo(available, total);
}
__WARPLENS_CALL__ CUresult cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }
__WARPLENS_CALL__ CUresult cuGetErrorName(CUresult error, const char **name) {
  switch (error) {
  case CUDA_SUCCESS: return *name = "CUDA_SUCCESS", CUDA_SUCCESS;
#define __WARPLENS_NAMED(result, number)                                                                                   \
  case CUDA_ERROR_##result: return *name = "CUDA_ERROR_" #result, CUDA_SUCCESS;
    __WARPLENS_DRIVER_ERRORS(__WARPLENS_NAMED)
#undef __WARPLENS_NAMED
  default: *name = 0; return CUDA_ERROR_INVALID_VALUE;
  }
}
__WARPLENS_CALL__ CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

__WARPLENS_WIDE_SIZES(CUresult, cuMemGetInfo)
__WARPLENS_WIDE_SIZES(CUresult, cuDeviceTotalMem)
#endif
