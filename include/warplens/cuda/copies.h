/* Copies by a group's threads or one thread, on both sides: asynchronous ones in kernels (warplens/async_copy.h), plain ones on the host. */
#ifndef WARPLENS_CUDA_COPIES_H
#define WARPLENS_CUDA_COPIES_H

#include <cooperative_groups/memcpy_async.h>

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
} // namespace cuda

#endif
