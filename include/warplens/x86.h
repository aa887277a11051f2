/* What programs want of x86's intrinsics that needs no x86: hints, aligned memory, a counter of time (nanoseconds). The vector
   types are not there, and errors say so (src/frontend/messages/linkMessages.ts). */
#ifndef WARPLENS_X86_H
#define WARPLENS_X86_H
#include <stdlib.h>
#include <time.h>
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(address, hint) ((void)(address))
#define __WARPLENS_X86__ static inline __attribute__((unused))
__WARPLENS_X86__ void _mm_pause(void) {}
__WARPLENS_X86__ void _mm_mfence(void) { __sync_synchronize(); }
__WARPLENS_X86__ void _mm_lfence(void) { __sync_synchronize(); }
__WARPLENS_X86__ void _mm_sfence(void) { __sync_synchronize(); }
__WARPLENS_X86__ void *_mm_malloc(size_t bytes, size_t alignment) {
  void *memory = 0;
  return posix_memalign(&memory, alignment < sizeof memory ? sizeof memory : alignment, bytes) == 0 ? memory : 0;
}
__WARPLENS_X86__ void _mm_free(void *memory) { free(memory); }
__WARPLENS_X86__ unsigned long long __rdtsc(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}
#define _rdtsc() __rdtsc()
__WARPLENS_X86__ int _mm_popcnt_u32(unsigned value) { return __builtin_popcount(value); }
__WARPLENS_X86__ long long _mm_popcnt_u64(unsigned long long value) { return __builtin_popcountll(value); }
#endif
