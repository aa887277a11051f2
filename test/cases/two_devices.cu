// Two simulated devices: each has its memory, its variables, its streams and its peers.
// levels: nightly
// devices: 2
// stdout: devices 2, now 1, invalid cudaErrorInvalidDevice
// stdout: owners 0 1, free differs 1
// stdout: variables 11 25, constants 3 4
// stdout: peer 1, enabled cudaSuccess then cudaErrorPeerAccessAlreadyEnabled, sum 160, disabled cudaSuccess then cudaErrorPeerAccessNotEnabled
// stdout: copied 7 7, wrong stream cudaErrorInvalidResourceHandle
// stdout: overlap 1
// stdout: bus 0000:01:00.0 is 1, 0:00.0 is 0, 101 and 1 for others; atomics 1, alone 101
// stderr: kernel add runs on device 0 and is given memory of device 1 without peer access
#include <cstdio>
__device__ int counter = 5;
__constant__ int table[2] = {3, 3};
__global__ void count(int n, int *out) { counter += n, *out = table[1]; }
__global__ void add(const int *a, int *b) { atomicAdd(b, a[threadIdx.x]); }
__global__ void spin(float *x, int n) {
  float v = threadIdx.x;
  for (int i = 0; i < n; i++) v = v * 1.0001f + 1;
  x[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
int main() {
  int devices, now, *a[2], *out[2];
  cudaGetDeviceCount(&devices);
  cudaError_t invalid = cudaSetDevice(2);
  for (int d = 0; d < 2; d++) {
    cudaSetDevice(d);
    cudaMalloc(&a[d], 4096), cudaMalloc(&out[d], 4);
  }
  cudaGetDevice(&now);
  printf("devices %d, now %d, invalid %s\n", devices, now, cudaGetErrorName(invalid));
  cudaPointerAttributes first, second;
  cudaPointerGetAttributes(&first, a[0]), cudaPointerGetAttributes(&second, a[1]);
  size_t before, after, total;
  cudaMemGetInfo(&before, &total);
  void *large;
  cudaSetDevice(0), cudaMalloc(&large, 1 << 20), cudaMemGetInfo(&after, &total), cudaFree(large);
  printf("owners %d %d, free differs %d\n", first.device, second.device, after < before);
  int constants[] = {4, 4}, seen[2], read[2];
  cudaSetDevice(1), cudaMemcpyToSymbol(table, constants, sizeof constants);
  for (int d = 0; d < 2; d++) cudaSetDevice(d), count<<<1, 1>>>(d ? 20 : 6, out[d]);
  for (int d = 0; d < 2; d++) {
    cudaSetDevice(d);
    cudaMemcpyFromSymbol(&seen[d], counter, 4), cudaMemcpy(&read[d], out[d], 4, cudaMemcpyDeviceToHost);
  }
  printf("variables %d %d, constants %d %d\n", seen[0], seen[1], read[0], read[1]);
  int host[32], sum = 0, can;
  for (int i = 0; i < 32; i++) host[i] = 5;
  cudaMemcpy(a[1], host, sizeof host, cudaMemcpyHostToDevice);
  cudaSetDevice(0), cudaMemset(out[0], 0, 4);
  add<<<1, 16>>>(a[1], out[0]);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  cudaError_t enabled = cudaDeviceEnablePeerAccess(1, 0), again = cudaDeviceEnablePeerAccess(1, 0);
  add<<<1, 16>>>(a[1] + 16, out[0]);
  cudaMemcpy(&sum, out[0], 4, cudaMemcpyDeviceToHost);
  cudaError_t disabled = cudaDeviceDisablePeerAccess(1), twice = cudaDeviceDisablePeerAccess(1);
  printf("peer %d, enabled %s then %s, sum %d, disabled %s then %s\n", can, cudaGetErrorName(enabled), cudaGetErrorName(again), sum,
         cudaGetErrorName(disabled), cudaGetErrorName(twice));
  cudaMemset(a[0], 0, 4096);
  for (int i = 0; i < 32; i++) host[i] = 7;
  cudaMemcpy(a[0], host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyPeer(a[1], 1, a[0], 0, sizeof host);
  cudaMemcpyPeerAsync(a[1] + 32, 1, a[0], 0, sizeof host, 0);
  cudaMemcpy(host, a[1] + 16, sizeof host, cudaMemcpyDefault);
  cudaStream_t stream;
  cudaSetDevice(1), cudaStreamCreate(&stream), cudaSetDevice(0);
  add<<<1, 1, 0, stream>>>(a[0], out[0]);
  printf("copied %d %d, wrong stream %s\n", host[0], host[31], cudaGetErrorName(cudaGetLastError()));
  // The same work on both takes as long as on one.
  float *x[2], one, both;
  cudaEvent_t start, end;
  for (int d = 0; d < 2; d++) cudaSetDevice(d), cudaMalloc(&x[d], 1024);
  cudaSetDevice(0), cudaEventCreate(&start), cudaEventCreate(&end);
  cudaEventRecord(start), spin<<<8, 32>>>(x[0], 3000), cudaEventRecord(end), cudaEventSynchronize(end);
  cudaEventElapsedTime(&one, start, end);
  cudaEventRecord(start);
  for (int d = 1; d >= 0; d--) cudaSetDevice(d), spin<<<8, 32>>>(x[d], 3000);
  cudaEventRecord(end), cudaEventSynchronize(end), cudaSetDevice(1), cudaDeviceSynchronize();
  cudaEventElapsedTime(&both, start, end);
  printf("overlap %d\n", both < 1.5f * one);
  char bus[20];
  int whole, part, other, atomics;
  cudaDeviceGetPCIBusId(bus, sizeof bus, 1);
  cudaDeviceGetByPCIBusId(&whole, bus), cudaDeviceGetByPCIBusId(&part, "0:00.0");
  cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, 0, 1);
  printf("bus %s is %d, 0:00.0 is %d, %d and %d for others; ", bus, whole, part, cudaDeviceGetByPCIBusId(&other, "0000:09:00.0"), cudaDeviceGetByPCIBusId(&other, "first"));
  printf("atomics %d, alone %d\n", atomics, cudaDeviceGetP2PAttribute(&other, cudaDevP2PAttrAccessSupported, 1, 1));
}
