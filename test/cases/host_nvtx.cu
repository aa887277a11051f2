// NVTX's marks and ranges have no effect, as on a machine where no tool is attached; NVML knows the device, but has no sensors.
// levels: nightly
// stdout: 0 31
// stdout: nvml 0 NVIDIA H200, 6016 bits, equal 1, Not Supported
#include <cstdio>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvml.h>

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

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  char bus[16], name[NVML_DEVICE_NAME_BUFFER_SIZE];
  sprintf(bus, "%04x:%02x:%02x.0", properties.pciDomainID, properties.pciBusID, properties.pciDeviceID);
  nvmlDevice_t handle;
  unsigned int megahertz = 0, bits = 0, power = 0;
  int error = nvmlInit() | nvmlDeviceGetHandleByPciBusId(bus, &handle) | nvmlDeviceGetName(handle, name, sizeof name) |
              nvmlDeviceGetClockInfo(handle, NVML_CLOCK_MEM, &megahertz) | nvmlDeviceGetMemoryBusWidth(handle, &bits);
  nvmlReturn_t sensor = nvmlDeviceGetPowerUsage(handle, &power);
  printf("nvml %d %s, %u bits, equal %d, %s\n", error, name, bits, megahertz == properties.memoryClockRate / 1000,
         nvmlErrorString(sensor));
  return nvmlShutdown();
}
