// What a program has for clang as the CUDA compiler, and nvcc never reads, need not compile (the debugging macro of CUB 1.7).
// levels: nightly
// stdout: 3
#include <cstdio>
#if defined(__clang__) && defined(__CUDA__)
template <class... T> __host__ __device__ void print(const char *format, const T &...values) { printf(format, values...); }
#define LOG(...) nowhere::print(__VA_ARGS__)
#else
#define LOG(...) printf(__VA_ARGS__)
#endif
__global__ void kernel() { LOG("%d\n", 3); }
int main() {
  kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
  return 0;
}
