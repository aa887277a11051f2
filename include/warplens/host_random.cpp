/* For programs without CUDA sources, whose headers do not bring it. */
#include <warplens/host_random.h>
