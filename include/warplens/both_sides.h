/* nvcc does not look at the host's functions while it compiles the device's, nor at the device's while it compiles the host's; clang looks
   at all. Where a condition on __CUDA_ARCH__ makes a type one class for the device and another for the host (CGBN), each side's functions
   would call what is the other one's: the other side's are both sides' here, and who calls them is never run. A call that is a mistake stays
   one, on the side that it runs on. Read where clang tells of such calls (src/frontend/building/attempts.ts). */
#ifdef __CUDA_ARCH__
#undef __device__
#define __device__ __attribute__((device)) __attribute__((host))
#else
#undef __host__
#define __host__ __attribute__((host)) __attribute__((device))
#endif
