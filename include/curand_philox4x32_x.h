/* Kept for programs that include it by name; its contents come with curand_kernel.h. */
#include <curand_kernel.h>
