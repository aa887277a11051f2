/* The C library's <unistd.h>, and the number of processors, which programs of CUDA ask for to choose their threads: one, as host
   threads run one after another. */
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
#endif
