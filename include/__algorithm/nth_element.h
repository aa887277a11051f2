// std::nth_element with the order of the GNU C++ library (warplens/gnu_order.h).
#pragma once
#define nth_element __nth_element_of_libcpp
#include_next <__algorithm/nth_element.h>
#undef nth_element
#include <__algorithm/comp.h>
#include <warplens/gnu_order.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void nth_element(_Iterator __first, _Iterator __middle, _Iterator __last, _Less __less) {
  __gnu_order<_Iterator, _Less>::__nth(__first, __middle, __last, __less);
}
template <class _Iterator>
inline _LIBCPP_CONSTEXPR_SINCE_CXX20 void nth_element(_Iterator __first, _Iterator __middle, _Iterator __last) {
  std::nth_element(__first, __middle, __last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
