// Launches as CUDA 3's driver API had them (gpu-burn): a function keeps its shape and its parameters. Linux's own errors.
// levels: nightly
// stdout: 0 5 35 2.5, then 0 5 135 2.5; bad: 400; errors: 1
#include <cerrno>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
extern __shared__ int spare[];
__global__ void fill(float *to, int add, float scale) {
  spare[threadIdx.x] = threadIdx.x + threadIdx.y * blockDim.x;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.y == 0) to[at] = add + at + (scale - 2.5f) + spare[threadIdx.x] * 0;
}
int main() {
  cuInit(0);
  float *to;
  cudaMallocManaged(&to, 32 * sizeof *to);
  cudaFunction_t symbol;
  cudaGetFuncBySymbol(&symbol, (const void *)fill);
  CUfunction function = (CUfunction)symbol;
  int place = 0;
  cuParamSetv(function, place, &to, sizeof to), place += sizeof to;
  cuParamSeti(function, place, 5), place += sizeof(int);
  cuParamSetf(function, place, 2.5f), place += sizeof(float);
  cuParamSetSize(function, place);
  cuFuncSetBlockShape(function, 16, 2, 1);
  cuFuncSetSharedSize(function, 64);
  int result = cuLaunchGrid(function, 2, 1);
  cudaDeviceSynchronize();
  std::printf("%d %g %g 2.5, then ", result, to[0], to[30]);
  cuParamSeti(function, sizeof to, 105);
  result = cuLaunchGridAsync(function, 2, 1, 0);
  cudaDeviceSynchronize();
  std::printf("%d %g %g 2.5; ", result, to[0] - 100, to[30]);
  std::printf("bad: %d; errors: %d\n", cuLaunch((CUfunction)to), ENOMEDIUM != EMEDIUMTYPE && ENODATA != ETIME);
}
