// Conditional graph nodes: if, else, while with a default, switch; added by hand and in a capture.
// levels: nightly
// stdout: if 1 else 10
// stdout: while 5
// stdout: again 10
// stdout: switch 300
// stdout: captured 3 after 1
#include <cstdio>

__global__ void setFrom(cudaGraphConditionalHandle handle, const int *value) { cudaGraphSetConditional(handle, *value); }
__global__ void add(int *to, int amount) { *to += amount; }
__global__ void untilFive(cudaGraphConditionalHandle handle, int *count) {
  if (++*count % 5 == 0) cudaGraphSetConditional(handle, 0);
}
__global__ void countDown(cudaGraphConditionalHandle handle, int *left, int *rounds) {
  if (*left > 0) --*left, ++*rounds;
  cudaGraphSetConditional(handle, *left);
}

#define CHECK(call)                                                                                                        \
  if (cudaError_t error = (call)) printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

static cudaGraphNodeParams kernelNode(void *function, void **arguments) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
  params.kernel.func = function;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1, 1, 1);
  params.kernel.kernelParams = arguments;
  return params;
}

int main() {
  int *data = nullptr; // value, sum, count, left, rounds
  CHECK(cudaMallocManaged(&data, 8 * sizeof(int)));
  for (int i = 0; i < 8; i++) data[i] = 0;
  int *sum = data + 1, *count = data + 2, *left = data + 3, *rounds = data + 4;

  auto choose = [&](cudaGraphConditionalNodeType type, unsigned size, int value) {
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphNode_t first, second, inner;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    void *arguments[] = {&handle, &data};
    auto params = kernelNode((void *)setFrom, arguments);
    CHECK(cudaGraphAddNode(&first, graph, nullptr, 0, &params));
    cudaGraphNodeParams condition = {cudaGraphNodeTypeConditional};
    condition.conditional.handle = handle;
    condition.conditional.type = type;
    condition.conditional.size = size;
    CHECK(cudaGraphAddNode(&second, graph, &first, 1, &condition));
    for (unsigned i = 0; i < size; i++) {
      int amount = type == cudaGraphCondTypeIf ? (i == 0 ? 1 : 10) : 100 * (i + 1);
      void *inside[] = {&sum, &amount};
      auto body = kernelNode((void *)add, inside);
      CHECK(cudaGraphAddNode(&inner, condition.conditional.phGraph_out[i], nullptr, nullptr, 0, &body));
    }
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    data[0] = value;
    data[1] = 0;
    CHECK(cudaGraphLaunch(run, 0));
    CHECK(cudaDeviceSynchronize());
    return data[1];
  };
  const int yes = choose(cudaGraphCondTypeIf, 2, 1), no = choose(cudaGraphCondTypeIf, 2, 0);
  printf("if %d else %d\n", yes, no);

  cudaGraph_t loop;
  cudaGraphExec_t run;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&loop, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, loop, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams condition = {cudaGraphNodeTypeConditional};
  condition.conditional.handle = handle;
  condition.conditional.type = cudaGraphCondTypeWhile;
  condition.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, loop, nullptr, 0, &condition));
  void *arguments[] = {&handle, &count};
  auto body = kernelNode((void *)untilFive, arguments);
  CHECK(cudaGraphAddNode(&node, condition.conditional.phGraph_out[0], nullptr, 0, &body));
  CHECK(cudaGraphInstantiate(&run, loop, 0));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaDeviceSynchronize());
  printf("while %d\n", *count);
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaDeviceSynchronize());
  printf("again %d\n", *count);
  printf("switch %d\n", choose(cudaGraphCondTypeSwitch, 4, 2));

  cudaStream_t stream, inside;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&inside));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *after;
  size_t afterCount;
  cudaGraph_t graph;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &afterCount));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  countDown<<<1, 1, 0, stream>>>(handle, left, rounds);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &afterCount));
  condition.conditional.handle = handle;
  CHECK(cudaGraphAddNode(&node, graph, after, nullptr, afterCount, &condition));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  *sum = 0;
  add<<<1, 1, 0, stream>>>(sum, 1);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaStreamBeginCaptureToGraph(inside, condition.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  countDown<<<1, 1, 0, inside>>>(handle, left, rounds);
  CHECK(cudaStreamEndCapture(inside, nullptr));
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  *left = 3;
  CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("captured %d after %d\n", *rounds, *sum);
  return 0;
}
