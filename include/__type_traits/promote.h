// What mathematics makes of a program's `long` where it is apart from `long long` (include/warplens/apart_longs.h).
#pragma once
#ifdef WARPLENS_APART_LONGS
#include <__config>
_LIBCPP_BEGIN_NAMESPACE_STD
double __promote_impl(_BitInt(64));
double __promote_impl(unsigned _BitInt(64));
_LIBCPP_END_NAMESPACE_STD
#endif
#include_next <__type_traits/promote.h>
