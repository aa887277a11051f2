// Device functions defined without the word that their declarations have: nvcc warns and takes them for the same.
// levels: nightly
// stdout: 24 5 7
#include <cstdio>
struct A {
  int x;
  __device__ int f(int);
  template <class T> __device__ T g(T);
  __host__ __device__ int h(int);
};
int A::f(int y) { return x + y + threadIdx.x; }
template <class T> T A::g(T t) { return t + x; }
int A::h(int y) { return y; }
namespace n {
__device__ int q(int a, const float *b);
}
int n::q(int a, const float *) {
  __shared__ volatile int s;
  s = a;
  return s;
}
__device__ int twice(int);
int twice(int a) { return a * 2; }

#define BOTH __host__ __device__
struct B {
  int x;
  BOTH int f(int) const;
};
BOTH int inc(int);
__host__ int B::f(int y) const { return x - y; }
int inc(int a) { return a + 1; }

__global__ void k(int *o) {
  A a{3};
  *o = a.f(1) + a.g(2) + a.h(3) + n::q(1, nullptr) + twice(4) + 2 + B{9}.f(inc(7));
}
int main() {
  int *o;
  cudaMallocManaged(&o, 4);
  k<<<1, 1>>>(o);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", *o, A{}.h(5), B{9}.f(inc(1)));
}
