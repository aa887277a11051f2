/* NVTX version 3 keeps its headers in this folder. (No `..` in the path: the compiler's file system ignores it.) */
#include <nvToolsExtCuda.h>
