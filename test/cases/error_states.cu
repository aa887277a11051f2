// Errors as an H100 gives them (CUDA 13): of launches beyond __launch_bounds__, of limits that there are none of, behind a fault, and
// behind a reset.
// levels: nightly
// stderr: the program executed a trap
// stdout: cudaErrorInvalidValue cudaSuccess
// stdout: 128 threads at most, 8 blocks of 256, 2112 x 128
// stdout: cudaErrorInvalidValue cudaErrorInvalidValue
// stdout: cudaErrorLaunchFailure: cudaErrorLaunchFailure cudaSuccess cudaSuccess
// stdout: cudaErrorLaunchFailure: cudaErrorLaunchFailure cudaErrorLaunchFailure cudaSuccess
// stdout: cudaSuccess: cudaSuccess cudaSuccess
// stdout: stoi
#include <cstdio>
#include <future>
#include <stdexcept>
#include <string>

__global__ __launch_bounds__(128) void bounded(int *p) { *p = 1; }
__global__ void trap() { __trap(); }

static const char *last() { return cudaGetErrorName(cudaGetLastError()); }
static const char *peek() { return cudaGetErrorName(cudaPeekAtLastError()); }

int main() {
  int *p, blocks, grid, block;
  size_t value;
  cudaMalloc(&p, 64);
  bounded<<<1, 129>>>(p);
  printf("%s ", last());
  bounded<<<1, 128>>>(p);
  printf("%s\n", last());
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0);
  printf("%d threads at most, %d blocks of 256, %d x %d\n", attributes.maxThreadsPerBlock, blocks, grid, block);
  printf("%s ", cudaGetErrorName(cudaDeviceSetLimit((cudaLimit)77, 1)));
  printf("%s\n", cudaGetErrorName(cudaDeviceGetLimit(&value, (cudaLimit)77)));
  cudaGetLastError();
  trap<<<1, 1>>>();
  printf("%s: ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s ", last());
  printf("%s ", last());
  printf("%s\n", peek());
  printf("%s: ", cudaGetErrorName(cudaFree(p)));
  printf("%s ", peek());
  printf("%s ", last());
  printf("%s\n", last());
  printf("%s: ", cudaGetErrorName(cudaDeviceReset()));
  printf("%s ", last());
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, 64)));
  std::future<int> number = std::async(std::launch::async, [] { return std::stoi("none"); });
  try {
    number.get();
  } catch (const std::invalid_argument &e) {
    printf("%s\n", e.what());
  }
}
