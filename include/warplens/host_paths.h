/* The working directory. The C library keeps one of its own, '/', and takes all paths for ones below it as soon as a program asks for it
   (std::filesystem does): absolute ones too. Here the runtime keeps it (src/runtime/host/wasi.ts). Source: POSIX, chdir and getcwd. */
#ifndef WARPLENS_HOST_PATHS_H
#define WARPLENS_HOST_PATHS_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

extern "C" {
/* An error number, 0 where all is well. */
int __warplens_change_folder(const char *path);
/* The bytes that the name takes; it is not written where that is more than `capacity`. */
size_t __warplens_folder(char *name, size_t capacity);

__attribute__((weak)) int chdir(const char *path) {
  const int error = __warplens_change_folder(path);
  return error ? (errno = error, -1) : 0;
}
/* As the GNU C library: a name of its own where there is none to write to. */
__attribute__((weak)) char *getcwd(char *name, size_t capacity) {
  if (name && capacity == 0) return errno = EINVAL, nullptr;
  const size_t needed = __warplens_folder(nullptr, 0);
  if (capacity != 0 && needed > capacity) return errno = ERANGE, nullptr;
  if (!name) name = (char *)malloc(capacity ? capacity : needed);
  __warplens_folder(name, needed);
  return name;
}
}
#endif
