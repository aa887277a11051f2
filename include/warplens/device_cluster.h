/* Thread block clusters: where a block is in its cluster, the cluster's barrier, and the shared memory of its other blocks. Each is one
   instruction of PTX or a special register; src/analysis/lowering/clusters.ts says what they are here.
   Names and meanings: CUDA C++ Programming Guide, "Thread Block Clusters", "Distributed Shared Memory". */
#ifndef WARPLENS_DEVICE_CLUSTER_H
#define WARPLENS_DEVICE_CLUSTER_H

#define __WARPLENS_REGISTER(type, name, text)                                                                                    \
  __WARPLENS_DEVICE__ type name(void) {                                                                                          \
    type value;                                                                                                                  \
    asm("mov.u32 %0, %%" text ";" : "=r"(value));                                                                                \
    return value;                                                                                                                \
  }
#define __WARPLENS_REGISTERS(name, text)                                                                                         \
  __WARPLENS_REGISTER(unsigned, name##_x, text ".x")                                                                             \
  __WARPLENS_REGISTER(unsigned, name##_y, text ".y")                                                                             \
  __WARPLENS_REGISTER(unsigned, name##_z, text ".z")                                                                             \
  __WARPLENS_DEVICE__ dim3 name(void) { return dim3(name##_x(), name##_y(), name##_z()); }

__WARPLENS_REGISTERS(__clusterDim, "cluster_nctaid")
__WARPLENS_REGISTERS(__clusterRelativeBlockIdx, "cluster_ctaid")
__WARPLENS_REGISTERS(__clusterIdx, "clusterid")
__WARPLENS_REGISTERS(__clusterGridDimInClusters, "nclusterid")
__WARPLENS_REGISTER(unsigned, __clusterRelativeBlockRank, "cluster_ctarank")
__WARPLENS_REGISTER(unsigned, __clusterSizeInBlocks, "cluster_nctarank")
#undef __WARPLENS_REGISTERS
#undef __WARPLENS_REGISTER
__WARPLENS_DEVICE__ unsigned __clusterDimIsSpecified(void) { return __clusterSizeInBlocks() > 1; }

__WARPLENS_DEVICE__ void __cluster_barrier_arrive(void) { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__WARPLENS_DEVICE__ void __cluster_barrier_arrive_relaxed(void) {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__WARPLENS_DEVICE__ void __cluster_barrier_wait(void) { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
__WARPLENS_DEVICE__ void __threadfence_cluster(void) { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }

__WARPLENS_DEVICE__ void *__cluster_map_shared_rank(const void *address, unsigned rank) {
  void *mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
  return mapped;
}
__WARPLENS_DEVICE__ unsigned __cluster_query_shared_rank(const void *address) {
  unsigned rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
  return rank;
}
__WARPLENS_DEVICE__ unsigned __isClusterShared(const void *address) {
  unsigned is;
  asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(address));
  return is;
}

#endif
