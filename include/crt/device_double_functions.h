/* A folder of CUDA that programs name. What CUDA has here, cuda_runtime.h brings. */
#include <cuda_runtime.h>
