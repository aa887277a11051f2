// Stream-ordered allocation, pools and their attributes, extended launches, and calls that are refused by name.
// levels: nightly
// stdout: supported 1
// stdout: used 1024 most 1024
// stdout: after 0 most 1024
// stdout: own pool 512, sum 96
// stdout: extended 10
// stdout: ipc cudaErrorNotSupported
// stdout: peer 0 cudaErrorInvalidDevice
// stderr: cudaIpcGetMemHandle is not supported
#include <cstdio>
__global__ void add(int *x, int n) { atomicAdd(x, n); }
int main() {
  int supported = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
  printf("supported %d\n", supported);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pool, own;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long threshold = ~0ull, used = 1, most = 1;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  int *x;
  cudaMallocAsync(&x, 1024, stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
  printf("used %llu most %llu\n", used, most);
  cudaFreeAsync(x, stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
  printf("after %llu most %llu\n", used, most);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPoolCreate(&own, &properties);
  cudaMallocFromPoolAsync(&x, 512, own, stream);
  cudaMemsetAsync(x, 0, 512, stream);
  add<<<1, 32, 0, stream>>>(x, 3);
  int sum = 0;
  cudaMemcpyAsync(&sum, x, 4, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
  printf("own pool %llu, sum %d\n", used, sum);
  cudaMemset(x, 0, 4);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(1);
  config.stream = stream;
  cudaLaunchKernelEx(&config, add, x, 5);
  cudaMemcpy(&sum, x, 4, cudaMemcpyDeviceToHost);
  printf("extended %d\n", sum);
  cudaIpcMemHandle_t handle;
  cudaError_t ipc = cudaIpcGetMemHandle(&handle, x);
  printf("ipc %s\n", cudaGetErrorName(ipc));
  int can = -1;
  cudaDeviceCanAccessPeer(&can, 0, 0);
  printf("peer %d %s\n", can, cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
  cudaMemPoolDestroy(own);
}
