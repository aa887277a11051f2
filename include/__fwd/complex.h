// Only <complex> declares std::complex, as in the GNU C++ library: programs that are `using namespace std` have one of their own.
#pragma once
#include <__config>
#if _LIBCPP_STD_VER >= 26
#include_next <__fwd/complex.h>
#endif
