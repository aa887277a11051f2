// std::chi_squared_distribution with the numbers of the GNU C++ library: from one gamma distribution that lasts.
#pragma once
#define chi_squared_distribution __chi_squared_distribution_of_libcpp
#include_next <__random/chi_squared_distribution.h>
#undef chi_squared_distribution
#include <__random/gamma_distribution.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _RealType = double>
class chi_squared_distribution : public __chi_squared_distribution_of_libcpp<_RealType> {
  typedef __chi_squared_distribution_of_libcpp<_RealType> __base;
  gamma_distribution<_RealType> __gamma;

public:
  typedef _RealType result_type;
  typedef typename __base::param_type param_type;

  chi_squared_distribution() {}
  explicit chi_squared_distribution(_RealType __n) : __base(__n) {}
  explicit chi_squared_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __gamma.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    return 2 * __gamma(__g, typename gamma_distribution<_RealType>::param_type(__p.n() / 2));
  }
};

_LIBCPP_END_NAMESPACE_STD
