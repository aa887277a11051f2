/* The C++ library says here which exception a program without any would have to catch ("length_error was thrown in -fno-exceptions mode with
   message ..."): it ends as with GCC, in GCC's words. Of other programs it is thrown (host_exceptions.cpp). */
#ifndef WARPLENS_HOST_UNCAUGHT_H
#define WARPLENS_HOST_UNCAUGHT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

[[noreturn]] void __warplens_library_exception(const char *format, ...) __asm__("_ZNSt3__222__libcpp_verbose_abortEPKcz");
[[noreturn]] __attribute__((weak)) void __warplens_library_exception(const char *format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (char *mode = strstr(text, " was thrown in -fno-exceptions mode")) {
    const char *first = strchr(mode, '"'), *last = strrchr(mode, '"');
    fprintf(stderr, "terminate called after throwing an instance of 'std::%.*s'\n", (int)(mode - text), text);
    if (first && last > first) fprintf(stderr, "  what():  %.*s\n", (int)(last - first - 1), first + 1);
  } else fprintf(stderr, "%s\n", text);
  abort();
}

#endif
