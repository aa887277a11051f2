// Arrays of a thread's own whose elements a loop's counter chooses: nvcc writes such loops out whole up to seven times the size of others
// (frontend/passes/arrayLoops.ts), and the arrays need no memory (machine code of nvcc 13.0 -O3 -arch=sm_90: no LDL, no STL, in `mixes` and `sorts`,
// 16 of 16 bytes in `hashes`, whose rotations are three instructions each to nvcc).
// levels: 2
// stdout: 3077912597 3170 4950 2148082517 no error
// count: mixes local load executed = 0
// count: mixes local store executed = 0
// count: sorts local load executed = 0
// count: twice local load executed = 0
// count: twice local store executed = 0
// count: hashes local load executed = 16
// count: hashes local store executed = 16
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

#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))
__constant__ unsigned k[64];
__global__ void hashes(unsigned *o, const unsigned *x) {
  unsigned m[64], a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  int i;
  for (i = 0; i < 16; ++i) m[i] = x[threadIdx.x * 16 + i];
  for (; i < 64; ++i)
    m[i] = (ROTATE(m[i - 2], 17) ^ ROTATE(m[i - 2], 19) ^ m[i - 2] >> 10) + m[i - 7] +
           (ROTATE(m[i - 15], 7) ^ ROTATE(m[i - 15], 18) ^ m[i - 15] >> 3) + m[i - 16];
  for (i = 0; i < 64; ++i) {
    unsigned t = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + m[i];
    unsigned u = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
  }
  o[threadIdx.x] = a + b + c + d + e + f + g + h;
}

// Two rounds, which LLVM tells apart by a bit.
struct Four { float v[4]; };
__global__ void twice(float *o, const float *x) {
  Four a[2], b[2];
  for (int k = 0; k < 2; ++k) a[k] = *(const Four *)&x[(k * 32 + threadIdx.x) * 4];
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 4; ++i) b[k].v[i] = expf(a[k].v[i]) * erff(a[k].v[i]);
  for (int k = 0; k < 2; ++k) *(Four *)&o[(k * 32 + threadIdx.x) * 4] = b[k];
}

int main() {
  unsigned h[512], *o, *a;
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&a, sizeof h);
  for (int k = 0; k < 512; k++) h[k] = k * 2654435761u;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>((float *)o, (const float *)a);
  void (*kernels[])(unsigned *, const unsigned *) = {mixes, sorts, adds, hashes};
  for (auto kernel : kernels) {
    kernel<<<1, 32>>>(o, a);
    cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int k = 0; k < 32; k++) sum += kernel == adds ? h[k] / 32 : h[k];
    printf("%u ", kernel == adds ? h[0] : sum);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
