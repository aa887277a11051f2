/* cuda::memcpy_async that completes at a cuda::barrier. */
#ifndef WARPLENS_CUDA_BARRIER_COPIES_H
#define WARPLENS_CUDA_BARRIER_COPIES_H

#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cuda {
namespace details {
template <class Group, class To, class From, class Size>
__host__ __device__ void copyByGroup(const Group &group, To *to, const From *from, const Size &bytes) {
#ifdef __CUDA_ARCH__
  cooperative_groups::memcpy_async(group, to, from, bytes);
#else
  __builtin_memcpy(to, from, (size_t)bytes);
#endif
}
template <class To, class From, class Size> __host__ __device__ void copyByThread(To *to, const From *from, const Size &bytes) {
#ifdef __CUDA_ARCH__
  cooperative_groups::memcpy_async(cooperative_groups::this_thread(), to, from, bytes);
#else
  __builtin_memcpy(to, from, (size_t)bytes);
#endif
}
/* All but so many of the thread's latest groups of copies. */
__host__ __device__ inline void awaitCopies(unsigned groups) {
#ifdef __CUDA_ARCH__
  __warplens::waitForCopies(groups);
#endif
}
} // namespace details

/* The copy is done when the call returns, so waiting at the barrier waits for the other threads only. */
template <class Group, class To, class From, class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(const Group &group, To *to, const From *from, Size bytes, barrier<Scope, Completion> &) {
  details::copyByGroup(group, to, from, bytes);
  details::awaitCopies(0);
}
template <class To, class From, class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(To *to, const From *from, Size bytes, barrier<Scope, Completion> &) {
  details::copyByThread(to, from, bytes);
  details::awaitCopies(0);
}
} // namespace cuda

#endif
