/* NVTX: names for what CUDA's driver API makes, which is not supported (cuda.h): the header is there for programs that
   include it beside nvToolsExtCudaRt.h. */
#ifndef WARPLENS_NV_TOOLS_EXT_CUDA_H
#define WARPLENS_NV_TOOLS_EXT_CUDA_H

#include <nvToolsExt.h>

#endif
