/* The CUDA runtime as programs include it. In a CUDA translation unit warplens/runtime.h came first and this adds nothing;
   a plain C or C++ file gets the types and the host API. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <warplens/keywords.h>
#include <cuda_runtime_api.h>
#include <vector_functions.h>

#endif
