/* Part of cuda_fp8.h here. */
#include <cuda_fp8.h>
