/* cuSOLVER's dense part: factors, linear systems, eigenvalues and singular values, over our own kernels
   (warplens/cusolver_kernels.h): results are right to rounding, the counters in reports are those of our kernels (named
   warplens::...), not of NVIDIA's. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#if defined(__cplusplus)
/* Programs include it within extern "C", as NVIDIA's header allows: what it brings has templates. */
extern "C++" {
#endif

#include <cusolver_common.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;

#if defined(__cplusplus) && defined(__CUDA__)
#include <warplens/cusolver_ranges.h>
#endif

#if defined(__cplusplus)
}
#endif

#endif
