// What programs of the runtime API ask the driver API for.
// levels: nightly
// stdout: 0 1, NVIDIA H200, 9.0, 132 multiprocessors, equal 1
// stdout: 1 101 CUDA_ERROR_INVALID_DEVICE: invalid device ordinal
// stdout: 3 CUDA_ERROR_PROFILER_DISABLED 701
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void add(int *sum, int value) { *sum += value; }

int main() {
  CUresult started = cuInit(0);
  int count = 0, major = 0, minor = 0, multiprocessors = 0, version = 0;
  cuDeviceGetCount(&count);
  CUdevice device;
  cuDeviceGet(&device, 0);
  char name[100];
  cuDeviceGetName(name, sizeof name, device);
  cuDeviceComputeCapability(&major, &minor, device);
  cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  cuDriverGetVersion(&version);
  size_t bytes = 0, available = 0, total = 0;
  cuDeviceTotalMem(&bytes, device);
  cuMemGetInfo(&available, &total);
  printf("%d %d, %s, %d.%d, %d multiprocessors, equal %d\n", started, count, name, major, minor, multiprocessors,
         bytes == total && version >= CUDA_VERSION);
  const char *text, *errorName;
  CUresult missing = cuDeviceGet(&device, 7);
  cuGetErrorName(missing, &errorName), cuGetErrorString(missing, &text);
  printf("%d %d %s: %s\n", cuInit(1), missing, errorName, text);
  int *sum;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 1;
  add<<<{1, 1}, {1}, {}, {}>>>(sum, 2);
  cuCtxSynchronize();
  cuGetErrorName(CUDA_ERROR_PROFILER_DISABLED, &errorName);
  printf("%d %s %d\n", *sum, errorName, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}
