// NVTX's marks and ranges have no effect, as on a machine where no tool is attached; NVML knows the device, but has no sensors.
// levels: nightly
// stdout: ff102030 7 1
// stdout: 0 31
// stdout: nvml 0 NVIDIA H200, 6016 bits, equal 1, Not Supported
// stdout: place 1, clocks 1 1, set 4, slowed 0 by 0, samples 3
// stdout: compute mode 0 0, power management 3
#include <cstdio>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvtx3.hpp>
#include <nvml.h>

__global__ void index(int *out) { out[threadIdx.x] = threadIdx.x; }

struct Library {
  static constexpr const char *name = "library";
};
struct Work {
  static constexpr const char *message = "work";
};
struct Reading {
  static constexpr const char *name = "reading";
  static constexpr uint32_t id = 7;
};
uint32_t plusPlus(bool isShown) {
  NVTX3_FUNC_RANGE_IF(isShown);
  { NVTX3_FUNC_RANGE(); }
  { NVTX3_FUNC_RANGE_IN(Library); }
  nvtx3::scoped_range plain("plain"), described(nvtx3::rgb(16, 32, 48), nvtx3::payload(3.5), std::string("all"));
  nvtx3::scoped_range_in<Library> ours(nvtx3::registered_string_in<Library>::get<Work>());
  nvtx3::unique_range started("started"), moved(std::move(started));
  nvtx3::event_attributes event(nvtx3::named_category_in<Library>::get<Reading>(), nvtx3::color(0xff102030), "event");
  nvtx3::range_handle range = nvtx3::start_range(event);
  nvtx3::mark_in<Library>(event), nvtx3::end_range(range);
  printf("%x %u %d\n", event.get()->color, event.get()->category, !range);
  return event.get()->version;
}

int main() {
  plusPlus(true);
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
  nvmlTemperature_t heat = {nvmlTemperature_v1, NVML_TEMPERATURE_GPU, 0};
  if (nvmlDeviceGetTemperatureV(handle, &heat) != NVML_ERROR_NOT_SUPPORTED) printf("warm\n");
  nvmlPciInfo_t place;
  unsigned int memoryClocks = 1, clocks = 1, memoryClock = 0, clock = 0;
  nvmlDeviceGetPciInfo(handle, &place);
  nvmlDeviceGetSupportedMemoryClocks(handle, &memoryClocks, &memoryClock);
  nvmlDeviceGetSupportedGraphicsClocks(handle, memoryClock, &clocks, &clock);
  unsigned long long reasons = ~0ULL;
  nvmlSample_t samples[4];
  nvmlValueType_t kind;
  int slowed = nvmlDeviceGetCurrentClocksEventReasons(handle, &reasons);
  printf("place %d, clocks %u %u, set %d, slowed %d by %llu, samples %d\n", (int)place.bus == properties.pciBusID, memoryClocks,
         clocks, nvmlDeviceSetApplicationsClocks(handle, memoryClock, clock), slowed, reasons & nvmlClocksEventReasonAll,
         nvmlDeviceGetSamples(handle, NVML_GPU_UTILIZATION_SAMPLES, 0, &kind, &clocks, samples));
  nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
  nvmlEnableState_t managed;
  int asked = nvmlDeviceGetComputeMode(handle, &mode);
  printf("compute mode %d %d, power management %d\n", asked, mode, nvmlDeviceGetPowerManagementMode(handle, &managed));
  return nvmlShutdown();
}
