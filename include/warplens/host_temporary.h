/* A file in /tmp, which is the program's own and ends with it (src/runtime/host/temporaryFiles.ts). Source: POSIX, tmpfile. */
#ifndef WARPLENS_HOST_TEMPORARY_H
#define WARPLENS_HOST_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

extern "C" __attribute__((weak)) FILE *tmpfile(void) {
  char name[] = "/tmp/fileXXXXXX";
  const int descriptor = mkstemp(name);
  return descriptor < 0 ? nullptr : fdopen(descriptor, "w+");
}
#endif
