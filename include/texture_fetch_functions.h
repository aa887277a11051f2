/* Kept for programs that include it by name; its contents come with every CUDA program. */
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#include <cuda_runtime.h>
#endif
