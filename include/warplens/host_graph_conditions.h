/* Conditional graph nodes, nodes of any type by one structure, and captures that begin or go on at given nodes. A handle is the
   address of a word in device memory, which kernels set. The structure's union has the members that programs use. */
#ifndef WARPLENS_HOST_GRAPH_CONDITIONS_H
#define WARPLENS_HOST_GRAPH_CONDITIONS_H

typedef unsigned long long cudaGraphConditionalHandle;
typedef enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf = 0,
  cudaGraphCondTypeWhile = 1,
  cudaGraphCondTypeSwitch = 2
} cudaGraphConditionalNodeType;
#define cudaGraphCondAssignDefault 1
enum { cudaStreamAddCaptureDependencies = 0, cudaStreamSetCaptureDependencies = 1 };
typedef enum cudaGraphDependencyType_enum { cudaGraphDependencyTypeDefault = 0, cudaGraphDependencyTypeProgrammatic = 1 } cudaGraphDependencyType;
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2
typedef struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
typedef struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  enum cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t *phGraph_out;
} cudaConditionalNodeParams;
typedef struct cudaKernelNodeParamsV2 {
  void *func;
  struct dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
} cudaKernelNodeParamsV2;
typedef struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  struct cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;
typedef struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
} cudaChildGraphNodeParams;
typedef struct cudaMemFreeNodeParams {
  void *dptr;
} cudaMemFreeNodeParams;
typedef struct cudaEventRecordNodeParams {
  cudaEvent_t event;
} cudaEventRecordNodeParams;
typedef struct cudaEventWaitNodeParams {
  cudaEvent_t event;
} cudaEventWaitNodeParams;
typedef struct cudaGraphNodeParams {
  enum cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct cudaKernelNodeParamsV2 kernel;
    struct cudaMemcpyNodeParams memcpy;
    struct cudaMemsetParams memset;
    struct cudaHostNodeParams host;
    struct cudaChildGraphNodeParams graph;
    struct cudaMemAllocNodeParams alloc;
    struct cudaMemFreeNodeParams free;
    struct cudaEventRecordNodeParams eventRecord;
    struct cudaEventWaitNodeParams eventWait;
    struct cudaConditionalNodeParams conditional;
  };
  long long reserved2;
} cudaGraphNodeParams;

#if defined(__cplusplus)
extern "C" {
#endif
/* `value` is the word's at each launch when `flags` say so. */
cudaError_t __warplens_create_condition(unsigned int *address, cudaGraph_t graph, unsigned int value, unsigned int flags);
/* Null: not asked for. The list lives until the next call. */
cudaError_t __warplens_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                    cudaGraph_t *graph, const cudaGraphNode_t **after, size_t *count);
cudaError_t __warplens_capture_after(cudaStream_t stream, const cudaGraphNode_t *after, size_t count, unsigned int flags);
cudaError_t __warplens_capture_to_graph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                                           unsigned int value __WARPLENS_DEFAULT(0),
                                                           unsigned int flags __WARPLENS_DEFAULT(0)) {
  unsigned int address = 0;
  cudaError_t status = __warplens_create_condition(&address, graph, value, flags);
  *handle = address;
  return status;
}
__WARPLENS_CALL__ cudaError_t __warplens_add_any_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                  size_t count, struct cudaGraphNodeParams *p) {
  unsigned int words[19];
  if (!p) return cudaErrorInvalidValue;
  switch (p->type) {
  case cudaGraphNodeTypeKernel:
    return cudaGraphAddKernelNode(node, graph, after, count, (const struct cudaKernelNodeParams *)&p->kernel);
  case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(node, graph, after, count, &p->memcpy.copyParams);
  case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, graph, after, count, &p->memset);
  case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, after, count, &p->host);
  case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(node, graph, after, count, p->graph.graph);
  case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, count);
  case cudaGraphNodeTypeMemAlloc: return cudaGraphAddMemAllocNode(node, graph, after, count, &p->alloc);
  case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, graph, after, count, p->free.dptr);
  case cudaGraphNodeTypeEventRecord: return cudaGraphAddEventRecordNode(node, graph, after, count, p->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent: return cudaGraphAddEventWaitNode(node, graph, after, count, p->eventWait.event);
  case cudaGraphNodeTypeConditional:
    words[0] = (unsigned int)p->conditional.handle;
    words[1] = p->conditional.type;
    words[2] = p->conditional.size;
    words[3] = (unsigned int)&p->conditional.phGraph_out;
    return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeConditional, words);
  default: return cudaErrorInvalidValue;
  }
}
/* instance 0: the graph's own node. */
__WARPLENS_CALL__ cudaError_t __warplens_set_any_node(cudaGraphNode_t node, cudaGraphExec_t instance, struct cudaGraphNodeParams *p) {
  unsigned int words[19];
  enum cudaGraphNodeType type;
  cudaError_t status = p ? cudaGraphNodeGetType(node, &type) : cudaErrorInvalidValue;
  if (status != cudaSuccess) return status;
  if (p->type != type) return cudaErrorInvalidValue;
  switch (type) {
  case cudaGraphNodeTypeKernel: __warplens_kernel_words(words, (const struct cudaKernelNodeParams *)&p->kernel); break;
  case cudaGraphNodeTypeMemcpy: __warplens_copy_words(words, &p->memcpy.copyParams); break;
  case cudaGraphNodeTypeMemset: __warplens_memset_words(words, &p->memset); break;
  case cudaGraphNodeTypeHost: words[0] = (unsigned int)p->host.fn, words[1] = (unsigned int)p->host.userData; break;
  case cudaGraphNodeTypeGraph: words[0] = (unsigned int)p->graph.graph; break;
  case cudaGraphNodeTypeEventRecord: words[0] = (unsigned int)p->eventRecord.event; break;
  case cudaGraphNodeTypeWaitEvent: words[0] = (unsigned int)p->eventWait.event; break;
  default: return cudaErrorNotSupported;
  }
  return __warplens_set_node(node, instance, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p) {
  return __warplens_set_any_node(node, 0, p);
}
__WARPLENS_CALL__ cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                     struct cudaGraphNodeParams *p) {
  return __warplens_set_any_node(node, instance, p);
}

#if defined(__cplusplus)
/* CUDA 12's forms, and those with edge data of CUDA 12.3 and 13. Data of edges that say more than "after" are refused. */
__WARPLENS_CALL__ bool __warplens_plain_edges(const cudaGraphEdgeData *data, size_t count) {
  for (size_t i = 0; data && i < count; i++)
    if (data[i].from_port || data[i].to_port || data[i].type) return false;
  return true;
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                           struct cudaGraphNodeParams *p) {
  return __warplens_add_any_node(node, graph, after, count, p);
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                           const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *p) {
  return __warplens_plain_edges(edges, count) ? __warplens_add_any_node(node, graph, after, count, p) : cudaErrorNotSupported;
}
__WARPLENS_CALL__ cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id = 0, cudaGraph_t *graph = 0,
                                                   const cudaGraphNode_t **after = 0, size_t *count = 0) {
  return __warplens_capture_info(stream, status, id, graph, after, count);
}
__WARPLENS_CALL__ cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **after,
                                                   const cudaGraphEdgeData **edges, size_t *count) {
  if (edges) *edges = 0;
  return __warplens_capture_info(stream, status, id, graph, after, count);
}
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
__WARPLENS_CALL__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after, size_t count,
                                                              unsigned int flags = 0) {
  return __warplens_capture_after(stream, after, count, flags);
}
__WARPLENS_CALL__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                              const cudaGraphEdgeData *edges, size_t count,
                                                              unsigned int flags) {
  return __warplens_plain_edges(edges, count) ? __warplens_capture_after(stream, after, count, flags) : cudaErrorNotSupported;
}
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies
__WARPLENS_CALL__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *edges, size_t count) {
  return __warplens_plain_edges(edges, count) ? cudaGraphAddDependencies(graph, from, to, count) : cudaErrorNotSupported;
}
__WARPLENS_CALL__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                                      const cudaGraphEdgeData *edges, size_t count) {
  return __warplens_plain_edges(edges, count) ? cudaGraphRemoveDependencies(graph, from, to, count) : cudaErrorNotSupported;
}
/* All edges here are plain ones. `count` is how many there is room for, then how many there are. */
__WARPLENS_CALL__ void __warplens_clear_edges(cudaGraphEdgeData *edges, size_t room, size_t count) {
  for (size_t i = 0; edges && i < room && i < count; i++) edges[i] = cudaGraphEdgeData{};
}
__WARPLENS_CALL__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            cudaGraphEdgeData *edges, size_t *count) {
  size_t room = *count;
  cudaError_t status = cudaGraphGetEdges(graph, from, to, count);
  if (status == cudaSuccess) __warplens_clear_edges(edges, room, *count);
  return status;
}
__WARPLENS_CALL__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
                                                       size_t *count) {
  size_t room = *count;
  cudaError_t status = cudaGraphNodeGetDependencies(node, nodes, count);
  if (status == cudaSuccess) __warplens_clear_edges(edges, room, *count);
  return status;
}
__WARPLENS_CALL__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                         cudaGraphEdgeData *edges, size_t *count) {
  size_t room = *count;
  cudaError_t status = cudaGraphNodeGetDependentNodes(node, nodes, count);
  if (status == cudaSuccess) __warplens_clear_edges(edges, room, *count);
  return status;
}
#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#endif
__WARPLENS_CALL__ cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                        const struct cudaGraphEdgeData *edges, size_t count,
                                                        enum cudaStreamCaptureMode mode) {
  (void)edges, (void)mode;
  return __warplens_capture_to_graph(stream, graph, after, count);
}

#if defined(__CUDA__) && defined(__cplusplus)
__WARPLENS_CALL__ __attribute__((device)) void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)(unsigned int)handle = value;
}
#endif

#endif
