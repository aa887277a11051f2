/* A set of signals, as wide as Linux numbers them; WASI's C library has one of eight bits, which nothing of it reads. */
#ifndef __wasilibc___typedef_sigset_t_h
#define __wasilibc___typedef_sigset_t_h
typedef unsigned long long sigset_t;
#endif
