// std::poisson_distribution with the numbers of the GNU C++ library: a product of numbers below a mean of 12, from there on Devroye's
// rejection (Non-Uniform Random Variate Generation, 1986, chapter X, 3.3 and 3.4, with its errata).
#pragma once
#define poisson_distribution __poisson_distribution_of_libcpp
#include_next <__random/poisson_distribution.h>
#undef poisson_distribution
#include <__algorithm/max.h>
#include <__algorithm/min.h>
#include <__random/generate_canonical.h>
#include <__random/normal_distribution.h>

/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _IntType = int>
class poisson_distribution : public __poisson_distribution_of_libcpp<_IntType> {
  typedef __poisson_distribution_of_libcpp<_IntType> __base;
  normal_distribution<double> __normal;

  template <class _Generator> static double __canonical(_Generator &__g) { return std::generate_canonical<double, 53>(__g); }
  template <class _Generator> static double __exponential(_Generator &__g) { return -std::log(1.0 - __canonical(__g)); }

public:
  typedef _IntType result_type;
  typedef typename __base::param_type param_type;

  poisson_distribution() {}
  explicit poisson_distribution(double __mean) : __base(__mean) {}
  explicit poisson_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __normal.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    constexpr double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    if (__p.mean() < 12) {
      const double __least = std::exp(-__p.mean());
      double __product = 1.0;
      _IntType __number = 0;
      do {
        __product *= __canonical(__g);
        __number += 1;
      } while (__product > __least);
      return __number - 1;
    }
    constexpr double __quarter_pi = 0.7853981633974483096;
    const double __mode = std::floor(__p.mean());
    const double __log_mean = std::log(__p.mean());
    const double __log_factorial = std::lgamma(__mode + 1);
    const double __deviation = std::sqrt(__mode);
    const double __reach = std::sqrt(2 * __mode * std::log(32 * __mode / __quarter_pi));
    const double __tail = std::round(std::max(6.0, std::min(__mode, __reach)));
    const double __scale = 2 * __mode + __tail;
    const double __right = std::sqrt(__scale / 2);
    const double __inverse = 1 / __scale;
    // The areas of the hat, added up: left and right of the mode, the three values there, the tail.
    const double __at_left = __deviation * 1.2533141373155002512;
    const double __at_right = std::sqrt(__quarter_pi * __scale) * std::exp(__inverse) + __at_left;
    const double __at_minus_one = __at_right + 1;
    const double __at_zero = __at_minus_one + 1;
    const double __at_one = __at_zero + 1.0129030479320018583;
    const double __all = 2 * __scale * std::exp(-__tail * __inverse * (1 + __tail / 2)) / __tail + __at_one;
    double __x = 0;
    for (bool __is_rejected = true; __is_rejected;) {
      const double __u = __all * __canonical(__g);
      const double __e = __exponential(__g);
      double __w = 0.0;
      if (__u <= __at_left) {
        const double __n = __normal(__g);
        __x = std::floor(-std::abs(__n) * __deviation - 1);
        __w = -__n * __n / 2;
        if (__x < -__mode) continue;
      } else if (__u <= __at_right) {
        const double __n = __normal(__g);
        const double __y = 1 + std::abs(__n) * __right;
        __x = std::ceil(__y);
        __w = __y * (2 - __y) * __inverse;
        if (__x > __tail) continue;
      } else if (__u <= __at_minus_one) {
        __x = -1;
      } else if (__u <= __at_zero) {
        __x = 0;
      } else if (__u <= __at_one) {
        __x = 1;
        __w = 0.0128205128205128205;
      } else {
        const double __y = __tail + __exponential(__g) * (2 * (2 * __mode + __tail)) / __tail;
        __x = std::ceil(__y);
        __w = -__tail * __inverse * (1 + __y / 2);
      }
      __is_rejected = __w - __e - __x * __log_mean > __log_factorial - std::lgamma(__x + __mode + 1) ||
                      __x + __mode >= double(numeric_limits<_IntType>::max()) + __half;
    }
    return result_type(__x + __mode + __half);
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
