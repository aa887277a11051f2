/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif
