// Copies from global to shared memory past the registers: whole, in part, by groups; what they leave and what they count.
// stdout: whole 496 1520 2544, part 6 120 352, group 8128 8128, bytes 496
// count: wholeCopies global load executed = 3
// count: wholeCopies global load sectors = 28
// count: wholeCopies shared store executed = 3
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void wholeCopies(const int *in, int *out) {
  __shared__ alignas(16) int a[32], b[64], c[128];
  unsigned lane = threadIdx.x;
  __pipeline_memcpy_async(a + lane, in + lane, 4);
  __pipeline_memcpy_async(b + 2 * lane, in + 2 * lane, 8);
  __pipeline_memcpy_async(c + 4 * lane, in + 4 * lane, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  atomicAdd(out, a[lane]);
  atomicAdd(out + 1, b[lane + 32]);
  atomicAdd(out + 2, c[lane + 64]);
}
__global__ void partCopies(const int *in, int *out) {
  __shared__ alignas(16) int a[128];
  unsigned lane = threadIdx.x;
  for (int i = lane; i < 128; i += 32) a[i] = -1;
  __syncthreads();
  __pipeline_memcpy_async(a + 4 * lane, in + 4 * lane, 16, lane == 0 ? 0 : lane < 4 ? 4 * lane : 16);
  __pipeline_wait_prior(0);
  __syncthreads();
  atomicAdd(out + 3, lane < 4 ? a[lane] : 0);
  atomicAdd(out + 4, lane < 16 ? in[lane] + (a[lane + 16] & 0) : 0);
  atomicAdd(out + 5, lane >= 4 && lane < 16 ? a[lane] * 8 : lane == 16 ? a[16] + 8 * 0 : 0);
}
template <class T> __global__ void groupCopies(const T *in, int *out) {
  __shared__ T a[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, a, in, sizeof(T) * 128);
  cg::wait(block);
  for (int i = threadIdx.x; i < 128; i += 32) atomicAdd(out, (int)a[i]);
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 512);
  cudaMallocManaged(&out, 64);
  for (int i = 0; i < 128; i++) in[i] = i;
  for (int i = 0; i < 16; i++) out[i] = 0;
  wholeCopies<<<1, 32>>>(in, out);
  partCopies<<<1, 32>>>(in, out);
  groupCopies<int><<<1, 32>>>(in, out + 6);
  groupCopies<unsigned><<<1, 32>>>((const unsigned *)in, out + 7);
  groupCopies<unsigned char><<<1, 32>>>((const unsigned char *)in, out + 8);
  cudaDeviceSynchronize();
  printf("whole %d %d %d, part %d %d %d, group %d %d, bytes %d\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8]);
}
