/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif
