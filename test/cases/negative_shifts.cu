// Negative numbers shifted to the left, as constants: C++20's, which nvcc takes in C++17, its standard unless told otherwise (CUB 1.8's
// mask of a warp of STEPS steps).
// levels: nightly
// stdout: 6144 -64
#include <cstdio>
template <int STEPS> struct Warp {
  enum { MASK = ((-1 << STEPS) & 31) << 8 };
};
template <int BITS> __device__ int below() {
  const int value = -1 << BITS;
  int parts[-value];
  return -static_cast<int>(sizeof parts / sizeof *parts);
}
__global__ void kernel(int *out) {
  out[0] = Warp<3>::MASK;
  out[1] = below<6>();
}
int main() {
  int *out;
  cudaMallocManaged(&out, 2 * sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[1]);
  return 0;
}
