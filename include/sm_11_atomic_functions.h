/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __SM_11_ATOMIC_FUNCTIONS_H__
#define __SM_11_ATOMIC_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif
