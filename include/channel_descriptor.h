/* A name that programs include. What CUDA has here, cuda_runtime.h brings. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include <cuda_runtime.h>

#endif
