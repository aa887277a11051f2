/* Functions of the C library whose `long` is a program's, of 8 bytes (src/frontend/sizes/wideLongs.ts), under the names that <stdlib.h>,
   <stdio.h> and <time.h> of ours give them: over the library's own, whose long has 4. Part of host_library.cpp. */
#ifndef WARPLENS_HOST_LONGS_H
#define WARPLENS_HOST_LONGS_H
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern "C" {
#define WARPLENS_NARROW(result, name, parameters) result __warplens_narrow_##name parameters __asm__(#name);
WARPLENS_NARROW(long, lrand48, (void))
WARPLENS_NARROW(long, mrand48, (void))
WARPLENS_NARROW(long, nrand48, (unsigned short *))
WARPLENS_NARROW(long, jrand48, (unsigned short *))
WARPLENS_NARROW(long, sysconf, (int))
WARPLENS_NARROW(clock_t, clock, (void))
WARPLENS_NARROW(int, clock_gettime, (const struct __clockid *, struct timespec *))
WARPLENS_NARROW(int, clock_getres, (const struct __clockid *, struct timespec *))
WARPLENS_NARROW(int, clock_nanosleep, (const struct __clockid *, int, const struct timespec *, struct timespec *))
WARPLENS_NARROW(int, timespec_get, (struct timespec *, int))
#undef WARPLENS_NARROW

__attribute__((weak)) __WARPLENS_LONG lrand48(void) { return __warplens_narrow_lrand48(); }
__attribute__((weak)) __WARPLENS_LONG mrand48(void) { return __warplens_narrow_mrand48(); }
__attribute__((weak)) __WARPLENS_LONG nrand48(unsigned short *state) { return __warplens_narrow_nrand48(state); }
__attribute__((weak)) __WARPLENS_LONG jrand48(unsigned short *state) { return __warplens_narrow_jrand48(state); }
__attribute__((weak)) __WARPLENS_LONG ftell(FILE *stream) { return ftello(stream); }
__attribute__((weak)) clock_t clock(void) { return __warplens_narrow_clock() / 1000; }
/* Programs ask for the number of processors to choose their threads: one, as host threads run one after another. */
__attribute__((weak)) __WARPLENS_LONG sysconf(int name) {
  if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN) return 1;
  return __warplens_narrow_sysconf(name);
}

/* The library sets the lower half of the nanoseconds. */
static int __warplens_widened(int result, struct timespec *time) {
  if (time) time->tv_nsec = (unsigned)time->tv_nsec;
  return result;
}
static const struct __clockid *__warplens_clock_of(clockid_t clock) {
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) return &_CLOCK_REALTIME;
  return clock > CLOCK_REALTIME && clock < CLOCK_TAI ? &_CLOCK_MONOTONIC : 0;
}
static int __warplens_no_clock(void) {
  errno = EINVAL;
  return -1;
}
__attribute__((weak)) int clock_gettime(clockid_t clock, struct timespec *time) {
  const struct __clockid *own = __warplens_clock_of(clock);
  return own ? __warplens_widened(__warplens_narrow_clock_gettime(own, time), time) : __warplens_no_clock();
}
__attribute__((weak)) int clock_getres(clockid_t clock, struct timespec *time) {
  const struct __clockid *own = __warplens_clock_of(clock);
  return own ? __warplens_widened(__warplens_narrow_clock_getres(own, time), time) : __warplens_no_clock();
}
__attribute__((weak)) int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  const struct __clockid *own = __warplens_clock_of(clock);
  return own ? __warplens_narrow_clock_nanosleep(own, flags, time, left) : EINVAL;
}
__attribute__((weak)) int timespec_get(struct timespec *time, int base) {
  return __warplens_widened(__warplens_narrow_timespec_get(time, base), time);
}
}
#endif
