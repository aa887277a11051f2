/* cooperative_groups::reduce: a butterfly of shuffles for tiles, a tree over ranks for coalesced groups; every thread gets the
   result. Integer reductions of a whole warp are one redux instruction on hardware since 8.0, and here.
   Source: CUDA C++ Programming Guide, "Cooperative Groups / Group Collectives". */
#ifndef _COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define __WARPLENS_OPERATOR(name, expression)                                                                              \
  template <class T = void> struct name {                                                                                  \
    __WARPLENS_MEMBER__ T operator()(T a, T b) const { return expression; }                                               \
  };
__WARPLENS_OPERATOR(plus, a + b)
__WARPLENS_OPERATOR(less, b < a ? b : a)
__WARPLENS_OPERATOR(greater, a < b ? b : a)
__WARPLENS_OPERATOR(bit_and, a &b)
__WARPLENS_OPERATOR(bit_or, a | b)
__WARPLENS_OPERATOR(bit_xor, a ^ b)
#undef __WARPLENS_OPERATOR

namespace details {
/* True when the operation is one instruction for the type; then `result` holds it. */
template <class T, class Op> __WARPLENS_DEVICE__ bool redux(unsigned, T, const Op &, T &) { return false; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define __WARPLENS_REDUX(operator_, type, builtin)                                                                         \
  __WARPLENS_DEVICE__ bool redux(unsigned mask, type value, const operator_<type> &, type &result) {                      \
    result = (type)builtin(mask, value);                                                                                   \
    return true;                                                                                                           \
  }
__WARPLENS_REDUX(plus, int, __reduce_add_sync)
__WARPLENS_REDUX(plus, unsigned, __reduce_add_sync)
__WARPLENS_REDUX(less, int, __reduce_min_sync)
__WARPLENS_REDUX(less, unsigned, __reduce_min_sync)
__WARPLENS_REDUX(greater, int, __reduce_max_sync)
__WARPLENS_REDUX(greater, unsigned, __reduce_max_sync)
__WARPLENS_REDUX(bit_and, unsigned, __reduce_and_sync)
__WARPLENS_REDUX(bit_or, unsigned, __reduce_or_sync)
__WARPLENS_REDUX(bit_xor, unsigned, __reduce_xor_sync)
#undef __WARPLENS_REDUX
#endif
} // namespace details

template <unsigned Size, class Parent, class T, class Op>
__device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op) {
  T result;
  if (details::redux(group.mask(), value, op, result)) return result;
#pragma unroll
  for (int lanes = Size / 2; lanes > 0; lanes /= 2) value = op(value, group.shfl_xor(value, lanes));
  return value;
}
template <class T, class Op> __device__ __forceinline__ T reduce(const coalesced_group &group, T value, Op op) {
  T result;
  if (details::redux(group.mask(), value, op, result)) return result;
  unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned step = 1; step < size; step *= 2) {
    T other = group.shfl_down(value, step);
    if (rank % (2 * step) == 0 && rank + step < size) value = op(value, other);
  }
  return group.shfl(value, 0);
}
/* Each warp reduces its own, leaves the result in its slot, and all threads fold the slots in order. */
template <unsigned Size, class T, class Op> __device__ __forceinline__ T reduce(const multi_warp_tile<Size> &group, T value, Op op) {
  static_assert(sizeof(T) <= sizeof(details::WarpSlot), "Warplens: reduce over several warps takes values of up to 8 bytes");
  thread_block_tile<32> warp(Size);
  details::WarpSlot *slots = group.slots();
  value = reduce(warp, value, op);
  if (warp.thread_rank() == 0) *(T *)slots[group.thread_rank() / 32].bytes = value;
  group.sync();
  value = *(T *)slots[0].bytes;
  for (unsigned i = 1; i < Size / 32; i++) value = op(value, *(T *)slots[i].bytes);
  group.sync();
  return value;
}

namespace details {
/* What was in `destination`, a cuda::atomic or atomic_ref, before it took in `value`. */
template <class Atomic, class T, class Op> __WARPLENS_DEVICE__ T update(Atomic &destination, T value, const Op &op) {
  T old = destination.load();
  while (!destination.compare_exchange_weak(old, op(old, value))) {}
  return old;
}
#define __WARPLENS_UPDATE(operator_, method)                                                                               \
  template <class Atomic, class T> __WARPLENS_DEVICE__ T update(Atomic &destination, T value, const operator_<T> &) {      \
    return destination.method(value);                                                                                      \
  }
__WARPLENS_UPDATE(plus, fetch_add)
__WARPLENS_UPDATE(less, fetch_min)
__WARPLENS_UPDATE(greater, fetch_max)
__WARPLENS_UPDATE(bit_and, fetch_and)
__WARPLENS_UPDATE(bit_or, fetch_or)
__WARPLENS_UPDATE(bit_xor, fetch_xor)
#undef __WARPLENS_UPDATE
template <class Atomic, class T> __WARPLENS_DEVICE__ void store(Atomic &destination, T value) { destination.store(value); }
template <class T> __WARPLENS_DEVICE__ void store(T *destination, T value) { *destination = value; }
} // namespace details

/* The group's result goes into an atomic, or to a place; done at once here, at the group's next sync at the latest there. */
template <class Group, class Atomic, class T, class Op>
__device__ __forceinline__ void reduce_update_async(const Group &group, Atomic &&destination, T value, Op op) {
  value = reduce(group, value, op);
  if (group.thread_rank() == 0) details::update(destination, value, op);
}
template <class Group, class Destination, class T, class Op>
__device__ __forceinline__ void reduce_store_async(const Group &group, Destination &&destination, T value, Op op) {
  value = reduce(group, value, op);
  if (group.thread_rank() == 0) details::store(destination, value);
}

} // namespace cooperative_groups

#endif
