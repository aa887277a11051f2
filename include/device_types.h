/* A name that programs include. What CUDA has here, cuda_runtime.h brings. */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include <cuda_runtime.h>

#endif
