/* Memory pools, extended launches, stream attributes, mipmapped arrays, and what exists to be refused: IPC. */
#ifndef WARPLENS_HOST_EXTENSIONS_H
#define WARPLENS_HOST_EXTENSIONS_H

#include <stdio.h>
#include <stdlib.h>

typedef enum cudaMemLocationType { cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 } cudaMemLocationType;
typedef struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
} cudaMemLocation;
typedef enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 } cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1 } cudaMemAllocationHandleType;
typedef struct cudaMemPoolProps {
  enum cudaMemAllocationType allocType;
  enum cudaMemAllocationHandleType handleTypes;
  struct cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} cudaMemPoolProps;
typedef enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8
} cudaMemPoolAttr;
typedef enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3 } cudaMemAccessFlags;
typedef struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  enum cudaMemAccessFlags flags;
} cudaMemAccessDesc;
typedef enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4
} cudaDeviceP2PAttr;
typedef struct cudaIpcMemHandle_t { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_t { char reserved[64]; } cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 1

typedef enum cudaAccessProperty { cudaAccessPropertyNormal = 0, cudaAccessPropertyStreaming = 1, cudaAccessPropertyPersisting = 2 } cudaAccessProperty;
typedef struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
} cudaAccessPolicyWindow;
typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributeMemSyncDomainMap = 9,
  cudaLaunchAttributeMemSyncDomain = 10,
  cudaLaunchAttributePreferredClusterDimension = 11,
  cudaLaunchAttributeLaunchCompletionEvent = 12,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
} cudaLaunchAttributeID;
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
typedef union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  struct { unsigned int x, y, z; } clusterDim;
  int programmaticStreamSerializationAllowed;
  struct { cudaEvent_t event; int flags, triggerAtBlockStart; } programmaticEvent;
  int priority;
  enum cudaSynchronizationPolicy syncPolicy;
  int memSyncDomain;
  struct { cudaEvent_t event; int flags; } launchCompletionEvent;
  unsigned int sharedMemCarveout;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_t {
  struct dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;
typedef enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
} cudaDriverEntryPointQueryResult;
#define cudaEnableDefault 0x0
#define cudaEnableLegacyStream 0x1
#define cudaEnablePerThreadDefaultStream 0x2
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
typedef cudaLaunchAttributeID cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytesToKeep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t __warplens_create_pool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from, int to);
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status __WARPLENS_DEFAULT(0));
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t __warplens_set_attribute(int isStream, const void *owner, int id, const void *value);
cudaError_t __warplens_get_attribute(int isStream, const void *owner, int id, void *value);
cudaError_t __warplens_copy_attributes(int isStream, const void *to, const void *from);
cudaError_t __warplens_graph_dot(cudaGraph_t graph, unsigned int flags, char **text);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags __WARPLENS_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_t array, unsigned int index);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t __warplens_launch_clusters(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                                       cudaStream_t stream, int isCooperative, struct dim3 cluster);
cudaError_t __warplens_active_clusters(int *clusters, const void *function, struct dim3 grid, struct dim3 block, size_t shared,
                                       struct dim3 cluster);
cudaError_t __warplens_largest_cluster(int *size, const void *function, struct dim3 grid, struct dim3 block, size_t shared);
#if defined(__cplusplus)
}
#endif

/* There is one version of each function here. */
__WARPLENS_CALL__ cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                                           unsigned long long flags,
                                                           enum cudaDriverEntryPointQueryResult *status __WARPLENS_DEFAULT(0)) {
  return cudaGetDriverEntryPoint(symbol, function, flags, status);
}

/* A graph's drawing in Graphviz's language. */
enum cudaGraphDebugDotFlags {
  cudaGraphDebugDotFlagsVerbose = 1 << 0,
  cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
  cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
  cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  cudaGraphDebugDotFlagsHandles = 1 << 10,
  cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
};
__WARPLENS_CALL__ cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
  if (!path) return cudaErrorInvalidValue;
  char *text = 0;
  cudaError_t status = __warplens_graph_dot(graph, flags, &text);
  if (status != cudaSuccess) return status;
  FILE *file = fopen(path, "w");
  int isWritten = file && fputs(text, file) >= 0;
  if (file && fclose(file) != 0) isWritten = 0;
  free(text);
  return isWritten ? cudaSuccess : cudaErrorOperatingSystem;
}

/* Many copies at once. Attributes say when sources may be read; here each is read when its copy is enqueued. */
enum cudaMemcpySrcAccessOrder {
  cudaMemcpySrcAccessOrderInvalid = 0,
  cudaMemcpySrcAccessOrderStream = 1,
  cudaMemcpySrcAccessOrderDuringApiCall = 2,
  cudaMemcpySrcAccessOrderAny = 3
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
typedef struct cudaMemcpyAttributes {
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
} cudaMemcpyAttributes;
#if defined(__cplusplus)
/* CUDA 12.8's form, which tells the copy that failed, and CUDA 13's. */
/* Sizes and indices are a program's, of 4 or 8 bytes; where the copy that fails goes to is no parameter from CUDA 13 on. */
template <class To, class From, class Size, class Index, class Failed>
__WARPLENS_CALL__ cudaError_t cudaMemcpyBatchAsync(To to, From from, const Size *bytes, size_t count, cudaMemcpyAttributes *attributes,
                                               const Index *firsts, size_t kinds, Failed failed, cudaStream_t stream) {
  auto tell = [&](long long copy) {
    if constexpr (!__is_same(Failed, decltype(nullptr)))
      if (failed) *failed = copy;
  };
  tell(-1);
  if (!stream || !to || !from || !bytes || !attributes || !firsts || kinds == 0 || kinds > count || firsts[0] != 0)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++) {
    cudaError_t status = cudaMemcpyAsync((void *)to[i], (const void *)from[i], bytes[i], cudaMemcpyDefault, stream);
    if (status == cudaSuccess) continue;
    tell(i);
    return status;
  }
  return cudaSuccess;
}
template <class To, class From, class Size, class Index>
__WARPLENS_CALL__ cudaError_t cudaMemcpyBatchAsync(To to, From from, const Size *bytes, size_t count, cudaMemcpyAttributes *attributes,
                                               const Index *firsts, size_t kinds, cudaStream_t stream) {
  return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, firsts, kinds, nullptr, stream);
}
template <class To, class From, class Size>
__WARPLENS_CALL__ cudaError_t cudaMemcpyBatchAsync(To to, From from, const Size *bytes, size_t count, cudaMemcpyAttributes attributes,
                                               cudaStream_t stream) {
  size_t first = 0;
  return cudaMemcpyBatchAsync(to, from, bytes, count, &attributes, &first, 1, nullptr, stream);
}
#endif

__WARPLENS_CALL__ cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
  return __warplens_create_pool(pool, properties->location.id);
}
__WARPLENS_CALL__ cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count) {
  (void)pool;
  for (size_t i = 0; i < count; i++)
    if (list[i].location.id != 0) return cudaErrorInvalidDevice;
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                               struct cudaMemLocation *location) {
  (void)pool;
  if (location->id != 0) return cudaErrorInvalidDevice;
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
/* The names of CUDA 3. */
__WARPLENS_CALL__ cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
__WARPLENS_CALL__ cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
__WARPLENS_WIDE_SIZES(cudaError_t, cudaThreadGetLimit)
__WARPLENS_CALL__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
__WARPLENS_CALL__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }
/* Attributes are kept for those who ask (src/runtime/launches/launchAttributes.ts). */
#define __WARPLENS_ATTRIBUTES(Name, Owner, Id, Value, isStream)                                                            \
  __WARPLENS_CALL__ cudaError_t Name##SetAttribute(Owner owner, Id id, const Value *value) {                                   \
    return __warplens_set_attribute(isStream, owner, id, value);                                                           \
  }                                                                                                                        \
  __WARPLENS_CALL__ cudaError_t Name##GetAttribute(Owner owner, Id id, Value *value) {                                         \
    return __warplens_get_attribute(isStream, owner, id, value);                                                           \
  }                                                                                                                        \
  __WARPLENS_CALL__ cudaError_t Name##CopyAttributes(Owner to, Owner from) {                                                   \
    return __warplens_copy_attributes(isStream, to, from);                                                                 \
  }
__WARPLENS_ATTRIBUTES(cudaStream, cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue, 1)
__WARPLENS_ATTRIBUTES(cudaGraphKernelNode, cudaGraphNode_t, cudaKernelNodeAttrID, cudaKernelNodeAttrValue, 0)
#undef __WARPLENS_ATTRIBUTES
/* The program's size_t has 4 bytes or 8. */
#if defined(__cplusplus)
template <class Size>
#else
#define Size size_t
#endif
__WARPLENS_CALL__ cudaError_t cudaMemRangeGetAttributes(void **values, Size *bytesOfValues, enum cudaMemRangeAttribute *attributes,
                                                    size_t count, const void *pointer, size_t bytes) {
  cudaError_t status = count > 0 ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; i < count && status == cudaSuccess; i++)
    status = cudaMemRangeGetAttribute(values[i], bytesOfValues[i], attributes[i], pointer, bytes);
  return status;
}
#undef Size
__WARPLENS_CALL__ cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

/* The dimensions of clusters that a launch asks for; 0 blocks where it does not. */
__WARPLENS_CALL__ struct dim3 __warplens_cluster_of(const cudaLaunchConfig_t *c) {
  struct dim3 cluster = {0, 0, 0};
  for (unsigned int i = 0; i < c->numAttrs; i++) {
    if (c->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    cluster.x = c->attrs[i].val.clusterDim.x;
    cluster.y = c->attrs[i].val.clusterDim.y;
    cluster.z = c->attrs[i].val.clusterDim.z;
  }
  return cluster;
}

/* Grids run one after the other, so that one that may begin before the one in front has ended (programmatic dependent launch) begins
   behind it, and events of a grid's beginning come with its end. */
__WARPLENS_CALL__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **arguments) {
  int isCooperative = 0, hasClusters = 0;
  cudaEvent_t event = 0;
  for (unsigned int i = 0; i < c->numAttrs; i++) {
    const cudaLaunchAttribute *a = &c->attrs[i];
    if (a->id == cudaLaunchAttributeCooperative) isCooperative = a->val.cooperative;
    if (a->id == cudaLaunchAttributeClusterDimension) hasClusters = 1;
    if (a->id == cudaLaunchAttributeProgrammaticEvent) event = a->val.programmaticEvent.event;
    if (a->id == cudaLaunchAttributeLaunchCompletionEvent) event = a->val.launchCompletionEvent.event;
  }
  struct dim3 cluster = __warplens_cluster_of(c);
  cudaError_t result =
      hasClusters ? __warplens_launch_clusters(function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream,
                                               isCooperative, cluster)
      : isCooperative ? cudaLaunchCooperativeKernel(function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream)
                    : cudaLaunchKernel(function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream);
  return result == cudaSuccess && event ? cudaEventRecord(event, c->stream) : result;
}
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *c) {
  struct dim3 cluster = __warplens_cluster_of(c);
  if (cluster.x == 0) {
    struct cudaFuncAttributes a;
    cudaError_t status = cudaFuncGetAttributes(&a, function);
    if (status != cudaSuccess) return status;
    cluster.x = a.clusterDimMustBeSet ? a.requiredClusterWidth : 1;
    cluster.y = a.clusterDimMustBeSet ? a.requiredClusterHeight : 1;
    cluster.z = a.clusterDimMustBeSet ? a.requiredClusterDepth : 1;
  }
  return __warplens_active_clusters(clusters, function, c->gridDim, c->blockDim, c->dynamicSmemBytes, cluster);
}
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *c) {
  return __warplens_largest_cluster(size, function, c->gridDim, c->blockDim, c->dynamicSmemBytes);
}
#if defined(__cplusplus)
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *function, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void *)function, config);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *function, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)function, config);
}
template <class... Expected, class... Given>
__WARPLENS_CALL__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...), Given &&...given) {
  return [&](Expected... values) {
    void *arguments[] = {(void *)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
  }((Given &&)given...);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
__WARPLENS_CALL__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                               unsigned int, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, bytes, location.type == cudaMemLocationTypeDevice ? location.id : -1, stream);
}
__WARPLENS_CALL__ cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location.type == cudaMemLocationTypeDevice ? location.id : -1);
}
#endif

#endif
