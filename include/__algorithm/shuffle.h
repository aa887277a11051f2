// std::shuffle in the order of the GNU C++ library: two places a number, where the engine's numbers are large enough. And
// std::random_shuffle, which that library has in every standard.
#pragma once
#define shuffle __shuffle_of_libcpp
#define random_shuffle __random_shuffle_of_libcpp
#include_next <__algorithm/shuffle.h>
#undef shuffle
#undef random_shuffle
#include <stdlib.h>
#include <__algorithm/iter_swap.h>

/* Programs have macros min and max. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Generator>
void shuffle(_Iterator __first, _Iterator __last, _Generator &&__g) {
  typedef uniform_int_distribution<uint64_t> _Numbers;
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  if (__first == __last) return;
  const uint64_t __most = uint64_t(__g.max()) - uint64_t(__g.min());
  const uint64_t __count = uint64_t(__last - __first);
  auto __swap = [&](_Iterator __at, uint64_t __with) { std::iter_swap(__at, __first + _Distance(__with)); };
  if (__most / __count < __count) {
    for (uint64_t __at = 1; __at < __count; ++__at) __swap(__first + _Distance(__at), _Numbers(0, __at)(__g));
    return;
  }
  uint64_t __at = 1;
  if (__count % 2 == 0) {
    __swap(__first + 1, _Numbers(0, 1)(__g));
    __at = 2;
  }
  for (; __at != __count; __at += 2) {
    const uint64_t __both = _Numbers(0, (__at + 1) * (__at + 2) - 1)(__g);
    __swap(__first + _Distance(__at), __both / (__at + 2));
    __swap(__first + _Distance(__at + 1), __both % (__at + 2));
  }
}

template <class _Iterator, class _Numbers>
void random_shuffle(_Iterator __first, _Iterator __last, _Numbers &&__numbers) {
  if (__first == __last) return;
  for (_Iterator __at = __first + 1; __at != __last; ++__at) {
    const _Iterator __with = __first + __numbers((__at - __first) + 1);
    if (__at != __with) std::iter_swap(__at, __with);
  }
}

template <class _Iterator>
void random_shuffle(_Iterator __first, _Iterator __last) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  std::random_shuffle(__first, __last, [](_Distance __count) { return _Distance(::rand() % __count); });
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
