// The driver API's contexts, memory, streams and events beside a kernel of the runtime API.
// levels: nightly
// stdout: context 1 1 1, device 0
// stdout: 8 10 12 14, bytes 7 7, words 1234 5678abcd
// stdout: host 21, managed 8, mapped 3
// stdout: time goes on 1, done 0
// stdout: popped 1, invalid 1 101
#include <cstdio>
#include <cuda.h>

__global__ void twice(int *values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] *= 2;
}

int main() {
  cuInit(0);
  CUdevice device;
  CUcontext context, current;
  cuDeviceGet(&device, 0);
  int made = cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device) == CUDA_SUCCESS;
  cuCtxGetCurrent(&current);
  CUdevice asked = -1;
  cuCtxGetDevice(&asked);
  printf("context %d %d %d, device %d\n", made, context != nullptr, current == context, asked);

  int values[] = {4, 5, 6, 7};
  CUdeviceptr memory, copy;
  cuMemAlloc(&memory, sizeof values);
  cuMemAlloc(&copy, sizeof values);
  CUstream stream;
  CUevent start, end;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuEventCreate(&start, CU_EVENT_DEFAULT);
  cuEventCreate(&end, CU_EVENT_DEFAULT);
  cuEventRecord(start, stream);
  cuMemcpyHtoDAsync(memory, values, sizeof values, stream);
  twice<<<1, 32, 0, stream>>>((int *)memory, 4);
  cuMemcpyDtoDAsync(copy, memory, sizeof values, stream);
  cuMemcpyDtoHAsync(values, copy, sizeof values, stream);
  cuEventRecord(end, stream);
  cuStreamSynchronize(stream);
  unsigned char bytes[4];
  unsigned short shorts[2];
  unsigned int words[2];
  cuMemsetD8(memory, 7, 4);
  cuMemcpyDtoH(bytes, memory, sizeof bytes);
  cuMemsetD16(memory, 0x1234, 2);
  cuMemcpyDtoH(shorts, memory, sizeof shorts);
  cuMemsetD32(memory, 0x5678abcd, 2);
  cuMemcpyDtoH(words, memory, sizeof words);
  printf("%d %d %d %d, bytes %d %d, words %x %x\n", values[0], values[1], values[2], values[3], bytes[0], bytes[3], shorts[1],
         words[1]);

  int *host, *managed;
  CUdeviceptr managedAddress, mapped;
  cuMemHostAlloc((void **)&host, sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP);
  cuMemAllocManaged(&managedAddress, sizeof(int), CU_MEM_ATTACH_GLOBAL);
  managed = (int *)managedAddress;
  *host = 3, *managed = 4;
  cuMemHostGetDevicePointer(&mapped, host, 0);
  int seen = 0;
  cuMemcpyDtoH(&seen, mapped, sizeof seen);
  twice<<<1, 1>>>(managed, 1);
  cuLaunchHostFunc(0, [](void *data) { *(int *)data = 21; }, host);
  cuCtxSynchronize();
  printf("host %d, managed %d, mapped %d\n", *host, *managed, seen);
  float milliseconds = -1;
  cuEventElapsedTime(&milliseconds, start, end);
  printf("time goes on %d, done %d\n", milliseconds > 0, cuEventQuery(end));
  cuMemFreeHost(host);
  cuMemFree(managedAddress);
  cuMemFree(memory);
  cuMemFree(copy);
  cuStreamDestroy(stream);
  CUcontext popped;
  cuCtxPopCurrent(&popped);
  CUresult invalid = cuDevicePrimaryCtxRetain(&current, 5);
  printf("popped %d, invalid %d %d\n", popped == context, cuMemAlloc(&memory, 0), invalid);
  return 0;
}
