// std::geometric_distribution with the numbers of the GNU C++ library: the logarithm of one number, by that of 1 - p.
#pragma once
#define geometric_distribution __geometric_distribution_of_libcpp
#include_next <__random/geometric_distribution.h>
#undef geometric_distribution
#include <__random/generate_canonical.h>

/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _IntType = int>
class geometric_distribution : public __geometric_distribution_of_libcpp<_IntType> {
  typedef __geometric_distribution_of_libcpp<_IntType> __base;

public:
  typedef _IntType result_type;
  typedef typename __base::param_type param_type;

  geometric_distribution() {}
  explicit geometric_distribution(double __p) : __base(__p) {}
  explicit geometric_distribution(const param_type &__p) : __base(__p) {}
  void reset() {}

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    constexpr double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    const double __by = std::log(1.0 - __p.p());
    double __number;
    do __number = std::floor(std::log(1.0 - std::generate_canonical<double, 53>(__g)) / __by);
    while (__number >= double(numeric_limits<_IntType>::max()) + __half);
    return result_type(__number + __half);
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
