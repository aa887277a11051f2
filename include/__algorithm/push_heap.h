// std::push_heap with the order of the GNU C++ library (warplens/gnu_order.h).
#pragma once
#define push_heap __push_heap_of_libcpp
#include_next <__algorithm/push_heap.h>
#undef push_heap
#include <__algorithm/comp.h>
#include <warplens/gnu_order.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void push_heap(_Iterator __first, _Iterator __last, _Less __less) {
  typename iterator_traits<_Iterator>::value_type __value = std::move(*(__last - 1));
  __gnu_order<_Iterator, _Less>::__push(__first, __last - __first - 1, 0, std::move(__value), __less);
}
template <class _Iterator>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void push_heap(_Iterator __first, _Iterator __last) {
  std::push_heap(__first, __last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
