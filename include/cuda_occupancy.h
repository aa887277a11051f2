/* A name that Thrust includes. The runtime's occupancy functions are in cuda_runtime_api.h; the stand-alone calculator
   (cudaOccMaxActiveBlocksPerMultiprocessor and its like) is not provided. */
#ifndef __CUDA_OCCUPANCY_H__
#define __CUDA_OCCUPANCY_H__

#include <cuda_runtime.h>

#endif
