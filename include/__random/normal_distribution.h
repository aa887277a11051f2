// std::normal_distribution with the numbers of the GNU C++ library: of each pair the second one first.
#pragma once
#define normal_distribution __normal_distribution_of_libcpp
#include_next <__random/normal_distribution.h>
#undef normal_distribution
#include <__random/generate_canonical.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _RealType = double>
class normal_distribution : public __normal_distribution_of_libcpp<_RealType> {
  typedef __normal_distribution_of_libcpp<_RealType> __base;
  _RealType __saved = 0;
  bool __is_saved = false;

  template <class _Generator> static _RealType __canonical(_Generator &__g) {
    return std::generate_canonical<_RealType, numeric_limits<_RealType>::digits>(__g);
  }

public:
  typedef _RealType result_type;
  typedef typename __base::param_type param_type;

  normal_distribution() {}
  explicit normal_distribution(_RealType __mean, _RealType __stddev = 1) : __base(__mean, __stddev) {}
  explicit normal_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __is_saved = false; }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    _RealType __result;
    if (__is_saved) {
      __is_saved = false;
      __result = __saved;
    } else {
      _RealType __x, __y, __sum;
      do {
        __x = _RealType(2.0) * __canonical(__g) - 1.0;
        __y = _RealType(2.0) * __canonical(__g) - 1.0;
        __sum = __x * __x + __y * __y;
      } while (__sum > 1.0 || __sum == 0.0);
      const _RealType __factor = std::sqrt(-2 * std::log(__sum) / __sum);
      __saved = __x * __factor;
      __is_saved = true;
      __result = __y * __factor;
    }
    return __result * __p.stddev() + __p.mean();
  }
};

_LIBCPP_END_NAMESPACE_STD
