/** Blocks that add a private table to one of all: every block from the first word on, or each from another. */
#include <cstdio>

__global__ void merge(unsigned *bins, int words) {
  for (int i = threadIdx.x; i < words; i += blockDim.x) atomicAdd(&bins[i], blockIdx.x + i);
}

__global__ void mergeFloats(float *bins, int words) {
  for (int i = threadIdx.x; i < words; i += blockDim.x) atomicAdd(&bins[i], 1.0f);
}

__global__ void mergeApart(unsigned *bins, int words) {
  int first = (blockIdx.x * blockDim.x) % words;
  for (int i = threadIdx.x; i < words; i += blockDim.x) atomicAdd(&bins[(first + i) % words], blockIdx.x + i);
}

int main() {
  unsigned *bins;
  cudaMalloc(&bins, 65536 * sizeof(unsigned));
  cudaMemset(bins, 0, 65536 * sizeof(unsigned));
  for (int words : {256, 1024, 4096, 16384, 65536})
    for (int blocks : {33, 132, 1056, 4000}) {
      merge<<<blocks, 256>>>(bins, words);
      if (words >= 1024) mergeApart<<<blocks, 256>>>(bins, words);
    }
  for (int words : {256, 4096}) mergeFloats<<<1056, 256>>>((float *)bins, words);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
