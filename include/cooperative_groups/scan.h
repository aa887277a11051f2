/* cooperative_groups::inclusive_scan and exclusive_scan over the ranks of a group.
   Source: CUDA C++ Programming Guide, "Cooperative Groups / Group Collectives". */
#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class Op> __device__ __forceinline__ T inclusive_scan(const Group &group, T value, Op op) {
  unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned step = 1; step < size; step *= 2) {
    T other = group.shfl_up(value, step);
    if (rank >= step) value = op(other, value);
  }
  return value;
}
/* Each warp scans its own, leaves the sum in its slot, and its threads put those of the warps before in front. */
template <unsigned Size, class T, class Op>
__device__ __forceinline__ T inclusive_scan(const multi_warp_tile<Size> &group, T value, Op op) {
  static_assert(sizeof(T) <= sizeof(details::WarpSlot), "Warplens: scans over several warps take values of up to 8 bytes");
  thread_block_tile<32> warp(Size);
  details::WarpSlot *slots = group.slots();
  const unsigned place = group.thread_rank() / 32;
  value = inclusive_scan(warp, value, op);
  if (warp.thread_rank() == 31) *(T *)slots[place].bytes = value;
  group.sync();
  T before = *(T *)slots[0].bytes;
  for (unsigned i = 1; i < place; i++) before = op(before, *(T *)slots[i].bytes);
  if (place > 0) value = op(before, value);
  group.sync();
  return value;
}
template <class Group, class T> __device__ __forceinline__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/* The first thread's result is T() for sums and unspecified for other operations, as documented. */
template <class Group, class T, class Op> __device__ __forceinline__ T exclusive_scan(const Group &group, T value, Op op) {
  T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
/* A warp's first thread has what the last one of the warp before leaves in its slot. */
template <unsigned Size, class T, class Op>
__device__ __forceinline__ T exclusive_scan(const multi_warp_tile<Size> &group, T value, Op op) {
  thread_block_tile<32> warp(Size);
  const unsigned rank = group.thread_rank();
  value = inclusive_scan(group, value, op);
  T before = warp.shfl_up(value, 1);
  if (warp.thread_rank() == 31) *(T *)group.slots()[rank / 32].bytes = value;
  group.sync();
  if (warp.thread_rank() == 0 && rank > 0) before = *(T *)group.slots()[rank / 32 - 1].bytes;
  group.sync();
  return rank == 0 ? T() : before;
}
template <class Group, class T> __device__ __forceinline__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

namespace details {
/* Behind what an atomic had before it took in the group's sum. */
template <class Group, class Atomic, class T, class Op>
__WARPLENS_DEVICE__ T before(const Group &group, Atomic &destination, T inclusive, const Op &op) {
  T old = T();
  if (group.thread_rank() == group.size() - 1) old = update(destination, inclusive, op);
  return group.shfl(old, group.size() - 1);
}
template <unsigned Size, class Atomic, class T, class Op>
__WARPLENS_DEVICE__ T before(const multi_warp_tile<Size> &group, Atomic &destination, T inclusive, const Op &op) {
  if (group.thread_rank() == Size - 1) *(T *)group.slots()[0].bytes = update(destination, inclusive, op);
  group.sync();
  T old = *(T *)group.slots()[0].bytes;
  group.sync();
  return old;
}
} // namespace details

template <class Group, class Atomic, class T, class Op>
__device__ __forceinline__ T inclusive_scan_update(const Group &group, Atomic &&destination, T value, Op op) {
  value = inclusive_scan(group, value, op);
  return op(details::before(group, destination, value, op), value);
}
template <class Group, class Atomic, class T>
__device__ __forceinline__ T inclusive_scan_update(const Group &group, Atomic &&destination, T value) {
  return inclusive_scan_update(group, destination, value, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
__device__ __forceinline__ T exclusive_scan_update(const Group &group, Atomic &&destination, T value, Op op) {
  const T before = exclusive_scan(group, value, op);
  const T sum = group.thread_rank() == 0 ? value : op(before, value);
  const T old = details::before(group, destination, sum, op);
  return group.thread_rank() == 0 ? old : op(old, before);
}
template <class Group, class Atomic, class T>
__device__ __forceinline__ T exclusive_scan_update(const Group &group, Atomic &&destination, T value) {
  return exclusive_scan_update(group, destination, value, plus<T>());
}

} // namespace cooperative_groups

#endif
