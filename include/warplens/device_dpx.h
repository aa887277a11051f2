/* DPX: minima and maxima of two and three values, of sums, clamped at zero (relu), and which of two it was; of 32 bits and of
   pairs of 16. On both sides. Source: CUDA Math API, "SIMD Intrinsics"; CUDA C++ Programming Guide, "DPX". */
#ifndef WARPLENS_DEVICE_DPX_H
#define WARPLENS_DEVICE_DPX_H

template <class T> struct __wl_dpx {
  /* Sums wrap before they are compared. */
  static __WARPLENS_BOTH_MEMBER__ T sum(T a, T b) { return (T)((unsigned)a + (unsigned)b); }
  static __WARPLENS_BOTH_MEMBER__ T min(T a, T b) { return a < b ? a : b; }
  static __WARPLENS_BOTH_MEMBER__ T max(T a, T b) { return a > b ? a : b; }
  static __WARPLENS_BOTH_MEMBER__ T min3(T a, T b, T c) { return min(min(a, b), c); }
  static __WARPLENS_BOTH_MEMBER__ T max3(T a, T b, T c) { return max(max(a, b), c); }
  static __WARPLENS_BOTH_MEMBER__ T addmin(T a, T b, T c) { return min(sum(a, b), c); }
  static __WARPLENS_BOTH_MEMBER__ T addmax(T a, T b, T c) { return max(sum(a, b), c); }
  static __WARPLENS_BOTH_MEMBER__ T relu(T a) { return a > 0 ? a : T(0); }
};
template <class T> __WARPLENS_HOST_DEVICE__ T __wl_half(unsigned pair, int index) { return (T)(pair >> 16 * index); }
template <class T> __WARPLENS_HOST_DEVICE__ unsigned __wl_pair(T high, T low) {
  return (unsigned)(unsigned short)high << 16 | (unsigned short)low;
}

/* NAME_word(...) for 32 bits, NAME_pair(...) for two times 16. */
#define __WL_DPX2(name, word, pair, T, H, of, after)                                                                       \
  __WARPLENS_HOST_DEVICE__ T name##_##word(T a, T b) { return after(__wl_dpx<T>, __wl_dpx<T>::of(a, b)); }                 \
  __WARPLENS_HOST_DEVICE__ unsigned name##_##pair(unsigned a, unsigned b) {                                                \
    return __wl_pair<H>(after(__wl_dpx<H>, __wl_dpx<H>::of(__wl_half<H>(a, 1), __wl_half<H>(b, 1))),                       \
                        after(__wl_dpx<H>, __wl_dpx<H>::of(__wl_half<H>(a, 0), __wl_half<H>(b, 0))));                      \
  }
#define __WL_DPX3(name, word, pair, T, H, of, after)                                                                       \
  __WARPLENS_HOST_DEVICE__ T name##_##word(T a, T b, T c) { return after(__wl_dpx<T>, __wl_dpx<T>::of(a, b, c)); }         \
  __WARPLENS_HOST_DEVICE__ unsigned name##_##pair(unsigned a, unsigned b, unsigned c) {                                    \
    return __wl_pair<H>(                                                                                                   \
        after(__wl_dpx<H>, __wl_dpx<H>::of(__wl_half<H>(a, 1), __wl_half<H>(b, 1), __wl_half<H>(c, 1))),                   \
        after(__wl_dpx<H>, __wl_dpx<H>::of(__wl_half<H>(a, 0), __wl_half<H>(b, 0), __wl_half<H>(c, 0))));                  \
  }
/* With which operand it was: true for the first, also of equal ones. */
#define __WL_DPXB(name, word, pair, T, H, of, test)                                                                        \
  __WARPLENS_HOST_DEVICE__ T name##_##word(T a, T b, bool *first) {                                                        \
    *first = a test b;                                                                                                     \
    return __wl_dpx<T>::of(a, b);                                                                                          \
  }                                                                                                                        \
  __WARPLENS_HOST_DEVICE__ unsigned name##_##pair(unsigned a, unsigned b, bool *highFirst, bool *lowFirst) {               \
    *highFirst = __wl_half<H>(a, 1) test __wl_half<H>(b, 1);                                                               \
    *lowFirst = __wl_half<H>(a, 0) test __wl_half<H>(b, 0);                                                                \
    return __wl_pair<H>(__wl_dpx<H>::of(__wl_half<H>(a, 1), __wl_half<H>(b, 1)),                                           \
                        __wl_dpx<H>::of(__wl_half<H>(a, 0), __wl_half<H>(b, 0)));                                          \
  }
#define __WL_AS_IS(ops, value) (value)
#define __WL_RELU(ops, value) (ops::relu(value))

__WL_DPX2(__vimin, s32_relu, s16x2_relu, int, short, min, __WL_RELU)
__WL_DPX3(__vimin3, s32, s16x2, int, short, min3, __WL_AS_IS)
__WL_DPX3(__vimin3, u32, u16x2, unsigned, unsigned short, min3, __WL_AS_IS)
__WL_DPX3(__vimin3, s32_relu, s16x2_relu, int, short, min3, __WL_RELU)
__WL_DPX3(__viaddmin, s32, s16x2, int, short, addmin, __WL_AS_IS)
__WL_DPX3(__viaddmin, u32, u16x2, unsigned, unsigned short, addmin, __WL_AS_IS)
__WL_DPX3(__viaddmin, s32_relu, s16x2_relu, int, short, addmin, __WL_RELU)
__WL_DPXB(__vibmin, s32, s16x2, int, short, min, <=)
__WL_DPXB(__vibmin, u32, u16x2, unsigned, unsigned short, min, <=)
__WL_DPX2(__vimax, s32_relu, s16x2_relu, int, short, max, __WL_RELU)
__WL_DPX3(__vimax3, s32, s16x2, int, short, max3, __WL_AS_IS)
__WL_DPX3(__vimax3, u32, u16x2, unsigned, unsigned short, max3, __WL_AS_IS)
__WL_DPX3(__vimax3, s32_relu, s16x2_relu, int, short, max3, __WL_RELU)
__WL_DPX3(__viaddmax, s32, s16x2, int, short, addmax, __WL_AS_IS)
__WL_DPX3(__viaddmax, u32, u16x2, unsigned, unsigned short, addmax, __WL_AS_IS)
__WL_DPX3(__viaddmax, s32_relu, s16x2_relu, int, short, addmax, __WL_RELU)
__WL_DPXB(__vibmax, s32, s16x2, int, short, max, >=)
__WL_DPXB(__vibmax, u32, u16x2, unsigned, unsigned short, max, >=)

#undef __WL_DPX2
#undef __WL_DPX3
#undef __WL_DPXB
#undef __WL_AS_IS
#undef __WL_RELU
#endif
