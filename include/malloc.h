/* The C library's <malloc.h>, and memalign, which glibc has there. */
#ifndef WARPLENS_MALLOC_H
#define WARPLENS_MALLOC_H
#include_next <malloc.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
/* aligned_alloc may refuse sizes that are not multiples of the alignment; posix_memalign takes any. */
static inline __attribute__((unused)) void *memalign(size_t alignment, size_t bytes) {
  void *memory;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : 0;
}
#ifdef __cplusplus
}
#endif
#endif
