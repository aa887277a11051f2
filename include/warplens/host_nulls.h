/* What no pointer may be on a machine: address 0 is ordinary memory in WebAssembly, where a program that forgets an argument, or that an
   allocation failed, would go on with what happens to lie there. The functions of the C library that are handed texts stop the program instead, and so does
   free() where it is handed what is not allocated. Where they stop, src/runtime/host/hostTraps.ts knows by their names. The linker sends all calls here
   (`--wrap`, src/frontend/building/commands.ts). Part of host_library.cpp. */
#ifndef WARPLENS_HOST_NULLS_H
#define WARPLENS_HOST_NULLS_H

#include <stddef.h>

extern "C" {
/* The linker's: where the heap begins. */
extern unsigned char __heap_base;

#define WARPLENS_TEXT(result, name, parameters, arguments, isNull)    \
  result __real_##name parameters;                                    \
  __attribute__((weak, noinline)) result __wrap_##name parameters {   \
    if (isNull) __builtin_trap();                                     \
    return __real_##name arguments;                                   \
  }
WARPLENS_TEXT(int, atoi, (const char *text), (text), !text)
WARPLENS_TEXT(long, atol, (const char *text), (text), !text)
WARPLENS_TEXT(long long, atoll, (const char *text), (text), !text)
WARPLENS_TEXT(double, atof, (const char *text), (text), !text)
WARPLENS_TEXT(long, strtol, (const char *text, char **end, int base), (text, end, base), !text)
WARPLENS_TEXT(unsigned long, strtoul, (const char *text, char **end, int base), (text, end, base), !text)
WARPLENS_TEXT(long long, strtoll, (const char *text, char **end, int base), (text, end, base), !text)
WARPLENS_TEXT(unsigned long long, strtoull, (const char *text, char **end, int base), (text, end, base), !text)
WARPLENS_TEXT(float, strtof, (const char *text, char **end), (text, end), !text)
WARPLENS_TEXT(double, strtod, (const char *text, char **end), (text, end), !text)
WARPLENS_TEXT(size_t, strlen, (const char *text), (text), !text)
WARPLENS_TEXT(int, strcmp, (const char *one, const char *other), (one, other), !one || !other)
WARPLENS_TEXT(int, strcasecmp, (const char *one, const char *other), (one, other), !one || !other)
WARPLENS_TEXT(int, strncmp, (const char *one, const char *other, size_t most), (one, other, most), most && (!one || !other))
WARPLENS_TEXT(char *, strcpy, (char *to, const char *from), (to, from), !to || !from)
WARPLENS_TEXT(char *, strcat, (char *to, const char *from), (to, from), !to || !from)
WARPLENS_TEXT(char *, strdup, (const char *text), (text), !text)
WARPLENS_TEXT(char *, strchr, (const char *text, int character), (text, character), !text)
WARPLENS_TEXT(char *, strstr, (const char *text, const char *part), (text, part), !text || !part)
#undef WARPLENS_TEXT

/* In the library's allocator the word in front of what it gives says whether it is in use; what a free piece is joined to has none of its
   own, and says so from here on. */
static size_t *__warplens_piece(void *start) { return (size_t *)start - 1; }
enum { __WARPLENS_IN_USE = 2, __WARPLENS_PIECE = 8 };
void __real_free(void *start);
__attribute__((weak, noinline)) void __wrap_free(void *start) {
  if (!start) return;
  if ((unsigned char *)start < &__heap_base || (size_t)start % __WARPLENS_PIECE || !(*__warplens_piece(start) & __WARPLENS_IN_USE))
    __builtin_trap();
  __real_free(start);
  *__warplens_piece(start) &= ~(size_t)__WARPLENS_IN_USE;
}
}
#endif
