// Programmatic dependent launch: the second grid waits for the first one's results, events come with them.
// levels: nightly
// stdout: 0 0 0 sum 2016
#include <cstdio>

__global__ void first(int *values) {
  values[threadIdx.x] = threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(const int *values, int *sum) {
  cudaGridDependencySynchronize();
  atomicAdd(sum, values[threadIdx.x]);
}

int main() {
  int *values, *sum, host;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t began;
  cudaEventCreate(&began);
  cudaLaunchAttribute event = {}, overlap = {};
  event.id = cudaLaunchAttributeLaunchCompletionEvent;
  event.val.launchCompletionEvent.event = began;
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 64;
  config.stream = stream;
  config.attrs = &event;
  config.numAttrs = 1;
  const int launched = cudaLaunchKernelEx(&config, first, values);
  config.attrs = &overlap;
  const int launchedToo = cudaLaunchKernelEx(&config, second, (const int *)values, sum);
  const int waited = cudaEventSynchronize(began);
  cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d %d %d sum %d\n", launched, launchedToo, waited, host);
  return 0;
}
