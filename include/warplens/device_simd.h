/* SIMD-in-a-word intrinsics: four bytes or two halfwords of a 32-bit register at a time. On hardware since 5.0 they are
   several instructions; here likewise, element by element, unrolled.
   Source: CUDA Math API, "SIMD Intrinsics". */
#ifndef WARPLENS_DEVICE_SIMD_H
#define WARPLENS_DEVICE_SIMD_H

#define __WARPLENS_SATURATE(name, low, high)                                                                               \
  __WARPLENS_DEVICE__ int name(int x) { return x < (low) ? (low) : x > (high) ? (high) : x; }
__WARPLENS_SATURATE(__warplens_saturate_s2, -32768, 32767)
__WARPLENS_SATURATE(__warplens_saturate_u2, 0, 65535)
__WARPLENS_SATURATE(__warplens_saturate_s4, -128, 127)
__WARPLENS_SATURATE(__warplens_saturate_u4, 0, 255)
#undef __WARPLENS_SATURATE

/* One intrinsic on the elements of type `type` (its width gives their number): a and b are the elements as int, the
   expression's low bits are the result's element. `each` is what becomes of it: packed, or summed. */
#define __WARPLENS_SIMD_LOOP(type, x, y, each)                                                                             \
  unsigned result = 0;                                                                                                     \
  _Pragma("unroll") for (int i = 0; i < 32; i += 8 * (int)sizeof(type)) {                                                  \
    [[maybe_unused]] int a = (type)((x) >> i), b = (type)((y) >> i);                                                       \
    each;                                                                                                                  \
  }                                                                                                                        \
  return result;
#define __WARPLENS_SIMD_PACK(type, expression) result |= ((unsigned)(expression) & ((1u << 8 * sizeof(type)) - 1)) << i
#define __WARPLENS_SIMD(name, type, expression)                                                                            \
  __WARPLENS_INTRINSIC__ unsigned name(unsigned x, unsigned y) {                                                              \
    __WARPLENS_SIMD_LOOP(type, x, y, __WARPLENS_SIMD_PACK(type, expression))                                               \
  }
#define __WARPLENS_SIMD_UNARY(name, type, expression)                                                                      \
  __WARPLENS_INTRINSIC__ unsigned name(unsigned x) {                                                                          \
    __WARPLENS_SIMD_LOOP(type, x, 0u, __WARPLENS_SIMD_PACK(type, expression))                                              \
  }
#define __WARPLENS_SIMD_SUM(name, type, expression)                                                                        \
  __WARPLENS_INTRINSIC__ unsigned name(unsigned x, unsigned y) {                                                              \
    __WARPLENS_SIMD_LOOP(type, x, y, result += (unsigned)(expression))                                                     \
  }

__WARPLENS_SIMD(__vadd2, unsigned short, a + b)
__WARPLENS_SIMD(__vaddss2, short, __warplens_saturate_s2(a + b))
__WARPLENS_SIMD(__vaddus2, unsigned short, __warplens_saturate_u2(a + b))
__WARPLENS_SIMD(__vsub2, unsigned short, a - b)
__WARPLENS_SIMD(__vsubss2, short, __warplens_saturate_s2(a - b))
__WARPLENS_SIMD(__vsubus2, unsigned short, __warplens_saturate_u2(a - b))
__WARPLENS_SIMD(__vavgs2, short, (a + b + (a + b >= 0)) >> 1)
__WARPLENS_SIMD(__vavgu2, unsigned short, (a + b + 1) >> 1)
__WARPLENS_SIMD(__vhaddu2, unsigned short, (a + b) >> 1)
__WARPLENS_SIMD(__vmaxs2, short, a > b ? a : b)
__WARPLENS_SIMD(__vmaxu2, unsigned short, a > b ? a : b)
__WARPLENS_SIMD(__vmins2, short, a < b ? a : b)
__WARPLENS_SIMD(__vminu2, unsigned short, a < b ? a : b)
__WARPLENS_SIMD(__vabsdiffs2, short, a > b ? a - b : b - a)
__WARPLENS_SIMD(__vabsdiffu2, unsigned short, a > b ? a - b : b - a)
__WARPLENS_SIMD(__vcmpeq2, unsigned short, -(a == b))
__WARPLENS_SIMD(__vseteq2, unsigned short, a == b)
__WARPLENS_SIMD(__vcmpne2, unsigned short, -(a != b))
__WARPLENS_SIMD(__vsetne2, unsigned short, a != b)
__WARPLENS_SIMD(__vcmpgts2, short, -(a > b))
__WARPLENS_SIMD(__vsetgts2, short, a > b)
__WARPLENS_SIMD(__vcmpgtu2, unsigned short, -(a > b))
__WARPLENS_SIMD(__vsetgtu2, unsigned short, a > b)
__WARPLENS_SIMD(__vcmpges2, short, -(a >= b))
__WARPLENS_SIMD(__vsetges2, short, a >= b)
__WARPLENS_SIMD(__vcmpgeu2, unsigned short, -(a >= b))
__WARPLENS_SIMD(__vsetgeu2, unsigned short, a >= b)
__WARPLENS_SIMD(__vcmplts2, short, -(a < b))
__WARPLENS_SIMD(__vsetlts2, short, a < b)
__WARPLENS_SIMD(__vcmpltu2, unsigned short, -(a < b))
__WARPLENS_SIMD(__vsetltu2, unsigned short, a < b)
__WARPLENS_SIMD(__vcmples2, short, -(a <= b))
__WARPLENS_SIMD(__vsetles2, short, a <= b)
__WARPLENS_SIMD(__vcmpleu2, unsigned short, -(a <= b))
__WARPLENS_SIMD(__vsetleu2, unsigned short, a <= b)
__WARPLENS_SIMD_UNARY(__vabs2, short, a < 0 ? -a : a)
__WARPLENS_SIMD_UNARY(__vabsss2, short, __warplens_saturate_s2(a < 0 ? -a : a))
__WARPLENS_SIMD_UNARY(__vneg2, short, -a)
__WARPLENS_SIMD_UNARY(__vnegss2, short, __warplens_saturate_s2(-a))
__WARPLENS_SIMD_SUM(__vsads2, short, a > b ? a - b : b - a)
__WARPLENS_SIMD_SUM(__vsadu2, unsigned short, a > b ? a - b : b - a)

__WARPLENS_SIMD(__vadd4, unsigned char, a + b)
__WARPLENS_SIMD(__vaddss4, signed char, __warplens_saturate_s4(a + b))
__WARPLENS_SIMD(__vaddus4, unsigned char, __warplens_saturate_u4(a + b))
__WARPLENS_SIMD(__vsub4, unsigned char, a - b)
__WARPLENS_SIMD(__vsubss4, signed char, __warplens_saturate_s4(a - b))
__WARPLENS_SIMD(__vsubus4, unsigned char, __warplens_saturate_u4(a - b))
__WARPLENS_SIMD(__vavgs4, signed char, (a + b + (a + b >= 0)) >> 1)
__WARPLENS_SIMD(__vavgu4, unsigned char, (a + b + 1) >> 1)
__WARPLENS_SIMD(__vhaddu4, unsigned char, (a + b) >> 1)
__WARPLENS_SIMD(__vmaxs4, signed char, a > b ? a : b)
__WARPLENS_SIMD(__vmaxu4, unsigned char, a > b ? a : b)
__WARPLENS_SIMD(__vmins4, signed char, a < b ? a : b)
__WARPLENS_SIMD(__vminu4, unsigned char, a < b ? a : b)
__WARPLENS_SIMD(__vabsdiffs4, signed char, a > b ? a - b : b - a)
__WARPLENS_SIMD(__vabsdiffu4, unsigned char, a > b ? a - b : b - a)
__WARPLENS_SIMD(__vcmpeq4, unsigned char, -(a == b))
__WARPLENS_SIMD(__vseteq4, unsigned char, a == b)
__WARPLENS_SIMD(__vcmpne4, unsigned char, -(a != b))
__WARPLENS_SIMD(__vsetne4, unsigned char, a != b)
__WARPLENS_SIMD(__vcmpgts4, signed char, -(a > b))
__WARPLENS_SIMD(__vsetgts4, signed char, a > b)
__WARPLENS_SIMD(__vcmpgtu4, unsigned char, -(a > b))
__WARPLENS_SIMD(__vsetgtu4, unsigned char, a > b)
__WARPLENS_SIMD(__vcmpges4, signed char, -(a >= b))
__WARPLENS_SIMD(__vsetges4, signed char, a >= b)
__WARPLENS_SIMD(__vcmpgeu4, unsigned char, -(a >= b))
__WARPLENS_SIMD(__vsetgeu4, unsigned char, a >= b)
__WARPLENS_SIMD(__vcmplts4, signed char, -(a < b))
__WARPLENS_SIMD(__vsetlts4, signed char, a < b)
__WARPLENS_SIMD(__vcmpltu4, unsigned char, -(a < b))
__WARPLENS_SIMD(__vsetltu4, unsigned char, a < b)
__WARPLENS_SIMD(__vcmples4, signed char, -(a <= b))
__WARPLENS_SIMD(__vsetles4, signed char, a <= b)
__WARPLENS_SIMD(__vcmpleu4, unsigned char, -(a <= b))
__WARPLENS_SIMD(__vsetleu4, unsigned char, a <= b)
__WARPLENS_SIMD_UNARY(__vabs4, signed char, a < 0 ? -a : a)
__WARPLENS_SIMD_UNARY(__vabsss4, signed char, __warplens_saturate_s4(a < 0 ? -a : a))
__WARPLENS_SIMD_UNARY(__vneg4, signed char, -a)
__WARPLENS_SIMD_UNARY(__vnegss4, signed char, __warplens_saturate_s4(-a))
__WARPLENS_SIMD_SUM(__vsads4, signed char, a > b ? a - b : b - a)
__WARPLENS_SIMD_SUM(__vsadu4, unsigned char, a > b ? a - b : b - a)

#undef __WARPLENS_SIMD
#undef __WARPLENS_SIMD_UNARY
#undef __WARPLENS_SIMD_SUM
#undef __WARPLENS_SIMD_LOOP
#undef __WARPLENS_SIMD_PACK

#endif
