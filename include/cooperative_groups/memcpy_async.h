/* cooperative_groups::memcpy_async: the group's threads copy words in turn, as wide as the types' alignment (async_copy.h); wait is
   the group's barrier. Source: CUDA C++ Programming Guide, "Cooperative Groups / memcpy_async". */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <warplens/async_copy.h>

namespace cooperative_groups {

template <class Group, class To, class From, class Size>
__device__ __forceinline__ void memcpy_async(const Group &group, To *to, const From *from, const Size &bytes) {
  __warplens::copyByGroup<__warplens::widthOf<To, Size>()>((unsigned)group.thread_rank(), (unsigned)group.size(), to, from, (size_t)bytes);
}
template <class Group, class T, class ToCount, class FromCount>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, const ToCount &toCount, const T *from, const FromCount &fromCount) {
  size_t count = (size_t)toCount < (size_t)fromCount ? (size_t)toCount : (size_t)fromCount;
  __warplens::copyByGroup<__warplens::widthOf<T, size_t>()>((unsigned)group.thread_rank(), (unsigned)group.size(), to, from, count * sizeof(T));
}
template <class Group> __device__ __forceinline__ void wait(const Group &group) {
  __warplens::waitForCopies(0);
  group.sync();
}
template <unsigned Stages, class Group> __device__ __forceinline__ void wait_prior(const Group &group) {
  __warplens::waitForCopies(Stages);
  group.sync();
}

} // namespace cooperative_groups

#endif
