/* Linux's calls about the process itself: names of threads, which nobody sees here; everything else is refused. */
#ifndef WARPLENS_SYS_PRCTL_H
#define WARPLENS_SYS_PRCTL_H

#include <errno.h>

#define PR_SET_PDEATHSIG 1
#define PR_GET_PDEATHSIG 2
#define PR_GET_DUMPABLE 3
#define PR_SET_DUMPABLE 4
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_PTRACER 0x59616d61
#define PR_SET_PTRACER_ANY ((unsigned long)-1)

#ifdef __cplusplus
extern "C" {
#endif
static inline int prctl(int option, ...) {
  if (option == PR_SET_NAME || option == PR_SET_DUMPABLE) return 0;
  errno = EINVAL;
  return -1;
}
#ifdef __cplusplus
}
#endif
#endif
