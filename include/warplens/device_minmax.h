/* min and max in the global namespace, on both sides as nvcc has them, with CUDA's promotions of mixed types.
   Source: CUDA Math API, "Integer Mathematical Functions" and the mixed overloads of min and max. */
#ifndef WARPLENS_DEVICE_MINMAX_H
#define WARPLENS_DEVICE_MINMAX_H

#define __WARPLENS_MINMAX(result, left, right)                                                                             \
  __WARPLENS_HOST_DEVICE__ result min(left a, right b) { return (result)a < (result)b ? (result)a : (result)b; }           \
  __WARPLENS_HOST_DEVICE__ result max(left a, right b) { return (result)a > (result)b ? (result)a : (result)b; }
#define __WARPLENS_MINMAX_MIXED(result, left, right)                                                                       \
  __WARPLENS_MINMAX(result, left, right)                                                                                   \
  __WARPLENS_MINMAX(result, right, left)
__WARPLENS_MINMAX(int, int, int)
__WARPLENS_MINMAX(unsigned, unsigned, unsigned)
__WARPLENS_MINMAX(long, long, long)
__WARPLENS_MINMAX(unsigned long, unsigned long, unsigned long)
__WARPLENS_MINMAX(long long, long long, long long)
__WARPLENS_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__WARPLENS_MINMAX_MIXED(unsigned, int, unsigned)
__WARPLENS_MINMAX_MIXED(unsigned long, long, unsigned long)
__WARPLENS_MINMAX_MIXED(unsigned long long, long long, unsigned long long)
#undef __WARPLENS_MINMAX_MIXED
#undef __WARPLENS_MINMAX
__WARPLENS_HOST_DEVICE__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__WARPLENS_HOST_DEVICE__ unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__WARPLENS_HOST_DEVICE__ long long llmin(long long a, long long b) { return a < b ? a : b; }
__WARPLENS_HOST_DEVICE__ long long llmax(long long a, long long b) { return a > b ? a : b; }
__WARPLENS_HOST_DEVICE__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__WARPLENS_HOST_DEVICE__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

/* Floating point: a NaN operand gives the other one, as fmin and fmax. */
__WARPLENS_HOST_DEVICE__ float min(float a, float b) { return __builtin_fminf(a, b); }
__WARPLENS_HOST_DEVICE__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
__WARPLENS_HOST_DEVICE__ double min(double a, double b) { return __builtin_fmin(a, b); }
__WARPLENS_HOST_DEVICE__ double max(double a, double b) { return __builtin_fmax(a, b); }
__WARPLENS_HOST_DEVICE__ double min(float a, double b) { return __builtin_fmin(a, b); }
__WARPLENS_HOST_DEVICE__ double max(float a, double b) { return __builtin_fmax(a, b); }
__WARPLENS_HOST_DEVICE__ double min(double a, float b) { return __builtin_fmin(a, b); }
__WARPLENS_HOST_DEVICE__ double max(double a, float b) { return __builtin_fmax(a, b); }

#endif
