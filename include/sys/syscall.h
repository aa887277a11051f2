/* Numbers of Linux's system calls, by the C library's names. */
#ifndef WARPLENS_SYS_SYSCALL_H
#define WARPLENS_SYS_SYSCALL_H
#include <asm/unistd.h>
#define SYS_getpid __NR_getpid
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
#define SYS_sched_setaffinity __NR_sched_setaffinity
#define SYS_sched_getaffinity __NR_sched_getaffinity
#define SYS_tgkill __NR_tgkill
#define SYS_mbind __NR_mbind
#define SYS_set_mempolicy __NR_set_mempolicy
#define SYS_get_mempolicy __NR_get_mempolicy
#define SYS_perf_event_open __NR_perf_event_open
#define SYS_getcpu __NR_getcpu
#define SYS_getrandom __NR_getrandom
#define SYS_membarrier __NR_membarrier
#endif
