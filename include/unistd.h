/* The C library's <unistd.h>, and what WASI leaves out: the number of processors, which programs of CUDA ask for to choose their
   threads (one, as host threads run one after another), who the user is, and other processes, which cannot be started: that fails, as it does
   on a system that has no more of them, and says so. */
#ifndef WARPLENS_UNISTD_H
#define WARPLENS_UNISTD_H
#define sysconf __warplens_library_sysconf
#include_next <unistd.h>
#undef sysconf
#include <asm/unistd.h>
#include <errno.h>
#include <warplens/wide_sizes.h>

#define WARPLENS_USER "user"
#ifdef __cplusplus
extern "C" {
#endif
/* Of 8 bytes, as a program's long (warplens/host_longs.h). */
__WARPLENS_LONG sysconf(int name) __asm__("__warplens_sysconf");
static inline __attribute__((unused)) uid_t getuid(void) { return 1000; }
static inline __attribute__((unused)) uid_t geteuid(void) { return 1000; }
static inline __attribute__((unused)) gid_t getgid(void) { return 1000; }
static inline __attribute__((unused)) gid_t getegid(void) { return 1000; }
static inline __attribute__((unused)) pid_t getppid(void) { return 1; }
#define __WARPLENS_NO_PROCESS__(name) \
  static const char text[] = "warning: " #name "() is not supported (there is no other process to start); it returns -1\n"; \
  write(2, text, sizeof text - 1); \
  errno = EAGAIN; \
  return -1;
static inline __attribute__((unused)) pid_t fork(void) { __WARPLENS_NO_PROCESS__(fork) }
static inline __attribute__((unused)) pid_t vfork(void) { __WARPLENS_NO_PROCESS__(vfork) }
#define __WARPLENS_EXEC__(name, ...) \
  static inline __attribute__((unused)) int name(const char *file, __VA_ARGS__) { (void)file; __WARPLENS_NO_PROCESS__(name) }
__WARPLENS_EXEC__(execv, char *const *)
__WARPLENS_EXEC__(execvp, char *const *)
__WARPLENS_EXEC__(execve, char *const *, char *const *)
__WARPLENS_EXEC__(execl, const char *, ...)
__WARPLENS_EXEC__(execlp, const char *, ...)
__WARPLENS_EXEC__(execle, const char *, ...)
static inline __attribute__((unused)) int pipe(int ends[2]) { (void)ends; __WARPLENS_NO_PROCESS__(pipe) }
static inline __attribute__((unused)) int dup2(int from, int to) { (void)from, (void)to; __WARPLENS_NO_PROCESS__(dup2) }
/* Calls by number: the process is its only thread; any other fails, as on a kernel that does not have it, and says so. */
static inline __attribute__((unused)) __WARPLENS_LONG syscall(__WARPLENS_LONG number, ...) {
  if (number == __NR_getpid || number == __NR_gettid) return getpid();
  static const char text[] = "warning: syscall() is supported for getpid and gettid only; it returns -1\n";
  write(2, text, sizeof text - 1);
  errno = ENOSYS;
  return -1;
}
#undef __WARPLENS_EXEC__
#undef __WARPLENS_NO_PROCESS__
#ifdef __cplusplus
}
#endif
#endif
