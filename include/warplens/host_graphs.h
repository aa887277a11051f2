/* Graphs: the structures of the API taken apart into lists of 32-bit words for src/runtime/graphs/cudaGraphs.ts. */
#ifndef WARPLENS_HOST_GRAPHS_H
#define WARPLENS_HOST_GRAPHS_H

typedef enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeExtSemaphoreSignal = 8,
  cudaGraphNodeTypeExtSemaphoreWait = 9,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
  cudaGraphNodeTypeConditional = 13
} cudaGraphNodeType;
typedef enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
} cudaStreamCaptureMode;
typedef enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;
typedef enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess = 0,
  cudaGraphExecUpdateError = 1,
  cudaGraphExecUpdateErrorTopologyChanged = 2,
  cudaGraphExecUpdateErrorNodeTypeChanged = 3,
  cudaGraphExecUpdateErrorFunctionChanged = 4,
  cudaGraphExecUpdateErrorParametersChanged = 5,
  cudaGraphExecUpdateErrorNotSupported = 6
} cudaGraphExecUpdateResult;
#define cudaGraphUserObjectMove 1
#define cudaUserObjectNoDestructorSync 1
typedef struct CUuserObject_st *cudaUserObject_t;
#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1
#define cudaGraphInstantiateFlagUpload 2
#define cudaGraphInstantiateFlagUseNodePriority 8

typedef struct cudaKernelNodeParams {
  void *func;
  struct dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
} cudaKernelNodeParams;
typedef struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
} cudaMemsetParams;
typedef struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void *userData;
} cudaHostNodeParams;
typedef struct cudaGraphExecUpdateResultInfo {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *instance, cudaGraph_t graph,
                                          unsigned long long flags __WARPLENS_DEFAULT(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node, unsigned int isEnabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node, unsigned int *isEnabled);
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count __WARPLENS_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count __WARPLENS_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count __WARPLENS_DEFAULT(1),
                                      unsigned int flags __WARPLENS_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count __WARPLENS_DEFAULT(1));
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
/* words by type. Kernel: function, grid (3), block (3), shared bytes, arguments. Memcpy: those of __warplens_copy_box. Memset:
   address, element bytes, height, pitch, value, width. Host: function, data. Graph: its handle. Event, recorded
   or waited for: its handle. Memory allocation: bytes, where its address goes; its end: the address. */
cudaError_t __warplens_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                int type, const void *words);
/* instance 0: the graph's own node. */
cudaError_t __warplens_set_node(cudaGraphNode_t node, cudaGraphExec_t instance, const void *words);
/* The words that a node of that type was made of, a kernel's also where it was captured. */
cudaError_t __warplens_get_node(cudaGraphNode_t node, int type, void *words);
cudaError_t __warplens_update_graph(cudaGraphExec_t instance, cudaGraph_t graph, unsigned int *result);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ void __warplens_kernel_words(unsigned int *words, const struct cudaKernelNodeParams *p) {
  words[0] = (unsigned int)p->func;
  words[1] = p->gridDim.x, words[2] = p->gridDim.y, words[3] = p->gridDim.z;
  words[4] = p->blockDim.x, words[5] = p->blockDim.y, words[6] = p->blockDim.z;
  words[7] = p->sharedMemBytes;
  words[8] = (unsigned int)p->kernelParams;
}
__WARPLENS_CALL__ void __warplens_memset_words(unsigned int *words, const struct cudaMemsetParams *p) {
  words[0] = (unsigned int)p->dst, words[1] = p->elementSize, words[2] = p->height;
  words[3] = p->pitch, words[4] = p->value, words[5] = p->width;
}
__WARPLENS_CALL__ void __warplens_linear_copy_words(unsigned int *words, void *to, const void *from, size_t bytes,
                                                enum cudaMemcpyKind kind) {
  __builtin_memset(words, 0, 19 * sizeof *words);
  words[4] = (unsigned int)to, words[5] = bytes, words[6] = 1;
  words[11] = (unsigned int)from, words[12] = bytes, words[13] = 1;
  words[14] = bytes, words[15] = 1, words[16] = 1, words[17] = kind;
}

__WARPLENS_CALL__ cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                 size_t count, const struct cudaKernelNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[9];
  __warplens_kernel_words(words, p);
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeKernel, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[9];
  __warplens_kernel_words(words, p);
  return __warplens_set_node(node, 0, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[9];
  cudaError_t status = __warplens_get_node(node, cudaGraphNodeTypeKernel, words);
  if (status != cudaSuccess) return status;
  p->func = (void *)words[0];
  p->gridDim.x = words[1], p->gridDim.y = words[2], p->gridDim.z = words[3];
  p->blockDim.x = words[4], p->blockDim.y = words[5], p->blockDim.z = words[6];
  p->sharedMemBytes = words[7];
  p->kernelParams = (void **)words[8];
  p->extra = 0;
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                           const struct cudaKernelNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[9];
  __warplens_kernel_words(words, p);
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                 size_t count, const struct cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[19];
  __warplens_copy_words(words, p);
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                   size_t count, void *to, const void *from, size_t bytes,
                                                   enum cudaMemcpyKind kind) {
  unsigned int words[19];
  __warplens_linear_copy_words(words, to, from, bytes, kind);
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[19];
  __warplens_copy_words(words, p);
  return __warplens_set_node(node, 0, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                                         enum cudaMemcpyKind kind) {
  unsigned int words[19];
  if (!to || !from) return cudaErrorInvalidValue;
  __warplens_linear_copy_words(words, to, from, bytes, kind);
  return __warplens_set_node(node, 0, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int w[19];
  cudaError_t status = __warplens_get_node(node, cudaGraphNodeTypeMemcpy, w);
  if (status != cudaSuccess) return status;
  __builtin_memset(p, 0, sizeof *p);
  p->dstArray = (cudaArray_t)w[0];
  p->dstPos.x = w[1], p->dstPos.y = w[2], p->dstPos.z = w[3];
  p->dstPtr.ptr = (void *)w[4], p->dstPtr.pitch = w[5], p->dstPtr.ysize = w[6];
  p->srcArray = (cudaArray_t)w[7];
  p->srcPos.x = w[8], p->srcPos.y = w[9], p->srcPos.z = w[10];
  p->srcPtr.ptr = (void *)w[11], p->srcPtr.pitch = w[12], p->srcPtr.ysize = w[13];
  p->extent.width = w[14], p->extent.height = w[15], p->extent.depth = w[16];
  p->kind = (enum cudaMemcpyKind)w[17];
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                           const struct cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[19];
  __warplens_copy_words(words, p);
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t instance, cudaGraphNode_t node, void *to,
                                                             const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  unsigned int words[19];
  __warplens_linear_copy_words(words, to, from, bytes, kind);
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                 size_t count, const struct cudaMemsetParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[6];
  __warplens_memset_words(words, p);
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemset, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[6];
  __warplens_memset_words(words, p);
  return __warplens_set_node(node, 0, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[6];
  cudaError_t status = __warplens_get_node(node, cudaGraphNodeTypeMemset, words);
  if (status != cudaSuccess) return status;
  p->dst = (void *)words[0], p->elementSize = words[1], p->height = words[2];
  p->pitch = words[3], p->value = words[4], p->width = words[5];
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                           const struct cudaMemsetParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[6];
  __warplens_memset_words(words, p);
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                               size_t count, const struct cudaHostNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[2] = {(unsigned int)p->fn, (unsigned int)p->userData};
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeHost, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[2] = {(unsigned int)p->fn, (unsigned int)p->userData};
  return __warplens_set_node(node, 0, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[2];
  cudaError_t status = __warplens_get_node(node, cudaGraphNodeTypeHost, words);
  if (status != cudaSuccess) return status;
  p->fn = (cudaHostFn_t)words[0], p->userData = (void *)words[1];
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                         const struct cudaHostNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[2] = {(unsigned int)p->fn, (unsigned int)p->userData};
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                size_t count) {
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeEmpty, 0);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                     size_t count, cudaGraph_t child) {
  unsigned int words[1] = {(unsigned int)child};
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeGraph, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraph_t child) {
  unsigned int words[1] = {(unsigned int)child};
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child) {
  return child ? __warplens_get_node(node, cudaGraphNodeTypeGraph, child) : cudaErrorInvalidValue;
}
/* Nodes that record an event, and that wait for one. */
#define __WARPLENS_EVENT_NODE(Name, type)                                                                                  \
  __WARPLENS_CALL__ cudaError_t cudaGraphAdd##Name##Node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, \
                                                     size_t count, cudaEvent_t event) {                                    \
    unsigned int words[1] = {(unsigned int)event};                                                                         \
    return __warplens_add_node(node, graph, after, count, type, words);                                                    \
  }                                                                                                                        \
  __WARPLENS_CALL__ cudaError_t cudaGraph##Name##NodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {                      \
    return __warplens_get_node(node, type, event);                                                                         \
  }                                                                                                                        \
  __WARPLENS_CALL__ cudaError_t cudaGraph##Name##NodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {                       \
    unsigned int words[1] = {(unsigned int)event};                                                                         \
    return __warplens_set_node(node, 0, words);                                                                            \
  }                                                                                                                        \
  __WARPLENS_CALL__ cudaError_t cudaGraphExec##Name##NodeSetEvent(cudaGraphExec_t instance, cudaGraphNode_t node,              \
                                                              cudaEvent_t event) {                                         \
    unsigned int words[1] = {(unsigned int)event};                                                                         \
    return __warplens_set_node(node, instance, words);                                                                     \
  }
__WARPLENS_EVENT_NODE(EventRecord, cudaGraphNodeTypeEventRecord)
__WARPLENS_EVENT_NODE(EventWait, cudaGraphNodeTypeWaitEvent)
#undef __WARPLENS_EVENT_NODE
__WARPLENS_CALL__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph,
                                               unsigned long long flags __WARPLENS_DEFAULT(0)) {
  return cudaGraphInstantiateWithFlags(instance, graph, flags);
}
/* What cannot be instantiated is told by the status alone: no node is named. */
typedef enum cudaGraphInstantiateResult {
  cudaGraphInstantiateSuccess = 0,
  cudaGraphInstantiateError = 1,
  cudaGraphInstantiateInvalidStructure = 2,
  cudaGraphInstantiateNodeOperationNotSupported = 3,
  cudaGraphInstantiateMultipleDevicesNotSupported = 4,
  cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;
typedef struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
__WARPLENS_CALL__ cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *instance, cudaGraph_t graph,
                                                         cudaGraphInstantiateParams *params) {
  if (!params) return cudaErrorInvalidValue;
  cudaError_t status = cudaGraphInstantiateWithFlags(instance, graph, params->flags);
  params->errNode_out = 0;
  params->result_out = status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  if (status != cudaSuccess || !(params->flags & cudaGraphInstantiateFlagUpload)) return status;
  return cudaGraphUpload(*instance, params->uploadStream);
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo *info) {
  unsigned int result = 0;
  cudaError_t status = __warplens_update_graph(instance, graph, &result);
  if (!info) return status;
  info->result = (enum cudaGraphExecUpdateResult)result;
  info->errorNode = info->errorFromNode = 0;
  return status;
}
#if defined(__cplusplus)
/* The forms of CUDA 11. */
__WARPLENS_CALL__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph, cudaGraphNode_t *errorNode,
                                               char *log, size_t bytes) {
  if (errorNode) *errorNode = 0;
  if (log && bytes > 0) *log = 0;
  return cudaGraphInstantiateWithFlags(instance, graph, 0);
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphNode_t *errorNode,
                                              enum cudaGraphExecUpdateResult *result) {
  *errorNode = 0;
  return __warplens_update_graph(instance, graph, (unsigned int *)result);
}
#endif

/* Copies to and from a symbol: C takes the address of its variable, C++ the variable as well. */
__WARPLENS_CALL__ char *__warplens_symbol(const void *symbol) {
  void *address = 0;
  return cudaGetSymbolAddress(&address, symbol) == cudaSuccess ? (char *)address : 0;
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                         const cudaGraphNode_t *after, size_t count, const void *symbol,
                                                         const void *from, size_t bytes, size_t offset,
                                                         enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphAddMemcpyNode1D(node, graph, after, count, address + offset, from, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                           const cudaGraphNode_t *after, size_t count, void *to,
                                                           const void *symbol, size_t bytes, size_t offset,
                                                           enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphAddMemcpyNode1D(node, graph, after, count, to, address + offset, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                               const void *from, size_t bytes, size_t offset,
                                                               enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphMemcpyNodeSetParams1D(node, address + offset, from, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol,
                                                                 size_t bytes, size_t offset,
                                                                 enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphMemcpyNodeSetParams1D(node, to, address + offset, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                                   const void *symbol, const void *from, size_t bytes,
                                                                   size_t offset, enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphExecMemcpyNodeSetParams1D(instance, node, address + offset, from, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                                     void *to, const void *symbol, size_t bytes,
                                                                     size_t offset, enum cudaMemcpyKind kind) {
  char *address = __warplens_symbol(symbol);
  return address ? cudaGraphExecMemcpyNodeSetParams1D(instance, node, to, address + offset, bytes, kind)
                 : cudaErrorInvalidSymbol;
}
#if defined(__cplusplus)
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                         const cudaGraphNode_t *after, size_t count, const T &symbol,
                                                         const void *from, size_t bytes, size_t offset,
                                                         enum cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(node, graph, after, count, (const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                           const cudaGraphNode_t *after, size_t count, void *to,
                                                           const T &symbol, size_t bytes, size_t offset,
                                                           enum cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol, const void *from,
                                                               size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const T &symbol,
                                                                 size_t bytes, size_t offset,
                                                                 enum cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                                   const T &symbol, const void *from, size_t bytes,
                                                                   size_t offset, enum cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsToSymbol(instance, node, (const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                                     void *to, const T &symbol, size_t bytes,
                                                                     size_t offset, enum cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsFromSymbol(instance, node, to, (const void *)&symbol, bytes, offset, kind);
}
#endif

__WARPLENS_WIDE_SIZES(cudaError_t, cudaGraphGetNodes)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaGraphGetRootNodes)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaGraphGetEdges)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaGraphNodeGetDependencies)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaGraphNodeGetDependentNodes)
#endif
