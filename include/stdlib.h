/* The C library's <stdlib.h>, which brings <sys/types.h> (uint, ulong, ...) as glibc's does: programs rely on it. */
#ifndef WARPLENS_STDLIB_H
#define WARPLENS_STDLIB_H
#include_next <stdlib.h>
#include <sys/types.h>
#endif
