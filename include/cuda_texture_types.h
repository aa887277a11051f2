/* Kept for programs that include it by name: CUDA had it until 12. */
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__
#include <cuda_runtime.h>
#endif
