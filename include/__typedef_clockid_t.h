/* A clock is a number, as on Linux; WASI's C library has pointers, to which host_longs.h goes. */
#ifndef __wasilibc___typedef_clockid_t_h
#define __wasilibc___typedef_clockid_t_h
typedef int clockid_t;
#endif
