// Graphs: capture of two streams, explicit nodes of every kind, replay, update, clone, parameters of an instance.
// levels: nightly
// stdout: before 0
// stdout: captured 3 nodes of 1 roots: 21
// stdout: replayed 63
// stdout: host node 1
// stdout: explicit 107
// stdout: changed 1007
// stdout: updated cudaSuccess cudaErrorGraphExecUpdateFailure 2
#include <cstdio>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)
__global__ void add(int *x, int n) { atomicAdd(x, n); }
__global__ void triple(int *x) { *x *= 3; }
static int calls = 0;
static void onHost(void *data) { printf("host node %d\n", ++*(int *)data); }
static int read(int *x) {
  int v = -1;
  cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost);
  return v;
}
int main() {
  int *x;
  CHECK(cudaMalloc(&x, 4));
  CHECK(cudaMemset(x, 0, 4));
  cudaStream_t a, b;
  cudaEvent_t forked, joined;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, a>>>(x, 5);
  CHECK(cudaEventRecord(forked, a));
  CHECK(cudaStreamWaitEvent(b, forked, 0));
  add<<<1, 2, 0, b>>>(x, 1);
  CHECK(cudaEventRecord(joined, b));
  CHECK(cudaStreamWaitEvent(a, joined, 0));
  triple<<<1, 1, 0, a>>>(x);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(a, &graph));
  printf("before %d\n", read(x));
  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphLaunch(instance, a));
  CHECK(cudaStreamSynchronize(a));
  printf("captured %d nodes of %d roots: %d\n", (int)nodes, (int)roots, read(x));
  CHECK(cudaMemset(x, 0, 4));
  add<<<1, 1>>>(x, 14);
  CHECK(cudaGraphLaunch(instance, b));
  CHECK(cudaDeviceSynchronize());
  printf("replayed %d\n", read(x));

  cudaGraph_t made;
  CHECK(cudaGraphCreate(&made, 0));
  cudaGraphNode_t set, copy, kernel, host, empty;
  cudaMemsetParams zero = {x, 0, 0, 4, 1, 1};
  CHECK(cudaGraphAddMemsetNode(&set, made, nullptr, 0, &zero));
  int seven = 7;
  CHECK(cudaGraphAddMemcpyNode1D(&copy, made, &set, 1, x, &seven, 4, cudaMemcpyHostToDevice));
  int amount = 100;
  void *arguments[] = {&x, &amount};
  cudaKernelNodeParams launch = {};
  launch.func = (void *)add;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, made, &copy, 1, &launch));
  cudaHostNodeParams callback = {onHost, &calls};
  CHECK(cudaGraphAddHostNode(&host, made, &kernel, 1, &callback));
  CHECK(cudaGraphAddEmptyNode(&empty, made, &host, 1));
  amount = -1;
  cudaGraphExec_t second;
  CHECK(cudaGraphInstantiate(&second, made, 0));
  CHECK(cudaGraphLaunch(second, a));
  printf("explicit %d\n", read(x));
  CHECK(cudaGraphDestroyNode(host));
  cudaGraphExec_t third;
  CHECK(cudaGraphInstantiate(&third, made, 0));
  amount = 1000;
  CHECK(cudaGraphExecKernelNodeSetParams(third, kernel, &launch));
  CHECK(cudaGraphLaunch(third, a));
  printf("changed %d\n", read(x));
  cudaGraph_t twin;
  CHECK(cudaGraphClone(&twin, made));
  cudaGraphExecUpdateResultInfo info;
  cudaError_t same = cudaGraphExecUpdate(third, twin, &info);
  cudaError_t other = cudaGraphExecUpdate(third, graph, &info);
  printf("updated %s %s %d\n", cudaGetErrorName(same), cudaGetErrorName(other), info.result);
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(made));
  return 0;
}
