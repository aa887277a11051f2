// Built-in variables that are copied, taken by reference and given to templates, and a program's own definition of warpSize.
// stdout: 32360
#include <cstdio>

inline constexpr int warpSize = 32;
constexpr int lanes[] = {warpSize, 2 * warpSize};

template <class T> __device__ int sum(T t) { return t.x + t.y; }
__device__ int first(uint3 place) { return place.x; }
__device__ int firstOf(dim3 extent) { return extent.x; }

__global__ void work(int *result) {
  const auto thread = threadIdx;
  auto block = blockIdx;
  auto threads = blockDim;
  const auto &blocks = gridDim;
  uint3 place = threadIdx;
  dim3 extent = blockDim, grid{gridDim};
  if (block.x == 0 || thread.x != 3) return;
  *result = 500 * lanes[1] + 100 * sum(thread) + 10 * sum(threadIdx) + block.x + threads.x + blocks.x + first(thread) +
            firstOf(threads) + place.x + extent.x + grid.x + first(threadIdx) + firstOf(blockDim);
}

int main() {
  int *result;
  cudaMallocManaged(&result, sizeof *result);
  work<<<2, 4>>>(result);
  cudaDeviceSynchronize();
  printf("%d\n", *result);
}
