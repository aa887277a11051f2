/* The C library's <unistd.h>, and what WASI leaves out: the number of processors, which programs of CUDA ask for to choose their
   threads (one, as host threads run one after another), and who the user is. */
#ifndef WARPLENS_UNISTD_H
#define WARPLENS_UNISTD_H
#define sysconf __warplens_library_sysconf
#include_next <unistd.h>
#undef sysconf
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
#ifdef __cplusplus
}
#endif
#endif
