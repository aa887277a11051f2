/* The C library's <unistd.h>, and what WASI leaves out: the number of processors, which programs of CUDA ask for to choose their
   threads (one, as host threads run one after another), and who the user is. */
#ifndef WARPLENS_UNISTD_H
#define WARPLENS_UNISTD_H
#include_next <unistd.h>
#ifndef _SC_NPROCESSORS_ONLN
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#ifdef __cplusplus
extern "C" {
#endif
static inline __attribute__((unused)) long __warplens_sysconf(int name) {
  return name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN ? 1 : sysconf(name);
}
#ifdef __cplusplus
}
#endif
#define sysconf __warplens_sysconf
#endif

#define WARPLENS_USER "user"
#ifdef __cplusplus
extern "C" {
#endif
static inline __attribute__((unused)) uid_t getuid(void) { return 1000; }
static inline __attribute__((unused)) uid_t geteuid(void) { return 1000; }
static inline __attribute__((unused)) gid_t getgid(void) { return 1000; }
static inline __attribute__((unused)) gid_t getegid(void) { return 1000; }
static inline __attribute__((unused)) pid_t getppid(void) { return 1; }
#ifdef __cplusplus
}
#endif
#endif
