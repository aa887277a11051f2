/* A folder of CUDA that programs name. What CUDA has here is part of mma.h. */
#include <mma.h>
