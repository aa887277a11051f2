// Functions with parameters of type auto, C++20's: nvcc's host compiler takes them in C++17, its standard unless told otherwise.
// levels: nightly
// stdout: 3 7
#include <cstdio>
__device__ float next(const auto &x) { return x + 1; }
__host__ __device__ auto twice(auto x) { return 2 * x + 1; }
__global__ void kernel(float *out) { *out = next(2.0f); }
int main() {
  float *out;
  cudaMallocManaged(&out, sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%g %d\n", *out, twice(3));
  return 0;
}
