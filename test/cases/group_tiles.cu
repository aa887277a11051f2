// Tiles of several warps without block_tile_memory: from compute capability 8.0 on each block has memory set aside for them.
// stdout: 256 2 32640 32640
// stdout: 64 4 2016 18400
// stdout: 120 496
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

template <int Size> __global__ void sums(int *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum % 100000;
}
__global__ void scans(int *out) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, (int)tile.thread_rank());
}

int main() {
  int *out, host[128];
  cudaMallocManaged(&out, sizeof host);
  sums<256><<<1, 512>>>(out);
  cudaDeviceSynchronize();
  printf("256 2 %d %d\n", out[0], out[1] - 256 * 256);
  sums<64><<<1, 256>>>(out);
  cudaDeviceSynchronize();
  printf("64 4 %d %d\n", out[0], out[3] + 4096);
  scans<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[15], out[64 + 31]);
}
