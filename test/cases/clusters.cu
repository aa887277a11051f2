// Thread block clusters: who is where, the barrier, the shared memory of the other blocks by pointers and by PTX, launches' errors.
// stdout: 16 blocks in order 1
// stdout: attribute cudaSuccess: 110 210 310 10 510
// stdout: several dimensions 1
// stdout: histogram 256 256 256 256
// stdout: own and other 1
// stdout: ptx 1
// stdout: arrived before 1
// stdout: some leave 1
// stdout: flags 1
// stdout: wide 1
// stdout: sixteen cudaErrorInvalidClusterSize cudaSuccess 1
// stdout: not a multiple cudaErrorInvalidClusterSize, cudaErrorInvalidClusterSize
// stdout: other dimensions cudaErrorInvalidClusterSize
// stdout: must be set 1, 2 x 2 x 1
// stdout: largest 8 16, active 1
// count: exchange cluster load executed = 48
// count: exchange cluster load threads = 1536
// count: exchange cluster load bytes = 6144
// count: exchange shared store executed = 48
// count: ownAndOther shared load executed = 4
// count: ownAndOther cluster load executed = 4
// count: histogram cluster atomic executed = 24
// count: histogram shared atomic executed = 8
// levels: nightly
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 1) place(int *wrong, int *orders) {
  auto cluster = cg::this_cluster();
  dim3 in = cluster.block_index(), which = __clusterIdx(), all = cg::this_grid().dim_clusters();
  bool isRight = cluster.num_blocks() == 4 && in.x == blockIdx.x % 2 && in.y == blockIdx.y % 2 && which.x == blockIdx.x / 2 &&
                 which.y == blockIdx.y / 2 && all.x == 2 && all.y == 2 && cluster.block_rank() == in.y * 2 + in.x &&
                 cluster.thread_rank() == cluster.block_rank() * 32 + threadIdx.x && cluster.num_threads() == 128 &&
                 cluster.dim_blocks().y == 2 && __clusterDimIsSpecified();
  if (!isRight) atomicAdd(wrong, 1);
  if (threadIdx.x == 0) atomicAdd(orders + cg::this_grid().cluster_rank(), 1 << 4 * cluster.block_rank());
}

__global__ void exchange(int *out) {
  auto cluster = cg::this_cluster();
  __shared__ int mine[64];
  mine[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  int *next = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  out[blockIdx.x * 64 + threadIdx.x] = next[threadIdx.x];
  cluster.sync();
}

// Each block of a cluster tells the one diagonally across; blocks of a cluster are no neighbours in the grid.
__global__ void __cluster_dims__(2, 2, 1) across(int *wrong) {
  auto cluster = cg::this_cluster();
  __shared__ unsigned from[2];
  unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) cluster.map_shared_rank(from, 3 - rank)[1] = blockIdx.y * gridDim.x + blockIdx.x;
  cluster.sync();
  unsigned x = blockIdx.x ^ 1, y = blockIdx.y ^ 1;
  if (from[1] != y * gridDim.x + x) atomicAdd(wrong, 1);
}

__global__ void __cluster_dims__(4) histogram(int *out) {
  auto cluster = cg::this_cluster();
  extern __shared__ int bins[];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  cluster.sync();
  for (unsigned i = 0; i < 4; i++) {
    unsigned bin = (threadIdx.x * 4 + i) % 64;
    atomicAdd(cluster.map_shared_rank(bins, i) + bin / 4, 1);
  }
  cluster.sync();
  if (threadIdx.x < 16) atomicAdd(out + cluster.block_rank(), bins[threadIdx.x]);
}

// One load through pointers to the block's own memory and another block's.
__device__ __noinline__ int read(int *const *places, int which, int at) { return places[which][at]; }
__global__ void __cluster_dims__(2) ownAndOther(int *out) {
  auto cluster = cg::this_cluster();
  __shared__ int mine[32];
  mine[threadIdx.x] = 100 * cluster.block_rank() + threadIdx.x;
  int *places[2] = {mine, cluster.map_shared_rank(mine, 1 - cluster.block_rank())};
  cluster.sync();
  int parity = threadIdx.x % 2;
  out[blockIdx.x * 64 + threadIdx.x] = read(places, parity, threadIdx.x);
  out[blockIdx.x * 64 + 32 + threadIdx.x] = read(places, 1 - parity, threadIdx.x);
  cluster.sync();
}

__global__ void __cluster_dims__(3) ptx(unsigned *wrong) {
  __shared__ unsigned words[36];
  unsigned rank, size, other, value, old, owner, isThere;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  words[threadIdx.x] = 10 * rank;
  if (threadIdx.x < 4) words[32 + threadIdx.x] = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned address = (unsigned)__cvta_generic_to_shared(words), next = (rank + 1) % size;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(next));
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(other));
  asm volatile("ld.shared::cluster.u32 %0, [%1 + 4];" : "=r"(value) : "r"(other) : "memory");
  bool isRight = size == 3 && owner == next && value == 10 * next;
  asm volatile("atom.shared::cluster.add.u32 %0, [%1 + 128], 1;" : "=r"(old) : "r"(other) : "memory");
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0 + 132], 2;" ::"r"(other) : "memory");
  if (threadIdx.x == 0) asm volatile("st.shared::cluster.u32 [%0 + 136], %1;" ::"r"(other), "r"(rank + 7) : "memory");
  asm volatile("st.shared::cluster.u32 [%0 + 140], %1;" ::"r"(address), "r"(rank) : "memory");
  asm volatile("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(isThere)
               : "l"(__cluster_map_shared_rank(words, next)));
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  isRight = isRight && old < 32 && words[32] == 32 && words[33] == 64 && words[34] == (rank + 2) % 3 + 7 && words[35] == rank &&
            isThere && !__isClusterShared(wrong) && __cluster_query_shared_rank(__cluster_map_shared_rank(words, next)) == next;
  if (!isRight) atomicAdd(wrong, 1);
}

// What was written before a block arrived is there behind the others' wait, whatever it does in between.
__global__ void __cluster_dims__(4) arrived(int *wrong) {
  auto cluster = cg::this_cluster();
  __shared__ int sum, own[64];
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&sum, (cluster.block_rank() + round) % 4), 1);
    auto token = cluster.barrier_arrive();
    own[threadIdx.x] = round;
    __syncthreads();
    int beside = own[threadIdx.x ^ 33];
    __syncthreads();
    cluster.barrier_wait(std::move(token));
    if (beside != round || *(volatile int *)&sum != round + 1) atomicAdd(wrong, 1);
    cluster.sync();
  }
}

// Threads that have ended are not waited for.
__global__ void __cluster_dims__(2) leave(int *out) {
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 1 && threadIdx.x >= 40) return;
  if (threadIdx.x == 5) return;
  atomicAdd(out, 1);
  cluster.sync();
  if (*(volatile int *)out != 63 + 39) atomicAdd(out + 1, 1);
}

// A block waits for a word that the other one writes to it, and may end first.
__global__ void __cluster_dims__(2) flags(int *out) {
  auto cluster = cg::this_cluster();
  __shared__ volatile int flag;
  __shared__ int value;
  if (threadIdx.x == 0) flag = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    if (threadIdx.x == 0) {
      *cluster.map_shared_rank(&value, 0) = 42;
      __threadfence();
      *cluster.map_shared_rank(&flag, 0) = 1;
    }
  } else if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    __threadfence();
    out[0] = value;
  }
}

__global__ void __cluster_dims__(2, 1, 2) wide(float *wrong) {
  auto cluster = cg::this_cluster();
  __shared__ float4 vectors[32];
  __shared__ double sums[2];
  __shared__ unsigned char bytes[40];
  unsigned rank = cluster.block_rank(), other = (rank + 1) % 4;
  vectors[threadIdx.x] = make_float4(rank, threadIdx.x, 2, 3);
  bytes[threadIdx.x] = 3 * rank + threadIdx.x;
  if (threadIdx.x < 2) sums[threadIdx.x] = 0;
  cluster.sync();
  float4 read = cluster.map_shared_rank(vectors, other)[31 - threadIdx.x];
  unsigned char byte = cluster.map_shared_rank(bytes, other)[threadIdx.x];
  atomicAdd(cluster.map_shared_rank(sums, other) + threadIdx.x % 2, 0.5);
  cluster.sync();
  if (read.x != other || read.y != 31 - threadIdx.x || read.w != 3 || byte != 3 * other + threadIdx.x || sums[0] != 8 || sums[1] != 8)
    atomicAdd(wrong, 1.0f);
}

__global__ void small(int *out) { out[0] = 1; }

template <class Kernel, class... Values>
cudaError_t launch(Kernel kernel, dim3 grid, unsigned threads, dim3 cluster, Values... values) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
  config.gridDim = grid;
  config.blockDim = threads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaError_t result = cudaLaunchKernelEx(&config, kernel, values...);
  return result == cudaSuccess ? cudaDeviceSynchronize() : (cudaGetLastError(), result);
}

int main() {
  int *out;
  cudaMallocManaged(&out, 1 << 16);
  auto clear = [&] { cudaMemset(out, 0, 1 << 16); };
  auto finish = [&] {
    if (cudaDeviceSynchronize() != cudaSuccess) printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  };
  place<<<dim3(4, 4), 32>>>(out, out + 1);
  finish();
  bool isRight = out[0] == 0;
  for (int i = 1; i <= 4; i++) isRight = isRight && out[i] == 0x1111;
  printf("16 blocks in order %d\n", isRight);

  cudaError_t result = launch(exchange, 8, 64, 4, out);
  printf("attribute %s: %d %d %d %d %d\n", cudaGetErrorName(result), out[10], out[64 + 10], out[128 + 10], out[192 + 10], out[256 + 10]);
  clear();
  across<<<dim3(6, 4), 32>>>(out);
  finish();
  printf("several dimensions %d\n", out[0] == 0);
  clear();
  histogram<<<4, 64, 64>>>(out);
  finish();
  printf("histogram %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  clear();
  ownAndOther<<<2, 32>>>(out);
  finish();
  isRight = true;
  for (int block = 0; block < 2; block++)
    for (int i = 0; i < 32; i++)
      isRight = isRight && out[block * 64 + i] == 100 * (block ^ i % 2) + i && out[block * 64 + 32 + i] == 100 * (block ^ 1 - i % 2) + i;
  printf("own and other %d\n", isRight);
  clear();
  ptx<<<6, 32>>>((unsigned *)out);
  finish();
  printf("ptx %d\n", out[0] == 0);
  clear();
  arrived<<<8, 64>>>(out);
  finish();
  printf("arrived before %d\n", out[0] == 0);
  clear();
  leave<<<2, 64>>>(out);
  finish();
  printf("some leave %d\n", out[0] == 102 && out[1] == 0);
  flags<<<2, 32>>>(out);
  finish();
  printf("flags %d\n", out[0] == 42);
  clear();
  wide<<<dim3(2, 3, 2), 32>>>((float *)out);
  finish();
  printf("wide %d\n", out[0] == 0);

  result = launch(exchange, 16, 64, 16, out);
  cudaFuncSetAttribute(exchange, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  printf("sixteen %s %s", cudaGetErrorName(result), cudaGetErrorName(launch(exchange, 16, 64, 16, out)));
  printf(" %d\n", out[15 * 64 + 1] == 1);
  result = launch(exchange, 6, 64, 4, out);
  ptx<<<4, 32>>>((unsigned *)out);
  printf("not a multiple %s, %s\n", cudaGetErrorName(result), cudaGetErrorName(cudaGetLastError()));
  printf("other dimensions %s\n", cudaGetErrorName(launch(across, dim3(4, 4), 32, dim3(4), out)));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, across);
  printf("must be set %d, %d x %d x %d\n", attributes.clusterDimMustBeSet, attributes.requiredClusterWidth,
         attributes.requiredClusterHeight, attributes.requiredClusterDepth);
  cudaLaunchConfig_t config = {};
  config.gridDim = 64;
  config.blockDim = 64;
  int portable = 0, largest = 0, active = 0, supported = 0;
  cudaOccupancyMaxPotentialClusterSize(&portable, small, &config);
  cudaOccupancyMaxPotentialClusterSize(&largest, exchange, &config);
  cudaOccupancyMaxActiveClusters(&active, histogram, &config);
  cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0);
  printf("largest %d %d, active %d\n", portable, largest, active > 0 && supported);
  return 0;
}
