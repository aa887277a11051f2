// What all of Warplens' device mathematics stands on: the function prefix, bit casts and scaling by powers of two.
//
// Rules for every function in this folder. They run on a machine whose primitives are IEEE add, multiply, divide, square
// root, integer operations and bit casts, a warp at a time. So: no loads, no stores, no tables but where the machine's have
// them (they are counted as the user's own memory accesses); common cases free of branches; no fused multiply-add where it
// can be avoided (slow in software). __WL_EXACT must open every function: it forbids contraction, which would break
// error-free transformations and turn polynomials into slow fused operations.
// Polynomial coefficients without another source are minimax fits made with Sollya's fpminimax.
#pragma once

#ifdef __WL_FN
#define __WL_BOTH __WL_FN
#elif defined(__WARPLENS_DEVICE__)
// With debug information, unlike our other device functions: the reader of IR takes from it which function an instruction
// belongs to (Location.library), since what the machine needs for that function is known.
#define __WL_FN static __inline__ __attribute__((device, always_inline, unused))
// CUDA's own functions, which a program may call on the host too (C's library there has none of their names), and what they
// stand on. The same code runs on both sides, so they get the same numbers.
#define __WL_BOTH static __inline__ __attribute__((host, device, always_inline, unused))
#else
#define __WL_FN static __device__ __forceinline__
#define __WL_BOTH static __host__ __device__ __forceinline__
#endif
#ifdef __clang__
#define __WL_EXACT _Pragma("clang fp contract(off)")
#else
#define __WL_EXACT
#endif
#define __WL_OPAQUE(sides) __inline__ __attribute__((__WL_LIST sides, noinline, const, unused))
#define __WL_LIST(...) __VA_ARGS__

/// Begins the function `type name(type x)`, which nvcc takes to be about `padding` + 2 instructions long: how often it writes
/// a loop out, and whether an array in it is registers, depends on that. LLVM takes a call to be as long as it has arguments, and
/// one, so the code is in a function that LLVM does not see into; our own reader of IR puts it in place. That function is not
/// static, or LLVM would drop the arguments that nobody uses. Lengths: PTX of each function (nvcc 13.0).
#if defined(__WARPLENS_DEVICE__)
#define __WL_SIZED(padding, type, name) __WL_SIZED_AS((device), __WL_FN, padding, type, name, (type x), (x))
#define __WL_SIZED_BOTH(padding, type, name) __WL_SIZED_AS((host, device), __WL_BOTH, padding, type, name, (type x), (x))
/// Of x and y, and so one longer.
#define __WL_SIZED_OF_TWO(padding, type, name) __WL_SIZED_AS((device), __WL_FN, padding, type, name, (type x, type y), (x, y))
#define __WL_SIZED_AS(sides, prefix, padding, type, name, parameters, arguments)                                          \
  __WL_OPAQUE(sides) type __wl_opaque_##name(__WL_LIST parameters __WL_INTS_##padding);                                   \
  prefix type name parameters { return __wl_opaque_##name(__WL_LIST arguments __WL_ZEROS_##padding); }                    \
  __WL_OPAQUE(sides) type __wl_opaque_##name(__WL_LIST parameters __WL_INTS_##padding)
#define __WL_INTS_0
#define __WL_INTS_8 , int, int, int, int, int, int, int, int
#define __WL_INTS_16 __WL_INTS_8 __WL_INTS_8
#define __WL_INTS_24 __WL_INTS_16 __WL_INTS_8
#define __WL_INTS_32 __WL_INTS_16 __WL_INTS_16
#define __WL_INTS_48 __WL_INTS_32 __WL_INTS_16
#define __WL_ZEROS_0
#define __WL_ZEROS_8 , 0, 0, 0, 0, 0, 0, 0, 0
#define __WL_ZEROS_16 __WL_ZEROS_8 __WL_ZEROS_8
#define __WL_ZEROS_24 __WL_ZEROS_16 __WL_ZEROS_8
#define __WL_ZEROS_32 __WL_ZEROS_16 __WL_ZEROS_16
#define __WL_ZEROS_48 __WL_ZEROS_32 __WL_ZEROS_16
#else
#define __WL_SIZED(padding, type, name) __WL_FN type name(type x)
#define __WL_SIZED_BOTH(padding, type, name) __WL_BOTH type name(type x)
#define __WL_SIZED_OF_TWO(padding, type, name) __WL_FN type name(type x, type y)
#endif

/// Makes a pointer to a table one that may point anywhere. The machine's compiler does not know that nobody writes their tables: a
/// store that may lie there stays in its loop (`data[i] += sinf(j)`, nvcc 13.0; shared memory and `__restrict__` pointers leave it).
/// A call that LLVM does not see into, and that it knows to come back: behind one that may not, no store is moved.
#if defined(__clang__) && defined(__CUDA_ARCH__)
__WL_OPAQUE((device)) const void* __wl_anywhere(const void* pointer) { return pointer; }
#define __WL_ANYWHERE(pointer) pointer = static_cast<decltype(pointer)>(__wl_anywhere(pointer))
#else
#define __WL_ANYWHERE(pointer)
#endif

#define __WL_INF (__builtin_inf())
#define __WL_INFF (__builtin_inff())
/// Adding and subtracting 1.5 x 2^52 rounds a double of magnitude below 2^51 to an integer; the sum's low bits hold it.
#define __WL_ROUNDER 6755399441055744.0

__WL_BOTH long long __wl_bits(double x) { return __builtin_bit_cast(long long, x); }
__WL_BOTH double __wl_double(long long bits) { return __builtin_bit_cast(double, bits); }
__WL_BOTH int __wl_bitsf(float x) { return __builtin_bit_cast(int, x); }
__WL_BOTH float __wl_float(int bits) { return __builtin_bit_cast(float, bits); }

/// The canonical quiet NaNs that a GPU returns (CUDA: 0x7fffffff for float, 0xfff8000000000000 for double).
__WL_BOTH float __wl_nanf() { return __wl_float(0x7fffffff); }
__WL_BOTH double __wl_nan() { return __wl_double((long long)0xfff8000000000000ULL); }

/// 2^k for -1022 <= k <= 1023; only the low 11 bits of k + 1023 count.
__WL_BOTH double __wl_pow2(long long k) {
  return __wl_double((long long)(((unsigned long long)k + 1023ULL) << 52));
}

/// 2^k for -126 <= k <= 127.
__WL_BOTH float __wl_pow2f(int k) { return __wl_float((int)(((unsigned)k + 127u) << 23)); }

/// The integer in the low bits of `shifted`, an integer + __WL_ROUNDER.
__WL_BOTH long long __wl_rounded(double shifted) { return __wl_bits(shifted) - 0x4338000000000000LL; }

/// k as a double, |k| < 2^51, without an integer conversion.
__WL_BOTH double __wl_small_to_double(long long k) {
  __WL_EXACT
  return __wl_double(k + 0x4338000000000000LL) - __WL_ROUNDER;
}

/// x * 2^k with one rounding, for x of ordinary size (1/4 to 4, say) and -2000 < k < 2000.
__WL_BOTH double __wl_scale(double x, long long k) {
  __WL_EXACT
  long long half = k >> 1;
  return x * __wl_pow2(half) * __wl_pow2(k - half);
}

/// x with the low 32 bits of its significand cleared: products of two such numbers are exact (21 bits each).
__WL_BOTH double __wl_high(double x) { return __wl_double(__wl_bits(x) & (long long)0xffffffff00000000ULL); }
