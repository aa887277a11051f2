/* `long` of 8 bytes that is not `long long`: what a program that tells the two apart is compiled with (src/frontend/sizes/wideLongs.ts).
   It is `_BitInt(64)`, which C++'s rules convert as Linux's `long`; here is what libraries have for each integer type by itself. */
#ifndef WARPLENS_APART_LONGS_H
#define WARPLENS_APART_LONGS_H
#ifdef __cplusplus
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iosfwd>
#include <random>
#include <string>

/* Constants with L. */
constexpr __la operator""_wl(unsigned long long value) { return value; }
constexpr __ula operator""_wul(unsigned long long value) { return value; }
/* They are of int64_t's type, and templates take it from them. */
#undef INT64_C
#undef UINT64_C
#define INT64_C(value) value##_wl
#define UINT64_C(value) value##_wul

#ifdef __CUDA__
/* Operands of 64 bits of assembly, where clang takes no `_BitInt`: what is read, and what is written. */
template <class T> __WARPLENS_HOST_DEVICE__ constexpr T __wl_operand(T value) { return value; }
__WARPLENS_HOST_DEVICE__ long long __wl_operand(__la value) { return value; }
__WARPLENS_HOST_DEVICE__ unsigned long long __wl_operand(__ula value) { return value; }
template <class T> __WARPLENS_HOST_DEVICE__ constexpr T &__wl_results(T &value) { return value; }
__WARPLENS_HOST_DEVICE__ long long &__wl_results(__la &value) { return (long long &)value; }
__WARPLENS_HOST_DEVICE__ unsigned long long &__wl_results(__ula &value) { return (unsigned long long &)value; }
/* Names that macros make of `long` and a digit (`type##2`). */
typedef __ll1 __la1;
typedef __ll2 __la2;
typedef __ll3 __la3;
typedef __ll4 __la4;
typedef __ull1 __ula1;
typedef __ull2 __ula2;
typedef __ull3 __ula3;
typedef __ull4 __ula4;
#define __WL_BOTH __attribute__((host)) __attribute__((device))
#else
#define __WL_BOTH
#endif
/* One function with two names: programs say `using std::abs`. */
namespace __wl {
__WL_BOTH inline __la abs(__la value) { return value < 0 ? -value : value; }
}
using __wl::abs;
inline lldiv_t div(__la value, __la by) { return lldiv(value, by); }
#ifdef __CUDA__
#define __WL_PAIR(result, left, right)                                                                                     \
  __WARPLENS_HOST_DEVICE__ result min(left a, right b) { return (result)a < (result)b ? (result)a : (result)b; }           \
  __WARPLENS_HOST_DEVICE__ result max(left a, right b) { return (result)a > (result)b ? (result)a : (result)b; }
__WL_PAIR(__la, __la, __la)
__WL_PAIR(__ula, __ula, __ula)
__WL_PAIR(__ula, __la, __ula)
__WL_PAIR(__ula, __ula, __la)
__WL_PAIR(__la, __la, int)
__WL_PAIR(__la, int, __la)
__WL_PAIR(__ula, __ula, unsigned)
__WL_PAIR(__ula, unsigned, __ula)
__WL_PAIR(__ula, __ula, int)
__WL_PAIR(__ula, int, __ula)
__WL_PAIR(unsigned long long, __ula, unsigned long long)
__WL_PAIR(unsigned long long, unsigned long long, __ula)
__WL_PAIR(long long, __la, long long)
__WL_PAIR(long long, long long, __la)
#undef __WL_PAIR
#define __WL_SHUFFLE_OF(name, from, type, wide)                                                                            \
  __WARPLENS_DEVICE__ type name(unsigned mask, type value, from where, int width = 32) {                                   \
    return name(mask, (wide)value, where, width);                                                                          \
  }
#define __WL_SHUFFLE(name, from)                                                                                           \
  __WL_SHUFFLE_OF(name, from, __la, long long)                                                                             \
  __WL_SHUFFLE_OF(name, from, __ula, unsigned long long)
__WL_SHUFFLE(__shfl_sync, int)
__WL_SHUFFLE(__shfl_up_sync, unsigned)
__WL_SHUFFLE(__shfl_down_sync, unsigned)
__WL_SHUFFLE(__shfl_xor_sync, int)
#undef __WL_SHUFFLE
#undef __WL_SHUFFLE_OF
#endif

_LIBCPP_BEGIN_NAMESPACE_STD
using __wl::abs;
using ::div;
/* A size of the program's and one of the library's. */
#define __WL_SIZES(left, right)                                                                                            \
  __WL_BOTH constexpr __ula max(left __a, right __b) { return __a > __b ? __a : __b; }                                     \
  __WL_BOTH constexpr __ula min(left __a, right __b) { return __a < __b ? __a : __b; }
__WL_SIZES(__ula, __SIZE_TYPE__)
__WL_SIZES(__SIZE_TYPE__, __ula)
#undef __WL_SIZES

inline string to_string(__la __value) { return to_string((long long)__value); }
inline string to_string(__ula __value) { return to_string((unsigned long long)__value); }
template <class _C, class _T> basic_ostream<_C, _T> &operator<<(basic_ostream<_C, _T> &__to, __la __value) {
  return __to << (long long)__value;
}
template <class _C, class _T> basic_ostream<_C, _T> &operator<<(basic_ostream<_C, _T> &__to, __ula __value) {
  return __to << (unsigned long long)__value;
}
template <class _C, class _T> basic_istream<_C, _T> &operator>>(basic_istream<_C, _T> &__from, __la &__value) {
  long long __read = __value;
  __from >> __read;
  __value = __read;
  return __from;
}
template <class _C, class _T> basic_istream<_C, _T> &operator>>(basic_istream<_C, _T> &__from, __ula &__value) {
  unsigned long long __read = __value;
  __from >> __read;
  __value = __read;
  return __from;
}
template <> struct __libcpp_random_is_valid_inttype<__la> : true_type {};
template <> struct __libcpp_random_is_valid_inttype<__ula> : true_type {};

/* clang has no atomic operations on this type: they are those of the other one, whose values are the same. */
#define __WL_ATOMIC(__type, __base_type)                                                                                   \
  template <> struct atomic<__type> : atomic<__base_type> {                                                                \
    typedef atomic<__base_type> __base;                                                                                    \
    typedef __type value_type;                                                                                             \
    typedef __type difference_type;                                                                                        \
    atomic() noexcept = default;                                                                                           \
    constexpr atomic(__type __value) noexcept : __base(__value) {}                                                         \
    __type operator=(__type __value) noexcept { return __base::operator=(__value); }                                       \
    operator __type() const noexcept { return __base::load(); }                                                            \
    __type load(memory_order __m = memory_order_seq_cst) const noexcept { return __base::load(__m); }                      \
    bool compare_exchange_strong(__type &__e, __type __d, memory_order __m = memory_order_seq_cst,                         \
                                 memory_order = memory_order_seq_cst) noexcept {                                           \
      __base_type __expected = __e;                                                                                        \
      bool __done = __base::compare_exchange_strong(__expected, __d, __m);                                                 \
      __e = __expected;                                                                                                    \
      return __done;                                                                                                       \
    }                                                                                                                      \
    bool compare_exchange_weak(__type &__e, __type __d, memory_order __m = memory_order_seq_cst,                           \
                               memory_order = memory_order_seq_cst) noexcept {                                             \
      return compare_exchange_strong(__e, __d, __m);                                                                       \
    }                                                                                                                      \
  };
__WL_ATOMIC(__la, long long)
__WL_ATOMIC(__ula, unsigned long long)
#undef __WL_ATOMIC
_LIBCPP_END_NAMESPACE_STD
#undef __WL_BOTH
#endif
#endif
