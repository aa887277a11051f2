// Functions with parameters of type auto, C++20's: nvcc's host compiler takes them in C++17, its standard unless told otherwise. And static
// members of parameters by reference as constants, C++23's: nvcc takes them too.
// levels: nightly
// stdout: 33 7
#include <cstdio>
__device__ float next(const auto &x) { return x + 1; }
__host__ __device__ auto twice(auto x) { return 2 * x + 1; }
template <int N> struct Tens { static const int value = 10 * N; };
struct Fragment { static constexpr int parts = 3; float x[3]; };
template <class T> __device__ int partsOf(const T &fragment) {
  constexpr int parts = fragment.parts;
  return Tens<fragment.parts>::value + parts - 3;
}
__global__ void kernel(float *out) {
  Fragment fragment;
  *out = next(2.0f) + partsOf(fragment);
}
int main() {
  float *out;
  cudaMallocManaged(&out, sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%g %d\n", *out, twice(3));
  return 0;
}
