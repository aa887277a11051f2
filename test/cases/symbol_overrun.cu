// What cudaMemcpyToSymbolAsync does beyond a variable's end: it goes on in the next one (printed by an H100, CUDA 13).
// levels: 2
// stdout: cudaSuccess cudaErrorInvalidValue 1 15 16
// stderr: 120 bytes to a, which has 60
#include <cstdio>
__constant__ int a[15];
__constant__ int b[15];
__global__ void k(int *out) {
  out[0] = a[0];
  out[1] = a[14];
  out[2] = b[0];
}
int main() {
  int h[30], *out;
  for (int i = 0; i < 30; i++) h[i] = i + 1;
  cudaMallocManaged(&out, 12);
  cudaError_t async = cudaMemcpyToSymbolAsync(a, h, 120, 0, cudaMemcpyHostToDevice, 0);
  cudaError_t sync = cudaMemcpyToSymbol(a, h, 120);
  cudaGetLastError();
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%s %s %d %d %d\n", cudaGetErrorName(async), cudaGetErrorName(sync), out[0], out[1], out[2]);
}
