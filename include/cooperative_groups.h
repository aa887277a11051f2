/* Cooperative groups: names for sets of threads, over barriers, votes and shuffles of the warp. Our own code after the
   CUDA C++ Programming Guide, "Cooperative Groups".
   A group is a small value that the optimiser dissolves: what remains of shfl or sync is the warp's intrinsic. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>

#define _CG_VERSION 12080
#define _CG_HAS_CLUSTER_GROUP

namespace cooperative_groups {

namespace details {
__WARPLENS_DEVICE__ unsigned laneId() { return __nvvm_read_ptx_sreg_laneid(); }
/* nvcc does not conclude from a group's size being small that a counter which steps by it stays small. */
__WARPLENS_DEVICE__ unsigned lanesIn(unsigned mask) {
  unsigned lanes;
  asm("popc.b32 %0, %1;" : "=r"(lanes) : "r"(mask));
  return lanes;
}
__WARPLENS_DEVICE__ unsigned lanesBelow(unsigned mask) { return (unsigned)__popc(mask & __nvvm_read_ptx_sreg_lanemask_lt()); }
__WARPLENS_DEVICE__ unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
__WARPLENS_DEVICE__ unsigned blockRank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__WARPLENS_DEVICE__ unsigned gridBlocks() { return gridDim.x * gridDim.y * gridDim.z; }
__WARPLENS_DEVICE__ unsigned gridBlockRank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

__WARPLENS_DEVICE__ void syncCluster() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

/* The barrier of a cooperative launch. The top bit flips when all blocks have arrived: the first block adds what the others
   leave missing to 2^31, every other block adds 1. Thread 0 of each block waits for the flip. */
static __device__ unsigned gridBarrier;
__WARPLENS_DEVICE__ void syncGrid() {
  __syncthreads();
  if (blockRank() == 0) {
    unsigned expected = gridBlocks();
    unsigned add = gridBlockRank() == 0 ? 0x80000000u - (expected - 1) : 1;
    __threadfence();
    unsigned before = atomicAdd(&gridBarrier, add);
    while ((((before ^ *(volatile unsigned *)&gridBarrier) & 0x80000000u)) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}
} // namespace details

/* Any group, its kind forgotten. */
class thread_group {
public:
  enum Kind { singleThread, warpLanes, wholeBlock, wholeCluster, wholeGrid };

protected:
  Kind kind_;
  unsigned mask_, size_, rank_;
  __WARPLENS_MEMBER__ thread_group(Kind kind, unsigned mask, unsigned size, unsigned rank)
      : kind_(kind), mask_(mask), size_(size), rank_(rank) {}
  friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned size);

public:
  __WARPLENS_MEMBER__ unsigned long long size() const { return size_; }
  __WARPLENS_MEMBER__ unsigned long long num_threads() const { return size_; }
  __WARPLENS_MEMBER__ unsigned long long thread_rank() const { return rank_; }
  __WARPLENS_MEMBER__ bool is_valid() const { return true; }
  __WARPLENS_MEMBER__ Kind kind() const { return kind_; }
  __WARPLENS_MEMBER__ void sync() const {
    if (kind_ == warpLanes) __syncwarp(mask_);
    else if (kind_ == wholeBlock) __syncthreads();
    else if (kind_ == wholeCluster) details::syncCluster();
    else if (kind_ == wholeGrid) details::syncGrid();
  }
};

namespace details {
/* Where one warp of a tile of several leaves a value for the others. */
struct alignas(8) WarpSlot {
  unsigned char bytes[8];
};
} // namespace details

/* Shared memory that tiles of more than one warp need for their collectives, before compute capability 8.0. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  details::WarpSlot slots[(MaxBlockSize + 31) / 32];
};

namespace details {
/* From 8.0 on they may do without: each block has memory that the system reserves, beside the kernel's own (layoutShared). */
__device__ __forceinline__ WarpSlot *slotsOfBlock(WarpSlot *given) {
  static __shared__ __attribute__((section("warplens.reserved"))) WarpSlot reserved[32];
  return given ? given : reserved;
}
} // namespace details

class thread_block : public thread_group {
  details::WarpSlot *slots_;
  __WARPLENS_MEMBER__ thread_block(details::WarpSlot *slots)
      : thread_group(wholeBlock, 0, details::blockThreads(), details::blockRank()), slots_(slots) {}
  friend __device__ thread_block this_thread_block();
  template <unsigned Size> friend __device__ thread_block this_thread_block(block_tile_memory<Size> &);

public:
  struct arrival_token {};
  static __WARPLENS_MEMBER__ void sync() { __syncthreads(); }
  static __WARPLENS_MEMBER__ arrival_token barrier_arrive() { return {}; }
  static __WARPLENS_MEMBER__ void barrier_wait(arrival_token &&) { __syncthreads(); }
  static __WARPLENS_MEMBER__ unsigned thread_rank() { return details::blockRank(); }
  static __WARPLENS_MEMBER__ unsigned size() { return details::blockThreads(); }
  static __WARPLENS_MEMBER__ unsigned num_threads() { return details::blockThreads(); }
  static __WARPLENS_MEMBER__ dim3 group_index() { return blockIdx; }
  static __WARPLENS_MEMBER__ dim3 thread_index() { return threadIdx; }
  static __WARPLENS_MEMBER__ dim3 group_dim() { return blockDim; }
  static __WARPLENS_MEMBER__ dim3 dim_threads() { return blockDim; }
  __WARPLENS_MEMBER__ details::WarpSlot *slots() const { return slots_; }
};
__device__ __forceinline__ thread_block this_thread_block() { return thread_block(nullptr); }
template <unsigned Size> __device__ __forceinline__ thread_block this_thread_block(block_tile_memory<Size> &memory) {
  return thread_block(memory.slots);
}

class grid_group : public thread_group {
  __WARPLENS_MEMBER__ grid_group()
      : thread_group(wholeGrid, 0, details::gridBlocks() * details::blockThreads(),
                     details::gridBlockRank() * details::blockThreads() + details::blockRank()) {}
  friend __device__ grid_group this_grid();

public:
  struct arrival_token {};
  static __WARPLENS_MEMBER__ bool is_valid() { return true; }
  static __WARPLENS_MEMBER__ void sync() { details::syncGrid(); }
  static __WARPLENS_MEMBER__ arrival_token barrier_arrive() { return {}; }
  static __WARPLENS_MEMBER__ void barrier_wait(arrival_token &&) { details::syncGrid(); }
  static __WARPLENS_MEMBER__ unsigned long long size() {
    return (unsigned long long)details::gridBlocks() * details::blockThreads();
  }
  static __WARPLENS_MEMBER__ unsigned long long num_threads() { return size(); }
  static __WARPLENS_MEMBER__ unsigned long long thread_rank() {
    return (unsigned long long)details::gridBlockRank() * details::blockThreads() + details::blockRank();
  }
  static __WARPLENS_MEMBER__ unsigned long long num_blocks() { return details::gridBlocks(); }
  static __WARPLENS_MEMBER__ unsigned long long block_rank() { return details::gridBlockRank(); }
  static __WARPLENS_MEMBER__ dim3 group_dim() { return gridDim; }
  static __WARPLENS_MEMBER__ dim3 dim_blocks() { return gridDim; }
  static __WARPLENS_MEMBER__ dim3 block_index() { return blockIdx; }
  static __WARPLENS_MEMBER__ dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static __WARPLENS_MEMBER__ dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
  }
  static __WARPLENS_MEMBER__ dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static __WARPLENS_MEMBER__ unsigned long long num_clusters() {
    dim3 all = dim_clusters();
    return (unsigned long long)all.x * all.y * all.z;
  }
  static __WARPLENS_MEMBER__ dim3 cluster_index() { return __clusterIdx(); }
  static __WARPLENS_MEMBER__ unsigned long long cluster_rank() {
    dim3 all = dim_clusters(), own = cluster_index();
    return ((unsigned long long)own.z * all.y + own.y) * all.x + own.x;
  }
};
__device__ __forceinline__ grid_group this_grid() { return grid_group(); }

/* In a launch without cluster dimensions every block is a cluster of its own. */
class cluster_group : public thread_group {
  __WARPLENS_MEMBER__ cluster_group() : thread_group(wholeCluster, 0, num_threads(), thread_rank()) {}
  friend __device__ cluster_group this_cluster();

public:
  struct arrival_token {};
  static __WARPLENS_MEMBER__ void sync() { details::syncCluster(); }
  static __WARPLENS_MEMBER__ arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  static __WARPLENS_MEMBER__ void barrier_wait() { __cluster_barrier_wait(); }
  static __WARPLENS_MEMBER__ void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
  static __WARPLENS_MEMBER__ unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static __WARPLENS_MEMBER__ unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static __WARPLENS_MEMBER__ dim3 dim_blocks() { return __clusterDim(); }
  static __WARPLENS_MEMBER__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __WARPLENS_MEMBER__ unsigned size() { return num_threads(); }
  static __WARPLENS_MEMBER__ unsigned num_threads() { return num_blocks() * details::blockThreads(); }
  static __WARPLENS_MEMBER__ unsigned thread_rank() { return block_rank() * details::blockThreads() + details::blockRank(); }
  static __WARPLENS_MEMBER__ dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __WARPLENS_MEMBER__ dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
  }
  static __WARPLENS_MEMBER__ unsigned query_shared_rank(const void *address) { return __cluster_query_shared_rank(address); }
  template <class T> static __WARPLENS_MEMBER__ T *map_shared_rank(T *address, int rank) {
    return (T *)__cluster_map_shared_rank((const void *)address, (unsigned)rank);
  }
};
__device__ __forceinline__ cluster_group this_cluster() { return cluster_group(); }

namespace details {
/* Moves a value of any size between lanes, a 32-bit word at a time. */
template <class T, class Shuffle> __WARPLENS_DEVICE__ T byWords(const T &value, Shuffle shuffle) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned &word : words) word = shuffle(word);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

/* What groups inside a warp share. Derived has mask() and laneOf(rank), the warp's lane of the group's thread. */
template <class Derived> class WarpGroup {
  __WARPLENS_MEMBER__ const Derived &self() const { return static_cast<const Derived &>(*this); }

public:
  struct arrival_token {};
  __WARPLENS_MEMBER__ void sync() const { __syncwarp(self().mask()); }
  __WARPLENS_MEMBER__ arrival_token barrier_arrive() const { return {}; }
  __WARPLENS_MEMBER__ void barrier_wait(arrival_token &&) const { sync(); }
  __WARPLENS_MEMBER__ int any(int predicate) const { return __any_sync(self().mask(), predicate); }
  __WARPLENS_MEMBER__ int all(int predicate) const { return __all_sync(self().mask(), predicate); }
  __WARPLENS_MEMBER__ unsigned ballot(int predicate) const {
    return self().compress(__ballot_sync(self().mask(), predicate));
  }
  template <class T> __WARPLENS_MEMBER__ unsigned match_any(T value) const {
    return self().compress(__match_any_sync(self().mask(), value));
  }
  template <class T> __WARPLENS_MEMBER__ unsigned match_all(T value, int &predicate) const {
    return self().compress(__match_all_sync(self().mask(), value, &predicate));
  }
};
} // namespace details

/* The lanes of a warp that are together at one place. Ranks go up with lanes. */
class coalesced_group : public thread_group, public details::WarpGroup<coalesced_group> {
  template <class T> __WARPLENS_MEMBER__ T fromLane(const T &value, unsigned lane) const {
    unsigned mask = mask_;
    return details::byWords(value, [=](unsigned word) __WARPLENS_LAMBDA__ { return __shfl_sync(mask, word, (int)lane); });
  }

public:
  explicit __WARPLENS_MEMBER__ coalesced_group(unsigned mask)
      : thread_group(warpLanes, mask, details::lanesIn(mask), details::lanesBelow(mask)) {}
  using details::WarpGroup<coalesced_group>::sync;
  __WARPLENS_MEMBER__ unsigned mask() const { return mask_; }
  __WARPLENS_MEMBER__ unsigned size() const { return size_; }
  __WARPLENS_MEMBER__ unsigned num_threads() const { return size_; }
  __WARPLENS_MEMBER__ unsigned thread_rank() const { return rank_; }
  __WARPLENS_MEMBER__ unsigned meta_group_size() const { return 1; }
  __WARPLENS_MEMBER__ unsigned meta_group_rank() const { return 0; }
  __WARPLENS_MEMBER__ unsigned laneOf(unsigned rank) const { return size_ == 32 ? rank : __fns(mask_, 0, (int)rank + 1); }
  /* Bits of lanes to bits of ranks. */
  __WARPLENS_MEMBER__ unsigned compress(unsigned lanes) const {
    if (size_ == 32) return lanes;
    unsigned result = 0;
    for (unsigned rank = 0, rest = mask_; rest; rest &= rest - 1, rank++)
      result |= (lanes >> (__ffs((int)rest) - 1) & 1) << rank;
    return result;
  }
  template <class T> __WARPLENS_MEMBER__ T shfl(T value, unsigned rank) const {
    return fromLane(value, laneOf(rank % size_));
  }
  template <class T> __WARPLENS_MEMBER__ T shfl_up(T value, unsigned delta) const {
    return fromLane(value, rank_ >= delta ? laneOf(rank_ - delta) : details::laneId());
  }
  template <class T> __WARPLENS_MEMBER__ T shfl_down(T value, unsigned delta) const {
    return fromLane(value, rank_ + delta < size_ ? laneOf(rank_ + delta) : details::laneId());
  }
};
__device__ __forceinline__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* Size consecutive threads of a block, inside one warp; Size is a power of two up to 32. */
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group, public details::WarpGroup<thread_block_tile<Size, Parent>> {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "Warplens: thread_block_tile takes a power of two up to 32 threads");
  static __WARPLENS_MEMBER__ unsigned laneMask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (details::laneId() & ~(Size - 1));
  }
  unsigned metaSize_;

public:
  explicit __WARPLENS_MEMBER__ thread_block_tile(unsigned parentSize)
      : thread_group(warpLanes, laneMask(), Size, details::laneId() & (Size - 1)), metaSize_((parentSize + Size - 1) / Size) {}
  /* A tile of a known parent is a tile. */
  template <class Other>
  __WARPLENS_MEMBER__ thread_block_tile(const thread_block_tile<Size, Other> &tile)
      : thread_group(tile), metaSize_(tile.meta_group_size()) {}
  using details::WarpGroup<thread_block_tile>::sync;
  __WARPLENS_MEMBER__ unsigned mask() const { return laneMask(); }
  static constexpr __WARPLENS_MEMBER__ unsigned size() { return Size; }
  static constexpr __WARPLENS_MEMBER__ unsigned num_threads() { return Size; }
  static __WARPLENS_MEMBER__ unsigned thread_rank() { return details::laneId() & (Size - 1); }
  __WARPLENS_MEMBER__ unsigned meta_group_size() const { return metaSize_; }
  __WARPLENS_MEMBER__ unsigned meta_group_rank() const { return details::blockRank() % (metaSize_ * Size) / Size; }
  __WARPLENS_MEMBER__ unsigned compress(unsigned lanes) const {
    return Size == 32 ? lanes : (lanes & laneMask()) >> (details::laneId() & ~(Size - 1));
  }
  template <class T> __WARPLENS_MEMBER__ T shfl(T value, int rank) const {
    unsigned mask = laneMask();
    return details::byWords(value, [=](unsigned word) __WARPLENS_LAMBDA__ { return __shfl_sync(mask, word, rank, Size); });
  }
  template <class T> __WARPLENS_MEMBER__ T shfl_up(T value, unsigned delta) const {
    unsigned mask = laneMask();
    return details::byWords(value, [=](unsigned word) __WARPLENS_LAMBDA__ { return __shfl_up_sync(mask, word, delta, Size); });
  }
  template <class T> __WARPLENS_MEMBER__ T shfl_down(T value, unsigned delta) const {
    unsigned mask = laneMask();
    return details::byWords(value, [=](unsigned word) __WARPLENS_LAMBDA__ { return __shfl_down_sync(mask, word, delta, Size); });
  }
  template <class T> __WARPLENS_MEMBER__ T shfl_xor(T value, int lanes) const {
    unsigned mask = laneMask();
    return details::byWords(value, [=](unsigned word) __WARPLENS_LAMBDA__ { return __shfl_xor_sync(mask, word, lanes, Size); });
  }
};

/* Size > 32 consecutive threads: whole warps, synchronised by a named barrier of the block (1, 2, ... by position). */
template <unsigned Size> class multi_warp_tile : public thread_group {
  details::WarpSlot *slots_;
  unsigned blockSize_;

public:
  __WARPLENS_MEMBER__ multi_warp_tile(details::WarpSlot *slots, unsigned blockSize)
      : thread_group(wholeBlock, 0, Size, details::blockRank() % Size), slots_(slots), blockSize_(blockSize) {}
  __WARPLENS_MEMBER__ void sync() const { __barrier_sync_count(1 + meta_group_rank(), Size); }
  static constexpr __WARPLENS_MEMBER__ unsigned size() { return Size; }
  static constexpr __WARPLENS_MEMBER__ unsigned num_threads() { return Size; }
  static __WARPLENS_MEMBER__ unsigned thread_rank() { return details::blockRank() % Size; }
  __WARPLENS_MEMBER__ unsigned meta_group_size() const { return (blockSize_ + Size - 1) / Size; }
  static __WARPLENS_MEMBER__ unsigned meta_group_rank() { return details::blockRank() / Size; }
  /* Scratch of this tile's warps. */
  __WARPLENS_MEMBER__ details::WarpSlot *slots() const {
    return details::slotsOfBlock(slots_) + meta_group_rank() * (Size / 32);
  }
};

namespace details {
template <unsigned Size, class Parent, bool isOfOneWarp = (Size <= 32)> struct TileOf {
  using Type = thread_block_tile<Size, Parent>;
  static __WARPLENS_MEMBER__ Type make(const Parent &parent) { return Type((unsigned)parent.size()); }
};
template <unsigned Size, class Parent> struct TileOf<Size, Parent, false> {
  using Type = multi_warp_tile<Size>;
  static __WARPLENS_MEMBER__ Type make(const Parent &parent) { return Type(parent.slots(), (unsigned)parent.size()); }
};
} // namespace details
template <unsigned Size, class Parent>
__device__ __forceinline__ typename details::TileOf<Size, Parent>::Type tiled_partition(const Parent &parent) {
  return details::TileOf<Size, Parent>::make(parent);
}
/* Sizes known at run time only. */
__device__ __forceinline__ thread_group tiled_partition(const thread_group &parent, unsigned size) {
  unsigned lane = details::laneId();
  if (parent.kind() == thread_group::warpLanes && parent.mask_ != 0xffffffffu) {
    unsigned first = parent.rank_ / size * size, mask = 0, rank = 0;
    for (unsigned rest = parent.mask_; rest; rest &= rest - 1, rank++)
      if (rank >= first && rank < first + size) mask |= rest & (0u - rest);
    return thread_group(thread_group::warpLanes, mask, details::lanesIn(mask), parent.rank_ - first);
  }
  unsigned mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (lane & ~(size - 1));
  return thread_group(thread_group::warpLanes, mask, size, lane & (size - 1));
}

/* The threads of a warp-sized group that agree on a value. */
template <class Label> __device__ __forceinline__ coalesced_group labeled_partition(const coalesced_group &group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <unsigned Size, class Parent, class Label>
__device__ __forceinline__ coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <class Group> __device__ __forceinline__ coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes);
}

__device__ __forceinline__ thread_block_tile<1> this_thread() { return thread_block_tile<1>(1); }
template <class Group> __device__ __forceinline__ void sync(const Group &group) { group.sync(); }
template <class Group> __device__ __forceinline__ unsigned long long thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> __device__ __forceinline__ unsigned long long group_size(const Group &group) { return group.size(); }

/* One thread of a group calls, which one is not said; what it returns goes to the others of a warp's part. */
template <class Group, class F, class... Arguments>
__device__ __forceinline__ void invoke_one(const Group &group, F &&f, Arguments &&...arguments) {
  if (group.thread_rank() == 0) f(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class F, class... Arguments>
__device__ __forceinline__ auto invoke_one_broadcast(const Group &group, F &&f, Arguments &&...arguments)
    -> decltype(f(static_cast<Arguments &&>(arguments)...)) {
  decltype(f(static_cast<Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = f(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
