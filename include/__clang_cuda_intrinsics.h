/* clang's own, which editors that run clangd include by themselves: what it declares is there anyway. */
#include <cuda_runtime.h>
