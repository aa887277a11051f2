// Dependencies of graph nodes, asked for and changed, in the forms of CUDA 12 and of CUDA 13 (with edge data).
// levels: nightly
// stdout: 2 edges, first plain 1
// stdout: last waits for 1, first is waited for by 2
// stdout: 3 edges, last waits for 2
// stdout: 2 edges
// stdout: 121
// stdout: operation not supported
#include <cstdio>

__global__ void add(int *x, int n) { *x += n; }
__global__ void scale(int *x, int n) { *x *= n; }

static cudaGraphNode_t addNode(cudaGraph_t graph, void (*kernel)(int *, int), int *x, int n) {
  void *arguments[] = {&x, &n};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)kernel;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  return node;
}

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof *x);
  *x = 1;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first = addNode(graph, scale, x, 11), second = addNode(graph, add, x, 0), last = addNode(graph, scale, x, 11);
  cudaGraphAddDependencies(graph, &first, &second, 1);
  cudaGraphAddDependencies(graph, &first, &last, nullptr, 1);
  cudaGraphNode_t from[4], to[4], others[4];
  cudaGraphEdgeData edges[4] = {{1, 2, 3}};
  size_t count = 4, before = 4, after = 4;
  cudaGraphGetEdges(graph, from, to, edges, &count);
  printf("%d edges, first plain %d\n", (int)count, from[0] == first && edges[0].from_port + edges[0].type == 0);
  cudaGraphNodeGetDependencies(last, others, &before);
  cudaGraphNodeGetDependentNodes(first, nullptr, nullptr, &after);
  printf("last waits for %d, first is waited for by %d\n", (int)before, (int)after);
  cudaGraphAddDependencies(graph, &second, &last, edges, 1);
  cudaGraphGetEdges(graph, nullptr, nullptr, &count);
  cudaGraphNodeGetDependencies(last, others, nullptr, &before);
  printf("%d edges, last waits for %d\n", (int)count, (int)before);
  cudaGraphRemoveDependencies(graph, &first, &last, nullptr, 1);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  printf("%d edges\n", (int)count);
  cudaGraphExec_t instance;
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphLaunch(instance, 0);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
  edges[0].type = 1;
  printf("%s\n", cudaGetErrorString(cudaGraphAddDependencies(graph, &first, &last, edges, 1)));
}
