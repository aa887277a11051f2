// What graph nodes were made of, asked for and changed: kernels that were captured and added, copies, fills, host functions; clones.
// levels: nightly
// stdout: captured kernel: same function 1, grid 2 1 1, block 3 1 1, shared 16, x 1, n 5
// stdout: captured 30
// stdout: changed 700
// stdout: fill 1 of 4 bytes, copy of 4 bytes of kind 1, host data 1
// stdout: set 42
// stdout: the clone's node 1, another graph's: invalid argument
// stdout: a kernel asked for its fill: invalid argument
#include <cstdio>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

__global__ void add(int *x, int n) { atomicAdd(x, n); }
static void onHost(void *data) { ++*(int *)data; }
static int read(int *x) {
  int v = -1;
  cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost);
  return v;
}
int main() {
  int *x;
  CHECK(cudaMalloc(&x, 4));
  CHECK(cudaMemset(x, 0, 4));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<2, 3, 16, stream>>>(x, 5);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  cudaKernelNodeParams p = {};
  CHECK(cudaGraphKernelNodeGetParams(node, &p));
  printf("captured kernel: same function %d, grid %d %d %d, block %d %d %d, shared %d, x %d, n %d\n", p.func == (void *)add,
         p.gridDim.x, p.gridDim.y, p.gridDim.z, p.blockDim.x, p.blockDim.y, p.blockDim.z, p.sharedMemBytes,
         *(int **)p.kernelParams[0] == x, *(int *)p.kernelParams[1]);
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK(cudaGraphLaunch(instance, stream));
  printf("captured %d\n", read(x));
  CHECK(cudaMemset(x, 0, 4));
  int n = 700;
  p.kernelParams[1] = &n;
  p.gridDim = p.blockDim = dim3(1);
  CHECK(cudaGraphKernelNodeSetParams(node, &p));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(instance, graph, &info));
  CHECK(cudaGraphLaunch(instance, stream));
  printf("changed %d\n", read(x));

  cudaGraph_t made;
  CHECK(cudaGraphCreate(&made, 0));
  cudaGraphNode_t set, copy, host;
  cudaMemsetParams fill = {x, 0, 1, 4, 1, 1}, fillBack;
  int source = 2, calls = 0;
  cudaHostNodeParams callback = {onHost, &calls}, callbackBack;
  CHECK(cudaGraphAddMemcpyNode1D(&copy, made, nullptr, 0, x, &source, 4, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemsetNode(&set, made, &copy, 1, &fill));
  CHECK(cudaGraphAddHostNode(&host, made, &set, 1, &callback));
  cudaMemcpy3DParms copyBack;
  CHECK(cudaGraphMemsetNodeGetParams(set, &fillBack));
  CHECK(cudaGraphMemcpyNodeGetParams(copy, &copyBack));
  CHECK(cudaGraphHostNodeGetParams(host, &callbackBack));
  printf("fill %d of %d bytes, copy of %d bytes of kind %d, host data %d\n", fillBack.value, fillBack.elementSize,
         (int)copyBack.extent.width, copyBack.kind, callbackBack.fn == onHost && callbackBack.userData == &calls);
  fillBack.value = 42;
  CHECK(cudaGraphMemsetNodeSetParams(set, &fillBack));
  CHECK(cudaGraphMemcpyNodeSetParams1D(copy, x, &n, 4, cudaMemcpyHostToDevice));
  CHECK(cudaGraphHostNodeSetParams(host, &callbackBack));
  cudaGraphExec_t second;
  CHECK(cudaGraphInstantiate(&second, made, 0));
  CHECK(cudaGraphLaunch(second, stream));
  printf("set %d\n", read(x));
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, made));
  cudaGraphNode_t found;
  CHECK(cudaGraphNodeFindInClone(&found, set, clone));
  CHECK(cudaGraphMemsetNodeGetParams(found, &fill));
  printf("the clone's node %d, another graph's: %s\n", found != set && fill.value == 42,
         cudaGetErrorString(cudaGraphNodeFindInClone(&found, node, clone)));
  printf("a kernel asked for its fill: %s\n", cudaGetErrorString(cudaGraphMemsetNodeGetParams(node, &fill)));
  return 0;
}
