/* Where CUDA's own <cooperative_groups/scan.h> has its functions; programs include it by this name too. */
#include <cooperative_groups/scan.h>
