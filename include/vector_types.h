/* CUDA's vector types, dim3 and uint3, with the sizes and alignments of the CUDA C++ Programming Guide
   ("Built-in Vector Types"), for the ILP32 model that both sides share: `long` is 4 bytes. Usable from C and C++. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#include <warplens/keywords.h>

#if defined(__CUDA__)
#define __WARPLENS_BOTH __attribute__((host)) __attribute__((device))
#else
#define __WARPLENS_BOTH
#endif

#define __WARPLENS_VECTOR(type, name, align1, align2, align3, align4)                                  \
  typedef struct __attribute__((aligned(align1))) name##1 { type x; } name##1;                         \
  typedef struct __attribute__((aligned(align2))) name##2 { type x, y; } name##2;                      \
  typedef struct __attribute__((aligned(align3))) name##3 { type x, y, z; } name##3;                   \
  typedef struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; } name##4;

__WARPLENS_VECTOR(signed char, char, 1, 2, 1, 4)
__WARPLENS_VECTOR(unsigned char, uchar, 1, 2, 1, 4)
__WARPLENS_VECTOR(short, short, 2, 4, 2, 8)
__WARPLENS_VECTOR(unsigned short, ushort, 2, 4, 2, 8)
__WARPLENS_VECTOR(int, int, 4, 8, 4, 16)
__WARPLENS_VECTOR(unsigned int, uint, 4, 8, 4, 16)
__WARPLENS_VECTOR(long, long, 4, 8, 4, 16)
__WARPLENS_VECTOR(unsigned long, ulong, 4, 8, 4, 16)
__WARPLENS_VECTOR(long long, longlong, 8, 16, 8, 16)
__WARPLENS_VECTOR(unsigned long long, ulonglong, 8, 16, 8, 16)
/* long2 and its kind in files whose `long` has 8 bytes (src/frontend/sizes/wideLongs.ts): types of their own beside longlong2. */
__WARPLENS_VECTOR(long long, __ll, 8, 16, 8, 16)
__WARPLENS_VECTOR(unsigned long long, __ull, 8, 16, 8, 16)
__WARPLENS_VECTOR(float, float, 4, 8, 4, 16)
__WARPLENS_VECTOR(double, double, 8, 16, 8, 16)

#undef __WARPLENS_VECTOR

/* Four elements of 8 bytes with the alignment in the name, since CUDA 13. */
#define __WARPLENS_ALIGNED_VECTOR(type, name)                                                                              \
  typedef struct __attribute__((aligned(16))) name##4_16a { type x, y, z, w; } name##4_16a;                                \
  typedef struct __attribute__((aligned(32))) name##4_32a { type x, y, z, w; } name##4_32a;
__WARPLENS_ALIGNED_VECTOR(long long, longlong)
__WARPLENS_ALIGNED_VECTOR(unsigned long long, ulonglong)
__WARPLENS_ALIGNED_VECTOR(double, double)
#undef __WARPLENS_ALIGNED_VECTOR

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __WARPLENS_BOTH constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  __WARPLENS_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __WARPLENS_BOTH constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
