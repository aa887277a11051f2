// Tiles of several warps without block_tile_memory: from compute capability 8.0 on each block has memory that the system reserves, which
// is neither static nor dynamic, and leaves the others where they are. %total_smem_size is in pieces of 128 bytes (PTX ISA).
// stdout: 256 2 32640 32640
// stdout: 64 4 2016 18400
// stdout: 120 496
// stdout: static 544, 1536 of dynamic; at 0, 512, 640 + 160: sum 24512
// stdout: 3 blocks, 3 without tiles
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

template <int Size> __global__ void sums(int *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum % 100000;
}
__global__ void scans(int *out) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, (int)tile.thread_rank());
}

extern __shared__ int dynamic[];
template <bool hasTiles> __global__ void beside(int *out) {
  __shared__ int few[3];
  __shared__ alignas(512) int many[8];
  few[threadIdx.x % 3] = many[threadIdx.x % 8] = 1;
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int value = dynamic[blockDim.x - 1 - threadIdx.x] + few[threadIdx.x % 3] + many[threadIdx.x % 8];
  if constexpr (hasTiles) value = cg::reduce(cg::tiled_partition<128>(cg::this_thread_block()), value, cg::plus<int>());
  unsigned dynamicBytes, total;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamicBytes));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  if (threadIdx.x == 0) {
    int ofStatic = total - dynamicBytes, at = (int)__cvta_generic_to_shared(dynamic);
    printf("%d of dynamic; at %d, %d, %d + %d: ", dynamicBytes, (int)__cvta_generic_to_shared(few),
           (int)__cvta_generic_to_shared(many), ofStatic, at - ofStatic);
    *out = value;
  }
}
template <bool hasTiles> int blocks() {
  int resident;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, beside<hasTiles>, 512, 228 * 1024 / 3 - 1024 - 544);
  return resident;
}

int main() {
  int *out, host[128];
  cudaMallocManaged(&out, sizeof host);
  sums<256><<<1, 512>>>(out);
  cudaDeviceSynchronize();
  printf("256 2 %d %d\n", out[0], out[1] - 256 * 256);
  sums<64><<<1, 256>>>(out);
  cudaDeviceSynchronize();
  printf("64 4 %d %d\n", out[0], out[3] + 4096);
  scans<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[15], out[64 + 31]);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, beside<true>);
  printf("static %d, ", (int)attributes.sharedSizeBytes);
  beside<true><<<1, 256, 1536>>>(out);
  cudaDeviceSynchronize();
  printf("sum %d\n", *out - 2 * 128);
  printf("%d blocks, %d without tiles\n", blocks<true>(), blocks<false>());
}
