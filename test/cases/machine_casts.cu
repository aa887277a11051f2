// Vectors of 16 bytes copied to and from named arrays of small elements at indices that nothing is known of: the cast's type tells the alignment
// (machine code of nvcc 13.0 for 9.0: one instruction each; `tiled` of tensorTimes.cu, read on an H100).
// stdout: 6.75 | 3 1 | 15 | 5
// count: _Z4rows shared store executed = 4
// count: _Z7pitched shared store executed = 4
// count: _Z7dynamic shared store executed = 4
// count: _Z8toDevice global store executed = 1
// count: _Z10fromDevice global load executed = 1
#include <cstdio>
#include <cuda_fp16.h>
__device__ float words[4096];
__global__ void rows(const uint4 *in, float *out, int step) {
  __shared__ half s[16][64];
  *(uint4 *)&s[threadIdx.x / 8][threadIdx.x % 8 * step] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 16][threadIdx.x / 16];
}
__global__ void pitched(const uint4 *in, float *out) {
  __shared__ half s[16][72];
  int row = threadIdx.x >> 3, column = (threadIdx.x & 7) << 3;
  *reinterpret_cast<uint4 *>(&s[row][column]) = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 16][threadIdx.x / 16];
}
__global__ void dynamic(const uint4 *in, float *out, int step) {
  extern __shared__ half bytes[];
  *(uint4 *)&bytes[threadIdx.x * step] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];
}
__global__ void toDevice(const uint4 *in, int step) { *(uint4 *)&words[threadIdx.x % 4 * step] = in[threadIdx.x]; }
__global__ void fromDevice(float4 *out, int step) { out[threadIdx.x] = *(float4 *)(words + threadIdx.x % 4 * step); }
int main() {
  half *in;
  float *out;
  cudaMallocManaged(&in, 4096), cudaMallocManaged(&out, 4096);
  for (int i = 0; i < 1024; i++) in[i] = __float2half(i % 32);
  rows<<<1, 128>>>((uint4 *)in, out, 8);
  cudaDeviceSynchronize();
  float sum = 0;
  for (int i = 0; i < 4; i++) sum += out[16 * i] + out[16 * i + 1] / 8;
  printf("%g | ", sum);
  pitched<<<1, 128>>>((uint4 *)in, out);
  cudaDeviceSynchronize();
  printf("%g %g | ", out[50], out[18]);
  dynamic<<<1, 128, 2048>>>((uint4 *)in, out, 8);
  cudaDeviceSynchronize();
  printf("%g | ", out[47]);
  float *as = (float *)in;
  for (int i = 0; i < 1024; i++) as[i] = i;
  toDevice<<<1, 4>>>((uint4 *)in, 4);
  fromDevice<<<1, 4>>>((float4 *)out, 4);
  cudaDeviceSynchronize();
  printf("%g\n", out[5]);
}
