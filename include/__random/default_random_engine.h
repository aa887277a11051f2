// std::default_random_engine as with nvcc and the GNU C++ library: data that programs make have to be those of the machine.
#pragma once
#include <__config>
#include <__random/linear_congruential_engine.h>

_LIBCPP_BEGIN_NAMESPACE_STD
typedef minstd_rand0 default_random_engine;
_LIBCPP_END_NAMESPACE_STD
