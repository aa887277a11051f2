// Which neighbours of shared arrays are one access: bytes, shorts and halves by how the array is aligned; places at multiples of a
// counter. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 120 120 120 120 120 120 120 120 120 120 120 7 7 7 7
// count: bytesAsDeclared shared load executed = 16
// count: bytesOfWords shared load executed = 1
// count: bytesAnywhere shared load executed = 1
// count: bytesRows shared load executed = 16
// count: shortsAsDeclared shared load executed = 16
// count: shortsOfWords shared load executed = 2
// count: shortsAnywhere shared load executed = 2
// count: halvesAsDeclared shared load executed = 4
// count: halvesOfWords shared load executed = 4
// count: halvesAnywhere shared load executed = 4
// count: halvesByTwenty shared load executed = 4
// count: storesAsDeclared shared store executed = 2
// count: storesAnywhere shared store executed = 1
// count: localHalves local store executed = 4
// count: localHalves local load executed = 1
// count: localDoubles local store executed = 3
#include <cstdio>
#include <cuda_fp16.h>

#define SUM(name, T, array, first)                                                      \
  __global__ void name(int *o) {                                                        \
    array;                                                                              \
    for (int i = threadIdx.x; i < 700; i += blockDim.x) ((T *)s)[i] = (T)(i % 20 % 16); \
    __syncthreads();                                                                    \
    int sum = 0;                                                                        \
    for (int i = 0; i < 16; i++) sum += (int)(first);                                   \
    atomicMax(o, sum);                                                                  \
  }
SUM(bytesAsDeclared, char, __shared__ char s[1024], s[threadIdx.x / 32 * 16 + i])
SUM(bytesOfWords, char, __shared__ __align__(4) char s[1024], s[threadIdx.x / 32 * 16 + i])
SUM(bytesAnywhere, char, extern __shared__ char s[], s[threadIdx.x / 32 * 16 + i])
SUM(bytesRows, char, __shared__ char s[64][16], s[threadIdx.x / 32][i])
SUM(shortsAsDeclared, short, __shared__ short s[1024], s[threadIdx.x / 32 * 16 + i])
SUM(shortsOfWords, short, __shared__ __align__(16) short s[1024], s[threadIdx.x / 32 * 16 + i])
extern __shared__ short moreShorts[];
SUM(shortsAnywhere, short, short *s = moreShorts, s[threadIdx.x / 32 * 16 + i])
SUM(halvesAsDeclared, half, __shared__ half s[1024], s[threadIdx.x / 32 * 16 + i])
SUM(halvesOfWords, half, __shared__ __align__(16) half s[1024], s[threadIdx.x / 32 * 16 + i])
extern __shared__ half moreHalves[];
SUM(halvesAnywhere, half, half *s = moreHalves, s[threadIdx.x / 32 * 16 + i])
SUM(halvesByTwenty, half, __shared__ half s[1024], s[threadIdx.x / 32 * 20 + i])

__global__ void storesAsDeclared(const half *a, int *o) {
  __shared__ half s[512];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) s[t * 8 + i] = a[i * 32 + t];
  __syncthreads();
  o[t] = (int)s[(t + 5) % 256];
}
__global__ void storesAnywhere(const half *a, int *o) {
  extern __shared__ half t8[];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) t8[t * 8 + i] = a[i * 32 + t];
  __syncthreads();
  o[t] = (int)t8[(t + 5) % 256];
}
// Local arrays are aligned as their accesses want it.
__global__ void localHalves(const half *a, int *o, int k) {
  half l[32];
  for (int i = 0; i < 32; i++) l[i] = a[i * 4 + threadIdx.x];
  o[threadIdx.x] = (int)l[k];
}
// 24 bytes are no multiple of 16.
__global__ void localDoubles(const half *a, int *o, int k) {
  double l[3];
  for (int i = 0; i < 3; i++) l[i] = (float)a[i * 4 + threadIdx.x];
  o[threadIdx.x] = (int)l[k];
}

int main() {
  half host[256], *a;
  int *o;
  for (int i = 0; i < 256; i++) host[i] = (half)7;
  cudaMalloc(&a, sizeof host);
  cudaMallocManaged(&o, 256 * sizeof(int));
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  bytesAsDeclared<<<1, 32>>>(o);
  bytesOfWords<<<1, 32>>>(o + 1);
  bytesAnywhere<<<1, 32, 2048>>>(o + 2);
  bytesRows<<<1, 32>>>(o + 3);
  shortsAsDeclared<<<1, 32>>>(o + 4);
  shortsOfWords<<<1, 32>>>(o + 5);
  shortsAnywhere<<<1, 32, 2048>>>(o + 6);
  halvesAsDeclared<<<1, 32>>>(o + 7);
  halvesOfWords<<<1, 32>>>(o + 8);
  halvesAnywhere<<<1, 32, 2048>>>(o + 9);
  halvesByTwenty<<<1, 32>>>(o + 10);
  storesAsDeclared<<<1, 32>>>(a, o + 11);
  cudaDeviceSynchronize();
  storesAnywhere<<<1, 32, 1024>>>(a, o + 12);
  cudaDeviceSynchronize();
  localHalves<<<1, 32>>>(a, o + 13, 5);
  localDoubles<<<1, 32>>>(a, o + 14, 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 15; i++) printf(i < 14 ? "%d " : "%d\n", o[i]);
}
