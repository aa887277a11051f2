/* Asynchronous copies from global to shared memory, the C interface. A copy happens at once, as one load and one store of its
   size; committing and waiting have nothing left to do for the thread itself.
   Source: CUDA C++ Programming Guide, "Asynchronous Data Copies", pipeline primitives. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <cuda_runtime.h>

#if defined(__CUDA__)
__WARPLENS_DEVICE__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeroed = 0) {
  if (bytes == 16 && zeroed == 0) *(uint4 *)to = *(const uint4 *)from;
  else if (bytes == 8 && zeroed == 0) *(uint2 *)to = *(const uint2 *)from;
  else if (bytes == 4 && zeroed == 0) *(unsigned *)to = *(const unsigned *)from;
  else
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = i < bytes - zeroed ? ((const char *)from)[i] : 0;
}
__WARPLENS_DEVICE__ void __pipeline_commit() {}
__WARPLENS_DEVICE__ void __pipeline_wait_prior(size_t) {}
#endif

#endif
