// std::pop_heap with the order of the GNU C++ library (warplens/gnu_order.h).
#pragma once
#define pop_heap __pop_heap_of_libcpp
#include_next <__algorithm/pop_heap.h>
#undef pop_heap
#include <__algorithm/comp.h>
#include <warplens/gnu_order.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void pop_heap(_Iterator __first, _Iterator __last, _Less __less) {
  if (__last - __first > 1) __gnu_order<_Iterator, _Less>::__pop(__first, __last - 1, __last - 1, __less);
}
template <class _Iterator>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void pop_heap(_Iterator __first, _Iterator __last) {
  std::pop_heap(__first, __last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
