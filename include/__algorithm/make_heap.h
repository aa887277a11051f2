// std::make_heap with the order of the GNU C++ library (warplens/gnu_order.h).
#pragma once
#define make_heap __make_heap_of_libcpp
#include_next <__algorithm/make_heap.h>
#undef make_heap
#include <__algorithm/comp.h>
#include <warplens/gnu_order.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void make_heap(_Iterator __first, _Iterator __last, _Less __less) {
  __gnu_order<_Iterator, _Less>::__make(__first, __last, __less);
}
template <class _Iterator>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void make_heap(_Iterator __first, _Iterator __last) {
  std::make_heap(__first, __last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
