// Members of dependent classes that are templates, without the word `template`, and instantiations and specialisations without
// the words of their templates: nvcc finds out by itself.
// levels: nightly
// stdout: 7 12
// stdout: 3
// stdout: 13 10 20
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
template <class T> __host__ __device__ T twice(T x) { return x * 2; }
template float twice<float>(float);
template <> int twice(int x) { return x * 5; }
#define DEVICE __device__
template <class T>
DEVICE T thrice(T x) {
  return x * 3;
}
template int thrice<int>(int);
template <class T> __global__ void sum(T *out) { *out = thrice(1) + twice(2); }
template void sum<int>(int *);
int main() {
  int *d, h[2];
  cudaMalloc(&d, 8);
  k<3><<<1, 1>>>(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  Rows<std::allocator<char>> rows;
  printf("%d\n", rows.numbers[0] + rows.numbers[1]);
  sum<<<1, 1>>>(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d %g %d\n", h[0], twice(5.f), twice(4));
}
