/* struct timespec as Linux has it: with nanoseconds of 8 bytes, a program's long (src/frontend/sizes/wideLongs.ts). WASI's has 4, and 4
   that nobody sets: what the C library fills in comes through warplens/host_longs.h. */
#ifndef __wasilibc___struct_timespec_h
#define __wasilibc___struct_timespec_h

#include <__typedef_time_t.h>
#include <warplens/wide_sizes.h>

struct timespec {
  time_t tv_sec;
  __WARPLENS_LONG tv_nsec;
};

#endif
