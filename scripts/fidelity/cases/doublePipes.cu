// Functions of doubles by all multiprocessors, on two numbers a thread, one after the other: what their pipe and the issue slots have to do.
#include <cstdio>
#define KERNEL(name, expression) __global__ void name(double *o, int n, double c) { \
  double x = 0.3 + 1e-3 * (threadIdx.x & 63), y = 0.7 + 1e-4 * (blockIdx.x & 127); \
  for (int i = 0; i < n; i++) { double v = x; x = (expression); v = y; y = (expression); } \
  if (x + y == 123.0) o[threadIdx.x] = x; }
KERNEL(fmas, fma(v, c, 0.25))
KERNEL(sums, v + c)
KERNEL(quotients, 1.5 / (v + c))
KERNEL(roots, sqrt(v) + c)
KERNEL(inverseRoots, rsqrt(v) + c)
KERNEL(cosines, cos(v) + c)
KERNEL(sines, sin(v) + c)
KERNEL(exponentials, exp(-v))
KERNEL(logarithms, log(v + 1.5) + c)
KERNEL(powers, pow(v, 0.8) + c)
KERNEL(arcs, atan(v) + c)
KERNEL(hyperbolics, tanh(v) + c)
KERNEL(errors, erf(v) * c)
KERNEL(whole, (double)(int)(v * 10.0) * 0.1 + c)
KERNEL(fromFloat, (double)((float)v * 0.9f) + c)
KERNEL(largest, fmax(v * 0.5, c))
KERNEL(chosen, v > c ? v * 0.5 : v + 0.4)
KERNEL(floors, floor(v * 3.0) * 0.25 + c)
KERNEL(cubeRoots, cbrt(v) + c)
KERNEL(magnitudes, sqrt(fabs(cos(v))))
#define RUN(name) name<<<132 * 4, 512>>>(o, 64, 0.5);
int main() {
  double *o; cudaMalloc(&o, 4096);
  RUN(fmas) RUN(sums) RUN(quotients) RUN(roots) RUN(inverseRoots) RUN(cosines) RUN(sines) RUN(exponentials) RUN(logarithms) RUN(powers)
  RUN(arcs) RUN(hyperbolics) RUN(errors) RUN(whole) RUN(fromFloat) RUN(largest) RUN(chosen) RUN(floors) RUN(cubeRoots) RUN(magnitudes)
  return cudaDeviceSynchronize();
}
