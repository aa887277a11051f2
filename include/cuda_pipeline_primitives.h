/* A name that programs include. What CUDA has here, cuda_pipeline.h brings. */
#ifndef __CUDA_PIPELINE_PRIMITIVES_H__
#define __CUDA_PIPELINE_PRIMITIVES_H__

#include <cuda_pipeline.h>

#endif
