// std::sample with the choice of the GNU C++ library: of what can be read twice, two numbers at once where the engine's are large
// enough.
#pragma once
#define sample __sample_of_libcpp
#include_next <__algorithm/sample.h>
#undef sample

#if _LIBCPP_STD_VER >= 17
/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Population, class _Sample, class _Distance, class _Generator>
_Sample sample(_Population __first, _Population __last, _Sample __out, _Distance __wanted, _Generator &&__g) {
  typedef uniform_int_distribution<uint64_t> _Numbers;
  uint64_t __n = uint64_t(__wanted);
  if constexpr (is_base_of<forward_iterator_tag, typename iterator_traits<_Population>::iterator_category>::value) {
    uint64_t __left = uint64_t(std::distance(__first, __last));
    if (__left == 0) return __out;
    __n = __n < __left ? __n : __left;
    const auto __take = [&](uint64_t __number) {
      if (__number < __n) {
        *__out++ = *__first;
        --__n;
      }
      ++__first;
    };
    if ((uint64_t(__g.max()) - uint64_t(__g.min())) / __left >= __left) {
      while (__n != 0 && __left >= 2) {
        const uint64_t __both = _Numbers(0, __left * (__left - 1) - 1)(__g);
        __take(__both / (__left - 1));
        if (__n != 0) __take(__both % (__left - 1));
        __left -= 2;
      }
    }
    while (__n != 0) __take(_Numbers(0, --__left)(__g));
    return __out;
  } else {
    uint64_t __count = 0;
    for (; __first != __last && __count != __n; ++__first) __out[ptrdiff_t(__count++)] = *__first;
    for (uint64_t __seen = __count; __first != __last; ++__first, ++__seen) {
      const uint64_t __at = _Numbers(0, __seen)(__g);
      if (__at < __n) __out[ptrdiff_t(__at)] = *__first;
    }
    return __out + ptrdiff_t(__count);
  }
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
#endif
