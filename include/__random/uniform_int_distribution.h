// std::uniform_int_distribution with the numbers of the GNU C++ library (11 and later): by Lemire's multiplication where the
// engine gives whole words, by division where it does not.
#pragma once
#define uniform_int_distribution __uniform_int_distribution_of_libcpp
#include_next <__random/uniform_int_distribution.h>
#undef uniform_int_distribution

/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _IntType = int>
class uniform_int_distribution : public __uniform_int_distribution_of_libcpp<_IntType> {
  typedef __uniform_int_distribution_of_libcpp<_IntType> __base;

  template <class _Wide, class _Word, class _Generator>
  static _Word __scaled(_Generator &__g, _Word __range) {
    _Wide __product = _Wide(__g()) * _Wide(__range);
    _Word __low = _Word(__product);
    if (__low < __range) {
      _Word __threshold = -__range % __range;
      while (__low < __threshold) {
        __product = _Wide(__g()) * _Wide(__range);
        __low = _Word(__product);
      }
    }
    return _Word(__product >> numeric_limits<_Word>::digits);
  }

public:
  typedef _IntType result_type;
  typedef typename __base::param_type param_type;

  uniform_int_distribution() {}
  explicit uniform_int_distribution(_IntType __a, _IntType __b = numeric_limits<_IntType>::max()) : __base(__a, __b) {}
  explicit uniform_int_distribution(const param_type &__p) : __base(__p) {}

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    constexpr uint64_t __least = _Generator::min();
    constexpr uint64_t __most = uint64_t(_Generator::max()) - __least;
    const uint64_t __range = uint64_t(__p.b()) - uint64_t(__p.a());
    uint64_t __result;
    if (__most > __range) {
      const uint64_t __count = __range + 1;
      if constexpr (__most == numeric_limits<uint64_t>::max()) {
        __result = __scaled<unsigned __int128, uint64_t>(__g, __count);
      } else if constexpr (__most == numeric_limits<uint32_t>::max()) {
        __result = __scaled<uint64_t, uint32_t>(__g, uint32_t(__count));
      } else {
        const uint64_t __scaling = __most / __count;
        const uint64_t __past = __count * __scaling;
        do __result = uint64_t(__g()) - __least;
        while (__result >= __past);
        __result /= __scaling;
      }
    } else if (__most < __range) {
      uint64_t __high;
      do {
        constexpr uint64_t __count = __most + 1;
        __high = __count * uint64_t((*this)(__g, param_type(0, _IntType(__range / __count))));
        __result = __high + (uint64_t(__g()) - __least);
      } while (__result > __range || __result < __high);
    } else {
      __result = uint64_t(__g()) - __least;
    }
    return _IntType(__result + uint64_t(__p.a()));
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
