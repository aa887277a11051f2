// A name that GCC's headers do not bring into std, in lines that are about sizes: these keep their 8 bytes.
// levels: nightly
// stdout: 8 8 24
#include <cstdio>
#include <iostream>
#include <vector>
#include <algorithm>
using namespace std;
struct stack_t_ { double a, b, c; };
__constant__ stack_t_ stack;
__global__ void read(double *out) { *out = stack.a + stack.b + stack.c; }
int main() {
  stack_t_ host = {1, 2, 21};
  cudaMemcpyToSymbol(stack, &host, sizeof(stack_t_));
  double *d, sum;
  cudaMalloc(&d, sizeof(double));
  read<<<1, 1>>>(d);
  cudaMemcpy(&sum, d, sizeof(double), cudaMemcpyDeviceToHost);
  size_t bytes = sizeof(stack);
  long longs[1] = {(long)bytes};
  printf("%d %d %g\n", (int)sizeof(bytes), (int)sizeof(longs[0]), sum);
}
