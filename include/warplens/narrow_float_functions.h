/* The functions of a 16-bit floating-point format. Included once a format by its header, which defines
     __WL_NUM, __WL_PAIR                                  the types
     __WL_NAMED(before, after), __WL_NAMED2(before, after)   the names with the format's or the pair's word in them
     __WL_NATIVE                                          the compiler's type of the format, on the device
     __WL_ONE, __WL_INFINITY                              bit patterns
   On the host sums, differences, products, quotients and roots are computed in float and rounded once more, which is exact for
   both formats (24 >= 2 x 11 + 2 bits); a fused multiply-add goes through double, rounded to odd first.
   Source: CUDA Math API, "Half Precision Intrinsics", "Bfloat16 Precision Intrinsics". */

/* Bits and single values */
__WL_NARROW __WL_NUM __WL_NAMED(__ushort_as_, )(unsigned short bits) {
  __WL_NUM h;
  h.__x = bits;
  return h;
}
#define __WL_BITS(bits) __WL_NAMED(__ushort_as_, )((unsigned short)(bits))
__WL_NARROW __WL_NUM __WL_NAMED(__short_as_, )(short bits) { return __WL_BITS(bits); }
__WL_NARROW unsigned short __WL_NAMED(__, _as_ushort)(__WL_NUM h) { return h.__x; }
__WL_NARROW short __WL_NAMED(__, _as_short)(__WL_NUM h) { return (short)h.__x; }
__WL_NARROW float __WL_NAMED(__, 2float)(__WL_NUM h) { return (float)h; }
__WL_NARROW __WL_NUM __WL_NAMED(__float2, )(float f) { return __WL_NUM(f); }
__WL_NARROW __WL_NUM __WL_NAMED(__double2, )(double d) { return __WL_NUM(d); }

/* Rounding: n nearest, z to zero, d down, u up. A directed one is the nearest value, moved one step where it lies on the
   wrong side. */
__WL_NARROW __WL_NUM __WL_NAMED(__warplens_round_, )(double d, char mode) {
  __WL_NUM nearest(d);
  double back = (double)(float)nearest;
  if (mode == 'n' || back != back || back == d) return nearest;
  bool tooHigh = back > d, negative = (nearest.__x & 0x8000) != 0;
  bool down = mode == 'd' || (mode == 'z' && d > 0), up = mode == 'u' || (mode == 'z' && d < 0);
  if (tooHigh ? !down : !up) return nearest;
  if ((nearest.__x & 0x7fff) == 0) return __WL_BITS(tooHigh ? 0x8001 : 0x0001);
  return __WL_BITS(nearest.__x + (tooHigh == negative ? 1 : -1));
}
#define __WL_ROUNDINGS(each) each(rn, 'n', rint) each(rz, 'z', trunc) each(rd, 'd', floor) each(ru, 'u', ceil)
#define __WL_FLOAT(suffix, mode, whole)                                                                                    \
  __WL_NARROW __WL_NUM __WL_NAMED(__float2, _##suffix)(float f) { return __WL_NAMED(__warplens_round_, )((double)f, mode); }
__WL_ROUNDINGS(__WL_FLOAT)
#undef __WL_FLOAT
#define __WL_INTEGER(word, type, suffix, mode, whole)                                                                      \
  __WL_NARROW type __WL_NAMED(__, 2##word##_##suffix)(__WL_NUM h) {                                                        \
    return __warplens_to_integer<type>(__builtin_##whole##f((float)h));                                                    \
  }                                                                                                                        \
  __WL_NARROW __WL_NUM __WL_NAMED(__##word##2, _##suffix)(type i) {                                                        \
    return __WL_NAMED(__warplens_round_, )(                                                                                \
        __warplens_odd_double(i < 0, i < 0 ? 0ull - (unsigned long long)i : (unsigned long long)i), mode);                 \
  }
#define __WL_INTEGERS(suffix, mode, whole)                                                                                 \
  __WL_INTEGER(int, int, suffix, mode, whole)                                                                              \
  __WL_INTEGER(uint, unsigned, suffix, mode, whole)                                                                        \
  __WL_INTEGER(short, short, suffix, mode, whole)                                                                          \
  __WL_INTEGER(ushort, unsigned short, suffix, mode, whole)                                                                \
  __WL_INTEGER(ll, long long, suffix, mode, whole)                                                                         \
  __WL_INTEGER(ull, unsigned long long, suffix, mode, whole)
__WL_ROUNDINGS(__WL_INTEGERS)
#undef __WL_INTEGERS
#undef __WL_INTEGER
#undef __WL_ROUNDINGS
__WL_NARROW signed char __WL_NAMED(__, 2char_rz)(__WL_NUM h) {
  return __warplens_to_integer<signed char>(__builtin_truncf((float)h));
}
__WL_NARROW unsigned char __WL_NAMED(__, 2uchar_rz)(__WL_NUM h) {
  return __warplens_to_integer<unsigned char>(__builtin_truncf((float)h));
}

/* Pairs */
__WL_NARROW __WL_PAIR __WL_NAMED2(__halves2, )(__WL_NUM a, __WL_NUM b) { return __WL_PAIR(a, b); }
__WL_NARROW __WL_PAIR __WL_NAMED2(make_, )(__WL_NUM a, __WL_NUM b) { return __WL_PAIR(a, b); }
__WL_NARROW __WL_PAIR __WL_SPREAD(__WL_NUM a) { return __WL_PAIR(a, a); }
__WL_NARROW __WL_NUM __WL_NAMED(__low2, )(__WL_PAIR a) { return a.x; }
__WL_NARROW __WL_NUM __WL_NAMED(__high2, )(__WL_PAIR a) { return a.y; }
__WL_NARROW float __low2float(__WL_PAIR a) { return (float)a.x; }
__WL_NARROW float __high2float(__WL_PAIR a) { return (float)a.y; }
__WL_NARROW __WL_PAIR __WL_NAMED2(__low2, )(__WL_PAIR a) { return __WL_PAIR(a.x, a.x); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__high2, )(__WL_PAIR a) { return __WL_PAIR(a.y, a.y); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__lows2, )(__WL_PAIR a, __WL_PAIR b) { return __WL_PAIR(a.x, b.x); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__highs2, )(__WL_PAIR a, __WL_PAIR b) { return __WL_PAIR(a.y, b.y); }
__WL_NARROW __WL_PAIR __lowhigh2highlow(__WL_PAIR a) { return __WL_PAIR(a.y, a.x); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__float2, _rn)(float f) { return __WL_PAIR(__WL_NUM(f), __WL_NUM(f)); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__floats2, _rn)(float a, float b) { return __WL_PAIR(__WL_NUM(a), __WL_NUM(b)); }
__WL_NARROW __WL_PAIR __WL_NAMED2(__float22, _rn)(float2 f) { return __WL_PAIR(__WL_NUM(f.x), __WL_NUM(f.y)); }
__WL_NARROW float2 __WL_NAMED2(__, 2float2)(__WL_PAIR a) { return make_float2((float)a.x, (float)a.y); }

/* Arithmetic. The device's own is in the format itself, which rounds once and makes one of a product and a sum that belong together
   (cuda_fp16.h: mul.f16, add.f16; machine code: HFMA2). */
#ifdef __CUDA_ARCH__
#define __WL_OF(a) __builtin_bit_cast(__WL_NATIVE, (a).__x)
/* Of constants the compiler computes another NaN than the machine's. */
__WL_NARROW __WL_NUM __warplens_made(__WL_NATIVE x) {
  return __WL_BITS(__builtin_constant_p(x != x) && x != x ? 0x7fff : __builtin_bit_cast(unsigned short, x));
}
#define __WL_MADE(x) __warplens_made(x)
__WL_NARROW __WL_NUM __hfma(__WL_NUM a, __WL_NUM b, __WL_NUM c) {
  return __WL_MADE(__builtin_elementwise_fma(__WL_OF(a), __WL_OF(b), __WL_OF(c)));
}
#else
#define __WL_OF(a) ((float)(a))
#define __WL_MADE(x) __WL_NUM(x)
__WL_NARROW __WL_NUM __hfma(__WL_NUM a, __WL_NUM b, __WL_NUM c) {
  return __WL_NUM(__warplens_odd_fma((float)a, (float)b, (float)c));
}
#endif
__WL_NARROW __WL_NUM __hadd(__WL_NUM a, __WL_NUM b) { return __WL_MADE(__WL_OF(a) + __WL_OF(b)); }
__WL_NARROW __WL_NUM __hsub(__WL_NUM a, __WL_NUM b) { return __WL_MADE(__WL_OF(a) - __WL_OF(b)); }
__WL_NARROW __WL_NUM __hmul(__WL_NUM a, __WL_NUM b) { return __WL_MADE(__WL_OF(a) * __WL_OF(b)); }
__WL_NARROW __WL_NUM __hdiv(__WL_NUM a, __WL_NUM b) { return __WL_NUM((float)a / (float)b); }
__WL_NARROW __WL_NUM __hneg(__WL_NUM a) { return __WL_BITS(a.__x ^ 0x8000); }
__WL_NARROW __WL_NUM __habs(__WL_NUM a) { return __WL_BITS(a.__x & 0x7fff); }
/* Nothing fuses these with what follows. */
__WL_NARROW __WL_NUM __hadd_rn(__WL_NUM a, __WL_NUM b) {
#pragma clang fp contract(off)
  return __WL_MADE(__WL_OF(a) + __WL_OF(b));
}
__WL_NARROW __WL_NUM __hsub_rn(__WL_NUM a, __WL_NUM b) {
#pragma clang fp contract(off)
  return __WL_MADE(__WL_OF(a) - __WL_OF(b));
}
__WL_NARROW __WL_NUM __hmul_rn(__WL_NUM a, __WL_NUM b) {
#pragma clang fp contract(off)
  return __WL_MADE(__WL_OF(a) * __WL_OF(b));
}
/* sat: to [0, 1], NaN to +0. relu: below 0 to +0, NaN stays. */
__WL_NARROW __WL_NUM __warplens_saturate(__WL_NUM a) {
  float f = (float)a;
  return f >= 1.0f ? __WL_BITS(__WL_ONE) : f > 0.0f ? a : __WL_BITS(0);
}
__WL_NARROW __WL_NUM __hadd_sat(__WL_NUM a, __WL_NUM b) { return __warplens_saturate(__hadd(a, b)); }
__WL_NARROW __WL_NUM __hsub_sat(__WL_NUM a, __WL_NUM b) { return __warplens_saturate(__hsub(a, b)); }
__WL_NARROW __WL_NUM __hmul_sat(__WL_NUM a, __WL_NUM b) { return __warplens_saturate(__hmul(a, b)); }
__WL_NARROW __WL_NUM __hfma_sat(__WL_NUM a, __WL_NUM b, __WL_NUM c) { return __warplens_saturate(__hfma(a, b, c)); }
__WL_NARROW __WL_NUM __hfma_relu(__WL_NUM a, __WL_NUM b, __WL_NUM c) {
  __WL_NUM sum = __hfma(a, b, c);
  return (float)sum <= 0.0f ? __WL_BITS(0) : sum;
}

/* Comparison: the u forms are true for a NaN. */
__WL_NARROW bool __heq(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) == __WL_OF(b); }
__WL_NARROW bool __hequ(__WL_NUM a, __WL_NUM b) { return !(__builtin_islessgreater(__WL_OF(a), __WL_OF(b))); }
__WL_NARROW bool __hlt(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) < __WL_OF(b); }
__WL_NARROW bool __hltu(__WL_NUM a, __WL_NUM b) { return !(__WL_OF(a) >= __WL_OF(b)); }
__WL_NARROW bool __hle(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) <= __WL_OF(b); }
__WL_NARROW bool __hleu(__WL_NUM a, __WL_NUM b) { return !(__WL_OF(a) > __WL_OF(b)); }
__WL_NARROW bool __hgt(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) > __WL_OF(b); }
__WL_NARROW bool __hgtu(__WL_NUM a, __WL_NUM b) { return !(__WL_OF(a) <= __WL_OF(b)); }
__WL_NARROW bool __hge(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) >= __WL_OF(b); }
__WL_NARROW bool __hgeu(__WL_NUM a, __WL_NUM b) { return !(__WL_OF(a) < __WL_OF(b)); }
__WL_NARROW bool __hne(__WL_NUM a, __WL_NUM b) { return __builtin_islessgreater(__WL_OF(a), __WL_OF(b)); }
__WL_NARROW bool __hneu(__WL_NUM a, __WL_NUM b) { return __WL_OF(a) != __WL_OF(b); }
__WL_NARROW bool __hisnan(__WL_NUM a) { return (a.__x & 0x7fff) > __WL_INFINITY; }
__WL_NARROW int __hisinf(__WL_NUM a) { return a.__x == (__WL_INFINITY | 0x8000) ? -1 : a.__x == __WL_INFINITY; }
/* The number where one is NaN, and +0 above -0; the _nan forms give NaN where one is. */
#ifdef __CUDA_ARCH__
__WL_NARROW __WL_NUM __hmin(__WL_NUM a, __WL_NUM b) { return __WL_MADE(__builtin_elementwise_min(__WL_OF(a), __WL_OF(b))); }
__WL_NARROW __WL_NUM __hmax(__WL_NUM a, __WL_NUM b) { return __WL_MADE(__builtin_elementwise_max(__WL_OF(a), __WL_OF(b))); }
__WL_NARROW __WL_NUM __hmin_nan(__WL_NUM a, __WL_NUM b) {
  return __WL_MADE(__builtin_elementwise_minimum(__WL_OF(a), __WL_OF(b)));
}
__WL_NARROW __WL_NUM __hmax_nan(__WL_NUM a, __WL_NUM b) {
  return __WL_MADE(__builtin_elementwise_maximum(__WL_OF(a), __WL_OF(b)));
}
#else
__WL_NARROW __WL_NUM __hmin(__WL_NUM a, __WL_NUM b) {
  if (__hisnan(a)) return __hisnan(b) ? __WL_BITS(0x7fff) : b;
  return (float)b < (float)a || ((float)a == (float)b && b.__x == 0x8000) ? b : a;
}
__WL_NARROW __WL_NUM __hmax(__WL_NUM a, __WL_NUM b) {
  if (__hisnan(a)) return __hisnan(b) ? __WL_BITS(0x7fff) : b;
  return (float)b > (float)a || ((float)a == (float)b && b.__x == 0) ? b : a;
}
__WL_NARROW __WL_NUM __hmin_nan(__WL_NUM a, __WL_NUM b) {
  return __hisnan(a) || __hisnan(b) ? __WL_BITS(0x7fff) : __hmin(a, b);
}
__WL_NARROW __WL_NUM __hmax_nan(__WL_NUM a, __WL_NUM b) {
  return __hisnan(a) || __hisnan(b) ? __WL_BITS(0x7fff) : __hmax(a, b);
}
#endif

/* The same on pairs */
#define __WL_ON_PAIR(pair, single)                                                                                         \
  __WL_NARROW __WL_PAIR pair(__WL_PAIR a, __WL_PAIR b) { return __WL_PAIR(single(a.x, b.x), single(a.y, b.y)); }
__WL_ON_PAIR(__hadd2, __hadd)
__WL_ON_PAIR(__hsub2, __hsub)
__WL_ON_PAIR(__hmul2, __hmul)
__WL_ON_PAIR(__h2div, __hdiv)
__WL_ON_PAIR(__hadd2_rn, __hadd_rn)
__WL_ON_PAIR(__hsub2_rn, __hsub_rn)
__WL_ON_PAIR(__hmul2_rn, __hmul_rn)
__WL_ON_PAIR(__hadd2_sat, __hadd_sat)
__WL_ON_PAIR(__hsub2_sat, __hsub_sat)
__WL_ON_PAIR(__hmul2_sat, __hmul_sat)
__WL_ON_PAIR(__hmin2, __hmin)
__WL_ON_PAIR(__hmax2, __hmax)
__WL_ON_PAIR(__hmin2_nan, __hmin_nan)
__WL_ON_PAIR(__hmax2_nan, __hmax_nan)
#undef __WL_ON_PAIR
__WL_NARROW __WL_PAIR __hneg2(__WL_PAIR a) { return __WL_PAIR(__hneg(a.x), __hneg(a.y)); }
__WL_NARROW __WL_PAIR __habs2(__WL_PAIR a) { return __WL_PAIR(__habs(a.x), __habs(a.y)); }
#define __WL_FMA_ON_PAIR(pair, single)                                                                                     \
  __WL_NARROW __WL_PAIR pair(__WL_PAIR a, __WL_PAIR b, __WL_PAIR c) {                                                      \
    return __WL_PAIR(single(a.x, b.x, c.x), single(a.y, b.y, c.y));                                                        \
  }
__WL_FMA_ON_PAIR(__hfma2, __hfma)
__WL_FMA_ON_PAIR(__hfma2_sat, __hfma_sat)
__WL_FMA_ON_PAIR(__hfma2_relu, __hfma_relu)
#undef __WL_FMA_ON_PAIR
/* Complex a x b + c. */
__WL_NARROW __WL_PAIR __hcmadd(__WL_PAIR a, __WL_PAIR b, __WL_PAIR c) {
  __WL_NUM real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return __WL_PAIR(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}
__WL_NARROW __WL_PAIR __warplens_truths(bool x, bool y, __WL_NUM) {
  return __WL_PAIR(__WL_BITS(x ? __WL_ONE : 0), __WL_BITS(y ? __WL_ONE : 0));
}
__WL_NARROW __WL_PAIR __hisnan2(__WL_PAIR a) { return __warplens_truths(__hisnan(a.x), __hisnan(a.y), a.x); }
/* h..2: 1 or 0 for each; hb..2: true where both are; h..2_mask: all bits of a half or none. */
#define __WL_COMPARE(name)                                                                                                 \
  __WL_NARROW __WL_PAIR __h##name##2(__WL_PAIR a, __WL_PAIR b) {                                                           \
    return __warplens_truths(__h##name(a.x, b.x), __h##name(a.y, b.y), a.x);                                               \
  }                                                                                                                        \
  __WL_NARROW bool __hb##name##2(__WL_PAIR a, __WL_PAIR b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }          \
  __WL_NARROW unsigned __h##name##2_mask(__WL_PAIR a, __WL_PAIR b) {                                                       \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                                \
  }
__WL_COMPARE(eq)
__WL_COMPARE(ne)
__WL_COMPARE(lt)
__WL_COMPARE(le)
__WL_COMPARE(gt)
__WL_COMPARE(ge)
__WL_COMPARE(equ)
__WL_COMPARE(neu)
__WL_COMPARE(ltu)
__WL_COMPARE(leu)
__WL_COMPARE(gtu)
__WL_COMPARE(geu)
#undef __WL_COMPARE

#ifdef __CUDA__
/* Mathematics, through float */
#define __WL_MATH(name, expression)                                                                                        \
  __WARPLENS_DEVICE__ __WL_NUM h##name(__WL_NUM a) {                                                                       \
    float x = (float)a;                                                                                                    \
    return __WL_NUM(expression);                                                                                           \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ __WL_PAIR h2##name(__WL_PAIR a) { return __WL_PAIR(h##name(a.x), h##name(a.y)); }
__WL_MATH(sqrt, __builtin_sqrtf(x))
__WL_MATH(rsqrt, 1.0f / __builtin_sqrtf(x))
__WL_MATH(rcp, 1.0f / x)
__WL_MATH(exp, ::expf(x))
__WL_MATH(exp2, ::exp2f(x))
__WL_MATH(exp10, ::exp10f(x))
__WL_MATH(log, ::logf(x))
__WL_MATH(log2, ::log2f(x))
__WL_MATH(log10, ::log10f(x))
__WL_MATH(sin, ::sinf(x))
__WL_MATH(cos, ::cosf(x))
__WL_MATH(tanh, ::tanhf(x))
__WL_MATH(tanh_approx, ::tanhf(x))
__WL_MATH(floor, __builtin_floorf(x))
__WL_MATH(ceil, __builtin_ceilf(x))
__WL_MATH(trunc, __builtin_truncf(x))
__WL_MATH(rint, __builtin_rintf(x))
#undef __WL_MATH

/* Shuffles of the bits, hinted loads and stores, and atomic sums, each one instruction. */
#define __WL_SHUFFLE(name, offset_type)                                                                                    \
  __WARPLENS_DEVICE__ __WL_PAIR name(unsigned mask, __WL_PAIR value, offset_type offset, int width = 32) {                 \
    return __builtin_bit_cast(__WL_PAIR, name(mask, __builtin_bit_cast(int, value), offset, width));                       \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ __WL_NUM name(unsigned mask, __WL_NUM value, offset_type offset, int width = 32) {                   \
    return __WL_BITS(name(mask, (int)value.__x, offset, width));                                                           \
  }
__WL_SHUFFLE(__shfl_sync, int)
__WL_SHUFFLE(__shfl_up_sync, unsigned)
__WL_SHUFFLE(__shfl_down_sync, unsigned)
__WL_SHUFFLE(__shfl_xor_sync, int)
#undef __WL_SHUFFLE
template <> struct __warplens_packed<__WL_NUM> {
  typedef unsigned short type;
};
template <> struct __warplens_packed<__WL_PAIR> {
  typedef unsigned type;
};
__WARPLENS_DEVICE__ __WL_NUM atomicAdd(__WL_NUM *address, __WL_NUM value) {
  unsigned short old;
  asm volatile("atom.add.noftz." __WL_PTX " %0, [%1], %2;" : "=h"(old) : "r"(address), "h"(value.__x) : "memory");
  return __WL_BITS(old);
}
__WARPLENS_DEVICE__ __WL_PAIR atomicAdd(__WL_PAIR *address, __WL_PAIR value) {
  unsigned old;
  asm volatile("atom.add.noftz." __WL_PTX "x2 %0, [%1], %2;"
               : "=r"(old)
               : "r"(address), "r"(__builtin_bit_cast(unsigned, value))
               : "memory");
  return __builtin_bit_cast(__WL_PAIR, old);
}
#endif

/* Operators */
#if !defined(__WL_NO_OPERATORS)
#define __WL_OPERATOR(sign, function)                                                                                      \
  __WL_NARROW __WL_NUM operator sign(const __WL_NUM &a, const __WL_NUM &b) { return function(a, b); }                      \
  __WL_NARROW __WL_NUM &operator sign##=(__WL_NUM &a, const __WL_NUM &b) { return a = function(a, b); }
__WL_OPERATOR(+, __hadd)
__WL_OPERATOR(-, __hsub)
__WL_OPERATOR(*, __hmul)
__WL_OPERATOR(/, __hdiv)
#undef __WL_OPERATOR
__WL_NARROW bool operator==(const __WL_NUM &a, const __WL_NUM &b) { return __heq(a, b); }
__WL_NARROW bool operator!=(const __WL_NUM &a, const __WL_NUM &b) { return __hneu(a, b); }
__WL_NARROW bool operator<(const __WL_NUM &a, const __WL_NUM &b) { return __hlt(a, b); }
__WL_NARROW bool operator<=(const __WL_NUM &a, const __WL_NUM &b) { return __hle(a, b); }
__WL_NARROW bool operator>(const __WL_NUM &a, const __WL_NUM &b) { return __hgt(a, b); }
__WL_NARROW bool operator>=(const __WL_NUM &a, const __WL_NUM &b) { return __hge(a, b); }
__WL_NARROW __WL_NUM operator+(const __WL_NUM &a) { return a; }
__WL_NARROW __WL_NUM operator-(const __WL_NUM &a) { return __hneg(a); }
__WL_NARROW __WL_NUM &operator++(__WL_NUM &a) { return a = __hadd(a, __WL_BITS(__WL_ONE)); }
__WL_NARROW __WL_NUM &operator--(__WL_NUM &a) { return a = __hsub(a, __WL_BITS(__WL_ONE)); }
__WL_NARROW __WL_NUM operator++(__WL_NUM &a, int) {
  __WL_NUM old = a;
  ++a;
  return old;
}
__WL_NARROW __WL_NUM operator--(__WL_NUM &a, int) {
  __WL_NUM old = a;
  --a;
  return old;
}
#endif
#if !defined(__WL_NO_PAIR_OPERATORS)
#define __WL_OPERATOR(sign, function)                                                                                      \
  __WL_NARROW __WL_PAIR operator sign(const __WL_PAIR &a, const __WL_PAIR &b) { return function(a, b); }                   \
  __WL_NARROW __WL_PAIR &operator sign##=(__WL_PAIR &a, const __WL_PAIR &b) { return a = function(a, b); }
__WL_OPERATOR(+, __hadd2)
__WL_OPERATOR(-, __hsub2)
__WL_OPERATOR(*, __hmul2)
__WL_OPERATOR(/, __h2div)
#undef __WL_OPERATOR
__WL_NARROW bool operator==(const __WL_PAIR &a, const __WL_PAIR &b) { return __hbeq2(a, b); }
__WL_NARROW bool operator!=(const __WL_PAIR &a, const __WL_PAIR &b) { return __hbneu2(a, b); }
__WL_NARROW bool operator<(const __WL_PAIR &a, const __WL_PAIR &b) { return __hblt2(a, b); }
__WL_NARROW bool operator<=(const __WL_PAIR &a, const __WL_PAIR &b) { return __hble2(a, b); }
__WL_NARROW bool operator>(const __WL_PAIR &a, const __WL_PAIR &b) { return __hbgt2(a, b); }
__WL_NARROW bool operator>=(const __WL_PAIR &a, const __WL_PAIR &b) { return __hbge2(a, b); }
__WL_NARROW __WL_PAIR operator+(const __WL_PAIR &a) { return a; }
__WL_NARROW __WL_PAIR operator-(const __WL_PAIR &a) { return __hneg2(a); }
__WL_NARROW __WL_PAIR &operator++(__WL_PAIR &a) { return a = __hadd2(a, __WL_SPREAD(__WL_BITS(__WL_ONE))); }
__WL_NARROW __WL_PAIR &operator--(__WL_PAIR &a) { return a = __hsub2(a, __WL_SPREAD(__WL_BITS(__WL_ONE))); }
#endif

#undef __WL_BITS
#undef __WL_OF
#undef __WL_MADE
