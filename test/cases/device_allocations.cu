// cudaMalloc and cudaFree in kernels take from the device's heap, by pointers of any type.
// stdout: 5 1
#include <cstdio>

__global__ void allocates(int *o) {
  float *values;
  bool *flags;
  if (cudaMalloc(&values, 10 * sizeof(float)) != cudaSuccess || cudaMalloc((void **)&flags, 4) != cudaSuccess) return;
  values[3] = 2.5f;
  flags[1] = true;
  o[0] = 2 * values[3];
  o[1] = flags[1];
  cudaFree(values);
  cudaFree(flags);
}

int main() {
  int *o;
  cudaMallocManaged(&o, 2 * sizeof *o);
  allocates<<<1, 1>>>(o);
  cudaDeviceSynchronize();
  printf("%d %d\n", o[0], o[1]);
}
