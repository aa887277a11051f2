/* Loads and stores with a cache hint. The hint is for the caches of real hardware; what counts here is that each is one
   instruction on global memory: a plain access through a pointer in address space 1, of the whole type at once.
   Source: CUDA C++ Programming Guide, "Read-Only Data Cache Load Function", "Load / Store Functions Using Cache Hints". */
#ifndef WARPLENS_DEVICE_MEMORY_H
#define WARPLENS_DEVICE_MEMORY_H

/* C++ cannot copy a structure (float4 and the like) through a pointer with an address space; clang's vectors of the same
   layout can be, and reinterpreting them leaves one copy of the whole, exactly as `float4 v = *p` does. */
template <class T> struct __warplens_packed {
  typedef T type;
};
#define __WARPLENS_PACKED(name, element, lanes)                                                                            \
  template <> struct __warplens_packed<name> {                                                                             \
    typedef element type __attribute__((ext_vector_type(lanes)));                                                          \
  };
#define __WARPLENS_PACKED_TYPES(prefix, element)                                                                           \
  __WARPLENS_PACKED(prefix##2, element, 2)                                                                                 \
  __WARPLENS_PACKED(prefix##4, element, 4)
__WARPLENS_PACKED_TYPES(char, signed char)
__WARPLENS_PACKED_TYPES(uchar, unsigned char)
__WARPLENS_PACKED_TYPES(short, short)
__WARPLENS_PACKED_TYPES(ushort, unsigned short)
__WARPLENS_PACKED_TYPES(int, int)
__WARPLENS_PACKED_TYPES(uint, unsigned)
__WARPLENS_PACKED_TYPES(float, float)
__WARPLENS_PACKED(longlong2, long long, 2)
__WARPLENS_PACKED(ulonglong2, unsigned long long, 2)
__WARPLENS_PACKED(__ll2, long long, 2)
__WARPLENS_PACKED(__ull2, unsigned long long, 2)
__WARPLENS_PACKED(double2, double, 2)
#undef __WARPLENS_PACKED_TYPES
#undef __WARPLENS_PACKED

template <class T> __WARPLENS_DEVICE__ T __warplens_load_global(const T *pointer) {
  typedef typename __warplens_packed<T>::type Packed;
  return __builtin_bit_cast(T, *(__attribute__((address_space(1))) const Packed *)pointer);
}
template <class T> __WARPLENS_DEVICE__ void __warplens_store_global(T *pointer, T value) {
  typedef typename __warplens_packed<T>::type Packed;
  *(__attribute__((address_space(1))) Packed *)pointer = __builtin_bit_cast(Packed, value);
}

#define __WARPLENS_LOAD(name)                                                                                              \
  template <class T> __WARPLENS_DEVICE__ T name(const T *pointer) { return __warplens_load_global(pointer); }
__WARPLENS_LOAD(__ldg)
__WARPLENS_LOAD(__ldca)
__WARPLENS_LOAD(__ldcs)
#undef __WARPLENS_LOAD

/* Past the L1: the mark that our reader looks for (src/ir/readFunction.ts). */
#define __WARPLENS_LOAD_PAST_L1(name)                                                                                      \
  template <class T> __WARPLENS_DEVICE__ T name(const T *pointer) {                                                        \
    typedef typename __warplens_packed<T>::type Packed;                                                                    \
    return __builtin_bit_cast(T, __builtin_nontemporal_load((__attribute__((address_space(1))) const Packed *)pointer));   \
  }
__WARPLENS_LOAD_PAST_L1(__ldcg)
__WARPLENS_LOAD_PAST_L1(__ldlu)
__WARPLENS_LOAD_PAST_L1(__ldcv)
#undef __WARPLENS_LOAD_PAST_L1

#define __WARPLENS_STORE(name)                                                                                             \
  template <class T> __WARPLENS_DEVICE__ void name(T *pointer, __warplens_same<T> value) {                                 \
    __warplens_store_global<T>(pointer, value);                                                                            \
  }
/* The value converts to the pointer's type instead of taking part in deduction. */
template <class T> struct __warplens_identity {
  typedef T type;
};
template <class T> using __warplens_same = typename __warplens_identity<T>::type;
__WARPLENS_STORE(__stwb)
__WARPLENS_STORE(__stcg)
__WARPLENS_STORE(__stcs)
__WARPLENS_STORE(__stwt)
#undef __WARPLENS_STORE

#endif
