/* The C library's <time.h>, and the clocks that WASI has not: processor time passes as time does, all other clocks are one. */
#include_next <time.h>
#ifndef WARPLENS_TIME_H
#define WARPLENS_TIME_H
#if defined(CLOCK_MONOTONIC) && !defined(CLOCK_PROCESS_CPUTIME_ID)
#define CLOCK_PROCESS_CPUTIME_ID CLOCK_MONOTONIC
#define CLOCK_THREAD_CPUTIME_ID CLOCK_MONOTONIC
#define CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#define CLOCK_REALTIME_COARSE CLOCK_REALTIME
#endif
#endif
