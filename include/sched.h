/* The C library's <sched.h>, and sets of processors as Linux has them: there is one, and threads may not choose how they are
   scheduled. */
#ifndef WARPLENS_SCHED_H
#define WARPLENS_SCHED_H
#include_next <sched.h>
#include <errno.h>
#include <stddef.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define CPU_SETSIZE 1024

typedef struct cpu_set_t {
  unsigned int __bits[CPU_SETSIZE / 32];
} cpu_set_t;

#ifdef __cplusplus
extern "C" {
#endif

static inline __attribute__((unused)) int __warplens_cpu_count(const cpu_set_t *set) {
  int count = 0;
  for (int word = 0; word < CPU_SETSIZE / 32; ++word) count += __builtin_popcount(set->__bits[word]);
  return count;
}
#define CPU_ZERO(set) __builtin_memset((set), 0, sizeof(cpu_set_t))
#define CPU_SET(cpu, set) ((void)((set)->__bits[(cpu) / 32] |= 1u << (cpu) % 32))
#define CPU_CLR(cpu, set) ((void)((set)->__bits[(cpu) / 32] &= ~(1u << (cpu) % 32)))
#define CPU_ISSET(cpu, set) ((int)((set)->__bits[(cpu) / 32] >> (cpu) % 32 & 1))
#define CPU_COUNT(set) __warplens_cpu_count(set)

static inline __attribute__((unused)) int sched_getcpu(void) { return 0; }
static inline __attribute__((unused)) int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set) {
  (void)process;
  __builtin_memset(set, 0, bytes);
  CPU_SET(0, set);
  return 0;
}
/* Of the processors that are named, only those that exist count; a set with none of them is refused. */
static inline __attribute__((unused)) int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set) {
  (void)process, (void)bytes;
  return CPU_ISSET(0, set) ? 0 : (errno = EINVAL, -1);
}
static inline __attribute__((unused)) int sched_get_priority_max(int policy) { return policy == SCHED_OTHER ? 0 : 99; }
static inline __attribute__((unused)) int sched_get_priority_min(int policy) { return policy == SCHED_OTHER ? 0 : 1; }
static inline __attribute__((unused)) int sched_getscheduler(pid_t process) { return (void)process, SCHED_OTHER; }
static inline __attribute__((unused)) int sched_setscheduler(pid_t process, int policy,
                                                             const struct sched_param *parameters) {
  (void)process, (void)parameters;
  return policy == SCHED_OTHER ? 0 : (errno = EPERM, -1);
}

#ifdef __cplusplus
}
#endif
#endif
