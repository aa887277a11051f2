// Graphs that allocate: by nodes and by capture, replayed after their memory was freed, with addresses used again.
// levels: nightly
// stdout: same address 1
// stdout: used 0 before, 8192 after, 4096 trimmed, most 8192
// stdout: captured 6 6
// stdout: after the program freed it 6
// stdout: type 10
#include <cstdio>

__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }
__global__ void twice(const int *from, int *to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }

#define CHECK(call)                                                                                                        \
  if (cudaError_t status = (call)) printf("line %d: %s\n", __LINE__, cudaGetErrorName(status))

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int host[2] = {};

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams request = {};
  request.bytesize = 4096;
  request.poolProps.allocType = cudaMemAllocationTypePinned;
  request.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t first, end, second;
  CHECK(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &request));
  void *address = request.dptr;
  CHECK(cudaGraphAddMemFreeNode(&end, graph, &first, 1, address));
  CHECK(cudaGraphAddMemAllocNode(&second, graph, &end, 1, &request));
  printf("same address %d\n", address == request.dptr);
  cudaGraphNode_t third;
  CHECK(cudaGraphAddMemAllocNode(&third, graph, nullptr, 0, &request));
  cudaGraphExec_t run;
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  size_t before = 1, after = 0, trimmed = 0, most = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &before));
  CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaFreeAsync(request.dptr, stream));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &after));
  CHECK(cudaDeviceGraphMemTrim(0));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &trimmed));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
  printf("used %zu before, %zu after, %zu trimmed, most %zu\n", before, after, trimmed, most);

  int *from, *to;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&from, 128, stream));
  CHECK(cudaMallocAsync(&to, 128, stream));
  fill<<<1, 32, 0, stream>>>(from, 3);
  twice<<<1, 32, 0, stream>>>(from, to);
  CHECK(cudaFreeAsync(from, stream));
  CHECK(cudaMemcpyAsync(host, to, sizeof host, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t captured;
  CHECK(cudaStreamEndCapture(stream, &captured));
  cudaGraphExec_t replay;
  CHECK(cudaGraphInstantiate(&replay, captured, 0));
  CHECK(cudaGraphLaunch(replay, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("captured %d %d\n", host[0], host[1]);
  CHECK(cudaFreeAsync(to, stream));
  host[1] = 0;
  CHECK(cudaGraphLaunch(replay, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("after the program freed it %d\n", host[1]);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(third, &type));
  printf("type %d\n", type);
  return 0;
}
