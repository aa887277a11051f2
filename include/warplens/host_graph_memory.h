/* Graph nodes that allocate and free (src/runtime/graphs/graphMemory.ts). */
#ifndef WARPLENS_HOST_GRAPH_MEMORY_H
#define WARPLENS_HOST_GRAPH_MEMORY_H

typedef struct cudaMemAllocNodeParams {
  struct cudaMemPoolProps poolProps;
  const struct cudaMemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void *dptr;
} cudaMemAllocNodeParams;
typedef enum cudaGraphMemAttributeType {
  cudaGraphMemAttrUsedMemCurrent = 0,
  cudaGraphMemAttrUsedMemHigh = 1,
  cudaGraphMemAttrReservedMemCurrent = 2,
  cudaGraphMemAttrReservedMemHigh = 3
} cudaGraphMemAttributeType;

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceGraphMemTrim(int device);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                   size_t count, struct cudaMemAllocNodeParams *p) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[2] = {(unsigned int)p->bytesize, (unsigned int)&p->dptr};
  if (p->poolProps.location.id != 0) return cudaErrorInvalidDevice;
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemAlloc, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p) {
  unsigned int words[2];
  cudaError_t status = p ? __warplens_get_node(node, cudaGraphNodeTypeMemAlloc, words) : cudaErrorInvalidValue;
  if (status != cudaSuccess) return status;
  __builtin_memset(p, 0, sizeof *p);
  p->poolProps.allocType = cudaMemAllocationTypePinned;
  p->poolProps.location.type = cudaMemLocationTypeDevice;
  p->bytesize = words[0];
  p->dptr = (void *)words[1];
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                  size_t count, void *address) {
  unsigned int words[1] = {(unsigned int)address};
  return __warplens_add_node(node, graph, after, count, cudaGraphNodeTypeMemFree, words);
}
__WARPLENS_CALL__ cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address) {
  return __warplens_get_node(node, cudaGraphNodeTypeMemFree, address);
}

#endif
