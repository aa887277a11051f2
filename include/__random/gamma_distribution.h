// std::gamma_distribution with the numbers of the GNU C++ library: by Marsaglia and Tsang (2000), from one normal distribution
// that lasts.
#pragma once
#define gamma_distribution __gamma_distribution_of_libcpp
#include_next <__random/gamma_distribution.h>
#undef gamma_distribution
#include <__random/generate_canonical.h>
#include <__random/normal_distribution.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _RealType = double>
class gamma_distribution : public __gamma_distribution_of_libcpp<_RealType> {
  typedef __gamma_distribution_of_libcpp<_RealType> __base;
  normal_distribution<_RealType> __normal;

  template <class _Generator> static _RealType __canonical(_Generator &__g) {
    return std::generate_canonical<_RealType, numeric_limits<_RealType>::digits>(__g);
  }

public:
  typedef _RealType result_type;
  typedef typename __base::param_type param_type;

  gamma_distribution() {}
  explicit gamma_distribution(_RealType __alpha, _RealType __beta = 1) : __base(__alpha, __beta) {}
  explicit gamma_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __normal.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    const _RealType __alpha = __p.alpha() < 1.0 ? __p.alpha() + _RealType(1.0) : __p.alpha();
    const _RealType __d = __alpha - _RealType(1.0) / _RealType(3.0);
    const _RealType __c = _RealType(1.0) / std::sqrt(_RealType(9.0) * __d);
    _RealType __n, __v, __u;
    do {
      do {
        __n = __normal(__g);
        __v = _RealType(1.0) + __c * __n;
      } while (__v <= 0.0);
      __v = __v * __v * __v;
      __u = __canonical(__g);
    } while (__u > _RealType(1.0) - 0.0331 * __n * __n * __n * __n &&
             std::log(__u) > 0.5 * __n * __n + __d * (1.0 - __v + std::log(__v)));
    if (__p.alpha() == __alpha) return __d * __v * __p.beta();
    do __u = __canonical(__g);
    while (__u == 0.0);
    return std::pow(__u, _RealType(1.0) / __p.alpha()) * __d * __v * __p.beta();
  }
};

_LIBCPP_END_NAMESPACE_STD
