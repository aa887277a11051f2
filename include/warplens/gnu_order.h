// How the GNU C++ library sorts, selects and keeps heaps: elements that compare equal lie in its order afterwards, which data of
// programs show. Introsort (Musser, 1997) with the median of three behind the first, insertion below 16; heaps by Floyd's sifting.
#pragma once
#include <__algorithm/iter_swap.h>
#include <__algorithm/move_backward.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__utility/move.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Less> struct __gnu_order {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  typedef typename iterator_traits<_Iterator>::value_type _Value;
  static constexpr _Distance __threshold = 16;

  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __push(_Iterator __first, _Distance __hole, _Distance __top, _Value __value, _Less &__less) {
    for (_Distance __parent = (__hole - 1) / 2; __hole > __top && __less(__first[__parent], __value); __parent = (__hole - 1) / 2) {
      __first[__hole] = std::move(__first[__parent]);
      __hole = __parent;
    }
    __first[__hole] = std::move(__value);
  }
  // The hole goes down to a leaf along the larger children, the value up from there.
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __adjust(_Iterator __first, _Distance __hole, _Distance __count, _Value __value, _Less &__less) {
    const _Distance __top = __hole;
    _Distance __child = __hole;
    while (__child < (__count - 1) / 2) {
      __child = 2 * (__child + 1);
      if (__less(__first[__child], __first[__child - 1])) --__child;
      __first[__hole] = std::move(__first[__child]);
      __hole = __child;
    }
    if (__count % 2 == 0 && __child == (__count - 2) / 2) {
      __child = 2 * __child + 1;
      __first[__hole] = std::move(__first[__child]);
      __hole = __child;
    }
    __push(__first, __hole, __top, std::move(__value), __less);
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __make(_Iterator __first, _Iterator __last, _Less &__less) {
    const _Distance __count = __last - __first;
    for (_Distance __parent = (__count - 2) / 2; __count >= 2 && __parent >= 0; --__parent) {
      _Value __value = std::move(__first[__parent]);
      __adjust(__first, __parent, __count, std::move(__value), __less);
    }
  }
  // The largest one to `__to`, whose element goes into the heap.
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __pop(_Iterator __first, _Iterator __last, _Iterator __to, _Less &__less) {
    _Value __value = std::move(*__to);
    *__to = std::move(*__first);
    __adjust(__first, 0, __last - __first, std::move(__value), __less);
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __sort_heap(_Iterator __first, _Iterator __last, _Less &__less) {
    while (__last - __first > 1) {
      --__last;
      __pop(__first, __last, __last, __less);
    }
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __select(_Iterator __first, _Iterator __middle, _Iterator __last, _Less &__less) {
    __make(__first, __middle, __less);
    for (_Iterator __at = __middle; __at < __last; ++__at)
      if (__less(*__at, *__first)) __pop(__first, __middle, __at, __less);
  }

  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __insert(_Iterator __at, _Less &__less) {
    _Value __value = std::move(*__at);
    for (_Iterator __before = __at - 1; __less(__value, *__before); --__before) {
      *__at = std::move(*__before);
      __at = __before;
    }
    *__at = std::move(__value);
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __insertion(_Iterator __first, _Iterator __last, _Less &__less) {
    if (__first == __last) return;
    for (_Iterator __at = __first + 1; __at != __last; ++__at) {
      if (__less(*__at, *__first)) {
        _Value __value = std::move(*__at);
        std::move_backward(__first, __at, __at + 1);
        *__first = std::move(__value);
      } else {
        __insert(__at, __less);
      }
    }
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator __partition(_Iterator __first, _Iterator __last, _Less &__less) {
    const _Iterator __a = __first + 1, __b = __first + (__last - __first) / 2, __c = __last - 1;
    if (__less(*__a, *__b)) std::iter_swap(__first, __less(*__b, *__c) ? __b : __less(*__a, *__c) ? __c : __a);
    else std::iter_swap(__first, __less(*__a, *__c) ? __a : __less(*__b, *__c) ? __c : __b);
    for (_Iterator __low = __first + 1, __high = __last;; ++__low) {
      while (__less(*__low, *__first)) ++__low;
      --__high;
      while (__less(*__first, *__high)) --__high;
      if (!(__low < __high)) return __low;
      std::iter_swap(__low, __high);
    }
  }
  static constexpr int __depth(_Distance __count) { return __count > 1 ? 2 + __depth(__count / 2) : 0; }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __intro(_Iterator __first, _Iterator __last, int __depth, _Less &__less) {
    while (__last - __first > __threshold) {
      if (__depth-- == 0) {
        __make(__first, __last, __less);
        __sort_heap(__first, __last, __less);
        return;
      }
      const _Iterator __cut = __partition(__first, __last, __less);
      __intro(__cut, __last, __depth, __less);
      __last = __cut;
    }
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __sort(_Iterator __first, _Iterator __last, _Less &__less) {
    __intro(__first, __last, __depth(__last - __first), __less);
    if (__last - __first <= __threshold) return __insertion(__first, __last, __less);
    __insertion(__first, __first + __threshold, __less);
    for (_Iterator __at = __first + __threshold; __at != __last; ++__at) __insert(__at, __less);
  }
  static _LIBCPP_CONSTEXPR_SINCE_CXX20 void __nth(_Iterator __first, _Iterator __nth, _Iterator __last, _Less &__less) {
    if (__nth == __last) return;
    for (int __depth = __gnu_order::__depth(__last - __first); __last - __first > 3;) {
      if (__depth-- == 0) {
        __select(__first, __nth + 1, __last, __less);
        std::iter_swap(__first, __nth);
        return;
      }
      const _Iterator __cut = __partition(__first, __last, __less);
      (__cut <= __nth ? __first : __last) = __cut;
    }
    __insertion(__first, __last, __less);
  }
};

_LIBCPP_END_NAMESPACE_STD
