/* NVTX: names for what CUDA's runtime makes. As nvToolsExt.h: without effect. Source: NVTX 3 C API documentation. */
#ifndef WARPLENS_NV_TOOLS_EXT_CUDA_RT_H
#define WARPLENS_NV_TOOLS_EXT_CUDA_RT_H

#include <cuda_runtime_api.h>
#include <nvToolsExt.h>
#include <wchar.h>

static inline void nvtxNameCudaDeviceA(int device, const char *name) {}
static inline void nvtxNameCudaDeviceW(int device, const wchar_t *name) {}
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char *name) {}
static inline void nvtxNameCudaStreamW(cudaStream_t stream, const wchar_t *name) {}
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char *name) {}
static inline void nvtxNameCudaEventW(cudaEvent_t event, const wchar_t *name) {}

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
