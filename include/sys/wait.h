/* What became of other processes: there are none, so that waits fail as they do in a process without children. The macros read what
   system(), pclose() and waits give. */
#ifndef WARPLENS_SYS_WAIT_H
#define WARPLENS_SYS_WAIT_H

#include <errno.h>
#include <sys/types.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x1000000
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) ((signed char)(((status) & 0x7f) + 1) >> 1 > 0)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 0x80)

#ifdef __cplusplus
extern "C" {
#endif
static inline __attribute__((unused)) pid_t waitpid(pid_t process, int *status, int options) {
  (void)process, (void)status, (void)options;
  errno = ECHILD;
  return -1;
}
static inline __attribute__((unused)) pid_t wait(int *status) { return waitpid(-1, status, 0); }
#ifdef __cplusplus
}
#endif
#endif
