// What C++ leaves undefined and programs rely on: lanes that never set what they hand to a shuffle; functions that end
// without a return; host functions that read memory as another type, and let integers wrap.
// stdout: 499 of 1000 above, 501 not, lane 0 of every warp 32 times
// stdout: 1065353216 -2147483648, 502 not
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ unsigned broadcast(unsigned value) { return __shfl_sync(0xffffffffu, value, 0); }

__global__ void partition(const unsigned *in, unsigned length, unsigned *counts) {
  unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  if (t >= length) return;
  unsigned pivot = in[length / 2];
  cg::coalesced_group active = cg::coalesced_threads();
  unsigned above = active.ballot(in[t] > pivot);
  unsigned others = active.ballot(in[t] <= pivot);
  unsigned offset;
  if (threadIdx.x % 32 == 0) {
    if (above) offset = atomicAdd(&counts[0], __popc(above));
    if (others) offset = atomicAdd(&counts[1], __popc(others));
  }
  offset = active.shfl(offset, 0);
  if (offset > length) counts[2] = offset;
}

__global__ void once(unsigned *count) {
  unsigned ticket;
  if (threadIdx.x % 32 == 0) ticket = atomicAdd(count, 1);
  if (broadcast(ticket) > 1000) __trap();
}

__host__ __device__ int forgetful(int *value) { *value += 1; }

__global__ void forgets(int *values) { forgetful(values + threadIdx.x); }

int main() {
  unsigned *in, *counts;
  cudaMallocManaged(&in, 4000);
  cudaMallocManaged(&counts, 16);
  for (int i = 0; i < 1000; i++) in[i] = i * 7919u % 1000;
  for (int i = 0; i < 4; i++) counts[i] = 0;
  partition<<<4, 256>>>(in, 1000, counts);
  once<<<32, 32>>>(&counts[3]);
  cudaDeviceSynchronize();
  printf("%u of 1000 above, %u not, lane 0 of every warp %u times\n", counts[0], counts[1], counts[3]);

  float one = 1;
  int largest = 2147483646;
  forgetful(&largest);
  forgets<<<1, 4>>>((int *)counts);
  cudaDeviceSynchronize();
  printf("%d %d, %u not\n", *(int *)&one, largest + 1, counts[1]);
}
