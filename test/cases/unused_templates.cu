// Templates that nobody uses, with names that nothing has: nvcc does not look into them.
// stdout: 7
#include <cstdio>
#if defined(__CUDA_ARCH__)
template <int limbs> struct padded {
  static __device__ int zeros(const int *x) {
    lor = any<words>(x);
    return lor == 0;
  }
};
#endif
template <int n> __global__ void kernel(int *out) { *out = n; }
int main() {
  int *out;
  cudaMallocManaged(&out, sizeof(int));
  kernel<7><<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
}
