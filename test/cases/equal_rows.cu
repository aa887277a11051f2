// Rows of a block that never ask which row they are update memory as one row would, and are counted all.
// stdout: 10 10 10
// stdout: 80
// count: sum global store executed = 32
#include <cstdio>

__global__ void sum(float *to, const float *from, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < count; j++) to[i] += from[j];
}

// Atomic operations count how often they are done, so every row runs.
__global__ void rows(float *to) {
  if (threadIdx.x == 0) atomicAdd(to, 10.0f);
}

int main() {
  float *to = nullptr, *from = nullptr;
  cudaMallocManaged(&to, 32 * sizeof(float));
  cudaMallocManaged(&from, 4 * sizeof(float));
  for (int i = 0; i < 32; i++) to[i] = 0;
  for (int i = 0; i < 4; i++) from[i] = i + 1;
  sum<<<1, dim3(32, 8)>>>(to, from, 4);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", to[0], to[1], to[31]);
  to[0] = 0;
  rows<<<1, dim3(32, 2, 4)>>>(to);
  cudaDeviceSynchronize();
  printf("%g\n", to[0]);
  return 0;
}
