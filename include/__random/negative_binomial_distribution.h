// std::negative_binomial_distribution with the numbers of the GNU C++ library: Poisson's with a mean from a gamma distribution
// that lasts.
#pragma once
#define negative_binomial_distribution __negative_binomial_distribution_of_libcpp
#include_next <__random/negative_binomial_distribution.h>
#undef negative_binomial_distribution
#include <__random/gamma_distribution.h>
#include <__random/poisson_distribution.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _IntType = int>
class negative_binomial_distribution : public __negative_binomial_distribution_of_libcpp<_IntType> {
  typedef __negative_binomial_distribution_of_libcpp<_IntType> __base;
  gamma_distribution<double> __gamma;

public:
  typedef _IntType result_type;
  typedef typename __base::param_type param_type;

  negative_binomial_distribution() {}
  explicit negative_binomial_distribution(_IntType __k, double __p = 0.5) : __base(__k, __p) {}
  explicit negative_binomial_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __gamma.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    const double __mean = __gamma(__g, gamma_distribution<double>::param_type(__p.k(), (1.0 - __p.p()) / __p.p()));
    return poisson_distribution<_IntType>(__mean)(__g);
  }
};

_LIBCPP_END_NAMESPACE_STD
