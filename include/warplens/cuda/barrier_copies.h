/* cuda::memcpy_async that completes at a cuda::barrier. */
#ifndef WARPLENS_CUDA_BARRIER_COPIES_H
#define WARPLENS_CUDA_BARRIER_COPIES_H

#include <cuda/barrier>
#include <warplens/cuda/copies.h>

namespace cuda {
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
