/* The host heap's end. Programs seldom test malloc's result, and address 0 is ordinary memory in WebAssembly: a program that
   went on would overwrite its own stack. So the runtime ends it in plain words where malloc, calloc or realloc would return
   null. The linker sends all calls here, also those of operator new (`--wrap`, src/frontend/building/commands.ts). */
#ifndef WARPLENS_HOST_HEAP_H
#define WARPLENS_HOST_HEAP_H

#include <stddef.h>

extern "C" {
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
/* Does not return. */
void __warplens_out_of_memory(size_t bytes);

__attribute__((weak)) void *__wrap_malloc(size_t bytes) {
  void *result = __real_malloc(bytes);
  if (!result && bytes) __warplens_out_of_memory(bytes);
  return result;
}
__attribute__((weak)) void *__wrap_calloc(size_t count, size_t bytes) {
  void *result = __real_calloc(count, bytes);
  if (!result && count && bytes)
    __warplens_out_of_memory(bytes > (size_t)-1 / count ? (size_t)-1 : count * bytes);
  return result;
}
__attribute__((weak)) void *__wrap_realloc(void *old, size_t bytes) {
  void *result = __real_realloc(old, bytes);
  if (!result && bytes) __warplens_out_of_memory(bytes);
  return result;
}
}
#endif
