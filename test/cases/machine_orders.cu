// Loads of shared memory around an atomic of global memory: joined across atomicAdd, not across cuda::atomic, which orders them. Counts are
// those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 5 5 6
// count: plain shared load executed = 1
// count: ordered shared load executed = 2
// count: known shared load executed = 2
#include <cstdio>
#include <cuda/atomic>

#define KERNEL(name, ...) \
  __global__ void name(int *o, int *g) { \
    __shared__ int s[64]; \
    int t = threadIdx.x; \
    s[t] = t; \
    s[t + 32] = t + 32; \
    __syncthreads(); \
    __VA_ARGS__ \
  }
KERNEL(plain, int x = s[2 * t]; atomicAdd(g, 1); o[t] = x + s[2 * t + 1];)
KERNEL(ordered, int x = s[2 * t]; cuda::atomic_ref<int, cuda::thread_scope_device>(*g).fetch_add(1); o[t] = x + s[2 * t + 1];)
// The same word: loaded again.
KERNEL(known, int x = s[t ^ 1]; cuda::atomic_ref<int, cuda::thread_scope_device>(*g).fetch_add(1); o[t] = x + s[t ^ 1];)

int main() {
  int *o, *g;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&g, 4);
  *g = 0;
  plain<<<1, 32>>>(o, g);
  cudaDeviceSynchronize();
  printf("%d", o[1]);
  ordered<<<1, 32>>>(o, g);
  cudaDeviceSynchronize();
  printf(" %d", o[1]);
  known<<<1, 32>>>(o, g);
  cudaDeviceSynchronize();
  printf(" %d\n", o[2]);
}
