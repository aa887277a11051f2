/* Kept for programs that include it by name; its contents come with every CUDA program. */
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#include <cuda_runtime.h>
#endif
