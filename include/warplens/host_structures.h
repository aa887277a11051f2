/* Runtime calls that take or fill structures, taken apart into scalars here, so that no structure's layout is known
   outside the headers. The `__warplens_*` functions are imports implemented under src/runtime/. */
#ifndef WARPLENS_HOST_STRUCTURES_H
#define WARPLENS_HOST_STRUCTURES_H

#if defined(__cplusplus)
extern "C" {
#endif
/* Value of a device attribute; 0 for one that the device does not have. */
unsigned int __warplens_device_attribute(int attribute);
/* Copies the device's name, NUL-terminated and cut to `capacity` bytes. */
void __warplens_device_name(char *to, size_t capacity);
/* cudaSuccess when the number is a device's, otherwise records and returns cudaErrorInvalidDevice. */
cudaError_t __warplens_check_device(int device);
/* key: position of the field in cudaFuncAttributes. */
cudaError_t __warplens_function_attribute(const void *function, int key, int *value);
cudaError_t __warplens_pointer_attributes(const void *pointer, int *type, int *device, void **devicePointer,
                                          void **hostPointer);
cudaError_t __warplens_memset_3d(void *pointer, size_t pitch, size_t sliceRows, int value, size_t width, size_t height,
                                 size_t depth, cudaStream_t stream, int isAsync);
cudaError_t __warplens_malloc_3d(void **pointer, size_t *pitch, size_t width, size_t height, size_t depth);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  cudaError_t status = p ? __warplens_check_device(device) : cudaErrorInvalidValue;
  if (status != cudaSuccess) return status;
  __builtin_memset(p, 0, sizeof *p);
#define WARPLENS_GET(attribute) __warplens_device_attribute(cudaDevAttr##attribute)
  __warplens_device_name(p->name, sizeof p->name);
  p->totalGlobalMem = __warplens_device_attribute(__warplensDevAttrTotalGlobalMemory);
  p->sharedMemPerBlock = WARPLENS_GET(MaxSharedMemoryPerBlock);
  p->regsPerBlock = WARPLENS_GET(MaxRegistersPerBlock);
  p->warpSize = WARPLENS_GET(WarpSize);
  p->memPitch = WARPLENS_GET(MaxPitch);
  p->maxThreadsPerBlock = WARPLENS_GET(MaxThreadsPerBlock);
  p->maxThreadsDim[0] = WARPLENS_GET(MaxBlockDimX);
  p->maxThreadsDim[1] = WARPLENS_GET(MaxBlockDimY);
  p->maxThreadsDim[2] = WARPLENS_GET(MaxBlockDimZ);
  p->maxGridSize[0] = WARPLENS_GET(MaxGridDimX);
  p->maxGridSize[1] = WARPLENS_GET(MaxGridDimY);
  p->maxGridSize[2] = WARPLENS_GET(MaxGridDimZ);
  p->clockRate = WARPLENS_GET(ClockRate);
  p->totalConstMem = WARPLENS_GET(TotalConstantMemory);
  p->major = WARPLENS_GET(ComputeCapabilityMajor);
  p->minor = WARPLENS_GET(ComputeCapabilityMinor);
  p->textureAlignment = WARPLENS_GET(TextureAlignment);
  p->texturePitchAlignment = WARPLENS_GET(TexturePitchAlignment);
  p->deviceOverlap = WARPLENS_GET(GpuOverlap);
  p->multiProcessorCount = WARPLENS_GET(MultiProcessorCount);
  p->kernelExecTimeoutEnabled = WARPLENS_GET(KernelExecTimeout);
  p->integrated = WARPLENS_GET(Integrated);
  p->canMapHostMemory = WARPLENS_GET(CanMapHostMemory);
  p->computeMode = WARPLENS_GET(ComputeMode);
  p->maxTexture1D = WARPLENS_GET(MaxTexture1DWidth);
  p->maxTexture1DMipmap = WARPLENS_GET(MaxTexture1DMipmappedWidth);
  p->maxTexture1DLinear = WARPLENS_GET(MaxTexture1DLinearWidth);
  p->maxTexture2DMipmap[0] = WARPLENS_GET(MaxTexture2DMipmappedWidth);
  p->maxTexture2DMipmap[1] = WARPLENS_GET(MaxTexture2DMipmappedHeight);
  p->maxTexture2DLinear[0] = WARPLENS_GET(MaxTexture2DLinearWidth);
  p->maxTexture2DLinear[1] = WARPLENS_GET(MaxTexture2DLinearHeight);
  p->maxTexture2DLinear[2] = WARPLENS_GET(MaxTexture2DLinearPitch);
  p->maxTexture2DGather[0] = WARPLENS_GET(MaxTexture2DGatherWidth);
  p->maxTexture2DGather[1] = WARPLENS_GET(MaxTexture2DGatherHeight);
  p->maxTexture3DAlt[0] = WARPLENS_GET(MaxTexture3DWidthAlt);
  p->maxTexture3DAlt[1] = WARPLENS_GET(MaxTexture3DHeightAlt);
  p->maxTexture3DAlt[2] = WARPLENS_GET(MaxTexture3DDepthAlt);
  p->maxTextureCubemap = WARPLENS_GET(MaxTextureCubemapWidth);
  p->maxTextureCubemapLayered[0] = WARPLENS_GET(MaxTextureCubemapLayeredWidth);
  p->maxTextureCubemapLayered[1] = WARPLENS_GET(MaxTextureCubemapLayeredLayers);
  p->maxSurface1D = WARPLENS_GET(MaxSurface1DWidth);
  p->maxSurface2D[0] = WARPLENS_GET(MaxSurface2DWidth);
  p->maxSurface2D[1] = WARPLENS_GET(MaxSurface2DHeight);
  p->maxSurface3D[0] = WARPLENS_GET(MaxSurface3DWidth);
  p->maxSurface3D[1] = WARPLENS_GET(MaxSurface3DHeight);
  p->maxSurface3D[2] = WARPLENS_GET(MaxSurface3DDepth);
  p->maxSurface1DLayered[0] = WARPLENS_GET(MaxSurface1DLayeredWidth);
  p->maxSurface1DLayered[1] = WARPLENS_GET(MaxSurface1DLayeredLayers);
  p->maxSurface2DLayered[0] = WARPLENS_GET(MaxSurface2DLayeredWidth);
  p->maxSurface2DLayered[1] = WARPLENS_GET(MaxSurface2DLayeredHeight);
  p->maxSurface2DLayered[2] = WARPLENS_GET(MaxSurface2DLayeredLayers);
  p->maxSurfaceCubemap = WARPLENS_GET(MaxSurfaceCubemapWidth);
  p->maxSurfaceCubemapLayered[0] = WARPLENS_GET(MaxSurfaceCubemapLayeredWidth);
  p->maxSurfaceCubemapLayered[1] = WARPLENS_GET(MaxSurfaceCubemapLayeredLayers);
  p->maxTexture2D[0] = WARPLENS_GET(MaxTexture2DWidth);
  p->maxTexture2D[1] = WARPLENS_GET(MaxTexture2DHeight);
  p->maxTexture3D[0] = WARPLENS_GET(MaxTexture3DWidth);
  p->maxTexture3D[1] = WARPLENS_GET(MaxTexture3DHeight);
  p->maxTexture3D[2] = WARPLENS_GET(MaxTexture3DDepth);
  p->maxTexture1DLayered[0] = WARPLENS_GET(MaxTexture1DLayeredWidth);
  p->maxTexture1DLayered[1] = WARPLENS_GET(MaxTexture1DLayeredLayers);
  p->maxTexture2DLayered[0] = WARPLENS_GET(MaxTexture2DLayeredWidth);
  p->maxTexture2DLayered[1] = WARPLENS_GET(MaxTexture2DLayeredHeight);
  p->maxTexture2DLayered[2] = WARPLENS_GET(MaxTexture2DLayeredLayers);
  p->surfaceAlignment = WARPLENS_GET(SurfaceAlignment);
  p->concurrentKernels = WARPLENS_GET(ConcurrentKernels);
  p->ECCEnabled = WARPLENS_GET(EccEnabled);
  p->pciBusID = WARPLENS_GET(PciBusId);
  p->pciDeviceID = WARPLENS_GET(PciDeviceId);
  p->pciDomainID = WARPLENS_GET(PciDomainId);
  p->tccDriver = WARPLENS_GET(TccDriver);
  p->asyncEngineCount = WARPLENS_GET(AsyncEngineCount);
  p->unifiedAddressing = WARPLENS_GET(UnifiedAddressing);
  p->memoryClockRate = WARPLENS_GET(MemoryClockRate);
  p->memoryBusWidth = WARPLENS_GET(GlobalMemoryBusWidth);
  p->l2CacheSize = WARPLENS_GET(L2CacheSize);
  p->persistingL2CacheMaxSize = WARPLENS_GET(MaxPersistingL2CacheSize);
  p->maxThreadsPerMultiProcessor = WARPLENS_GET(MaxThreadsPerMultiProcessor);
  p->streamPrioritiesSupported = WARPLENS_GET(StreamPrioritiesSupported);
  p->globalL1CacheSupported = WARPLENS_GET(GlobalL1CacheSupported);
  p->localL1CacheSupported = WARPLENS_GET(LocalL1CacheSupported);
  p->sharedMemPerMultiprocessor = WARPLENS_GET(MaxSharedMemoryPerMultiprocessor);
  p->regsPerMultiprocessor = WARPLENS_GET(MaxRegistersPerMultiprocessor);
  p->managedMemory = WARPLENS_GET(ManagedMemory);
  p->isMultiGpuBoard = WARPLENS_GET(IsMultiGpuBoard);
  p->multiGpuBoardGroupID = WARPLENS_GET(MultiGpuBoardGroupID);
  p->hostNativeAtomicSupported = WARPLENS_GET(HostNativeAtomicSupported);
  p->singleToDoublePrecisionPerfRatio = WARPLENS_GET(SingleToDoublePrecisionPerfRatio);
  p->pageableMemoryAccess = WARPLENS_GET(PageableMemoryAccess);
  p->concurrentManagedAccess = WARPLENS_GET(ConcurrentManagedAccess);
  p->computePreemptionSupported = WARPLENS_GET(ComputePreemptionSupported);
  p->canUseHostPointerForRegisteredMem = WARPLENS_GET(CanUseHostPointerForRegisteredMem);
  p->cooperativeLaunch = WARPLENS_GET(CooperativeLaunch);
  p->cooperativeMultiDeviceLaunch = WARPLENS_GET(CooperativeMultiDeviceLaunch);
  p->sharedMemPerBlockOptin = WARPLENS_GET(MaxSharedMemoryPerBlockOptin);
  p->pageableMemoryAccessUsesHostPageTables = WARPLENS_GET(PageableMemoryAccessUsesHostPageTables);
  p->directManagedMemAccessFromHost = WARPLENS_GET(DirectManagedMemAccessFromHost);
  p->maxBlocksPerMultiProcessor = WARPLENS_GET(MaxBlocksPerMultiprocessor);
  p->accessPolicyMaxWindowSize = WARPLENS_GET(MaxAccessPolicyWindowSize);
  p->reservedSharedMemPerBlock = WARPLENS_GET(ReservedSharedMemoryPerBlock);
  p->hostRegisterSupported = WARPLENS_GET(HostRegisterSupported);
  p->sparseCudaArraySupported = WARPLENS_GET(SparseCudaArraySupported);
  p->memoryPoolsSupported = WARPLENS_GET(MemoryPoolsSupported);
  p->clusterLaunch = WARPLENS_GET(ClusterLaunch);
  p->deviceNumaId = WARPLENS_GET(NumaId);
#undef WARPLENS_GET
  return cudaSuccess;
}

/* One device: it is chosen whatever the wishes. */
__WARPLENS_CALL__ cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  if (!device || !properties) return cudaErrorInvalidValue;
  *device = 0;
  return cudaSuccess;
}

__WARPLENS_CALL__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *function) {
  int v[16] = {0};
  if (!a) return cudaErrorInvalidValue;
  for (int key = 0; key < 16; key++) {
    cudaError_t status = __warplens_function_attribute(function, key, &v[key]);
    if (status != cudaSuccess) return status;
  }
  __builtin_memset(a, 0, sizeof *a);
  a->sharedSizeBytes = v[0];
  a->constSizeBytes = v[1];
  a->localSizeBytes = v[2];
  a->maxThreadsPerBlock = v[3];
  a->numRegs = v[4];
  a->ptxVersion = v[5];
  a->binaryVersion = v[6];
  a->cacheModeCA = v[7];
  a->maxDynamicSharedSizeBytes = v[8];
  a->preferredShmemCarveout = v[9];
  a->clusterDimMustBeSet = v[10];
  a->requiredClusterWidth = v[11];
  a->requiredClusterHeight = v[12];
  a->requiredClusterDepth = v[13];
  a->clusterSchedulingPolicyPreference = v[14];
  a->nonPortableClusterSizeAllowed = v[15];
  return cudaSuccess;
}

__WARPLENS_CALL__ cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer) {
  int type = 0, device = 0;
  void *devicePointer = 0, *hostPointer = 0;
  if (!a) return cudaErrorInvalidValue;
  cudaError_t status = __warplens_pointer_attributes(pointer, &type, &device, &devicePointer, &hostPointer);
  if (status != cudaSuccess) return status;
  a->type = (enum cudaMemoryType)type;
  a->device = device;
  a->devicePointer = devicePointer;
  a->hostPointer = hostPointer;
  return cudaSuccess;
}

__WARPLENS_BOTH_SIDES __WARPLENS_CALL__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize, size_t ysize) {
  struct cudaPitchedPtr p = {pointer, pitch, xsize, ysize};
  return p;
}
__WARPLENS_BOTH_SIDES __WARPLENS_CALL__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos p = {x, y, z};
  return p;
}
__WARPLENS_BOTH_SIDES __WARPLENS_CALL__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent e = {width, height, depth};
  return e;
}

__WARPLENS_CALL__ cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) {
  if (!p) return cudaErrorInvalidValue;
  cudaError_t status = __warplens_malloc_3d(&p->ptr, &p->pitch, extent.width, extent.height, extent.depth);
  p->xsize = extent.width;
  p->ysize = extent.height;
  return status;
}
__WARPLENS_CALL__ cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent) {
  return __warplens_memset_3d(p.ptr, p.pitch, p.ysize, value, extent.width, extent.height, extent.depth, 0, 0);
}
__WARPLENS_CALL__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                                            cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  return __warplens_memset_3d(p.ptr, p.pitch, p.ysize, value, extent.width, extent.height, extent.depth, stream, 1);
}

#endif
