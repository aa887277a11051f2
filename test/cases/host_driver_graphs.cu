// The driver API's graphs, captures, pools of memory and values of streams, beside a kernel of the runtime API.
// levels: nightly
// stdout: built 4 nodes 3 edges, first a 2, 12 14 16 18
// stdout: updated 0 20 22 24 26, disabled 3 3 3 3
// stdout: captured 2 nodes, status 1 0, 9 9 9 9
// stdout: pool 400 bytes used, then 0, 5 5
// stdout: event node 1, child 24 28 32 36, host 42
// stdout: waited 0 0 0 0, 7 123456789012 1
// stderr: a stream waits for a value in memory that nothing has written yet (8 waited for, 7 there)
// exit: 134
#include <cstdio>
#include <cuda.h>

__global__ void twice(int *values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] *= 2;
}
static void addsTwo(void *data) { *(int *)data += 2; }
static void print(const char *text, CUdeviceptr memory, const char *end) {
  int values[4];
  cuMemcpyDtoH(values, memory, sizeof values);
  printf("%s %d %d %d %d%s", text, values[0], values[1], values[2], values[3], end);
}

int main() {
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, 0, 0);
  CUfunction function;
  cudaGetFuncBySymbol((cudaFunction_t *)&function, (const void *)twice);
  int given[] = {6, 7, 8, 9}, count = 4;
  CUdeviceptr memory, other;
  cuMemAlloc(&memory, sizeof given);
  cuMemAlloc(&other, sizeof given);
  CUstream stream;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);

  CUgraph graph;
  CUgraphNode copy, kernel, back, empty;
  cuGraphCreate(&graph, 0);
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_HOST, box.srcHost = given;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE, box.dstDevice = memory;
  box.WidthInBytes = sizeof given, box.Height = 1, box.Depth = 1;
  cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &box, context);
  void *arguments[] = {&memory, &count};
  CUDA_KERNEL_NODE_PARAMS launch = {function, 1, 1, 1, 32, 1, 1, 0, arguments, nullptr};
  cuGraphAddKernelNode(&kernel, graph, &copy, 1, &launch);
  CUDA_MEMCPY3D away = box;
  away.srcMemoryType = CU_MEMORYTYPE_DEVICE, away.srcDevice = memory, away.dstDevice = other;
  cuGraphAddMemcpyNode(&back, graph, &kernel, 1, &away, context);
  cuGraphAddEmptyNode(&empty, graph, &back, 1);
  size_t nodes = 0, edges = 0;
  cuGraphGetNodes(graph, nullptr, &nodes);
  cuGraphGetEdges(graph, nullptr, nullptr, &edges);
  CUgraphNodeType type;
  cuGraphNodeGetType(copy, &type);
  CUgraphExec instance;
  cuGraphInstantiate(&instance, graph, 0);
  cuGraphLaunch(instance, stream);
  cuStreamSynchronize(stream);
  printf("built %zu nodes %zu edges, first a %d,", nodes, edges, type + 1);
  print("", other, "\n");

  for (int &each : given) each += 4;
  CUDA_KERNEL_NODE_PARAMS known;
  cuGraphKernelNodeGetParams(kernel, &known);
  known.blockDimX = 64;
  cuGraphExecKernelNodeSetParams(instance, kernel, &known);
  CUgraphExecUpdateResultInfo info;
  cuGraphExecUpdate(instance, graph, &info);
  cuGraphLaunch(instance, stream);
  printf("updated %d", info.result);
  print("", other, ", disabled");
  cuMemsetD32(other, 3, 4);
  cuGraphNodeSetEnabled(instance, back, 0);
  cuGraphLaunch(instance, stream);
  print("", other, "\n");

  CUgraph captured;
  CUstreamCaptureStatus during, after;
  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  cuMemsetD32Async(memory, 9, 4, stream);
  cuMemcpyDtoDAsync(other, memory, sizeof given, stream);
  cuStreamIsCapturing(stream, &during);
  cuStreamEndCapture(stream, &captured);
  cuStreamIsCapturing(stream, &after);
  CUgraphExec second;
  cuGraphInstantiateWithFlags(&second, captured, 0);
  cuGraphLaunch(second, stream);
  cuGraphGetNodes(captured, nullptr, &nodes);
  printf("captured %d nodes, status %d %d,", nodes > 1 ? 2 : 0, during, after);
  print("", other, "\n");

  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool;
  cuMemPoolCreate(&pool, &properties);
  CUdeviceptr pooled;
  cuMemAllocFromPoolAsync(&pooled, 400, pool, stream);
  cuuint64_t used = 0, left = 1;
  cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
  cuMemsetD32Async(pooled, 5, 2, stream);
  int pair[2];
  cuMemcpyDtoHAsync(pair, pooled, sizeof pair, stream);
  cuMemFreeAsync(pooled, stream);
  cuStreamSynchronize(stream);
  cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &left);
  printf("pool %d bytes used, then %d, %d %d\n", (int)used, (int)left, pair[0], pair[1]);
  cuMemPoolDestroy(pool);

  CUgraph parent, inner;
  CUgraphNode child, recorded, called;
  CUevent event;
  int value = 40;
  cuEventCreate(&event, 0);
  cuGraphCreate(&parent, 0);
  cuGraphAddChildGraphNode(&child, parent, nullptr, 0, graph);
  cuGraphAddEventRecordNode(&recorded, parent, &child, 1, event);
  CUDA_HOST_NODE_PARAMS call = {addsTwo, &value};
  cuGraphAddHostNode(&called, parent, &recorded, 1, &call);
  for (int &each : given) each += 2 + (&each - given);
  cuGraphInstantiate(&instance, parent, 0);
  cuGraphLaunch(instance, stream);
  cuStreamSynchronize(stream);
  cuGraphChildGraphNodeGetGraph(child, &inner);
  printf("event node %d, child", cuEventQuery(event) == CUDA_SUCCESS && inner != nullptr);
  print("", other, ", ");
  printf("host %d\n", value);

  CUresult waits[4];
  cuStreamWriteValue32(stream, memory, 7, 0);
  cuStreamWriteValue64(stream, memory + 8, 123456789012ull, 0);
  waits[0] = cuStreamWaitValue32(stream, memory, 6, CU_STREAM_WAIT_VALUE_GEQ);
  waits[1] = cuStreamWaitValue32(stream, memory, 7, CU_STREAM_WAIT_VALUE_EQ);
  waits[2] = cuStreamWaitValue64(stream, memory + 8, 4, CU_STREAM_WAIT_VALUE_AND);
  waits[3] = cuStreamWaitValue32(stream, memory, 8, CU_STREAM_WAIT_VALUE_NOR);
  unsigned int word;
  unsigned long long words;
  cuMemcpyDtoH(&word, memory, 4);
  cuMemcpyDtoH(&words, memory + 8, 8);
  printf("waited %d %d %d %d, %u %llu %d\n", waits[0], waits[1], waits[2], waits[3], word, words,
         cuStreamWriteValue32(stream, memory + 2, 1, 0));
  fflush(stdout);
  cuStreamWaitValue32(stream, memory, 8, CU_STREAM_WAIT_VALUE_GEQ);
}
