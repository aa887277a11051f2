// What kernels may ask the runtime for, and copies and fills of boxes by kernels (CUDA C++ Programming Guide, "Dynamic Parallelism").
// levels: nightly
// devices: 2
// stdout: device 0 of 2, 132 multiprocessors, warps of 32, heap 16777216, version 1, error 101
// stdout: device 1 of 2, 132 multiprocessors, warps of 32, heap 8388608, version 1, error 101
// stdout: 1 0 | 9 8 _ 7 6 _ | 5 5 _ 5 5 _ | 4 _ 4 _ 4 _ 4 _ | 2 3 
#include <cstdio>

__global__ void ask() {
  int device, count, multiprocessors, lanes, version, value;
  size_t heap;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device);
  cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  cudaRuntimeGetVersion(&version);
  printf("device %d of %d, %d multiprocessors, warps of %d, heap %zu, version %d, error %d\n", device, count, multiprocessors, lanes,
         heap, version == CUDART_VERSION, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2));
}
__global__ void child(int *p) { *p += 1; }
__global__ void work(int *p, const int *from) {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  p[1] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  child<<<1, 1, 0, stream>>>(p);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(stream, event, 0);
  cudaMemcpy2DAsync(p + 2, 12, from, 8, 8, 2, cudaMemcpyDeviceToDevice, stream);
  cudaMemset2DAsync(p + 8, 12, 5, 8, 2, stream);
  cudaMemset3DAsync(make_cudaPitchedPtr(p + 14, 8, 4, 2), 4, make_cudaExtent(4, 2, 2), stream);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr((void *)(from + 4), 8, 8, 2);
  box.srcPos = make_cudaPos(4, 0, 0);
  box.dstPtr = make_cudaPitchedPtr(p + 22, 4, 4, 2);
  box.extent = make_cudaExtent(4, 1, 2);
  box.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3DAsync(&box, stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}

int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
  for (int device = 0; device < 2; device++) {
    cudaSetDevice(device);
    ask<<<1, 1>>>();
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  int *p, *from;
  cudaMallocManaged(&p, 32 * sizeof(int));
  cudaMallocManaged(&from, 16 * sizeof(int));
  const int values[] = {9, 8, 7, 6, 1, 2, 1, 1, 1, 3, 1, 1};
  for (int i = 0; i < 12; i++) from[i] = values[i];
  for (int i = 0; i < 32; i++) p[i] = i < 2 ? 0 : -1;
  work<<<1, 1>>>(p, from);
  cudaDeviceSynchronize();
  for (int i = 0; i < 25; i++) {
    if (i == 2 || i == 8 || i == 14 || i == 22) printf("| ");
    if (i == 23) continue;
    int value = i >= 8 && i < 22 ? p[i] & 0xff : p[i];
    if (p[i] == -1) printf("_ ");
    else printf("%d ", value);
  }
  printf("\n");
}
