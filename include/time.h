/* The C library's <time.h>, and clocks by Linux's numbers, those that WASI has not too: processor time passes as time does, all other clocks
   are one.
   clock() counts microseconds, as POSIX says and programs take for granted; WASI's counts nanoseconds. */
#define clock __warplens_library_clock
#define clock_gettime __warplens_library_clock_gettime
#define clock_getres __warplens_library_clock_getres
#define clock_nanosleep __warplens_library_clock_nanosleep
#define timespec_get __warplens_library_timespec_get
#include_next <time.h>
#undef clock
#undef clock_gettime
#undef clock_getres
#undef clock_nanosleep
#undef timespec_get
#ifndef WARPLENS_TIME_H
#define WARPLENS_TIME_H
#ifdef __cplusplus
extern "C" {
#endif
/* warplens/host_longs.h has them. */
clock_t clock(void) __asm__("__warplens_clock");
int clock_gettime(clockid_t clock, struct timespec *time) __asm__("__warplens_clock_gettime");
int clock_getres(clockid_t clock, struct timespec *time) __asm__("__warplens_clock_getres");
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) __asm__("__warplens_clock_nanosleep");
int timespec_get(struct timespec *time, int base) __asm__("__warplens_timespec_get");
#ifdef __cplusplus
}
#endif
#undef CLOCKS_PER_SEC
#define CLOCKS_PER_SEC ((clock_t)1000000)
#undef CLOCK_REALTIME
#undef CLOCK_MONOTONIC
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_TAI 11
#endif
