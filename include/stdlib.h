/* The C library's <stdlib.h>, which brings <sys/types.h> (uint, ulong, ...) as glibc's does: programs rely on it. */
#ifndef WARPLENS_STDLIB_H
#define WARPLENS_STDLIB_H
/* What gives `long` gives the program's, of 8 bytes (warplens/host_longs.h): the library's own are out of the way. */
#define random __warplens_library_random
#define lrand48 __warplens_library_lrand48
#define mrand48 __warplens_library_mrand48
#define nrand48 __warplens_library_nrand48
#define jrand48 __warplens_library_jrand48
#include_next <stdlib.h>
#undef random
#undef lrand48
#undef mrand48
#undef nrand48
#undef jrand48
#include <errno.h>
#include <sys/types.h>
#include <warplens/wide_sizes.h>

/* No other process can be started: system() fails as the C standard allows, and says so. But for `mkdir`, which programs make the folder of
   their output with. */
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__cplusplus) || !defined(__STRICT_ANSI__)
__WARPLENS_LONG random(void) __asm__("__warplens_random");
__WARPLENS_LONG lrand48(void) __asm__("__warplens_lrand48");
__WARPLENS_LONG mrand48(void) __asm__("__warplens_mrand48");
__WARPLENS_LONG nrand48(unsigned short state[3]) __asm__("__warplens_nrand48");
__WARPLENS_LONG jrand48(unsigned short state[3]) __asm__("__warplens_jrand48");
#endif
extern ssize_t __warplens_write(int file, const void *bytes, size_t count) __asm__("write");
extern int __warplens_mkdir(const char *name, mode_t mode) __asm__("mkdir");
/* `mkdir a b` and `mkdir -p a/b/c` with nothing in them that a shell would understand; -1 for anything else. */
__attribute__((weak)) int __warplens_mkdir_command(const char *command) {
  char name[4096];
  int parents = 0, names = 0, status = 0;
  const char *words = command + __builtin_strspn(command, " "), *at;
  if (__builtin_strlen(command) >= sizeof name || __builtin_strncmp(words, "mkdir ", 6) != 0) return -1;
  if (words[__builtin_strcspn(words, "\"'`$;&|<>*?(){}[]~\\!#\t\n")]) return -1;
  for (at = words + 6; *(at += __builtin_strspn(at, " ")); at += __builtin_strcspn(at, " ")) {
    size_t length = __builtin_strcspn(at, " ");
    if (*at == '-' && !(length == 2 && at[1] == 'p')) return -1;
    if (*at == '-') parents = 1;
    else ++names;
  }
  if (names == 0) return -1;
  for (at = words + 6; *(at += __builtin_strspn(at, " ")); at += __builtin_strcspn(at, " ")) {
    size_t length = __builtin_strcspn(at, " ");
    if (*at == '-') continue;
    __builtin_memcpy(name, at, length);
    name[length] = 0;
    for (size_t end = 1; parents && end < length; ++end) {
      if (name[end] != '/') continue;
      name[end] = 0;
      __warplens_mkdir(name, 0777);
      name[end] = '/';
    }
    if (__warplens_mkdir(name, 0777) != 0 && !(parents && errno == EEXIST)) status = 256;
  }
  return status;
}
__attribute__((weak)) int system(const char *command) {
  static const char text[] = "warning: system() is not supported (there is no other process to start); it returns -1\n";
  int folders;
  if (!command) return 0;
  if ((folders = __warplens_mkdir_command(command)) >= 0) return folders;
  __warplens_write(2, text, sizeof text - 1);
  return -1;
}

/* As glibc has them, which WASI's C library has not, or does not show. */
void qsort_r(void *elements, size_t count, size_t bytes, int (*compare)(const void *, const void *, void *), void *with);
static inline __attribute__((unused)) void *valloc(size_t bytes) {
  void *memory;
  return posix_memalign(&memory, 4096, bytes) == 0 ? memory : 0;
}
static inline __attribute__((unused)) int getloadavg(double *loads, int count) {
  for (int index = 0; index < count && index < 3; ++index) loads[index] = 0;
  return count < 3 ? count : 3;
}
/* By other names: programs that do not include <fcntl.h> may have functions of their own called so. */
extern int __warplens_open(const char *name, int flags, ...) __asm__("open");
/* The last six characters become those of a file, or a folder, that is not there yet. */
static inline __attribute__((unused)) int __warplens_temporary(char *name, int flags, int folder) {
  const int new_file = 0x14000000 | 1 << 12 | 4 << 12; /* O_RDWR | O_CREAT | O_EXCL */
  size_t length = __builtin_strlen(name);
  if (length < 6 || __builtin_memcmp(name + length - 6, "XXXXXX", 6) != 0) return errno = EINVAL, -1;
  for (unsigned int attempt = 0; attempt < 1000; ++attempt) {
    unsigned int number = attempt * 2654435761u + 12345u;
    for (int digit = 1; digit <= 6; ++digit, number /= 26) name[length - digit] = (char)('a' + number % 26);
    int result = folder ? __warplens_mkdir(name, 0700) : __warplens_open(name, flags | new_file, 0600);
    if (result >= 0 || errno != EEXIST) return result;
  }
  return -1;
}
static inline __attribute__((unused)) int mkostemp(char *name, int flags) { return __warplens_temporary(name, flags, 0); }
static inline __attribute__((unused)) int mkstemp(char *name) { return __warplens_temporary(name, 0, 0); }
static inline __attribute__((unused)) char *mkdtemp(char *name) {
  return __warplens_temporary(name, 0, 1) < 0 ? 0 : name;
}
#ifdef __cplusplus
}
/* More than 32 bits hold is out of memory, and not what is left of it. The result is used as the C library's. */
template <class T, typename __warplens_only<__warplens_is_wide<T>::value>::type = 0> static inline void *malloc(T bytes) {
  return malloc(__warplens_size((unsigned long long)bytes));
}
template <class T, typename __warplens_only<__warplens_is_wide<T>::value>::type = 0>
static inline void *realloc(void *old, T bytes) {
  return realloc(old, __warplens_size((unsigned long long)bytes));
}
template <class T, class U, typename __warplens_only<__warplens_is_wide<T>::value || __warplens_is_wide<U>::value>::type = 0>
static inline void *calloc(T count, U bytes) {
  return calloc(__warplens_size((unsigned long long)count), __warplens_size((unsigned long long)bytes));
}
#endif
#endif
