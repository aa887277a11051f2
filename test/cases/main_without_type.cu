// main without its type, which nvcc takes for int with a warning.
// levels: nightly
// stdout: 7
#include <cstdio>

__global__ void seven(int *p) { *p = 7; }

main(void) {
  int *p;
  cudaMallocManaged(&p, sizeof(int));
  seven<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
  return 0;
}
