/* BSD's messages; the program's name is not known here, so one begins with what it says, as in <error.h>. */
#ifndef WARPLENS_ERR_H
#define WARPLENS_ERR_H
#include_next <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_MESSAGES __attribute__((weak, visibility("hidden")))
WARPLENS_MESSAGES void vwarnx(const char *format, va_list values) {
  fflush(stdout);
  if (format) vfprintf(stderr, format, values);
  fputc('\n', stderr);
}
WARPLENS_MESSAGES void vwarn(const char *format, va_list values) {
  int number = errno;
  fflush(stdout);
  if (format) vfprintf(stderr, format, values), fputs(": ", stderr);
  fprintf(stderr, "%s\n", strerror(number));
}
WARPLENS_MESSAGES _Noreturn void verr(int status, const char *format, va_list values) {
  vwarn(format, values);
  exit(status);
}
WARPLENS_MESSAGES _Noreturn void verrx(int status, const char *format, va_list values) {
  vwarnx(format, values);
  exit(status);
}
#define __WARPLENS_PASSED_ON(declaration, call)                                                                           \
  WARPLENS_MESSAGES declaration {                                                                                         \
    va_list values;                                                                                                       \
    va_start(values, format);                                                                                             \
    call;                                                                                                                 \
    va_end(values);                                                                                                       \
  }
__WARPLENS_PASSED_ON(void warn(const char *format, ...), vwarn(format, values))
__WARPLENS_PASSED_ON(void warnx(const char *format, ...), vwarnx(format, values))
__WARPLENS_PASSED_ON(_Noreturn void err(int status, const char *format, ...), verr(status, format, values))
__WARPLENS_PASSED_ON(_Noreturn void errx(int status, const char *format, ...), verrx(status, format, values))
#undef __WARPLENS_PASSED_ON
#undef WARPLENS_MESSAGES

#ifdef __cplusplus
}
#endif
#endif
