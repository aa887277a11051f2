// std::binomial_distribution with the numbers of the GNU C++ library: by waiting times below a mean of 8, from there on Devroye's
// rejection (Non-Uniform Random Variate Generation, 1986, chapter X, 4, with its errata).
#pragma once
#define binomial_distribution __binomial_distribution_of_libcpp
#include_next <__random/binomial_distribution.h>
#undef binomial_distribution
#include <__algorithm/max.h>
#include <__algorithm/min.h>
#include <__random/generate_canonical.h>
#include <__random/normal_distribution.h>

/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _IntType = int>
class binomial_distribution : public __binomial_distribution_of_libcpp<_IntType> {
  typedef __binomial_distribution_of_libcpp<_IntType> __base;
  normal_distribution<double> __normal;

  template <class _Generator> static double __canonical(_Generator &__g) { return std::generate_canonical<double, 53>(__g); }
  template <class _Generator> static double __exponential(_Generator &__g) { return -std::log(1.0 - __canonical(__g)); }

  template <class _Generator> static _IntType __waiting(_Generator &__g, _IntType __t, double __until) {
    _IntType __number = 0;
    for (double __sum = 0.0; __sum <= __until; __number += 1) {
      if (__t == __number) return __number;
      __sum += __exponential(__g) / (__t - __number);
    }
    return __number - 1;
  }

  template <class _Generator> _IntType __rejecting(_Generator &__g, _IntType __t, double __p) {
    constexpr double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    constexpr double __quarter_pi = 0.7853981633974483096, __root_of_half_pi = 1.2533141373155002512;
    const double __mode = std::floor(__t * __p);
    const double __share = __mode / __t;
    const double __rest = 1 - __share;
    const double __right = std::round(
        std::max(1.0, std::sqrt(__mode * __rest * std::log(32 * __mode / (81 * __quarter_pi * __rest)))));
    const double __left = std::round(
        std::max(1.0, std::sqrt(__mode * __rest * std::log(32 * __t * __rest / (__quarter_pi * __share)))));
    const double __s1 = std::sqrt(__mode * __rest) * (1 + __right / (4 * __mode));
    const double __s2 = std::sqrt(__mode * __rest) * (1 + __left / (4 * __t * __rest));
    const double __s1s = __s1 * __s1, __s2s = __s2 * __s2;
    const double __c = 2 * __right / __mode;
    // The areas of the hat, added up: right and left of the mode, the tails there.
    const double __at_right = std::exp(__c) * __s1 * __root_of_half_pi;
    const double __at_left = __at_right + __s2 * __root_of_half_pi;
    const double __at_right_tail = __at_left + std::exp(__right / (__t * __rest)) * 2 * __s1s / __right *
                                                   std::exp(-__right * __right / (2 * __s1s));
    const double __all = __at_right_tail + 2 * __s2s / __left * std::exp(-__left * __left / (2 * __s2s));
    const double __log_factorials = std::lgamma(__mode + 1) + std::lgamma(__t - __mode + 1);
    const double __log_odds = std::log(__share / __rest);
    double __x = 0;
    for (bool __is_rejected = true; __is_rejected;) {
      const double __u = __all * __canonical(__g);
      double __v;
      if (__u <= __at_left) {
        const bool __is_right = __u <= __at_right;
        const double __n = __normal(__g);
        const double __y = (__is_right ? __s1 : __s2) * std::abs(__n);
        if (__y >= (__is_right ? __right : __left)) continue;
        const double __e = __exponential(__g);
        __x = std::floor(__is_right ? __y : -__y);
        __v = __is_right ? -__e - __n * __n / 2 + __c : -__e - __n * __n / 2;
      } else {
        const double __e1 = __exponential(__g);
        const double __e2 = __exponential(__g);
        if (__u <= __at_right_tail) {
          const double __y = __right + 2 * __s1s * __e1 / __right;
          __x = std::floor(__y);
          __v = -__e2 + __right * (1 / (__t - __mode) - __y / (2 * __s1s));
        } else {
          const double __y = __left + 2 * __s2s * __e1 / __left;
          __x = std::floor(-__y);
          __v = -__e2 - __left * __y / (2 * __s2s);
        }
      }
      if (__x < -__mode || __x > __t - __mode) continue;
      const double __log_here = std::lgamma(__mode + __x + 1) + std::lgamma(__t - (__mode + __x) + 1);
      __is_rejected = __v > __log_factorials - __log_here + __x * __log_odds ||
                      __x + __mode >= double(numeric_limits<_IntType>::max()) + __half;
    }
    __x += __mode + __half;
    return _IntType(__x) + __waiting(__g, __t - _IntType(__x), -std::log(1 - (__p - __share) / __rest));
  }

public:
  typedef _IntType result_type;
  typedef typename __base::param_type param_type;

  binomial_distribution() {}
  explicit binomial_distribution(_IntType __t, double __p = 0.5) : __base(__t, __p) {}
  explicit binomial_distribution(const param_type &__p) : __base(__p) {}
  void reset() { __normal.reset(); }

  template <class _Generator> result_type operator()(_Generator &__g) { return (*this)(__g, this->param()); }

  template <class _Generator> result_type operator()(_Generator &__g, const param_type &__p) {
    const double __less = __p.p() <= 0.5 ? __p.p() : 1.0 - __p.p();
    const _IntType __number =
        __p.t() * __less >= 8 ? __rejecting(__g, __p.t(), __less) : __waiting(__g, __p.t(), -std::log(1 - __less));
    return __less != __p.p() ? __p.t() - __number : __number;
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
