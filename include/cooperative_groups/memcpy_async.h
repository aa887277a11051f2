/* cooperative_groups::memcpy_async: the group's threads copy 16 bytes each in turn (or 4, or 1, by alignment); wait is the
   group's barrier. On hardware since 8.0 the copies bypass the registers (cp.async); the addresses touched are the same.
   Source: CUDA C++ Programming Guide, "Cooperative Groups / memcpy_async". */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

namespace details {
template <class Word> __WARPLENS_DEVICE__ void copyWords(unsigned rank, unsigned threads, void *to, const void *from, size_t bytes) {
  for (size_t i = rank; i < bytes / sizeof(Word); i += threads) ((Word *)to)[i] = ((const Word *)from)[i];
}
} // namespace details

template <class Group> __device__ __forceinline__ void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  unsigned rank = (unsigned)group.thread_rank(), threads = (unsigned)group.size();
  size_t alignment = (size_t)to | (size_t)from | bytes;
  if (alignment % 16 == 0) details::copyWords<uint4>(rank, threads, to, from, bytes);
  else if (alignment % 4 == 0) details::copyWords<unsigned>(rank, threads, to, from, bytes);
  else details::copyWords<unsigned char>(rank, threads, to, from, bytes);
}
template <class Group, class T>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, size_t toCount, const T *from, size_t fromCount) {
  size_t count = toCount < fromCount ? toCount : fromCount;
  memcpy_async(group, (void *)to, (const void *)from, count * sizeof(T));
}
template <class Group> __device__ __forceinline__ void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> __device__ __forceinline__ void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#endif
