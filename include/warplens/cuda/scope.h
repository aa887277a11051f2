/* What the cuda:: headers share: scopes, and sizes with a promised alignment. Scopes matter to hardware's caches only. */
#ifndef WARPLENS_CUDA_SCOPE_H
#define WARPLENS_CUDA_SCOPE_H

#include <cuda_runtime.h>

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t Alignment> struct aligned_size_t {
  size_t value;
  __host__ __device__ constexpr explicit aligned_size_t(size_t size) : value(size) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda

#endif
