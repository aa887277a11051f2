// Host code that takes addresses of __device__ functions: nothing that a launch could use.
// levels: nightly
// stdout: launch: invalid device function
// stdout: 1 1 0
#include <cstdio>

namespace inner {
__device__ void set(int &x) { x = 1; }
} // namespace inner
__device__ int next(int x) { return x + 1; }
__device__ int last(int x) { return x - 1; }

using Function = int (*)(int);

void never() {
  void *arguments[1];
  cudaLaunchKernel((void *)inner::set, dim3(1), dim3(1), arguments, 0, nullptr);
}

int main(int count, char **) {
  if (count > 5) never();
  void *arguments[1] = {&count};
  cudaError_t error = cudaLaunchKernel((void *)next, dim3(1), dim3(1), arguments, 0, nullptr);
  printf("launch: %s\n", cudaGetErrorString(error));
  Function table[] = {next, &last}; Function none = nullptr;
  printf("%d %d %d\n", table[0] != nullptr, table[1] != none, none != nullptr);
  return 0;
}
