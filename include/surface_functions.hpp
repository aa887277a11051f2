/* Kept for programs that include it by name; its contents come with every CUDA program. */
#include <cuda_runtime.h>
