// Loads of which a part is needed (analysis/joining/narrowLoads.ts): the sectors that the lanes' bytes would fill, by their width. One warp.
// Widths are those of the machine code of nvcc 13.0 -O3 -arch=sm_90.
// levels: 2
// stdout: 3136669094 1092934022 283232767 2474889800 921076632 921076632 3562207740 2722704424 1678020035 3222065644 601712972 150774604 617232688 236108079 449344305 3221078425 4038002039 813798979 no error
// count: byteOfWord global load sectorsIdeal = 1
// count: upperByte global load sectorsIdeal = 1
// count: middleByte global load sectorsIdeal = 1
// count: upperHalf global load sectorsIdeal = 2
// count: signedHalf global load sectorsIdeal = 2
// count: shifted global load sectorsIdeal = 2
// count: lowerWord global load sectorsIdeal = 4
// count: upperWord global load sectorsIdeal = 4
// count: index global load sectorsIdeal = 4
// count: longIndex global load sectorsIdeal = 8
// count: narrowSum global load sectorsIdeal = 1
// count: asItIs global load sectorsIdeal = 4
// count: storedShort global load sectorsIdeal = 2
// count: storedByte global load sectorsIdeal = 2
// count: twice global load sectorsIdeal = 4
// count: misaligned global load sectorsIdeal = 4
// count: vectors global load sectorsIdeal = 8
// count: inShared global load sectorsIdeal = 8
// count: inShared shared load bytes = 128
#include <cstdio>

#define KERNEL(name, ...) \
  __global__ void name(unsigned char *b, short *h, int *i, const unsigned *w, const long long *l, float *f, int n) { int t = threadIdx.x; __VA_ARGS__ }

KERNEL(byteOfWord, f[t] = w[t] & 255;)
KERNEL(upperByte, f[t] = w[t] >> 24;)
KERNEL(middleByte, f[t] = (w[t] >> 8) & 255;)
KERNEL(upperHalf, f[t] = w[t] >> 16;)
KERNEL(signedHalf, f[t] = (short)w[t];)
KERNEL(shifted, f[t] = (int)(w[t] << 16) >> 16;)
KERNEL(lowerWord, i[t] = l[t];)
KERNEL(upperWord, f[t] = (int)(l[t] >> 32);)
KERNEL(index, int q = l[t]; f[q] = q;)
KERNEL(longIndex, f[l[t + 32]] = 3;)
KERNEL(narrowSum, b[t] = w[t] + 3;)
KERNEL(asItIs, b[t] = w[t];)
KERNEL(storedShort, h[t] = l[t];)
KERNEL(storedByte, b[t] = l[t];)
KERNEL(twice, unsigned x = w[t]; f[t] = (x & 255) + (x >> 24);)
KERNEL(misaligned, f[t] = (w[t] >> 8) & 0xffff;)
KERNEL(vectors, const uint2 q = ((const uint2 *)w)[t]; f[t] = (q.x & 255) + (q.y >> 24);)
KERNEL(inShared, __shared__ long long y[32]; y[t] = l[t]; __syncthreads(); f[t] = (int)y[t ^ 1];)

void run(void (*kernel)(unsigned char *, short *, int *, const unsigned *, const long long *, float *, int)) {
  char *m;
  cudaMallocManaged(&m, 6 * 1024);
  for (int k = 0; k < 6 * 1024; k++) m[k] = k * 37 % 251;
  for (int k = 0; k < 64; k++) ((long long *)m)[128 + k] = k < 32 ? k * 0x300000001ll : k % 32;
  kernel<<<1, 32>>>((unsigned char *)m + 4096, (short *)m + 2048, (int *)m + 1024, (const unsigned *)m, (const long long *)m + 128, (float *)m + 1024, 32);
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int k = 4096; k < 4096 + 512; k++) sum = sum * 31 + (unsigned char)m[k];
  printf("%u ", sum);
  cudaFree(m);
}

int main() {
  run(byteOfWord), run(upperByte), run(middleByte), run(upperHalf), run(signedHalf), run(shifted), run(lowerWord), run(upperWord), run(index);
  run(longIndex), run(narrowSum), run(asItIs), run(storedShort), run(storedByte), run(twice), run(misaligned), run(vectors), run(inShared);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
