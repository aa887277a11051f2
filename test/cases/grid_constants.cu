// Where a pointer points to: a kernel's parameters are in no other window. At -O0 nobody knows where it comes from, which is refused.
// levels: 2
// stdout: 1 0 0 0 0 0
// stdout: 1 0 0 0 0 0
#include <cstdio>
struct Values {
  int of[4];
};
__constant__ int constant;
__device__ int global;

__global__ void ask(const __grid_constant__ Values values) {
  int local;
  __shared__ int shared;
  const int *parameter = &values.of[threadIdx.x];
  printf("%u %u %u %u %u %u\n", __isGridConstant(parameter), __isGridConstant(&local), __isGridConstant(&shared),
         __isGridConstant(&constant), __isGridConstant(&global), __isGlobal(parameter));
}

int main() {
  ask<<<1, 2>>>(Values{{5, 6, 7, 8}});
  return cudaDeviceSynchronize();
}
