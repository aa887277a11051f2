/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include <cuda_runtime.h>

#endif
