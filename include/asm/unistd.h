/* Numbers of Linux's system calls on x86-64, of those that programs ask for by number (unistd.h's syscall()). */
#ifndef WARPLENS_ASM_UNISTD_H
#define WARPLENS_ASM_UNISTD_H
#define __NR_getpid 39
#define __NR_gettid 186
#define __NR_futex 202
#define __NR_sched_setaffinity 203
#define __NR_sched_getaffinity 204
#define __NR_tgkill 234
#define __NR_mbind 237
#define __NR_set_mempolicy 238
#define __NR_get_mempolicy 239
#define __NR_perf_event_open 298
#define __NR_getcpu 309
#define __NR_getrandom 318
#define __NR_membarrier 324
#endif
