/* The part of the driver API's header that programs of the runtime API use: version, handles, result codes, questions about
   the device (warplens/driver_queries.h), contexts, memory, streams and events (warplens/driver_memory.h), what addresses belong to
   (warplens/driver_pointers.h), addresses and memory apart (warplens/driver_virtual_memory.h), modules and launches (warplens/driver_modules.h), arrays, textures and
   copies of boxes (warplens/driver_arrays.h), pools of memory (warplens/driver_pools.h), values that streams write and wait for
   (warplens/driver_stream_values.h), graphs and captures (warplens/driver_graphs.h). A program that calls another function of the driver API is told that it is not supported. */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#if defined(__cplusplus)
/* Programs include it within extern "C", as NVIDIA's header allows: what it brings has templates. */
extern "C++" {
#endif

#include <stddef.h>
#include <stdint.h>
#include <warplens/driver_errors.h>

#define CUDA_VERSION 12080

typedef int CUdevice;
typedef size_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
#define __WARPLENS_ERROR(name, number) CUDA_ERROR_##name = number,
  __WARPLENS_DRIVER_ERRORS(__WARPLENS_ERROR)
#undef __WARPLENS_ERROR
} CUresult;

/* Descriptors for the tensor memory accelerator, as programs name them (CUTLASS's headers do, whether they use them or not). */
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUtensorMap_st {
  __attribute__((aligned(128))) cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

#include "warplens/driver_arrays.h"
#include "warplens/driver_modules.h"
#include "warplens/driver_pointers.h"
#include "warplens/driver_virtual_memory.h"
#include "warplens/driver_pools.h"
#include "warplens/driver_stream_values.h"
#include "warplens/driver_graphs.h"

#if defined(__cplusplus)
}
#endif

#endif
