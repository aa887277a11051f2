// How long fences take: of a block, of the device; with and without stores in flight. R rounds of each, warps and blocks vary.
#include <cstdio>
template <int KIND, bool STORES> __global__ void fences(float *out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v = t;
  for (int i = 0; i < rounds; i++) {
    v = v * 1.01f + 0.1f;
    if (STORES) out[t] = v;
    if (KIND == 0) __threadfence_block();
    if (KIND == 1) __threadfence();
    if (KIND == 2) __threadfence_system();
  }
  out[t] = v;
}
int main() {
  float *d; cudaMalloc(&d, 64 << 20);
  int shapes[][2] = {{1, 32}, {1, 128}, {1, 512}, {1, 1024}, {132, 32}, {132, 256}, {132, 1024}, {264, 1024}, {1056, 256}};
  for (auto &s : shapes) {
    fences<3, false><<<s[0], s[1]>>>(d, 1000);
    fences<0, false><<<s[0], s[1]>>>(d, 1000);
    fences<0, true><<<s[0], s[1]>>>(d, 1000);
    fences<1, false><<<s[0], s[1]>>>(d, 1000);
    fences<1, true><<<s[0], s[1]>>>(d, 1000);
    fences<2, false><<<s[0], s[1]>>>(d, 1000);
  }
  printf("%d\n", (int)cudaDeviceSynchronize());
}
