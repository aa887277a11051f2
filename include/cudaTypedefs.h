/* Types of the driver API's functions, of which there are none: those that CUTLASS's headers name. */
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H
#include "cuda.h"

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t rank, void *address,
                                                      const cuuint64_t *dimensions, const cuuint64_t *strides, const cuuint32_t *box,
                                                      const cuuint32_t *elementStrides, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t rank, void *address,
                                                       const cuuint64_t *dimensions, const cuuint64_t *strides,
                                                       const int *lowerCorner, const int *upperCorner, cuuint32_t channels,
                                                       cuuint32_t pixels, const cuuint32_t *elementStrides, CUtensorMapInterleave,
                                                       CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
#define PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000
#define PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000

#endif
