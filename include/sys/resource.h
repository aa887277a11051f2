/* Resource usage and limits as Linux has them; WASI's C library knows two of the fields. The time is all of the process, what
   else is asked for is not measured and 0, and there are no limits to set. */
#ifndef _SYS_RESOURCE_H
#define _SYS_RESOURCE_H

#include <string.h>
#include <sys/time.h>
#include <time.h>

#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD 1

#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_RSS 5
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_INFINITY (~0ULL)

typedef unsigned long long rlim_t;

struct rlimit {
  rlim_t rlim_cur, rlim_max;
};

struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap;
  long ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

static inline int getrusage(int who, struct rusage *usage) {
  clock_t ticks = clock();
  memset(usage, 0, sizeof *usage);
  if (who != RUSAGE_CHILDREN) {
    usage->ru_utime.tv_sec = ticks / CLOCKS_PER_SEC;
    usage->ru_utime.tv_usec = (long)(ticks % CLOCKS_PER_SEC * 1000000LL / CLOCKS_PER_SEC);
  }
  return 0;
}

static inline int getrlimit(int resource, struct rlimit *limit) {
  (void)resource;
  limit->rlim_cur = limit->rlim_max = RLIM_INFINITY;
  return 0;
}

static inline int setrlimit(int resource, const struct rlimit *limit) {
  (void)resource, (void)limit;
  return 0;
}

#endif
