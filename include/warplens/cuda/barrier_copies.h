/* cuda::memcpy_async that completes at a cuda::barrier. */
#ifndef WARPLENS_CUDA_BARRIER_COPIES_H
#define WARPLENS_CUDA_BARRIER_COPIES_H

#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cuda {
/* The copy is done when the call returns, so waiting at the barrier waits for the other threads only. */
template <class Group, class To, class From, class Size, thread_scope Scope>
__device__ void memcpy_async(const Group &group, To *to, const From *from, Size bytes, barrier<Scope> &) {
  cooperative_groups::memcpy_async(group, to, from, bytes);
  __warplens::waitForCopies(0);
}
template <class To, class From, class Size, thread_scope Scope> __device__ void memcpy_async(To *to, const From *from, Size bytes, barrier<Scope> &) {
  cooperative_groups::memcpy_async(cooperative_groups::this_thread(), to, from, bytes);
  __warplens::waitForCopies(0);
}
} // namespace cuda

#endif
