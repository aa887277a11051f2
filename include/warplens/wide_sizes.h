/* Calls of a program whose `size_t` has 8 bytes (src/frontend/sizes/wideSizes.ts): where a function of ours writes sizes through pointers,
   it has them of 4; and sizes beyond what 32 bits hold are more than there is. */
#ifndef WARPLENS_WIDE_SIZES_H
#define WARPLENS_WIDE_SIZES_H

#ifdef __cplusplus
#ifdef WARPLENS_APART_LONGS
typedef unsigned _BitInt(64) __sz8t;
#else
typedef unsigned long long __sz8t;
#endif
#endif

/* A program's long (src/frontend/sizes/wideLongs.ts), for what the C library's functions give. */
#if defined(__cplusplus) && defined(WARPLENS_APART_LONGS)
#define __WARPLENS_LONG _BitInt(64)
#else
#define __WARPLENS_LONG long long
#endif

/* What inline functions of the host's API are. `nodebug` gives an inlined call the line of the program's own, where its errors are told. */
#define __WARPLENS_CALL__ static __inline__ __attribute__((nodebug, unused))

/* What no memory has. */
static __inline__ __attribute__((unused)) __SIZE_TYPE__ __warplens_size(unsigned long long bytes) {
  return bytes > (__SIZE_TYPE__)-1 ? (__SIZE_TYPE__)-1 : (__SIZE_TYPE__)bytes;
}

#ifdef __cplusplus
extern "C++" {
/* A size of the program's: read before a call and written behind it. */
struct __warplens_narrowed_size {
  unsigned long long *wide;
  __SIZE_TYPE__ narrow;
  __warplens_narrowed_size(unsigned long long *size) : wide(size), narrow(size ? __warplens_size(*size) : 0) {}
  ~__warplens_narrowed_size() {
    if (wide) *wide = narrow;
  }
  operator __SIZE_TYPE__ *() { return wide ? &narrow : 0; }
};
template <class T> static inline T &__warplens_narrowed(T &value) { return value; }
static inline __warplens_narrowed_size __warplens_narrowed(unsigned long long *&size) { return size; }
#ifdef WARPLENS_APART_LONGS
static inline __warplens_narrowed_size __warplens_narrowed(__sz8t *&size) { return (unsigned long long *)size; }
#endif
/* A factor: what the C++ library calls size_t becomes the program's, everything else stays. */
#ifdef __CUDA__
#define __WARPLENS_FACTOR static inline __attribute__((unused, host, device))
#else
#define __WARPLENS_FACTOR static inline __attribute__((unused))
#endif
template <class T> __WARPLENS_FACTOR constexpr T __warplens_wide(T value) { return value; }
__WARPLENS_FACTOR constexpr __sz8t __warplens_wide(__SIZE_TYPE__ value) { return value; }
#undef __WARPLENS_FACTOR
template <bool> struct __warplens_only {};
template <> struct __warplens_only<true> {
  typedef int type;
};
template <class T> struct __warplens_points_to_wide {
  static const bool value = __is_same(T, unsigned long long *) || __is_same(T, __sz8t *);
};
template <class T> struct __warplens_is_wide {
  static const bool value = __is_same(T, unsigned long long) || __is_same(T, long long) || __is_same(T, __sz8t);
};
}
/* The function for calls in which one argument at least points to such a size. */
#define __WARPLENS_WIDE_SIZES(result, name)                                                                                \
  template <class... T, typename __warplens_only<(__warplens_points_to_wide<__remove_reference_t(T)>::value || ...)>::type = 0> \
  __WARPLENS_CALL__ result name(T &&...values) {                                                                           \
    return name(__warplens_narrowed(values)...);                                                                           \
  }
#else
#define __WARPLENS_WIDE_SIZES(result, name)
#endif
#endif
