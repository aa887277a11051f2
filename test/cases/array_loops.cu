// Arrays of a thread's own whose elements a loop's counter chooses: nvcc writes such loops out whole up to eight times the size of others
// (frontend/arrayLoops.ts), and the arrays need no memory (machine code of nvcc 13.0 -O3 -arch=sm_90: no LDL, no STL, in `mixes` and `sorts`).
// levels: 2
// stdout: 3077912597 3170 4950 no error
// count: mixes local load executed = 0
// count: mixes local store executed = 0
// count: sorts local load executed = 0
#include <cstdio>

__global__ void mixes(unsigned *o, const unsigned *a) {
  unsigned w[16], h = 0x6a09e667;
  for (int i = 0; i < 16; ++i) w[i] = a[threadIdx.x * 16 + i];
  for (int i = 0; i < 64; ++i) {
    h = (h << 5 | h >> 27) + w[i & 15];
    w[i & 15] ^= h;
  }
  o[threadIdx.x] = h;
}

__global__ void sorts(unsigned *o, const unsigned *a) {
  unsigned w[8];
  for (int i = 0; i < 8; ++i) w[i] = a[threadIdx.x * 8 + i] % 101;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 7; ++j)
      if (w[j] > w[j + 1]) {
        unsigned x = w[j];
        w[j] = w[j + 1];
        w[j + 1] = x;
      }
  o[threadIdx.x] = w[0] + w[7];
}

// An array that is not read between.
__global__ void adds(unsigned *o, const unsigned *a) {
  unsigned w[16], h = 0;
  for (int i = 0; i < 16; ++i) w[i] = a[i];
  for (int i = 0; i < 100; ++i) w[i & 15] += i;
  for (int i = 0; i < 16; ++i) h += w[i] - a[i];
  o[threadIdx.x] = h;
}

int main() {
  unsigned h[512], *o, *a;
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&a, sizeof h);
  for (int k = 0; k < 512; k++) h[k] = k * 2654435761u;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  void (*kernels[])(unsigned *, const unsigned *) = {mixes, sorts, adds};
  for (auto kernel : kernels) {
    kernel<<<1, 32>>>(o, a);
    cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int k = 0; k < 32; k++) sum += kernel == adds ? h[k] / 32 : h[k];
    printf("%u ", kernel == adds ? h[0] : sum);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
