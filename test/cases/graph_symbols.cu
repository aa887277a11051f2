// Graph copies to and from symbols, by variable and by address; dependencies that are there, or are not, or fill a longer list.
// levels: nightly
// stdout: 7 8
// stdout: 9 9
// stdout: errors 1 1 1
// stdout: list 1 1 0
#include <cstdio>

__device__ int counter = 7;

__global__ void increment() { counter++; }

int main() {
  int before = 0, after = 0, nine = 9;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, kernel, last;
  cudaGraphAddMemcpyNodeFromSymbol(&first, graph, nullptr, 0, &before, counter, sizeof(int), 0, cudaMemcpyDeviceToHost);
  cudaKernelNodeParams launch = {};
  launch.func = (void *)increment;
  launch.gridDim = launch.blockDim = dim3(1);
  cudaGraphAddKernelNode(&kernel, graph, &first, 1, &launch);
  cudaGraphAddMemcpyNodeFromSymbol(&last, graph, &kernel, 1, &after, (const void *)&counter, sizeof(int), 0, cudaMemcpyDeviceToHost);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf("%d %d\n", before, after);

  cudaGraphMemcpyNodeSetParamsToSymbol(first, counter, &nine, sizeof(int), 0, cudaMemcpyHostToDevice);
  cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, last, (const void *)&counter, &nine, sizeof(int), 0, cudaMemcpyHostToDevice);
  cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, first, &before, counter, sizeof(int), 0, cudaMemcpyDeviceToHost);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&after, counter, sizeof(int));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf("%d %d\n", before, after);

  printf("errors %d %d %d\n", cudaGraphAddDependencies(graph, &first, &kernel, 1), cudaGraphRemoveDependencies(graph, &first, &last, 1),
         cudaGraphNodeGetDependencies(last, nullptr, nullptr));
  cudaGraphNode_t list[2] = {last, last};
  size_t count = 2;
  cudaGraphNodeGetDependencies(last, list, &count);
  printf("list %d %d %d\n", (int)count, list[0] == kernel, list[1] != nullptr);
  return 0;
}
