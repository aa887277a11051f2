/* GCC's own <stdint.h>, which some programs include. */
#pragma once
#include <stdint.h>
