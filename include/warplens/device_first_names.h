/* Device functions by the names of CUDA's first years, which its headers had until 12 and programs have for things of their own: declared
   where a program misses one (src/frontend/building/attempts.ts). Source: CUDA Toolkit 12, "device_functions.h", "Deprecated". */
#ifndef WARPLENS_DEVICE_FIRST_NAMES_H
#define WARPLENS_DEVICE_FIRST_NAMES_H

#include <warplens/round_mode.h>

__WARPLENS_DEVICE__ int float_as_int(float x) { return __float_as_int(x); }
__WARPLENS_DEVICE__ unsigned float_as_uint(float x) { return __float_as_uint(x); }
__WARPLENS_DEVICE__ float int_as_float(int x) { return __int_as_float(x); }
__WARPLENS_DEVICE__ float uint_as_float(unsigned x) { return __uint_as_float(x); }
__WARPLENS_DEVICE__ float saturate(float x) { return __saturatef(x); }
__WARPLENS_DEVICE__ long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
__WARPLENS_DEVICE__ unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }

#define __WARPLENS_ROUNDED(name, to, from, usual)                                                                        \
  __WARPLENS_DEVICE__ to name(from x, enum cudaRoundMode mode = usual) {                                                 \
    return mode == cudaRoundNearest  ? __##name##_rn(x)                                                                  \
           : mode == cudaRoundPosInf ? __##name##_ru(x)                                                                  \
           : mode == cudaRoundMinInf ? __##name##_rd(x)                                                                  \
                                     : __##name##_rz(x);                                                                 \
  }
__WARPLENS_ROUNDED(float2int, int, float, cudaRoundZero)
__WARPLENS_ROUNDED(float2uint, unsigned, float, cudaRoundZero)
__WARPLENS_ROUNDED(int2float, float, int, cudaRoundNearest)
__WARPLENS_ROUNDED(uint2float, float, unsigned, cudaRoundNearest)
#undef __WARPLENS_ROUNDED

#endif
