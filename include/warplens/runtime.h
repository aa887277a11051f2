/* What every CUDA translation unit sees before its first line, as nvcc includes cuda_runtime.h: keywords, built-in variables,
   vector types, the runtime API, device functions, mathematics. Forced in by src/frontend/building/commandFlags.ts.
   The order matters: device overloads of C library functions must be declared before the C++ library captures their names
   with using-declarations, and be defined after it has defined the host's. */
#ifndef WARPLENS_RUNTIME_H
#define WARPLENS_RUNTIME_H

#include <warplens/keywords.h>
#if defined(__cplusplus)
/* Before any <new>. */
#include <warplens/host_new.h>
#endif

#if defined(__cplusplus) && defined(__CUDA__)
#include <warplens/builtin_variables.h>
/* pow(float, int) is a double and pow(double, int) no product, as in C++ since 2011 and with nvcc. Clang has functions of an int of its own, the
   first of them a float: they get a parameter that nobody gives. */
#define pow(base, exponent) __WARPLENS_POW_##exponent(base)
#define __WARPLENS_POW_double(base) pow(base, double)
#define __WARPLENS_POW_float(base) pow(base, float)
#define __WARPLENS_POW_int(base) pow(base, int, struct __warplens_never *)
#include <__clang_cuda_math_forward_declares.h>
#undef pow
#undef __WARPLENS_POW_double
#undef __WARPLENS_POW_float
#undef __WARPLENS_POW_int
/* <new> defines the device's operator new with them. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__ bytes) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
}
#include <warplens/device_throws.h>
/* nvcc's headers bring these in; public programs rely on it. */
#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>
/* std::min and std::max, which other C++ libraries bring in with <cmath>. */
#include <__algorithm/max.h>
#include <__algorithm/min.h>
#endif

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <warplens/initialize_array.h>
#include <warplens/argument_order.h>
#include <cuda_device_runtime_api.h>

/* clang lowers <<<>>> to this call, whose last two arguments have defaults, then to a stub that calls cudaLaunchKernel. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0, struct CUstream_st *stream = 0);

/* Conversions of the built-in variables, to types that are defined by now. */
#define __WARPLENS_BUILTIN_VARIABLE(name)                                                                                  \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); }                            \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
__WARPLENS_BUILTIN_VARIABLE(threadIdx)
__WARPLENS_BUILTIN_VARIABLE(blockIdx)
__WARPLENS_BUILTIN_VARIABLE(blockDim)
__WARPLENS_BUILTIN_VARIABLE(gridDim)
#undef __WARPLENS_BUILTIN_VARIABLE

#include <warplens/device_library.h>
#include <warplens/device_sync.h>
#include <warplens/device_cluster.h>
#include <warplens/device_warp.h>
#include <warplens/device_atomic.h>
#include <warplens/device_atomic_orders.h>
#include <warplens/device_memory.h>
#include <warplens/device_integer.h>
#include <warplens/device_simd.h>
#include <warplens/device_dpx.h>
#include <warplens/device_math_exact.h>
#if __has_include(<warplens/math/device_math.h>)
#include <warplens/math/device_math.h>
#endif
/* Here, too, the functions of an int get a parameter that nobody gives (above). */
#define __iexp __iexp, struct __warplens_never *
#define powi(base, exponent) pow(base, 0.0)
#define powif(base, exponent) powf(base, 0.0f)
#include <__clang_cuda_cmath.h>
#undef __iexp
#undef powi
#undef powif
#include <warplens/device_minmax.h>
/* What products and quotients of complex numbers call. */
#define __nv_logb ::logb
#define __nv_logbf ::logbf
#define __nv_scalbn ::scalbn
#define __nv_scalbnf ::scalbnf
#include <__clang_cuda_complex_builtins.h>
#undef __nv_logb
#undef __nv_logbf
#undef __nv_scalbn
#undef __nv_scalbnf
#include <warplens/device_texture.h>
#include <warplens/device_surface.h>
#ifdef WARPLENS_FIRST_NAMES
#include <warplens/device_first_names.h>
#endif
#endif

#endif
