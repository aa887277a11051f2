/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __SM_13_DOUBLE_FUNCTIONS_H__
#define __SM_13_DOUBLE_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif
