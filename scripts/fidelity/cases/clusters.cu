// Thread block clusters and distributed shared memory: accesses of a block's own memory by name and by rank, of another block's, in strides, by
// some lanes, atomics, vectors; cycles of a remote load and of the barrier; errors of launches and occupancies that the runtime gives.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

// Accesses of a block's own memory through its own name: 16 loads, 16 stores a warp.
__global__ void __cluster_dims__(2) ownByName(int *out) {
  __shared__ int mine[1024];
  auto c = cg::this_cluster();
  for (int i = 0; i < 16; i++) ((volatile int *)mine)[(threadIdx.x + 32 * i) % 1024] = i;
  c.sync();
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += ((volatile int *)mine)[(threadIdx.x + 32 * i) % 1024];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  c.sync();
}

// The same through map_shared_rank: shift 0 the own block, 1 the other one. `stride` 1 or 32 words: banks.
template <int Shift, int Stride> __device__ void mapped(int *out) {
  __shared__ int mine[1024];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  volatile int *there = c.map_shared_rank(mine, (c.block_rank() + Shift) % c.num_blocks());
  for (int i = 0; i < 16; i++) there[(threadIdx.x * Stride + i) % 1024] = i;
  c.sync();
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += there[(threadIdx.x * Stride + i) % 1024];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  c.sync();
}
__global__ void __cluster_dims__(2) ownByRank(int *out) { mapped<0, 1>(out); }
__global__ void __cluster_dims__(2) remote(int *out) { mapped<1, 1>(out); }
__global__ void __cluster_dims__(2) remoteStrided(int *out) { mapped<1, 32>(out); }

// Half of the lanes of each warp go to the own block, half to the other one.
__global__ void __cluster_dims__(2) mixed(int *out) {
  __shared__ int mine[1024];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = threadIdx.x;
  c.sync();
  volatile int *there = c.map_shared_rank(mine, threadIdx.x % 2);
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += there[(threadIdx.x + 32 * i) % 1024];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  c.sync();
}

template <class T, bool Used> __device__ void atomics(int *out) {
  __shared__ T mine[1024];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = 0;
  c.sync();
  T *there = c.map_shared_rank(mine, 1 - c.block_rank());
  T sum = 0;
  for (int i = 0; i < 16; i++) {
    T old = atomicAdd(there + (threadIdx.x + 32 * i) % 1024, (T)2);
    if (Used) sum += old;
  }
  c.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = (int)(sum + mine[threadIdx.x]);
}
__global__ void __cluster_dims__(2) remoteAtomics(int *out) { atomics<int, true>(out); }
__global__ void __cluster_dims__(2) remoteReductions(int *out) { atomics<int, false>(out); }
__global__ void __cluster_dims__(2) remoteFloatReductions(int *out) { atomics<float, false>(out); }

// 16 bytes a lane.
__global__ void __cluster_dims__(2) remoteVectors(float *out) {
  __shared__ float4 mine[256];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
  c.sync();
  float4 v = c.map_shared_rank(mine, 1 - c.block_rank())[255 - threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = v.x + v.y + v.z + v.w;
  c.sync();
}

// Time: dependent loads of the other block's memory, and of the own; clocks a load, and of the barrier.
__global__ void __cluster_dims__(2) latency(long long *out) {
  __shared__ int mine[64];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = (threadIdx.x + 1) % 32;
  c.sync();
  for (int shift = 0; shift < 2; shift++) {
    volatile int *there = c.map_shared_rank(mine, (c.block_rank() + shift) % 2);
    int at = 0;
    long long start = clock64();
    for (int i = 0; i < 256; i++) at = there[at];
    long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) out[shift] = (end - start) / 256 + (at < 0);
  }
  long long start = clock64();
  for (int i = 0; i < 64; i++) c.sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) out[2] = (clock64() - start) / 64;
}

__global__ void plain(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void __cluster_dims__(2) two(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void big(int *out) {
  extern __shared__ int much[];
  out[threadIdx.x] = much[0];
}

template <class K> const char *launch(K kernel, int blocks, int cluster, int *out) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.gridDim = blocks;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaError_t result = cudaLaunchKernelEx(&config, kernel, out);
  if (result == cudaSuccess) result = cudaDeviceSynchronize();
  cudaGetLastError();
  return cudaGetErrorName(result);
}
template <class K> void occupancy(const char *name, K kernel, int threads, int shared, int cluster) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.gridDim = 1024 * 3 * 5 * 7;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = -1, size = -1;
  cudaError_t a = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
  cudaError_t b = cudaOccupancyMaxPotentialClusterSize(&size, kernel, &config);
  printf("%s, %d threads, %d bytes, clusters of %d: active %d %s, potential size %d %s\n", name, threads, shared, cluster, clusters,
         cudaGetErrorName(a), size, cudaGetErrorName(b));
  cudaGetLastError();
}

int main() {
  int *out;
  cudaMallocManaged(&out, 1 << 22);
  ownByName<<<4, 256>>>(out);
  ownByRank<<<4, 256>>>(out);
  remote<<<4, 256>>>(out);
  remoteStrided<<<4, 256>>>(out);
  mixed<<<4, 256>>>(out);
  remoteAtomics<<<4, 256>>>(out);
  remoteReductions<<<4, 256>>>(out);
  remoteFloatReductions<<<4, 256>>>(out);
  remoteVectors<<<4, 256>>>((float *)out);
  latency<<<2, 32>>>((long long *)out);
  cudaError_t result = cudaDeviceSynchronize();
  long long *clocks = (long long *)out;
  printf("kernels %s; clocks: own by rank %lld, remote %lld, barrier %lld\n", cudaGetErrorName(result), clocks[0], clocks[1], clocks[2]);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%s, %d multiprocessors, clusterLaunch %d\n", p.name, p.multiProcessorCount, p.clusterLaunch);
  // Errors.
  printf("attribute 4 of 8: %s\n", launch(plain, 8, 4, out));
  printf("attribute 4 of 6: %s\n", launch(plain, 6, 4, out));
  printf("attribute 16: %s\n", launch(plain, 16, 16, out));
  printf("attribute 3 of 9: %s\n", launch(plain, 9, 3, out));
  printf("attribute 0: %s\n", launch(plain, 8, 0, out));
  printf("attribute 4 of a kernel of 2: %s\n", launch(two, 8, 4, out));
  printf("attribute 1 of a kernel of 2: %s\n", launch(two, 8, 1, out));
  printf("attribute 2 of a kernel of 2: %s\n", launch(two, 8, 2, out));
  two<<<3, 32>>>(out);
  printf("kernel of 2, 3 blocks: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("non-portable allowed: %s\n", cudaGetErrorName(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)));
  printf("attribute 16 then: %s, 32: %s, 12 of 24: %s\n", launch(plain, 16, 16, out), launch(plain, 32, 32, out), launch(plain, 24, 12, out));
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, two);
  printf("attributes of two: must be set %d, %d %d %d, policy %d, non-portable %d\n", a.clusterDimMustBeSet, a.requiredClusterWidth,
         a.requiredClusterHeight, a.requiredClusterDepth, a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
  printf("required width of plain: %s\n", cudaGetErrorName(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2)));
  cudaGetLastError();
  // Occupancy.
  cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024);
  for (int cluster = 1; cluster <= 8; cluster *= 2) {
    occupancy("big", big, 1024, 200 * 1024, cluster);
    occupancy("big", big, 128, 0, cluster);
  }
  occupancy("big", big, 1024, 200 * 1024, 3);
  occupancy("big", big, 1024, 200 * 1024, 16);
  cudaFuncSetAttribute(big, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  occupancy("big, non-portable", big, 1024, 200 * 1024, 16);
  occupancy("big, non-portable", big, 128, 0, 16);
  return 0;
}
