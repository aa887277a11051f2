/* GNU's error(): the program's name is not known here, so a message begins with what it says. */
#ifndef WARPLENS_ERROR_H
#define WARPLENS_ERROR_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, format(printf, 3, 4))) void error(int status, int number, const char *format, ...) {
  va_list values;
  fflush(stdout);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fprintf(stderr, number ? ": %s\n" : "\n", strerror(number));
  if (status) exit(status);
}
#ifdef __cplusplus
}
#endif
#endif
