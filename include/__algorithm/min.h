// std::min of a program's size_t, which has 8 bytes, and the C++ library's (src/frontend/sizes/wideSizes.ts).
#pragma once
#include_next <__algorithm/min.h>
#ifdef __CUDA__
#define __WARPLENS_BOTH __attribute__((host)) __attribute__((device))
#else
#define __WARPLENS_BOTH
#endif
/* Programs have a macro of that name. */
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD
__WARPLENS_BOTH constexpr unsigned long long min(unsigned long long __a, __SIZE_TYPE__ __b) { return __a < __b ? __a : __b; }
__WARPLENS_BOTH constexpr unsigned long long min(__SIZE_TYPE__ __a, unsigned long long __b) { return __a < __b ? __a : __b; }
_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS
#undef __WARPLENS_BOTH
