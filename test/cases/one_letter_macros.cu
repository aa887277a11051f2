// Programs call their constants N and T, before they include what has template parameters of those names.
// levels: nightly
// stdout: 16 6 2
#include <cstdio>
#define A 9
#define B 3
#define C 6
#define D 7
#define H 6
#define K 4
#define L 4
#define M 3
#define N 16
#define R 2
#define S 8
#define T float
#define W 5
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cublas_v2.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda/std/tuple>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <mma.h>
#include <vector>
namespace cg = cooperative_groups;

__global__ void k(T *x) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  T sum = cg::reduce(warp, threadIdx.x < M ? T(R) : T(0), cg::plus<T>());
  if (threadIdx.x < N) x[threadIdx.x] = threadIdx.x == 1 ? sum : N;
}
int main() {
  T *x;
  cudaMallocManaged(&x, N * sizeof(T));
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  printf("%g %g %d\n", x[3], x[1], R);
}
