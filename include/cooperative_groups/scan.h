/* cooperative_groups::inclusive_scan and exclusive_scan over the ranks of a warp-sized group.
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
template <class Group, class T> __device__ __forceinline__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/* The first thread's result is T() for sums and unspecified for other operations, as documented. */
template <class Group, class T, class Op> __device__ __forceinline__ T exclusive_scan(const Group &group, T value, Op op) {
  T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __device__ __forceinline__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
