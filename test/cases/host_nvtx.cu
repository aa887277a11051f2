// NVTX's marks and ranges have no effect, as on a machine where no tool is attached.
// levels: nightly
// stdout: 0 31
#include <cstdio>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>

__global__ void index(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  nvtxNameCudaDevice(0, "the first");
  int *device, host[32];
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "launch";
  nvtxRangePushEx(&event);
  nvtxMark("start");
  cudaMalloc(&device, sizeof host);
  index<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  nvtxRangePop();
  printf("%d %d\n", host[0], host[31]);
  return 0;
}
