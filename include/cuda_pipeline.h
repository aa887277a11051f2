/* Asynchronous copies from global to shared memory, the C interface. A copy happens at once; committing and waiting do nothing
   for the thread itself. The machine has one instruction for copies of 4, 8 and 16 bytes (PTX, cp.async).
   Source: CUDA C++ Programming Guide, "Asynchronous Data Copies", pipeline primitives. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <cuda_runtime.h>

#if defined(__CUDA__)
#include <warplens/async_copy.h>

__WARPLENS_DEVICE__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeroed = 0) {
  if (bytes == 16) __warplens::copyAsync<16>(to, from, 16 - zeroed);
  else if (bytes == 8) __warplens::copyAsync<8>(to, from, 8 - zeroed);
  else if (bytes == 4) __warplens::copyAsync<4>(to, from, 4 - zeroed);
}
__WARPLENS_DEVICE__ void __pipeline_commit() {}
__WARPLENS_DEVICE__ void __pipeline_wait_prior(size_t groups) { __warplens::waitForCopies((unsigned)groups); }
#endif

#endif
