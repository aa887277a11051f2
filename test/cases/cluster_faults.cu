// Mistakes in clusters, each told with its line: memory of a block that has ended, or may have; places where no block's is; a barrier
// that not all come to.
// levels: nightly
// stdout: endsEarly: cudaErrorIllegalAddress
// stdout: endsPerhaps: cudaErrorIllegalAddress
// stdout: beyond: cudaErrorIllegalAddress
// stdout: wrongRank: cudaErrorIllegalAddress
// stdout: crooked: cudaErrorMisalignedAddress
// stdout: notAll: cudaErrorLaunchTimeout
// stdout: alone: cudaErrorIllegalAddress
// stderr: cluster_faults.cu:27:22: error: 4-byte load of the shared memory of block (1,0,0), rank 1 of its cluster, which has ended: a cluster.sync() before its end keeps it there
// stderr: cluster_faults.cu:35:47: error: 4-byte load of the shared memory of block (0,0,0), rank 0 of its cluster, which may have ended by then: no cluster.sync() stands between this access and its end
// stderr: cluster_faults.cu:43:3: error: 4-byte store of distributed shared memory where no block's is: the cluster has 2 blocks with 128 bytes of shared memory each
// stderr: cluster_faults.cu:53:3: error: 4-byte atomic of distributed shared memory where no block's is: the cluster has 2 blocks with 128 bytes of shared memory each
// stderr: cluster_faults.cu:63:22: error: 4-byte load of distributed shared memory at 0x2 of a block's, which is not a multiple of 4
// stderr: cluster_faults.cu:68:28: error: no thread can go on: this barrier waits for threads that never arrive
// stderr: cluster_faults.cu:76:22: error: 4-byte load of distributed shared memory where no block's is: the launch has no clusters of several blocks
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) endsEarly(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  int *other = c.map_shared_rank(mine, 1 - c.block_rank());
  out[threadIdx.x] = other[threadIdx.x];
}
__global__ void __cluster_dims__(2) endsPerhaps(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  int *other = c.map_shared_rank(mine, 0);
  if (c.block_rank() == 1) out[threadIdx.x] = other[threadIdx.x];
}
__global__ void __cluster_dims__(2) beyond(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  int *other = c.map_shared_rank(mine, 1 - c.block_rank());
  other[threadIdx.x + 1] = 1;
  c.sync();
  out[threadIdx.x] = mine[threadIdx.x];
}
__global__ void __cluster_dims__(2) wrongRank(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  int *other = c.map_shared_rank(mine, c.block_rank() + 1);
  atomicAdd(&other[threadIdx.x], 1);
  c.sync();
  out[threadIdx.x] = mine[threadIdx.x];
}
__global__ void __cluster_dims__(2) crooked(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[33];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  char *other = (char *)c.map_shared_rank(mine, 1 - c.block_rank());
  out[threadIdx.x] = *(int *)(other + 2);
  c.sync();
}
__global__ void __cluster_dims__(2) notAll(int *out) {
  auto c = cg::this_cluster();
  if (c.block_rank() == 0) c.sync();
  else __cluster_barrier_wait();
}
__global__ void alone(int *out) {
  auto c = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  out[threadIdx.x] = c.map_shared_rank(mine, 1)[threadIdx.x];
}
template <class K> void run(const char *name, K kernel) {
  int *out;
  cudaMalloc(&out, 4096);
  kernel<<<2, 32>>>(out);
  printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
  fflush(stdout);
  cudaDeviceReset();
}
int main() {
  run("endsEarly", endsEarly);
  run("endsPerhaps", endsPerhaps);
  run("beyond", beyond);
  run("wrongRank", wrongRank);
  run("crooked", crooked);
  run("notAll", notAll);
  run("alone", alone);
}
