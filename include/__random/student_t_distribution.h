// std::student_t_distribution with the numbers of the GNU C++ library: from a normal and a gamma distribution that last.
#pragma once
#define student_t_distribution __student_t_distribution_of_libcpp
#include_next <__random/student_t_distribution.h>
#undef student_t_distribution
#include <__random/gamma_distribution.h>
#include <__random/normal_distribution.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _RealType = double>
class student_t_distribution : public __student_t_distribution_of_libcpp<_RealType> {
  typedef __student_t_distribution_of_libcpp<_RealType> __base;
  normal_distribution<_RealType> __normal;
  gamma_distribution<_RealType> __gamma;
  typedef typename gamma_distribution<_RealType>::param_type _Shape;

public:
  typedef _RealType result_type;
  typedef typename __base::param_type param_type;

  student_t_distribution() {}
  explicit student_t_distribution(_RealType __n) : __base(__n) {}
  explicit student_t_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __normal.reset(), __gamma.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) {
    const _RealType __n = __normal(__g);
    return __n * std::sqrt(this->n() / __gamma(__g, _Shape(this->n() / 2, 2)));
  }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    const _RealType __divisor = __gamma(__g, _Shape(__p.n() / 2, 2));
    return __normal(__g) * std::sqrt(__p.n() / __divisor);
  }
};

_LIBCPP_END_NAMESPACE_STD
