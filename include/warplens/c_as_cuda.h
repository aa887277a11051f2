/* What C may do and C++ may not, for C sources that call libraries whose kernels are ours, which are compiled as CUDA (src/frontend/building/plan.ts):
   memory goes into a pointer of any type without a cast. */
#ifndef WARPLENS_C_AS_CUDA_H
#define WARPLENS_C_AS_CUDA_H

#include <stdlib.h>
#include <string.h>

struct __warplens_memory {
  void *place;
  template <class T> operator T *() const { return (T *)place; }
};
static inline __warplens_memory __warplens_malloc(size_t bytes) { return {malloc(bytes)}; }
static inline __warplens_memory __warplens_calloc(size_t count, size_t bytes) { return {calloc(count, bytes)}; }
static inline __warplens_memory __warplens_realloc(void *place, size_t bytes) { return {realloc(place, bytes)}; }
#define malloc(bytes) __warplens_malloc(bytes)
#define calloc(count, bytes) __warplens_calloc(count, bytes)
#define realloc(place, bytes) __warplens_realloc(place, bytes)
#define restrict __restrict__

#endif
