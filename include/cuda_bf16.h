/* Bfloat16: __nv_bfloat16 and __nv_bfloat162, conversions, arithmetic, comparison, mathematics. Our own code after the CUDA
   Math API, "Bfloat16 Precision Intrinsics"; what both 16-bit formats share is in warplens/narrow_float_functions.h. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <cuda_fp16.h>

#if defined(__cplusplus)

/* clang has the type for the device only; the host rounds the bits to nearest even itself. */
__WL_NARROW float __warplens_bfloat16_to_float(unsigned short bits) {
  return __builtin_bit_cast(float, (unsigned)bits << 16);
}
__WL_NARROW unsigned short __warplens_bfloat16_from_float(float value) {
  if (value != value) return 0x7fff;
#ifdef __CUDA_ARCH__
  return __builtin_bit_cast(unsigned short, (__bf16)value);
#else
  unsigned bits = __builtin_bit_cast(unsigned, value);
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
#endif
}
__WL_NARROW unsigned short __warplens_bfloat16_from_double(double value) {
  return __warplens_bfloat16_from_float(__warplens_odd_float(value));
}
__WL_NARROW unsigned short __warplens_bfloat16_from_integer(bool negative, unsigned long long magnitude) {
  return __warplens_bfloat16_from_double(__warplens_odd_double(negative, magnitude));
}

#define __WL_NUM __nv_bfloat16
#define __WL_PAIR __nv_bfloat162
#define __WL_RAW __nv_bfloat16_raw
#define __WL_RAW_PAIR __nv_bfloat162_raw
#define __WL_TO_FLOAT __warplens_bfloat16_to_float
#define __WL_FROM_FLOAT __warplens_bfloat16_from_float
#define __WL_FROM_DOUBLE __warplens_bfloat16_from_double
#define __WL_FROM_INTEGER __warplens_bfloat16_from_integer
#include <warplens/narrow_float_types.h>
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define __WL_NAMED(before, after) before##bfloat16##after
#define __WL_NAMED2(before, after) before##bfloat162##after
#define __WL_SPREAD __bfloat162bfloat162
#define __WL_NATIVE __bf16
#define __WL_ONE 0x3f80
#define __WL_INFINITY 0x7f80
#define __WL_PTX "bf16"
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __WL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define __WL_NO_PAIR_OPERATORS
#endif
#include <warplens/narrow_float_functions.h>
#include <warplens/narrow_float_end.h>

#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)

#endif
#endif
