/* The C library's <stdlib.h>, which brings <sys/types.h> (uint, ulong, ...) as glibc's does: programs rely on it. */
#ifndef WARPLENS_STDLIB_H
#define WARPLENS_STDLIB_H
#include_next <stdlib.h>
#include <sys/types.h>

/* No other process can be started: system() fails as the C standard allows, and says so. */
#ifdef __cplusplus
extern "C" {
#endif
extern ssize_t __warplens_write(int file, const void *bytes, size_t count) __asm__("write");
__attribute__((weak)) int system(const char *command) {
  static const char text[] = "warning: system() is not supported (there is no other process to start); it returns -1\n";
  if (!command) return 0;
  __warplens_write(2, text, sizeof text - 1);
  return -1;
}
#ifdef __cplusplus
}
#endif
#endif
