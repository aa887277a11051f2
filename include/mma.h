/* nvcuda::wmma, matrices of a warp: CUDA C++ Programming Guide, "Warp Matrix Functions". The types are here, what moves and
   multiplies them in warplens/matrix_fragments.h. An element's lane and place in x[], and the loads and stores of each
   function, are those of sm_80 and later, read on an H200 (scripts/fidelity/cases/tensorCores.cu).
   Products of floats are added up one after the other, each with one rounding; the machine truncates sums of several. */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <warplens/matrix_fragments.h>
#endif

#endif
