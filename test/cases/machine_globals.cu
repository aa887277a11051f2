// Variables in global memory are aligned as they are declared: ptxas does not place them, so five words of a table are five
// loads, where a shared array's would be two. Counts are those of nvcc 13.0's machine code (sm_90).
// levels: 2
// stdout: 96 10 20 30 40
// count: words global load executed = 5
// count: statedTable global load executed = 1
// count: structures global load executed = 4
// count: alignedStructures global load executed = 1
// count: doubles global load executed = 2
// count: pairs global load executed = 2
// count: stores global store executed = 5
#include <cstdio>

struct Four { float x, y, z, w; };
struct __align__(16) AlignedFour { float x, y, z, w; };

__device__ unsigned table[40];
__device__ __align__(16) float alignedTable[64];
__device__ Four fours[16];
__device__ AlignedFour alignedFours[16];
__device__ double numbers[16];
__device__ float2 couples[16];
__device__ int results[128];

__global__ void words(unsigned *out) {
  out[threadIdx.x] = table[20] ^ table[21] ^ table[22] ^ table[23] ^ table[24];
}
__global__ void statedTable(float *out, int i) {
  const float *t = alignedTable + 4 * i;
  out[i] = t[0] + t[1] * 2 + t[2] * 3 + t[3] * 5;
}
__global__ void structures(float *out, int i) {
  out[i] = fours[i].x + fours[i].y * 2 + fours[i].z * 3 + fours[i].w * 5;
}
__global__ void alignedStructures(float *out, int i) {
  out[i] = alignedFours[i].x + alignedFours[i].y * 2 + alignedFours[i].z * 3 + alignedFours[i].w * 5;
}
__global__ void doubles(double *out, int i) { out[i] = numbers[2 * i] + numbers[2 * i + 1]; }
__global__ void pairs(float *out, int i) {
  float2 a = couples[2 * i], b = couples[2 * i + 1];
  out[i] = a.x + a.y * 3 + b.x * 2 + b.y * 4;
}
__global__ void stores(float x) {
  int i = threadIdx.x;
  float *t = alignedTable + (4 * i & 63);
  t[0] = x, t[1] = x + 1, t[2] = x * 3, t[3] = x * 4;
  results[4 * i] = 10, results[4 * i + 1] = 20, results[4 * i + 2] = 30, results[4 * i + 3] = 40;
}

int main() {
  unsigned words_[40], *memory;
  for (int i = 0; i < 40; i++) words_[i] = 4 * i;
  cudaMemcpyToSymbol(table, words_, sizeof words_);
  cudaMalloc(&memory, 4096);
  words<<<1, 32>>>(memory);
  unsigned first;
  cudaMemcpy(&first, memory, 4, cudaMemcpyDeviceToHost);
  statedTable<<<1, 1>>>((float *)memory, 1);
  structures<<<1, 1>>>((float *)memory, 1);
  alignedStructures<<<1, 1>>>((float *)memory, 1);
  doubles<<<1, 1>>>((double *)memory, 1);
  pairs<<<1, 1>>>((float *)memory, 1);
  stores<<<1, 32>>>(1);
  int stored[4];
  cudaMemcpyFromSymbol(stored, results, sizeof stored);
  printf("%u %d %d %d %d\n", first, stored[0], stored[1], stored[2], stored[3]);
}
