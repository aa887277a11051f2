// Each lane stores to a place of its own, over and over, 1 to 1,056 words from the next: how fast sectors and lines go to L2 and, in
// the first round, from there to DRAM (blocks * 256 * rounds stores).
#include <cstdio>
#include <cuda_runtime.h>
template <int N> __global__ void own(float *d, int rounds, float a, int words) {
  float v = threadIdx.x; float *p = d + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * words;
  for (int r = 0; r < rounds; r++) {
    #pragma unroll
    for (int i = 0; i < N; i++) v = v * a + 1.5f;
    asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory");
  }
}
int main() {
  float *d; cudaMalloc(&d, (size_t)5 << 28);
  for (int words : {8, 32, 1024 + 32, 1}) for (int blocks : {132, 1056, 4224, 33792}) for (int rounds : {1, 8, 64}) {
    if (256.0 * blocks * rounds > 8e7 || 1024.0 * blocks * words > (5 << 28)) continue;
    own<64><<<blocks, 256>>>(d, rounds, 0.5f, words);
  }
  cudaDeviceSynchronize(); printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
