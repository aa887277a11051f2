/* make_float4 and its family: one constructor function for each vector type, for host and device. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define __WARPLENS_MAKE(type, name)                                                                              \
  static __WARPLENS_BOTH inline name##1 make_##name##1(type x) { name##1 v; v.x = x; return v; }                 \
  static __WARPLENS_BOTH inline name##2 make_##name##2(type x, type y) {                                         \
    name##2 v; v.x = x; v.y = y; return v;                                                                       \
  }                                                                                                              \
  static __WARPLENS_BOTH inline name##3 make_##name##3(type x, type y, type z) {                                 \
    name##3 v; v.x = x; v.y = y; v.z = z; return v;                                                              \
  }                                                                                                              \
  static __WARPLENS_BOTH inline name##4 make_##name##4(type x, type y, type z, type w) {                         \
    name##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v;                                                     \
  }

__WARPLENS_MAKE(signed char, char)
__WARPLENS_MAKE(unsigned char, uchar)
__WARPLENS_MAKE(short, short)
__WARPLENS_MAKE(unsigned short, ushort)
__WARPLENS_MAKE(int, int)
__WARPLENS_MAKE(unsigned int, uint)
__WARPLENS_MAKE(long, long)
__WARPLENS_MAKE(unsigned long, ulong)
__WARPLENS_MAKE(long long, longlong)
__WARPLENS_MAKE(unsigned long long, ulonglong)
__WARPLENS_MAKE(long long, __ll)
__WARPLENS_MAKE(unsigned long long, __ull)
__WARPLENS_MAKE(float, float)
__WARPLENS_MAKE(double, double)

#undef __WARPLENS_MAKE

#define __WARPLENS_MAKE_ALIGNED(type, name)                                                                      \
  static __WARPLENS_BOTH inline name make_##name(type x, type y, type z, type w) {                               \
    name v; v.x = x; v.y = y; v.z = z; v.w = w; return v;                                                        \
  }
__WARPLENS_MAKE_ALIGNED(long long, longlong4_16a)
__WARPLENS_MAKE_ALIGNED(long long, longlong4_32a)
__WARPLENS_MAKE_ALIGNED(unsigned long long, ulonglong4_16a)
__WARPLENS_MAKE_ALIGNED(unsigned long long, ulonglong4_32a)
__WARPLENS_MAKE_ALIGNED(double, double4_16a)
__WARPLENS_MAKE_ALIGNED(double, double4_32a)
#undef __WARPLENS_MAKE_ALIGNED

#endif
