/* A name that programs include. What CUDA has here, cuda_runtime.h brings. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif
