// Words that are copied to an array of bytes and read from it: nvcc loads them as they were copied (PTX of CUDA 13.0; ir/readSourceTypes.ts).
// levels: 2
// stdout: no error
// count: toShared global load executed = 1
// count: summed global load executed = 1
// count: floats global load executed = 1
// count: word global load executed = 1
// count: halves global load executed = 1
// count: changed global load executed = 1
// count: changed global store executed = 1
// count: inLoop global load executed = 6
#include <cstdint>
#include <cstdio>

__global__ void toShared(uint32_t *a, float *o) {
  __shared__ float s[32][17];
  int t = threadIdx.x;
  uint8_t d[16];
  *(uint4 *)&d[0] = *(uint4 *)&a[t * 4];
  for (int j = 0; j < 16; j++) s[t][j] = d[j] * 1.0f;
  __syncthreads();
  float x = 0;
  for (int j = 0; j < 16; j++) x += s[t ^ 1][j];
  o[t] = x;
}
__global__ void summed(uint32_t *a, float *o) {
  int t = threadIdx.x;
  uint8_t d[16];
  *(uint4 *)d = *(uint4 *)&a[t * 4];
  float x = 0;
  for (int j = 0; j < 16; j++) x += d[j];
  o[t] = x;
}
__global__ void floats(float *a, float *o) {
  int t = threadIdx.x;
  float d[4];
  *(float4 *)d = *(float4 *)&a[t * 4];
  float x = 0;
  for (int j = 0; j < 4; j++) x += d[j];
  o[t] = x;
}
__global__ void word(uint32_t *a, float *o) {
  int t = threadIdx.x;
  uint8_t d[4];
  *(uint32_t *)d = a[t];
  float x = 0;
  for (int j = 0; j < 4; j++) x += d[j];
  o[t] = x;
}
__global__ void halves(uint2 *a, float *o) {
  int t = threadIdx.x;
  uint16_t d[4];
  *(uint2 *)d = a[t];
  float x = 0;
  for (int j = 0; j < 4; j++) x += d[j];
  o[t] = x;
}
__global__ void changed(const uint4 *a, uint4 *o) {
  int t = threadIdx.x;
  uint8_t d[16];
  *(uint4 *)d = a[t];
  for (int j = 0; j < 16; j++) d[j] = d[j] * 3 + 1;
  o[t] = *(uint4 *)d;
}
__global__ void inLoop(uint32_t *a, float *o, int n) {
  int t = threadIdx.x;
  uint8_t d[16];
  for (int i = 0; i < n; i++) {
    *(uint4 *)&d[0] = *(uint4 *)&a[t * 4 + i * 128];
    for (int j = 0; j < 16; j++) o[t * 16 + j] = __uint2float_rd(d[j]) * 1.0;
  }
}

int main() {
  void *a, *o;
  cudaMalloc(&a, 8192);
  cudaMalloc(&o, 8192);
  cudaMemset(a, 1, 8192);
  toShared<<<1, 32>>>((uint32_t *)a, (float *)o);
  summed<<<1, 32>>>((uint32_t *)a, (float *)o);
  floats<<<1, 32>>>((float *)a, (float *)o);
  word<<<1, 32>>>((uint32_t *)a, (float *)o);
  halves<<<1, 32>>>((uint2 *)a, (float *)o);
  changed<<<1, 32>>>((uint4 *)a, (uint4 *)o);
  inLoop<<<1, 32>>>((uint32_t *)a, (float *)o, 6);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
