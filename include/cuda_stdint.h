/* The C library's <stdint.h> by the name that CUDA gives it. */
#include <stdint.h>
