// Graph nodes that record events and wait for them, events of captured streams that are external, nodes left out of launches,
// objects that graphs keep alive, streams' numbers, copies between devices by boxes and by lists.
// levels: nightly
// stdout: nodes 3, types 7 6 0, event 1
// stdout: recorded 1, elapsed 1, waited 1
// stdout: captured types 7 6
// stdout: enabled 1, then 0: sum 5, again: sum 10
// stdout: kept: destroyed 0, clone gone 0, graph gone 0, instance gone 1
// stdout: moved 1, too many: invalid argument
// stdout: streams differ 1, default 1, device 0
// stdout: box 1 2 / 4 5, list 7 9
#include <cstdio>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

__global__ void add(int *x, int n) { atomicAdd(x, n); }
static void destroy(void *count) { ++*(int *)count; }
static int read(int *x) {
  int v = -1;
  cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost);
  return v;
}
static_assert(cudaGraphNodeTypeExtSemaphoreSignal == 8 && cudaGraphNodeTypeExtSemaphoreWait == 9, "programs name them");
int main() {
  int *x, n = 5;
  CHECK(cudaMalloc(&x, 64));
  CHECK(cudaMemset(x, 0, 64));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaEvent_t start, end, back;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t record, wait, kernel;
  CHECK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, start));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, start));
  void *arguments[] = {&x, &n};
  cudaKernelNodeParams p = {(void *)add, dim3(1), dim3(1), 0, arguments, nullptr};
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &wait, 1, &p));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  cudaGraphNodeType types[3];
  CHECK(cudaGraphNodeGetType(record, &types[0]));
  CHECK(cudaGraphNodeGetType(wait, &types[1]));
  CHECK(cudaGraphNodeGetType(kernel, &types[2]));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &back));
  printf("nodes %d, types %d %d %d, event %d\n", (int)count, types[0], types[1], types[2], back == start);
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, end));
  printf("recorded %d, elapsed %d, waited %d\n", cudaEventQuery(start) == cudaSuccess, ms > 0, read(x) == 5);

  cudaGraph_t captured;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal));
  CHECK(cudaStreamWaitEvent(stream, start, cudaEventWaitExternal));
  CHECK(cudaStreamEndCapture(stream, &captured));
  cudaGraphNode_t nodes[2];
  count = 2;
  CHECK(cudaGraphGetNodes(captured, nodes, &count));
  CHECK(cudaGraphNodeGetType(nodes[0], &types[0]));
  CHECK(cudaGraphNodeGetType(nodes[1], &types[1]));
  printf("captured types %d %d\n", types[0], types[1]);

  unsigned enabled;
  CHECK(cudaGraphNodeGetEnabled(instance, kernel, &enabled));
  printf("enabled %u, ", enabled);
  CHECK(cudaGraphNodeSetEnabled(instance, kernel, 0));
  CHECK(cudaGraphNodeGetEnabled(instance, kernel, &enabled));
  CHECK(cudaGraphLaunch(instance, stream));
  printf("then %u: sum %d, ", enabled, read(x));
  CHECK(cudaGraphNodeSetEnabled(instance, kernel, 1));
  CHECK(cudaGraphLaunch(instance, stream));
  printf("again: sum %d\n", read(x));
  CHECK(cudaGraphExecDestroy(instance));

  int destroyed = 0, moved = 0;
  cudaUserObject_t object, other;
  CHECK(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphRetainUserObject(graph, object));
  CHECK(cudaUserObjectRelease(object));
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  printf("kept: destroyed %d", destroyed);
  CHECK(cudaGraphDestroy(clone));
  printf(", clone gone %d", destroyed);
  CHECK(cudaGraphDestroy(graph));
  printf(", graph gone %d", destroyed);
  CHECK(cudaGraphExecDestroy(instance));
  printf(", instance gone %d\n", destroyed);
  CHECK(cudaUserObjectCreate(&other, &moved, destroy, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphRetainUserObject(captured, other, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphReleaseUserObject(captured, other));
  printf("moved %d, too many: %s\n", moved, cudaGetErrorString(cudaGraphReleaseUserObject(captured, other)));

  cudaStream_t second;
  CHECK(cudaStreamCreate(&second));
  unsigned long long ids[3];
  int device = -1;
  CHECK(cudaStreamGetId(stream, &ids[0]));
  CHECK(cudaStreamGetId(second, &ids[1]));
  CHECK(cudaStreamGetId(0, &ids[2]));
  CHECK(cudaStreamGetDevice(stream, &device));
  printf("streams differ %d, default %d, device %d\n", ids[0] != ids[1], ids[2] != ids[0] && ids[2] != ids[1], device);

  int source[2][3] = {{1, 2, 3}, {4, 5, 6}}, got[4];
  int *from, *to;
  CHECK(cudaMalloc(&from, sizeof source));
  CHECK(cudaMalloc(&to, 16));
  CHECK(cudaMemcpy(from, source, sizeof source, cudaMemcpyHostToDevice));
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = make_cudaPitchedPtr(from, 12, 3, 2);
  box.dstPtr = make_cudaPitchedPtr(to, 8, 2, 2);
  box.extent = make_cudaExtent(8, 2, 1);
  CHECK(cudaMemcpy3DPeer(&box));
  CHECK(cudaMemcpy(got, to, 16, cudaMemcpyDeviceToHost));
  printf("box %d %d / %d %d, ", got[0], got[1], got[2], got[3]);
  int seven = 7, nine = 9;
  void *targets[] = {to, to + 1}, *sources[] = {&seven, &nine};
  size_t sizes[] = {4, 4}, firsts[] = {0}, failed;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, firsts, 1, &failed, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(got, to, 8, cudaMemcpyDeviceToHost));
  printf("list %d %d\n", got[0], got[1]);
}
