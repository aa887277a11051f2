/* The driver API's graphs and captures, over the runtime API's (warplens/host_graphs.h): handles and kinds of nodes are the same.
   Source: CUDA Driver API, "Graph Management", "Stream Management". */
#ifndef WARPLENS_DRIVER_GRAPHS_H
#define WARPLENS_DRIVER_GRAPHS_H

#include <warplens/driver_arrays.h>
#include <warplens/driver_modules.h>
#include <warplens/driver_pools.h>

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuserObject_st *CUuserObject;
typedef enum CUgraphNodeType_enum {
  CU_GRAPH_NODE_TYPE_KERNEL = 0,
  CU_GRAPH_NODE_TYPE_MEMCPY = 1,
  CU_GRAPH_NODE_TYPE_MEMSET = 2,
  CU_GRAPH_NODE_TYPE_HOST = 3,
  CU_GRAPH_NODE_TYPE_GRAPH = 4,
  CU_GRAPH_NODE_TYPE_EMPTY = 5,
  CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
  CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
  CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
  CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
  CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
} CUgraphNodeType;
typedef enum CUstreamCaptureMode_enum {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;
enum { CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1 };
typedef enum CUgraphExecUpdateResult_enum {
  CU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
  CU_GRAPH_EXEC_UPDATE_ERROR = 1,
  CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
  CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
  CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
  CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
  CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6
} CUgraphExecUpdateResult;
typedef enum CUgraphInstantiate_flags_enum {
  CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
  CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
  CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} CUgraphInstantiate_flags;
typedef enum CUgraphMem_attribute_enum {
  CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0,
  CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3
} CUgraphMem_attribute;
#define CU_GRAPH_USER_OBJECT_MOVE 1
#define CU_USER_OBJECT_NO_DESTRUCTOR_SYNC 1

typedef struct CUDA_KERNEL_NODE_PARAMS_st {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
  CUkernel kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v2;
typedef struct CUDA_MEMSET_NODE_PARAMS_st {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct CUDA_HOST_NODE_PARAMS_st {
  CUhostFn fn;
  void *userData;
} CUDA_HOST_NODE_PARAMS;
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_st {
  CUmemPoolProps poolProps;
  const CUmemAccessDesc *accessDescs;
  size_t accessDescCount, bytesize;
  CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;
typedef struct CUgraphExecUpdateResultInfo_st {
  CUgraphExecUpdateResult result;
  CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult

/* The graph, its nodes and edges. */
__WARPLENS_DRIVER cuGraphCreate(CUgraph *graph, unsigned int flags) { return (CUresult)cudaGraphCreate(graph, flags); }
__WARPLENS_DRIVER cuGraphDestroy(CUgraph graph) { return (CUresult)cudaGraphDestroy(graph); }
__WARPLENS_DRIVER cuGraphClone(CUgraph *clone, CUgraph graph) { return (CUresult)cudaGraphClone(clone, graph); }
__WARPLENS_DRIVER cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  return (CUresult)cudaGraphNodeFindInClone(node, original, clone);
}
__WARPLENS_DRIVER cuGraphDestroyNode(CUgraphNode node) { return (CUresult)cudaGraphDestroyNode(node); }
__WARPLENS_DRIVER cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return (CUresult)cudaGraphAddDependencies(graph, from, to, count);
}
__WARPLENS_DRIVER cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return (CUresult)cudaGraphRemoveDependencies(graph, from, to, count);
}
__WARPLENS_DRIVER cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return (CUresult)cudaGraphGetNodes(graph, nodes, count);
}
__WARPLENS_DRIVER cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return (CUresult)cudaGraphGetRootNodes(graph, nodes, count);
}
__WARPLENS_DRIVER cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return (CUresult)cudaGraphGetEdges(graph, from, to, count);
}
__WARPLENS_DRIVER cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return (CUresult)cudaGraphNodeGetDependencies(node, nodes, count);
}
__WARPLENS_DRIVER cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return (CUresult)cudaGraphNodeGetDependentNodes(node, nodes, count);
}
__WARPLENS_DRIVER cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  return (CUresult)cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type);
}
__WARPLENS_DRIVER cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags) {
  return (CUresult)cudaGraphDebugDotPrint(graph, path, flags);
}

/* Nodes. instance 0: the graph's own. Arguments in a buffer are taken as cuLaunchKernel does. */
__WARPLENS_DRIVER __warplens_driver_kernel_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                                CUgraphExec instance, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const CUfunction function = p->func ? p->func : (CUfunction)p->kern;
  struct __warplens_arguments arguments = {CUDA_SUCCESS, p->kernelParams};
  if (p->extra && !p->kernelParams) arguments = __warplens_from_buffer(function, p->extra);
  if (arguments.result != CUDA_SUCCESS) return arguments.result;
  const unsigned int words[9] = {(unsigned int)(uintptr_t)function, p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY,
                                 p->blockDimZ, p->sharedMemBytes, (unsigned int)(uintptr_t)arguments.list};
  CUresult result = (CUresult)(graph ? __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeKernel, words)
                                     : __warplens_set_node(*node, instance, words));
  if (arguments.list != p->kernelParams) free(arguments.list);
  return (int)result == 98 ? CUDA_ERROR_INVALID_HANDLE : (int)result == 9 ? CUDA_ERROR_INVALID_VALUE : result;
}
__WARPLENS_DRIVER cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                       const CUDA_KERNEL_NODE_PARAMS *p) {
  return graph ? __warplens_driver_kernel_node(node, graph, after, count, 0, p) : CUDA_ERROR_INVALID_VALUE;
}
__WARPLENS_DRIVER cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  return __warplens_driver_kernel_node(&node, 0, 0, 0, 0, p);
}
__WARPLENS_DRIVER cuGraphExecKernelNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  return __warplens_driver_kernel_node(&node, 0, 0, 0, instance, p);
}
__WARPLENS_DRIVER cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p) {
  struct cudaKernelNodeParams known;
  CUresult result = p ? (CUresult)cudaGraphKernelNodeGetParams(node, &known) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return result;
  memset(p, 0, sizeof *p);
  p->func = (CUfunction)known.func;
  p->gridDimX = known.gridDim.x, p->gridDimY = known.gridDim.y, p->gridDimZ = known.gridDim.z;
  p->blockDimX = known.blockDim.x, p->blockDimY = known.blockDim.y, p->blockDimZ = known.blockDim.z;
  p->sharedMemBytes = known.sharedMemBytes, p->kernelParams = known.kernelParams;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                       const CUDA_MEMCPY3D *p, CUcontext context) {
  unsigned int words[19];
  (void)context;
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  __warplens_driver_copy_words(words, p);
  return (CUresult)__warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, words);
}
__WARPLENS_DRIVER cuGraphExecMemcpyNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMCPY3D *p, CUcontext context) {
  unsigned int words[19];
  (void)context;
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  __warplens_driver_copy_words(words, p);
  return (CUresult)__warplens_set_node(node, instance, words);
}
__WARPLENS_DRIVER cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p) {
  return cuGraphExecMemcpyNodeSetParams(0, node, p, 0);
}
__WARPLENS_CALL__ struct cudaMemsetParams __warplens_driver_memset(const CUDA_MEMSET_NODE_PARAMS *p) {
  struct cudaMemsetParams same = {(void *)p->dst, p->pitch, p->value, p->elementSize, p->width, p->height};
  return same;
}
__WARPLENS_DRIVER cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                       const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context) {
  (void)context;
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const struct cudaMemsetParams same = __warplens_driver_memset(p);
  return (CUresult)cudaGraphAddMemsetNode(node, graph, after, count, &same);
}
__WARPLENS_DRIVER cuGraphExecMemsetNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p,
                                                 CUcontext context) {
  (void)context;
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const struct cudaMemsetParams same = __warplens_driver_memset(p);
  return (CUresult)cudaGraphExecMemsetNodeSetParams(instance, node, &same);
}
__WARPLENS_DRIVER cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
  return cuGraphExecMemsetNodeSetParams(0, node, p, 0);
}
__WARPLENS_DRIVER cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p) {
  struct cudaMemsetParams known;
  CUresult result = p ? (CUresult)cudaGraphMemsetNodeGetParams(node, &known) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return result;
  p->dst = (CUdeviceptr)known.dst, p->pitch = known.pitch, p->value = known.value;
  p->elementSize = known.elementSize, p->width = known.width, p->height = known.height;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                     const CUDA_HOST_NODE_PARAMS *p) {
  return (CUresult)cudaGraphAddHostNode(node, graph, after, count, (const struct cudaHostNodeParams *)p);
}
__WARPLENS_DRIVER cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  return (CUresult)cudaGraphHostNodeSetParams(node, (const struct cudaHostNodeParams *)p);
}
__WARPLENS_DRIVER cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p) {
  return (CUresult)cudaGraphHostNodeGetParams(node, (struct cudaHostNodeParams *)p);
}
__WARPLENS_DRIVER cuGraphExecHostNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  return (CUresult)cudaGraphExecHostNodeSetParams(instance, node, (const struct cudaHostNodeParams *)p);
}
__WARPLENS_DRIVER cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count) {
  return (CUresult)cudaGraphAddEmptyNode(node, graph, after, count);
}
__WARPLENS_DRIVER cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, CUgraph child) {
  return (CUresult)cudaGraphAddChildGraphNode(node, graph, after, count, child);
}
__WARPLENS_DRIVER cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child) {
  return (CUresult)cudaGraphChildGraphNodeGetGraph(node, child);
}
__WARPLENS_DRIVER cuGraphExecChildGraphNodeSetParams(CUgraphExec instance, CUgraphNode node, CUgraph child) {
  return (CUresult)cudaGraphExecChildGraphNodeSetParams(instance, node, child);
}
#define __WARPLENS_EVENT_NODE(Name)                                                                                                        \
  __WARPLENS_DRIVER cuGraphAdd##Name##Node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, CUevent event) {      \
    return (CUresult)cudaGraphAdd##Name##Node(node, graph, after, count, event);                                                           \
  }                                                                                                                                        \
  __WARPLENS_DRIVER cuGraph##Name##NodeGetEvent(CUgraphNode node, CUevent *event) {                                                        \
    return (CUresult)cudaGraph##Name##NodeGetEvent(node, event);                                                                           \
  }                                                                                                                                        \
  __WARPLENS_DRIVER cuGraph##Name##NodeSetEvent(CUgraphNode node, CUevent event) {                                                         \
    return (CUresult)cudaGraph##Name##NodeSetEvent(node, event);                                                                           \
  }                                                                                                                                        \
  __WARPLENS_DRIVER cuGraphExec##Name##NodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event) {                               \
    return (CUresult)cudaGraphExec##Name##NodeSetEvent(instance, node, event);                                                             \
  }
__WARPLENS_EVENT_NODE(EventRecord)
__WARPLENS_EVENT_NODE(EventWait)
#undef __WARPLENS_EVENT_NODE
__WARPLENS_DRIVER cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                         CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  if (p->poolProps.location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  const unsigned int words[2] = {(unsigned int)p->bytesize, (unsigned int)(uintptr_t)&p->dptr};
  return (CUresult)__warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemAlloc, words);
}
__WARPLENS_DRIVER cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, CUdeviceptr address) {
  return (CUresult)cudaGraphAddMemFreeNode(node, graph, after, count, (void *)address);
}
__WARPLENS_DRIVER cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
  return (CUresult)cudaGraphMemFreeNodeGetParams(node, address);
}
__WARPLENS_DRIVER cuDeviceGraphMemTrim(CUdevice device) { return (CUresult)cudaDeviceGraphMemTrim(device); }
__WARPLENS_DRIVER cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return (CUresult)cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, value);
}
__WARPLENS_DRIVER cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return (CUresult)cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, value);
}

/* Instances. */
__WARPLENS_DRIVER cuGraphInstantiateWithFlags(CUgraphExec *instance, CUgraph graph, unsigned long long flags) {
  return (CUresult)cudaGraphInstantiateWithFlags(instance, graph, flags);
}
__WARPLENS_DRIVER cuGraphInstantiate(CUgraphExec *instance, CUgraph graph, unsigned long long flags) {
  return cuGraphInstantiateWithFlags(instance, graph, flags);
}
__WARPLENS_DRIVER cuGraphInstantiate_v2(CUgraphExec *instance, CUgraph graph, CUgraphNode *errorNode, char *log, size_t bytes) {
  if (errorNode) *errorNode = 0;
  if (log && bytes > 0) *log = 0;
  return cuGraphInstantiateWithFlags(instance, graph, 0);
}
__WARPLENS_DRIVER cuGraphUpload(CUgraphExec instance, CUstream stream) { return (CUresult)cudaGraphUpload(instance, stream); }
__WARPLENS_DRIVER cuGraphLaunch(CUgraphExec instance, CUstream stream) { return (CUresult)cudaGraphLaunch(instance, stream); }
__WARPLENS_DRIVER cuGraphExecDestroy(CUgraphExec instance) { return (CUresult)cudaGraphExecDestroy(instance); }
__WARPLENS_DRIVER cuGraphNodeSetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int isEnabled) {
  return (CUresult)cudaGraphNodeSetEnabled(instance, node, isEnabled);
}
__WARPLENS_DRIVER cuGraphNodeGetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int *isEnabled) {
  return (CUresult)cudaGraphNodeGetEnabled(instance, node, isEnabled);
}
__WARPLENS_DRIVER cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  return (CUresult)cudaGraphExecUpdate(instance, graph, (cudaGraphExecUpdateResultInfo *)info);
}
#define cuGraphExecUpdate_v2 cuGraphExecUpdate
#if defined(__cplusplus)
/* The forms of CUDA 11. */
__WARPLENS_DRIVER cuGraphInstantiate(CUgraphExec *instance, CUgraph graph, CUgraphNode *errorNode, char *log, size_t bytes) {
  return cuGraphInstantiate_v2(instance, graph, errorNode, log, bytes);
}
__WARPLENS_DRIVER cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphNode *errorNode, CUgraphExecUpdateResult *result) {
  CUgraphExecUpdateResultInfo info;
  CUresult status = cuGraphExecUpdate(instance, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return status;
}
#endif
__WARPLENS_DRIVER cuUserObjectCreate(CUuserObject *object, void *pointer, CUhostFn destroy, unsigned int count, unsigned int flags) {
  return (CUresult)cudaUserObjectCreate(object, pointer, destroy, count, flags);
}
__WARPLENS_DRIVER cuUserObjectRetain(CUuserObject object, unsigned int count) { return (CUresult)cudaUserObjectRetain(object, count); }
__WARPLENS_DRIVER cuUserObjectRelease(CUuserObject object, unsigned int count) { return (CUresult)cudaUserObjectRelease(object, count); }
__WARPLENS_DRIVER cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
  return (CUresult)cudaGraphRetainUserObject(graph, object, count, flags);
}
__WARPLENS_DRIVER cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  return (CUresult)cudaGraphReleaseUserObject(graph, object, count);
}

/* Captures. */
__WARPLENS_DRIVER cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return (CUresult)cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode);
}
#define cuStreamBeginCapture_v2 cuStreamBeginCapture
__WARPLENS_DRIVER cuStreamEndCapture(CUstream stream, CUgraph *graph) { return (CUresult)cudaStreamEndCapture(stream, graph); }
__WARPLENS_DRIVER cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  return (CUresult)cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status);
}
__WARPLENS_DRIVER cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return (CUresult)cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode);
}
/* Null: not asked for. */
__WARPLENS_DRIVER cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id, CUgraph *graph,
                                         const CUgraphNode **after, size_t *count) {
  return (CUresult)__warplens_capture_info(stream, (enum cudaStreamCaptureStatus *)status, id, graph, after, count);
}
#define cuStreamGetCaptureInfo_v2 cuStreamGetCaptureInfo
__WARPLENS_DRIVER cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *after, size_t count, unsigned int flags) {
  return (CUresult)__warplens_capture_after(stream, after, count, flags);
}

#undef __WARPLENS_DRIVER

__WARPLENS_WIDE_SIZES(CUresult, cuGraphGetNodes)
__WARPLENS_WIDE_SIZES(CUresult, cuGraphGetRootNodes)
__WARPLENS_WIDE_SIZES(CUresult, cuGraphGetEdges)
__WARPLENS_WIDE_SIZES(CUresult, cuGraphNodeGetDependencies)
__WARPLENS_WIDE_SIZES(CUresult, cuGraphNodeGetDependentNodes)
__WARPLENS_WIDE_SIZES(CUresult, cuStreamGetCaptureInfo)
#endif
