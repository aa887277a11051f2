// std::fisher_f_distribution with the numbers of the GNU C++ library: from two gamma distributions that last.
#pragma once
#define fisher_f_distribution __fisher_f_distribution_of_libcpp
#include_next <__random/fisher_f_distribution.h>
#undef fisher_f_distribution
#include <__random/gamma_distribution.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _RealType = double>
class fisher_f_distribution : public __fisher_f_distribution_of_libcpp<_RealType> {
  typedef __fisher_f_distribution_of_libcpp<_RealType> __base;
  gamma_distribution<_RealType> __first, __second;

public:
  typedef _RealType result_type;
  typedef typename __base::param_type param_type;

  fisher_f_distribution() {}
  explicit fisher_f_distribution(_RealType __m, _RealType __n = 1) : __base(__m, __n) {}
  explicit fisher_f_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __first.reset(), __second.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    typedef typename gamma_distribution<_RealType>::param_type _Shape;
    // The factors are the distribution's own, whatever the call's are: so it is there.
    const _RealType __above = __first(__g, _Shape(__p.m() / 2)) * this->n();
    return __above / (__second(__g, _Shape(__p.n() / 2)) * this->m());
  }
};

_LIBCPP_END_NAMESPACE_STD
