/* CUDA's keywords as clang's attributes, and the macros that tell a program which compiler it meets.
   Included first by warplens/runtime.h; usable in plain C and C++ too, where everything but the spelling vanishes. */
#ifndef WARPLENS_KEYWORDS_H
#define WARPLENS_KEYWORDS_H

#define __WARPLENS__ 1
/* Thrust takes the keywords away before it includes a header of CUDA's, unless this one has been. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__
#endif

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
/* clang keeps what has an annotation, though nothing reads it in the end (frontend/passes/keepShared.ts). */
#define __wl_kept_ __attribute__((shared, annotate("warplens.kept")))
/* In front of a loop: it is not to be written out (frontend/passes/markedLoops.ts). */
#define __wl_stays _Pragma("unroll 1")
/* It is to be written out whole. */
#define __wl_whole _Pragma("unroll")
/* clang takes `__device__ const` variables for __constant__ ones; nvcc has them in global memory. The annotation tells. */
#define __constant__ __attribute__((constant, annotate("warplens.constant")))
/* clang knows managed variables for HIP only. The annotation tells later stages which device variables are managed. */
#define __managed__ __attribute__((device, annotate("warplens.managed")))
/* clang on the host side ends with an error of its own at the third number, blocks in a cluster; the bounds are the device's. */
#ifdef __CUDA_ARCH__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __launch_bounds__(...)
#endif
/* Blocks of a cluster along each axis, which launches of the kernel then have (src/ir/read.ts). */
#define __cluster_dims__(...) __attribute__((annotate("warplens.cluster", __VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
/* Of members that are declared without words and defined with __device__ (src/frontend/repairs/redeclaredFunctions.ts): the host has them where it
   uses them, since what they call may be the device's alone. */
#ifdef __CUDA_ARCH__
#define __WARPLENS_REDECLARED__ __attribute__((host, device))
#else
#define __WARPLENS_REDECLARED__ __attribute__((host, device)) __inline__
#endif
/* What `static` inline device functions of ours are. `nodebug` gives an inlined instruction the line of the user's call. */
#define __WARPLENS_DEVICE__ static __inline__ __attribute__((device, always_inline, nodebug, unused))
/* Of one instruction on the machine, or a few: its name stays known (src/metrics/instructions/integerIntrinsics.ts). */
#define __WARPLENS_INTRINSIC__ static __inline__ __attribute__((device, always_inline, unused))
#define __WARPLENS_MEMBER__ __inline__ __attribute__((device, always_inline, nodebug))
#define __WARPLENS_BOTH_MEMBER__ __inline__ __attribute__((host, device, always_inline, nodebug))
#define __WARPLENS_LAMBDA__ __attribute__((device, always_inline))
#define __WARPLENS_HOST_DEVICE__ static __inline__ __attribute__((host, device, always_inline, nodebug, unused))

/* What host code gets where it asks for the address of the device's (src/frontend/repairs/repairAddresses.ts): nothing is there. */
#define __WARPLENS_DEVICE_FUNCTION__(...) (*(decltype(__VA_ARGS__) *)0x7ffffff0u)

/* The compiler that a program believes to meet: nvcc 12.8. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __nv_is_extended_device_lambda_closure_type(T) false
#define __nv_is_extended_host_device_lambda_closure_type(T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) false
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#endif

/* nvcc too optimises such a function before it puts it in its callers, which always_inline would not (frontend/building/commands.ts). */
#define __forceinline__ __inline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __location__(a) __attribute__((a))
#define __maxnreg__(...)
#define __block_size__(...)
#define __nv_pure__ __attribute__((pure))
#define __thread__ __thread
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif
