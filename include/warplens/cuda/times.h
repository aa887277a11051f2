/* How long cuda:: waits with a time limit have waited, in nanoseconds: by the machine's timer (%globaltimer, which counts them) in
   kernels, by the steady clock on the host. Source: documentation of libcu++, "Synchronization Primitives". */
#ifndef WARPLENS_CUDA_TIMES_H
#define WARPLENS_CUDA_TIMES_H

#include <cuda_runtime.h>
#include <chrono>

namespace cuda {
namespace details {
__host__ __device__ inline long long nanoseconds() {
#ifdef __CUDA_ARCH__
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return (long long)time;
#else
  return ::std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}
template <class Rep, class Period> __host__ __device__ constexpr long long nanosecondsOf(const ::std::chrono::duration<Rep, Period> &time) {
  return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(time).count();
}
/* In kernels every clock is the machine's timer, as in libcu++. */
template <class Clock, class Duration>
__host__ __device__ long long nanosecondsUntil(const ::std::chrono::time_point<Clock, Duration> &time) {
#ifdef __CUDA_ARCH__
  return nanosecondsOf(time.time_since_epoch()) - nanoseconds();
#else
  return nanosecondsOf(time - Clock::now());
#endif
}
} // namespace details
} // namespace cuda

#endif
