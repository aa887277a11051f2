// Templates of the device side that call functions declared behind them, with arguments that bring no namespace: nvcc looks where
// the template is used (CUB's radix sort of version 2.0 needs it).
// levels: nightly
// stdout: 42 7
#include <cstdio>
template <class T> __device__ T twice(T x) { return increased(x) * 2; }
template <class T> struct Agent {
  T value;
  __device__ T run() { return largest(value, T(7)); }
};
__device__ int increased(int x) { return x + 1; }
__device__ int largest(int a, int b) { return a > b ? a : b; }
__global__ void kernel(int *out) {
  out[0] = twice(20);
  out[1] = Agent<int>{3}.run();
}
int main() {
  int *out;
  cudaMallocManaged(&out, 2 * sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[1]);
  return 0;
}
