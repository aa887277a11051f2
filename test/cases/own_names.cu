// Functions of a program's own that have names from CUDA's first years; clocks of Linux; clusters of one block.
// levels: nightly
// stdout: 9 105 27 0 0
#include <cstdio>
#include <ctime>
__host__ __device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
template <class T> __host__ __device__ T clamp(const T &x, const T &low, const T &high) { return x < low ? low : x > high ? high : x + 100; }
template <class T> __device__ T powi(T x, int n) {
  T result = 1;
  while (n-- > 0) result *= x;
  return result;
}
__host__ __device__ int both(int x) { return clamp(x, 0, 9); }
__device__ int mulhi(int x, int y) { return x * y; }
__global__ void __cluster_dims__(1, 1, 1) use(float *out) {
  out[0] = clamp(5.f, 0.f, 1.f) + powi(2.f, 3);
  out[1] = both(5);
  out[2] = mulhi(3, 9);
}
int main() {
  float *out;
  cudaMallocManaged(&out, 12);
  use<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  timespec now;
  printf("%g %g %g %d %d\n", out[0], out[1], out[2], clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now),
         clock_gettime(CLOCK_MONOTONIC_RAW, &now));
}
