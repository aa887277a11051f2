// Stores of the first lanes of warps to one place, over and over, with N dependent operations between; some warps share a line.
// Shows which stores leave a multiprocessor by themselves (lts__t_sectors_srcunit_tex_op_write against l1tex__t_sectors_…_op_st).
#include <cstdio>
#include <cuda_runtime.h>
template <int N> __global__ void same(float *d, int rounds, float a, int lanes, int share) {
  float v = threadIdx.x; int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32 / share;
  float *p = d + warp * 32 + threadIdx.x % 32;
  if (threadIdx.x % 32 >= lanes) return;
  for (int r = 0; r < rounds; r++) {
    #pragma unroll
    for (int i = 0; i < N; i++) v = v * a + 1.5f;
    asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory");
  }
}
int main() {
  float *d; cudaMalloc(&d, 1 << 26);
  for (int threads : {32, 256, 1024}) for (int lanes : {1, 4, 8, 32}) for (int share : {1, 2, 8}) {
    if (share * 32 > threads || (share > 1 && lanes == 4)) continue;
    same<64><<<132, threads>>>(d, 16, 0.5f, lanes, share);
  }
  cudaDeviceSynchronize(); printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
