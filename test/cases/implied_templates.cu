// Members of dependent classes that are templates, without the word `template`: nvcc finds out by itself.
// levels: nightly
// stdout: 7 12
// stdout: 3
#include <cstdio>
#include <memory>
#include <vector>
template <int a, int n> struct Chain {
  template <int c> static __device__ __host__ int get(int x) { return Chain<a + 1, n>::get<c>(x) + c; }
};
template <int n> struct Chain<n, n> {
  template <int c> static __device__ __host__ int get(int x) { return x; }
};
template <int n> __global__ void k(int *out) {
  Chain<0, n> chain;
  out[0] = Chain<0, n>::get<2>(1);
  out[1] = chain.get<3>(2) + Chain<n, n>::get<1>(1) * 1;
}
template <class Allocator> struct Rows {
  using IntAllocator = typename std::allocator_traits<Allocator>::rebind_alloc<int>;
  std::vector<int, IntAllocator> numbers{1, 2};
};
int main() {
  int *d, h[2];
  cudaMalloc(&d, 8);
  k<3><<<1, 1>>>(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  Rows<std::allocator<char>> rows;
  printf("%d\n", rows.numbers[0] + rows.numbers[1]);
}
