// Kernels made for lambdas of main(int, char **): the host's names for them spell out main's parameters, the device's do not.
// stdout: 42 43 | 9 11 | 7 4 | 5 | 6 1
#include <cstdio>

template <class A, class B> __global__ void both(A a, B b) { a(); b(); }
template <class A, class T> __global__ void with(A a, T *x, const T *y) { a(x, y); }
/* Its name has main's own types besides. */
template <class T, int n> struct Array {
  T of[n];
};
template <class A, class... T> __global__ void typed(A a, T... pointers) { a(pointers...); }
template <class A> __global__ void one(A a) { a(); }
template <class A, class B> void launch(A a, B b) {
  void *args[2] = {&a, &b};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(both<A, B>), dim3(1), dim3(1), args, 0, 0);
}

int main(int argc, char **argv) {
  int *d, h[2];
  cudaMalloc(&d, 8);
  auto show = [&](const char *end) {
    cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
    printf("%d %d%s", h[0], h[1], end);
  };
  auto first = [d] __device__() { d[0] = 42; };
  auto second = [d] __device__() { d[1] = d[0] + 1; };
  launch(first, second);
  show(" | ");
  both<<<1, 1>>>([d] __device__() { d[0] = 9; }, [=] __device__() { d[1] = d[0] + argc + 1; });
  show(" | ");
  with<<<1, 1>>>([] __device__(int *x, const int *y) { x[1] = y[0] - 5; x[0] = 7; }, d, d);
  show(" | ");
  one<<<1, 1>>>([d] __device__() { d[0] = 5; });
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d | ", h[0]);
  Array<char *, 2> pointers = {{(char *)d, (char *)(d + 1)}};
  const char *const *list = (const char *const *)d;
  typed<<<1, 1>>>([] __device__(Array<char *, 2> p, char **, const char *const *) { *(int *)p.of[0] = 6, *(int *)p.of[1] = 1; },
                  pointers, (char **)d, list);
  show("\n");
  return cudaDeviceSynchronize();
}
