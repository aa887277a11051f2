// std::partial_sort with the order of the GNU C++ library (warplens/gnu_order.h).
#pragma once
#define partial_sort __partial_sort_of_libcpp
#include_next <__algorithm/partial_sort.h>
#undef partial_sort
#include <__algorithm/comp.h>
#include <warplens/gnu_order.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void partial_sort(_Iterator __first, _Iterator __middle, _Iterator __last, _Less __less) {
  __gnu_order<_Iterator, _Less>::__select(__first, __middle, __last, __less);
  __gnu_order<_Iterator, _Less>::__sort_heap(__first, __middle, __less);
}
template <class _Iterator>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void partial_sort(_Iterator __first, _Iterator __middle, _Iterator __last) {
  std::partial_sort(__first, __middle, __last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
