/* NVTX version 3 keeps its headers in this folder. */
#include "../nvToolsExt.h"
