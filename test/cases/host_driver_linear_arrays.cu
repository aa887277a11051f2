// Arrays of one row in the driver API: into, between and out of them; a context's preference of L1 or shared memory. A header
// that CUDA has in a folder of details.
// stdout: hello, 0 of 0, scanned 6
#include <cooperative_groups.h>
#include <cooperative_groups/details/scan.h>
#include <cstdio>
#include <cuda.h>
namespace cg = cooperative_groups;
__global__ void scan(int *sum) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int scanned = cg::inclusive_scan(tile, (int)tile.thread_rank());
  if (tile.thread_rank() == 3) *sum = scanned;
}
int main() {
  CUdevice device;
  CUcontext context;
  cuInit(0), cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&context, device), cuCtxSetCurrent(context);
  CUDA_ARRAY_DESCRIPTOR form = {16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray one, other;
  cuArrayCreate(&one, &form), cuArrayCreate(&other, &form);
  char in[16] = "hello", out[16] = {};
  cuMemcpyHtoAAsync(one, 0, in, 16, nullptr);
  cuMemcpyAtoA(other, 2, one, 0, 6);
  cuMemcpyAtoHAsync(out, other, 2, 6, nullptr);
  cuStreamSynchronize(nullptr);
  CUfunc_cache preferred = CU_FUNC_CACHE_PREFER_EQUAL;
  int result = cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE);
  cuCtxGetCacheConfig(&preferred);
  int *sum;
  cudaMallocManaged(&sum, sizeof *sum);
  scan<<<1, 4>>>(sum);
  cudaDeviceSynchronize();
  printf("%s, %d of %d, scanned %d\n", out, preferred, result, *sum);
}
