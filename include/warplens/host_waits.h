/*
 * What the waits of C++20 call (std::atomic's, latches, semaphores, barriers, stop tokens) and the C++ library for machines of one thread does
 * not have. Host threads run one after another (host_threads.c): nobody is there to be told, and what is waited for does not come any more.
 * In the names and shapes of libc++'s <__atomic/atomic_sync.h> and <barrier>. Part of host_library.cpp.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARPLENS_WAITS __attribute__((weak))

[[noreturn]] static void warplensWaitsForever() {
  fputs("warplens: error: a host thread waits for an atomic variable, latch, semaphore or barrier that no thread changes any more: host "
        "threads run one after another here, each to its end when it is created; waiting for a later thread is not supported\n",
        stderr);
  abort();
}

/* Who waits for a time at most waits that long. */
static void warplensSleeps(uint64_t nanoseconds) {
  const struct timespec time = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  nanosleep(&time, nullptr);
}

namespace std {
inline namespace __2 {

template <size_t size> WARPLENS_WAITS void __atomic_wait_native(const void *, const void *) noexcept { warplensWaitsForever(); }
template <size_t size>
WARPLENS_WAITS void __atomic_wait_native_with_timeout(const void *, const void *, uint64_t nanoseconds) noexcept {
  warplensSleeps(nanoseconds);
}
template <size_t size> WARPLENS_WAITS void __atomic_notify_one_native(const void *) noexcept {}
template <size_t size> WARPLENS_WAITS void __atomic_notify_all_native(const void *) noexcept {}
#define WARPLENS_WAIT(size)                                                                                                      \
  template void __atomic_wait_native<size>(const void *, const void *) noexcept;                                                 \
  template void __atomic_wait_native_with_timeout<size>(const void *, const void *, uint64_t) noexcept;                          \
  template void __atomic_notify_one_native<size>(const void *) noexcept;                                                         \
  template void __atomic_notify_all_native<size>(const void *) noexcept;
WARPLENS_WAIT(1)
WARPLENS_WAIT(2)
WARPLENS_WAIT(4)
WARPLENS_WAIT(8)
#undef WARPLENS_WAIT

WARPLENS_WAITS int32_t __atomic_monitor_global(const void *) noexcept { return 0; }
WARPLENS_WAITS void __atomic_wait_global_table(const void *, int32_t) noexcept { warplensWaitsForever(); }
WARPLENS_WAITS void __atomic_wait_global_table_with_timeout(const void *, int32_t, uint64_t nanoseconds) noexcept {
  warplensSleeps(nanoseconds);
}
WARPLENS_WAITS void __atomic_notify_one_global_table(const void *) noexcept {}
WARPLENS_WAITS void __atomic_notify_all_global_table(const void *) noexcept {}

/* How many have arrived in a phase, of those that the barrier expects, which it changes by itself. */
class __barrier_algorithm_base {
public:
  const ptrdiff_t &expected;
  ptrdiff_t arrived;
};

WARPLENS_WAITS __barrier_algorithm_base *__construct_barrier_algorithm_base(ptrdiff_t &expected) {
  return new __barrier_algorithm_base{expected, 0};
}
WARPLENS_WAITS bool __arrive_barrier_algorithm_base(__barrier_algorithm_base *barrier, uint8_t) noexcept {
  if (++barrier->arrived < barrier->expected) return false;
  barrier->arrived = 0;
  return true;
}
WARPLENS_WAITS void __destroy_barrier_algorithm_base(__barrier_algorithm_base *barrier) noexcept { delete barrier; }

} // namespace __2
} // namespace std
#undef WARPLENS_WAITS
