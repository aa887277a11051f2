/* The driver API's switches of the profiler, which `warplens profile` does not need: see cuda_profiler_api.h for the runtime's. */
#ifndef cuda_profiler_H
#define cuda_profiler_H

#include <cuda.h>

static inline CUresult cuProfilerStart(void) { return (CUresult)cudaProfilerStart(); }
static inline CUresult cuProfilerStop(void) { return (CUresult)cudaProfilerStop(); }

#endif
