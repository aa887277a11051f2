/* The kernel's limits; the C library has them in <limits.h>. */
#ifndef _LINUX_LIMITS_H
#define _LINUX_LIMITS_H
#include <limits.h>
#endif
