// Graphs are asked for what they were made of, and their nodes changed by the structure of any type; a structure that is not
// there is the runtime's error.
// stdout: child: 1 nodes, a copy: 1, 7 before and 9 after
// stdout: allocation: 4096 bytes at its address: 1
// stdout: by the graph's node 21, by the instance's 31
// stdout: other kinds: invalid argument
// stdout: no structure: 1 1 1 1 1 1 1 1 1 1 1
// levels: nightly
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *out, int value) { *out += value; }

static cudaKernelNodeParams kernelNode(void **arguments) {
  cudaKernelNodeParams p = {};
  p.func = (void *)add;
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  return p;
}
static int runGraph(cudaGraph_t graph, int *out) {
  cudaGraphExec_t instance;
  int value;
  cudaMemset(out, 0, sizeof(int));
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphLaunch(instance, 0);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaGraphExecDestroy(instance);
  return value;
}

static void childGraphs(int *out) {
  cudaGraph_t child, parent, copy;
  cudaGraphNode_t node, childNode, inCopy;
  int value = 7;
  void *arguments[] = {&out, &value};
  cudaKernelNodeParams p = kernelNode(arguments);
  cudaGraphCreate(&child, 0);
  cudaGraphAddKernelNode(&node, child, nullptr, 0, &p);
  cudaGraphCreate(&parent, 0);
  cudaGraphAddChildGraphNode(&childNode, parent, nullptr, 0, child);
  cudaGraphChildGraphNodeGetGraph(childNode, &copy);
  size_t count = 0;
  cudaGraphGetNodes(copy, nullptr, &count);
  cudaGraphNodeFindInClone(&inCopy, node, copy);
  int before = runGraph(parent, out);
  value = 9;
  cudaGraphKernelNodeSetParams(inCopy, &p);
  printf("child: %d nodes, a copy: %d, %d before and %d after\n", (int)count, copy != child, before, runGraph(parent, out));
}

static void allocations() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaMemAllocNodeParams p = {}, read = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = 4096;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p);
  cudaGraphMemAllocNodeGetParams(node, &read);
  printf("allocation: %d bytes at its address: %d\n", (int)read.bytesize, read.dptr == p.dptr && p.dptr != nullptr);
}

static void anyNodes(int *out) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t instance;
  int value = 20, result;
  void *arguments[] = {&out, &value};
  cudaKernelNodeParams p = kernelNode(arguments);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = (void *)add;
  any.kernel.gridDim = any.kernel.blockDim = dim3(1);
  any.kernel.kernelParams = arguments;
  value = 21;
  cudaGraphNodeSetParams(node, &any);
  printf("by the graph's node %d, ", runGraph(graph, out));
  cudaGraphInstantiate(&instance, graph, 0);
  value = 31;
  cudaGraphExecNodeSetParams(instance, node, &any);
  cudaMemset(out, 0, sizeof(int));
  cudaGraphLaunch(instance, 0);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("by the instance's %d\n", result);
  any.type = cudaGraphNodeTypeHost;
  printf("other kinds: %s\n", cudaGetErrorString(cudaGraphNodeSetParams(node, &any)));
}

static void missingStructures() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaError_t errors[] = {cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr),
                          cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr),
                          cudaGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr),
                          cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr),
                          cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr),
                          cudaGraphMemsetNodeSetParams((cudaGraphNode_t)0xDEADBEEF, nullptr),
                          cudaGraphNodeSetParams(node, nullptr),
                          cudaMemcpy3D(nullptr),
                          cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)),
                          cudaFuncGetAttributes(nullptr, add),
                          cudaPointerGetAttributes(nullptr, graph)};
  printf("no structure:");
  for (cudaError_t error : errors) printf(" %d", error == cudaErrorInvalidValue);
  printf("\n");
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  childGraphs(out);
  allocations();
  anyNodes(out);
  missingStructures();
}
