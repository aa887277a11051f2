// std::align, also for what is left of a program's room as the program has it: its size_t has 8 bytes (src/frontend/sizes/wideSizes.ts).
#pragma once
#include_next <__memory/align.h>
#include <warplens/wide_sizes.h>

_LIBCPP_BEGIN_NAMESPACE_STD

inline void *align(size_t __alignment, size_t __bytes, void *&__place, __sz8t &__room) {
  size_t __rest = __warplens_size((unsigned long long)__room);
  void *__aligned = std::align(__alignment, __bytes, __place, __rest);
  if (__aligned) __room = __rest;
  return __aligned;
}

_LIBCPP_END_NAMESPACE_STD
