/* Where CUDA's own <cooperative_groups/reduce.h> has its functions; programs include it by this name too. */
#include <cooperative_groups/reduce.h>
