// Symbols given as strings, as before CUDA 5; a string that names nothing is no symbol.
// levels: nightly
// stdout: 5 6 0 13
#include <cstdio>
#include <sm_11_atomic_functions.h>

__device__ int counter;
__constant__ int start;

__global__ void count() { atomicAdd(&counter, start); }

int main() {
  const int one = 1, four = 4;
  int result = 0, other = 0;
  cudaMemcpyToSymbol("start", &four, sizeof(int), 0, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol("counter", &one, sizeof(int), 0, cudaMemcpyHostToDevice);
  count<<<1, 1>>>();
  cudaMemcpyFromSymbol(&result, "counter", sizeof(int), 0, cudaMemcpyDeviceToHost);
  cudaMemcpyToSymbol(counter, &result, sizeof(int));
  void *address = nullptr;
  const int found = cudaGetSymbolAddress(&address, "counter");
  cudaMemcpy(&other, address, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", result, other + 1, found, cudaMemcpyToSymbol("nothing", &one, sizeof(int)));
  return 0;
}
