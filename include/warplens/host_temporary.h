/* A file in /tmp, which is the program's own and ends with it: nobody misses one of that name (src/runtime/host/temporaryFiles.ts). Source: POSIX, tmpfile. */
#ifndef WARPLENS_HOST_TEMPORARY_H
#define WARPLENS_HOST_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

extern "C" __attribute__((weak)) FILE *tmpfile(void) {
  char name[] = "/tmp/.tmpfile-XXXXXX";
  const int descriptor = mkstemp(name);
  return descriptor < 0 ? nullptr : fdopen(descriptor, "w+");
}
#endif
