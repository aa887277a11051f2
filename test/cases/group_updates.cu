// Collectives of cooperative groups that end in an atomic or at a place, and scans over tiles of several warps.
// levels: nightly
// stdout: sum 2016 at 2016 least 0 product 720
// stdout: places 129 of 160 distinct
// stdout: tiles 63 2016 1953 100 163
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>
namespace cg = cooperative_groups;

struct Results {
  cuda::atomic<int, cuda::thread_scope_device> sum, next;
  int at, least, product;
  int places[160];
  int tiles[5];
};

__global__ void sums(Results *results) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int value = block.thread_rank();
  cg::reduce_update_async(tile, results->sum, value, cg::plus<int>());
  cuda::atomic_ref<int, cuda::thread_scope_block> least(results->least);
  cg::reduce_update_async(tile, least, value, cg::less<int>());
  if (value < 32) cg::reduce_store_async(tile, &results->at, 63, cg::plus<int>());
  if (value >= 1 && value <= 6) {
    cuda::atomic_ref<int, cuda::thread_scope_device> product(results->product);
    cg::reduce_update_async(cg::coalesced_threads(), product, value, [](int a, int b) { return a * b; });
  }
}
/* Every odd thread takes two places, every other one. */
__global__ void places(Results *results) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int wanted = 1 + threadIdx.x % 2;
  if (threadIdx.x >= 86) return;
  auto active = cg::coalesced_threads();
  const int first = cg::exclusive_scan_update(active, results->next, wanted);
  for (int i = 0; i < wanted; i++) atomicAdd(&results->places[first + i], 1);
}
__global__ void tiles(Results *results) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  const int rank = tile.thread_rank();
  const int inclusive = cg::inclusive_scan(tile, rank), exclusive = cg::exclusive_scan(tile, rank);
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(results->tiles[3]);
  const int behind = block.thread_rank() < 64 ? cg::inclusive_scan_update(tile, ref, 1) : 0;
  if (block.thread_rank() == 127) results->tiles[0] = rank, results->tiles[1] = inclusive, results->tiles[2] = exclusive;
  if (block.thread_rank() == 62) results->tiles[4] = behind;
}

int main() {
  Results *results;
  cudaMallocManaged(&results, sizeof *results);
  results->product = 1;
  results->least = 1000;
  results->tiles[3] = 100;
  sums<<<1, 64>>>(results);
  places<<<1, 96>>>(results);
  tiles<<<1, 128>>>(results);
  cudaDeviceSynchronize();
  printf("sum %d at %d least %d product %d\n", results->sum.load(), results->at, results->least, results->product);
  int distinct = 0;
  for (int place : results->places) distinct += place == 1;
  printf("places %d of %d distinct\n", distinct, 160);
  printf("tiles %d %d %d %d %d\n", results->tiles[0], results->tiles[1], results->tiles[2], results->tiles[3] - 64, results->tiles[4]);
  return 0;
}
