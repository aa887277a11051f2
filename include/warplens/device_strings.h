/* C functions on strings by their own names in kernels: the C++ library calls clang's builtins for them, which device_library.h's functions,
   C++ by name, are not: comparisons of arrays and views of text. Included by cuda::std. */
#ifndef WARPLENS_DEVICE_STRINGS_H
#define WARPLENS_DEVICE_STRINGS_H

#include <cuda_runtime.h>

#define __WARPLENS_NAMED(name) __asm__(name) __attribute__((used, noinline))
extern "C" {
__device__ size_t __warplens_strlen(const char *text) __WARPLENS_NAMED("strlen");
__device__ int __warplens_memcmp(const void *one, const void *other, size_t bytes) __WARPLENS_NAMED("memcmp");
__device__ const void *__warplens_memchr(const void *bytes, int value, size_t count) __WARPLENS_NAMED("memchr");

__device__ inline size_t __warplens_strlen(const char *text) {
  size_t n = 0;
#pragma clang loop unroll(disable)
  while (*(const volatile char *)(text + n)) n++;
  return n;
}
__device__ inline int __warplens_memcmp(const void *one, const void *other, size_t bytes) {
  const unsigned char *x = (const unsigned char *)one, *y = (const unsigned char *)other;
  for (size_t i = 0; i < bytes; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
__device__ inline const void *__warplens_memchr(const void *bytes, int value, size_t count) {
  const unsigned char *x = (const unsigned char *)bytes;
  for (size_t i = 0; i < count; i++)
    if (x[i] == (unsigned char)value) return x + i;
  return nullptr;
}
}
#undef __WARPLENS_NAMED

#endif
