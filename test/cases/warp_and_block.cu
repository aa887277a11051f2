// Shuffles of all types and widths, votes, matches, reductions, barriers with a result, cooperative groups, waiting for
// other lanes, warps and blocks.
// stdout: shuffles 5 40 9000000000 3.5 2.25 | 8 15 30 7
// stdout: votes 1 0 1 ffff0000, active 5555, match 4 0 2 1, reduce 496 0 31 ffffffff
// stdout: block count 48 and 0 or 1, named 33
// stdout: groups 64 5 3, tile 28 7, coalesced 11 4, reduce 2016, labels 4
// stdout: grid 6 6 6
// stdout: spin 32, chain 0 1 2 3, lock 96
// stdout: legacy 31 ff 1
// count: _Z8gridSync global store executed = 3
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void shuffles(double *out, int *narrow) {
  int lane = threadIdx.x;
  double a = __shfl_sync(~0u, lane, 5), b = __shfl_up_sync(~0u, (unsigned char)(lane * 10), 1), c = 0;
  c = (double)__shfl_down_sync(~0u, lane * 1000000000ll, 4);
  double d = __shfl_xor_sync(~0u, lane + 0.5f, 6), e = __shfl_sync(~0u, lane + 0.25, 2);
  if (lane == 5) out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e;
  narrow[lane] = __shfl_down_sync(~0u, lane, 3, 8);
  narrow[32 + lane] = __shfl_sync(~0u, lane, -1, 16);
}
__global__ void votes(unsigned *out) {
  unsigned lane = threadIdx.x;
  unsigned all = __all_sync(~0u, lane < 32), none = __any_sync(~0u, lane > 31), some = __any_sync(~0u, lane == 7), upper = __ballot_sync(~0u, lane > 15);
  if (lane == 0) out[0] = all, out[1] = none, out[2] = some, out[3] = upper;
  if (lane % 2 == 0 && lane < 16) {
    unsigned active = __activemask();
    if (lane == 0) out[4] = active;
  }
  __syncwarp();
  int agree;
  unsigned same = __match_any_sync(~0u, (int)lane / 4), whole = __match_all_sync(~0u, lane / 16, &agree);
  int small = __popc(__match_any_sync(~0u, (unsigned char)(lane / 2))), agreeSmall;
  __match_all_sync(~0u, (short)-1, &agreeSmall);
  int sum = __reduce_add_sync(~0u, (int)lane), most = __reduce_max_sync(~0u, lane);
  unsigned least = __reduce_min_sync(~0u, lane), bits = __reduce_or_sync(~0u, 1u << lane);
  if (lane == 0) out[5] = __popc(same), out[6] = whole + agree, out[7] = sum, out[8] = least, out[9] = most, out[10] = bits, out[11] = small, out[12] = agreeSmall;
}
__global__ void barriers(int *out) {
  int count = __syncthreads_count(threadIdx.x % 4), all = __syncthreads_and(threadIdx.x), any = __syncthreads_or(threadIdx.x == 63);
  __shared__ int x;
  if (threadIdx.x == 32) x = 33;
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  else asm volatile("bar.arrive 1, 64;" ::: "memory");
  if (threadIdx.x == 0) out[0] = count, out[1] = all, out[2] = any, out[3] = x;
}
__global__ void groups(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int sum = tile.thread_rank();
  for (int offset = 4; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  int total = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  block.sync();
  if (tile.thread_rank() == 0) atomicAdd(&all, total);
  block.sync();
  if (threadIdx.x == 13) out[0] = block.size(), out[1] = tile.thread_rank(), out[7] = all;
  if (threadIdx.x == 27) out[2] = tile.thread_rank();
  if (threadIdx.x == 0) out[3] = sum, out[4] = tile.shfl(7, 0);
  if (threadIdx.x < 32 && threadIdx.x % 3 == 0) {
    auto active = cg::coalesced_threads();
    if (threadIdx.x == 12) out[5] = active.size(), out[6] = active.thread_rank();
  }
  block.sync();
  if (threadIdx.x < 32) {
    auto labelled = cg::labeled_partition(cg::tiled_partition<32>(block), (int)threadIdx.x % 8);
    if (threadIdx.x == 9) out[8] = labelled.size();
  }
}
__global__ void gridSync(int *x, int *out) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) atomicAdd(x, blockIdx.x + 1);
  grid.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *(volatile int *)x;
}
__device__ int mutex;
__global__ void waiting(int *out, volatile int *turn, int *counted) {
  // Lanes of one warp that wait for each other.
  bool done = false;
  while (!done)
    if (atomicCAS(&mutex, 0, 1) == 0) {
      *(volatile int *)counted += 1;
      __threadfence();
      atomicExch(&mutex, 0);
      done = true;
    }
  // Blocks that wait for the block before them.
  if (threadIdx.x == 0) {
    while (*turn != (int)blockIdx.x) {}
    out[blockIdx.x] = *turn;
    __threadfence();
    *turn = blockIdx.x + 1;
  }
}
__global__ void legacy(unsigned *out) {
  int lane = threadIdx.x;
  unsigned last = __shfl(lane, 31), low = __ballot(lane < 8), any = __any(lane == 3);
  if (lane == 0) out[0] = last, out[1] = low, out[2] = any;
}
int main() {
  int *x, *y;
  double *d;
  cudaMallocManaged(&x, 1024), cudaMallocManaged(&y, 1024), cudaMallocManaged(&d, 1024);
  shuffles<<<1, 32>>>(d, x);
  cudaDeviceSynchronize();
  printf("shuffles %g %g %.0f %g %g | %d %d %d %d\n", d[0], d[1], d[2], d[3], d[4], x[5] + 3, x[32], x[48] - 1, x[7]);
  votes<<<1, 32>>>((unsigned *)x);
  cudaDeviceSynchronize();
  printf("votes %d %d %d %x, active %x, match %d %d %d %d, reduce %d %d %d %x\n", x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[11], x[12], x[7], x[8], x[9], x[10]);
  barriers<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  printf("block count %d and %d or %d, named %d\n", x[0], x[1], x[2], x[3]);
  groups<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  printf("groups %d %d %d, tile %d %d, coalesced %d %d, reduce %d, labels %d\n", x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]);
  x[0] = 0;
  void *args[] = {&x, &y};
  cudaLaunchCooperativeKernel((void *)gridSync, dim3(3), dim3(64), args, 0, 0);
  cudaDeviceSynchronize();
  printf("grid %d %d %d\n", y[0], y[1], y[2]);
  x[0] = 0, x[1] = 0;
  waiting<<<1, 32>>>(y, x, x + 1);
  cudaDeviceSynchronize();
  printf("spin %d, chain", x[1]);
  x[0] = 0, x[1] = 0;
  waiting<<<4, 24>>>(y, x, x + 1);
  cudaDeviceSynchronize();
  printf(" %d %d %d %d, lock %d\n", y[0], y[1], y[2], y[3], x[1]);
  legacy<<<1, 32>>>((unsigned *)x);
  cudaDeviceSynchronize();
  printf("legacy %d %x %d\n", x[0], x[1], x[2]);
}
