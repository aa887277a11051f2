// Kernels that copy and fill memory by the runtime: child grids in the order of the launches.
// levels: nightly
// stdout: no error cudaErrorInvalidMemcpyDirection
// stdout: 3 3 9 9 9 1
#include <cstdio>

__global__ void add(int *data, int amount) { data[threadIdx.x] += amount; }
__global__ void parent(int *from, int *to, char *bytes) {
  add<<<1, 4>>>(from, 2);
  cudaMemcpyAsync(to, from, 4 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemsetAsync(bytes, 9, 3, 0);
  add<<<1, 4>>>(from, 5);
  cudaError_t wrong = cudaMemcpyAsync(to, from, 4, cudaMemcpyHostToDevice, 0);
  printf("%s %s\n", cudaGetErrorString(cudaGetLastError()), cudaGetErrorName(wrong));
}

int main() {
  int *data = nullptr;
  char *bytes = nullptr;
  cudaMallocManaged(&data, 8 * sizeof(int));
  cudaMallocManaged(&bytes, 4);
  for (int i = 0; i < 8; i++) data[i] = 1;
  for (int i = 0; i < 4; i++) bytes[i] = 1;
  parent<<<1, 1>>>(data, data + 4, bytes);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %d\n", data[4], data[7], bytes[0], bytes[1], bytes[2], bytes[3]);
  return 0;
}
