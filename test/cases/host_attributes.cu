// What programs say of memory, streams and graph nodes is told when they ask.
// stdout: at first: 0 -2 -2 -2 -2
// stdout: all: 1 0 -1 -1 0
// stdout: half: 1 -2 -2 0 1
// stdout: other half: 0 0 -1 0 1
// stdout: taken back: 0 -2
// stdout: device memory: invalid argument, 3 bytes: invalid argument
// stdout: stream: priority -1, window 1024 0.50, copied 1024, no stream: invalid resource handle
// stdout: node: priority 2, copied 2, cooperative: 0 operation not supported
// stderr: an attribute that makes a graph node cooperative, or gives it clusters, is not supported
// levels: nightly
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}

static int ask(const char *at, size_t bytes, cudaMemRangeAttribute attribute) {
  int value = 99;
  cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes);
  return value;
}
static void tell(const char *when, const char *at, size_t bytes) {
  int users[2], preferred, mostly;
  void *values[] = {users, &preferred, &mostly};
  size_t sizes[] = {sizeof users, sizeof preferred, sizeof mostly};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributePreferredLocation,
                                        cudaMemRangeAttributeReadMostly};
  cudaMemRangeGetAttributes(values, sizes, attributes, 3, at, bytes);
  printf("%s: %d %d %d %d %d\n", when, mostly, preferred, ask(at, bytes, cudaMemRangeAttributeLastPrefetchLocation), users[0],
         users[1] == -2 && users[0] != -2 ? ask(at, bytes, cudaMemRangeAttributePreferredLocationType) : users[1]);
}

static void memory() {
  const size_t bytes = 1 << 20;
  char *data, *device;
  cudaMallocManaged(&data, bytes);
  cudaMalloc(&device, bytes);
  tell("at first", data, bytes);
  cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, 0);
  cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, 0);
  cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId);
  cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, 0);
  cudaMemPrefetchAsync(data, bytes, cudaCpuDeviceId, 0);
  tell("all", data, bytes);
  cudaMemAdvise(data, bytes, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId);
  cudaMemAdvise(data + bytes / 2, bytes / 2, cudaMemAdviseUnsetReadMostly, 0);
  cudaMemAdvise(data, bytes / 2, cudaMemAdviseUnsetPreferredLocation, 0);
  cudaMemPrefetchAsync(data, bytes / 4, 0, 0);
  printf("half: %d %d %d %d %d\n", ask(data, bytes / 2, cudaMemRangeAttributeReadMostly),
         ask(data, bytes / 2, cudaMemRangeAttributePreferredLocation),
         ask(data, bytes / 2, cudaMemRangeAttributeLastPrefetchLocation),
         ask(data, bytes / 4, cudaMemRangeAttributeLastPrefetchLocation),
         ask(data, bytes / 4, cudaMemRangeAttributeLastPrefetchLocationType));
  tell("other half", data + bytes / 2, bytes / 2);
  cudaMemAdvise(data, bytes, cudaMemAdviseUnsetReadMostly, 0);
  printf("taken back: %d %d\n", ask(data, bytes, cudaMemRangeAttributeReadMostly),
         ask(data, bytes, cudaMemRangeAttributePreferredLocation));
  int value;
  printf("device memory: %s, ", cudaGetErrorString(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, device, 64)));
  printf("3 bytes: %s\n", cudaGetErrorString(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, data, 64)));
}

static void streams() {
  cudaStream_t one, other;
  cudaStreamCreateWithPriority(&one, cudaStreamNonBlocking, -1);
  cudaStreamCreate(&other);
  cudaStreamAttrValue value = {}, read = {};
  cudaStreamGetAttribute(one, cudaStreamAttributePriority, &read);
  printf("stream: priority %d, ", read.priority);
  value.accessPolicyWindow.num_bytes = 1024;
  value.accessPolicyWindow.hitRatio = 0.5f;
  cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value);
  cudaStreamGetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &read);
  printf("window %d %.2f, ", (int)read.accessPolicyWindow.num_bytes, read.accessPolicyWindow.hitRatio);
  cudaStreamCopyAttributes(other, one);
  cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &read);
  printf("copied %d, no stream: %s\n", (int)read.accessPolicyWindow.num_bytes,
         cudaGetErrorString(cudaStreamGetAttribute((cudaStream_t)0x12340, cudaStreamAttributePriority, &read)));
}

static void nodes() {
  cudaGraph_t graph;
  cudaGraphNode_t one, other;
  cudaKernelNodeParams p = {};
  p.func = (void *)nothing;
  p.gridDim = p.blockDim = dim3(1);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&one, graph, nullptr, 0, &p);
  cudaGraphAddKernelNode(&other, graph, nullptr, 0, &p);
  cudaKernelNodeAttrValue value = {}, read = {};
  value.priority = 2;
  cudaGraphKernelNodeSetAttribute(one, cudaKernelNodeAttributePriority, &value);
  cudaGraphKernelNodeGetAttribute(one, cudaKernelNodeAttributePriority, &read);
  printf("node: priority %d, ", read.priority);
  cudaGraphKernelNodeCopyAttributes(other, one);
  cudaGraphKernelNodeGetAttribute(other, cudaKernelNodeAttributePriority, &read);
  printf("copied %d, ", read.priority);
  cudaGraphKernelNodeGetAttribute(one, cudaKernelNodeAttributeCooperative, &read);
  value.cooperative = 1;
  printf("cooperative: %d %s\n", read.cooperative,
         cudaGetErrorString(cudaGraphKernelNodeSetAttribute(one, cudaKernelNodeAttributeCooperative, &value)));
}

int main() {
  memory();
  streams();
  nodes();
}
