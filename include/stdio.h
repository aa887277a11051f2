/* The C library's <stdio.h>, and commands of the shell, which cannot be started: as POSIX says of a system that has no more
   processes, popen gives no stream, and says so. No include guard: <stdio.h> of the C library is read in parts. */
#define ftell __warplens_library_ftell
#define stdin __warplens_library_stdin
#define stdout __warplens_library_stdout
#define stderr __warplens_library_stderr
#include_next <stdio.h>
#undef ftell
#undef stdin
#undef stdout
#undef stderr
#ifndef WARPLENS_STDIO_H
#define WARPLENS_STDIO_H
#include <errno.h>
#include <warplens/wide_sizes.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Of 8 bytes, as a program's long (warplens/host_longs.h). */
__WARPLENS_LONG ftell(FILE *stream) __asm__("__warplens_ftell");
/* Variables, as the GNU C library has them: programs declare them again. */
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
static inline __attribute__((unused)) FILE *popen(const char *command, const char *type) {
  (void)command, (void)type;
  fputs("warning: popen() is not supported (there is no other process to start); it gives no stream\n", stderr);
  errno = EAGAIN;
  return (FILE *)0;
}
static inline __attribute__((unused)) int pclose(FILE *stream) {
  (void)stream;
  errno = ECHILD;
  return -1;
}
#ifdef __cplusplus
}
extern "C++" {
__WARPLENS_WIDE_SIZES(ssize_t, getline)
__WARPLENS_WIDE_SIZES(ssize_t, getdelim)
}
#endif
#endif
