// What the driver API says of addresses, devices and contexts: allocations around an address, attributes, numbers.
// levels: nightly
// stdout: 1024 bytes, 1 1, 4096 bytes of the host, 500
// stdout: 2 1024 1 0, managed 1, nobody's 0 0
// stdout: rows 7 0 1234 5678
// stdout: 1 1 1 -2, 999 801
#include <cstdio>
#include <cstring>
#include <cuda.h>

int main() {
  cuInit(0);
  CUdevice device = CU_DEVICE_INVALID;
  CUdevice invalid = device;
  cuDeviceGet(&device, 0);
  CUcontext context;
  cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_SPIN);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);

  CUdeviceptr memory, base, hostBase, managed;
  size_t bytes = 0, hostBytes = 0, onlyBytes = 0;
  cuMemAlloc(&memory, 1024);
  cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL);
  void *host;
  cuMemAllocHost(&host, 4096);
  cuMemGetAddressRange(&base, &bytes, memory + 1000);
  cuMemGetAddressRange(&hostBase, &hostBytes, (CUdeviceptr)host + 8);
  CUresult none = cuMemGetAddressRange(nullptr, &onlyBytes, 64);
  printf("%d bytes, %d %d, %d bytes of the host, %d\n", (int)bytes, base == memory, hostBase == (CUdeviceptr)host, (int)hostBytes, none);

  unsigned int type = 0, isManaged = 9;
  CUdeviceptr start = 0;
  size_t size = 0;
  int ordinal = -1;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *answers[] = {&type, &size, &start, &ordinal};
  cuPointerGetAttributes(4, asked, answers, memory + 12);
  printf("%u %d %d %d, ", type, (int)size, start == memory, ordinal);
  cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed);
  cuPointerGetAttributes(1, asked, answers, 64);
  printf("managed %u, nobody's %u %d\n", isManaged, type, cuPointerGetAttributes(0, asked, answers, 64));

  unsigned short rows[8];
  cuMemsetD8Async(memory, 0, 1024, CU_STREAM_LEGACY);
  cuMemsetD2D16Async(memory, 8, 7, 1, 2, CU_STREAM_PER_THREAD);
  cuMemsetD2D32Async(memory + 4, 8, 0x56781234, 1, 2, CU_STREAM_LEGACY);
  cuCtxSynchronize();
  cuMemcpyDtoH(rows, memory, sizeof rows);
  printf("rows %d %d %x %x\n", rows[4], rows[1], rows[6], rows[7]);

  CUuuid uuid, second;
  unsigned long long id = 0, own = 1;
  int named = cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS && cuDeviceGetUuid_v2(&second, 0) == CUDA_SUCCESS;
  cuCtxGetId(context, &id);
  cuCtxGetId(nullptr, &own);
  cudaGraphEdgeData edge{cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic};
  printf("%d %d %d %d, %d %d\n", named && !memcmp(&uuid, &second, sizeof uuid), id == own, edge.from_port + edge.type == 2, invalid,
         CUDA_ERROR_UNKNOWN, CUDA_ERROR_NOT_SUPPORTED);
}
