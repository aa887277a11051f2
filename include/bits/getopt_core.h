/* The GNU C library keeps getopt itself here, which some programs include. */
#pragma once
#include <getopt.h>
