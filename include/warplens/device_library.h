/* The C library on the device: what a kernel may call of it. clang turns printf into vprintf; malloc, free, vprintf and
   __assertfail are the device's system calls, implemented by the executor.
   Source: CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory Allocation", "Assertion". */
#ifndef WARPLENS_DEVICE_LIBRARY_H
#define WARPLENS_DEVICE_LIBRARY_H

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t charSize)
    __attribute__((nothrow));
/* wasi-libc's assert() calls this. */
__WARPLENS_DEVICE__ void __assert_fail(const char *message, const char *file, int line, const char *function) {
  __assertfail(message, file, (unsigned)line, function, sizeof(char));
}
__WARPLENS_DEVICE__ void abort(void) { __builtin_trap(); }
}

__WARPLENS_DEVICE__ void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
__WARPLENS_DEVICE__ void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
__WARPLENS_DEVICE__ void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }
/* Byte loops for what LLVM has no intrinsic for. */
__WARPLENS_DEVICE__ size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
__WARPLENS_DEVICE__ int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}
__WARPLENS_DEVICE__ char *strcpy(char *to, const char *from) {
  char *start = to;
  while ((*to++ = *from++)) {
  }
  return start;
}
__WARPLENS_DEVICE__ int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

/* The same functions, not further ones: <cstring> says so of its own namespace, inside of this one. */
namespace std {
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strcmp;
using ::strcpy;
using ::strlen;
}

#endif
