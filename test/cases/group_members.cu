// Members of cooperative groups' grids and clusters, and calls by one thread of a group.
// levels: nightly
// stdout: grid 8 x 4, thread 7 3, clusters 4 x 2, cluster 3 1, rank 7 of 8
// stdout: cluster 0 of 1, block 0 of 1, thread 3 of 4, 1 1, 2 2
// stdout: 10 10 10
// stdout: 7 1 48 16
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;

template <class Group> __device__ void meet(Group group, int *place) {
  atomicAdd(place, threadIdx.x + 2 * threadIdx.y + 1);
  auto token = group.barrier_arrive();
  group.barrier_wait(std::move(token));
}

__global__ void show(int *sums) {
  auto grid = cg::this_grid();
  auto cluster = cg::this_cluster();
  __shared__ int own[2];
  if (threadIdx.x == 0 && threadIdx.y == 0) own[0] = own[1] = 0;
  __syncthreads();
  meet(cluster, &own[0]);
  meet(cg::this_thread_block(), &own[1]);
  cluster.barrier_arrive();
  cluster.barrier_wait();
  meet(grid, sums);
  if (grid.thread_rank() + 1 < grid.num_threads()) return;
  dim3 all = grid.dim_threads(), at = grid.thread_index(), clusters = grid.dim_clusters(), which = grid.cluster_index();
  printf("grid %d x %d, thread %d %d, clusters %d x %d, cluster %d %d, rank %d of %d\n", all.x, all.y, at.x, at.y, clusters.x,
         clusters.y, which.x, which.y, (int)grid.cluster_rank(), (int)grid.num_clusters());
  printf("cluster %d of %d, block %d of %d, thread %d of %d, %d %d, %d %d\n", cluster.query_shared_rank(own), cluster.num_blocks(),
         cluster.block_rank(), cluster.num_blocks(), cluster.thread_rank(), cluster.size(), cluster.thread_index().x,
         cluster.thread_index().y, cluster.dim_threads().x, cluster.dim_threads().y);
  printf("%d %d %d\n", own[0], own[1], *sums / 8);
}

__global__ void calls(int *sums) {
  __shared__ int made;
  auto block = cg::this_thread_block();
  cg::invoke_one(block, [](int value) { made = value; }, 7);
  block.sync();
  auto half = cg::tiled_partition<16>(block);
  auto add = [&](int value) { return atomicAdd(sums, value); };
  int before = cg::invoke_one_broadcast(half, add, 16);
  bool isSame = half.all(before == half.shfl(before, 3));
  block.sync();
  if (threadIdx.x == 40) printf("%d %d %d %d\n", made, isSame, *sums, half.size());
}

int main() {
  int *sums;
  cudaMallocManaged(&sums, sizeof *sums);
  *sums = 0;
  void *arguments[] = {&sums};
  cudaLaunchCooperativeKernel((void *)show, dim3(4, 2), dim3(2, 2), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  *sums = 0;
  calls<<<1, 48>>>(sums);
  cudaDeviceSynchronize();
  return 0;
}
