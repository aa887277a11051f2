// Named arrays that are cast have the alignment of the type, as nvcc takes it; a memcpy has the array's declared alignment. Counts are those
// of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 338 | 4544 | 338 | 306 | 16446.2 | 993 | 479 | 338 | 473 | 972 | 259 | 4971 | 259
// count: taken shared load executed = 1
// count: ofStructure shared load executed = 4
// count: declaredSo shared load executed = 1
// count: stored shared store executed = 1
// count: wider shared load executed = 2
// count: rows shared load executed = 1
// count: member shared load executed = 1
// count: shorts shared load executed = 1
// count: bytes shared load executed = 1
// count: device global load executed = 1
// count: copiedBytes shared store executed = 4
// count: copiedBytes shared load executed = 4
// count: copiedWords shared store executed = 1
// count: copiedWords shared load executed = 1
// count: copiedDynamic shared store executed = 1
// count: copiedDynamic shared load executed = 1
#include <cstdio>
#include <cstring>

struct Four { float x, y, z, w; };
struct __align__(16) Aligned { float x, y, z, w; };
struct Tile { float a[64], b[64]; };
__device__ float table[256];

__global__ void taken(float *o, const float *in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float4 v = *(float4 *)&s[t % 8 * n];
  o[t] = v.x + v.y * v.z - v.w;
}
__global__ void ofStructure(float *o, const float *in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  Four v = *(Four *)&s[t % 8 * n];
  o[t] = v.x + v.y + v.z + v.w * t;
}
__global__ void declaredSo(float *o, const float *in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  Aligned v = *(Aligned *)&s[t % 8 * n];
  o[t] = v.x + v.y * v.z - v.w;
}
#define FOUR(value) (reinterpret_cast<float4 *>(&(value))[0])
__global__ void stored(float *o, const float4 *in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float4 v = in[t];
  v.x += 1;
  FOUR(s[t * n]) = v;
  __syncthreads();
  o[t] = s[t * 2];
}
__global__ void wider(float *o, const int *in, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  o[t] = *(long long *)&s[t % 8 * n] % 77 + *(volatile double *)&s[t % 16 * n / 2 / 2 * 2];
}
__global__ void rows(float *o, const float *in, int n) {
  __shared__ float s[8][36];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) s[i][t] = in[t + i];
  __syncthreads();
  float4 v = *reinterpret_cast<float4 *>(&s[t % 8][n]);
  o[t] = v.x + v.y + v.z + v.w;
}
__global__ void member(float *o, const float *in, int n) {
  __shared__ Tile s;
  int t = threadIdx.x;
  s.a[t] = 0;
  s.b[t] = in[t];
  __syncthreads();
  float2 v = *(float2 *)&s.b[t % 8 * n];
  o[t] = v.x + v.y;
}
__global__ void shorts(float *o, const float *in, int n) {
  __shared__ short s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  short4 v = *(short4 *)&s[t % 8 * n];
  o[t] = v.x + v.y * v.z - v.w;
}
__global__ void bytes(float *o, const float *in, int n) {
  __shared__ unsigned char s[4][40];
  int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  uchar4 v = *(uchar4 *)&s[0][t % 8 * n];
  o[t] = v.x + v.y - v.z + v.w;
}
__global__ void device(float *o, int n) {
  float4 v = *(float4 *)(table + n * threadIdx.x);
  o[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__global__ void copiedBytes(float *o, const float *in) {
  __shared__ unsigned char s[128];
  int t = threadIdx.x;
  float v = in[t];
  memcpy(s + 4 * t, &v, 4);
  __syncthreads();
  memcpy(&v, s + 4 * (t ^ 1), 4);
  o[t] = v;
}
__global__ void copiedWords(float *o, const Four *in) {
  __shared__ float s[128];
  int t = threadIdx.x;
  Four v = in[t];
  memcpy(&s[4 * t], &v, 16);
  __syncthreads();
  memcpy(&v, &s[4 * (t ^ 1)], 16);
  o[t] = v.x + v.y + v.z + v.w * t;
}
__global__ void copiedDynamic(float *o, const float *in) {
  extern __shared__ unsigned char dynamic[];
  int t = threadIdx.x;
  float v = in[t];
  memcpy(dynamic + 4 * t, &v, 4);
  __syncthreads();
  memcpy(&v, dynamic + 4 * (t ^ 1), 4);
  o[t] = v;
}

float *o, *in;

void print(const char *end = " | ") {
  cudaDeviceSynchronize();
  float sum = 0;
  for (int i = 0; i < 32; i++) sum += o[i] * (i % 7 + 1);
  printf("%g%s", sum, end);
}

int main() {
  cudaMallocManaged(&o, 32 * sizeof(float));
  cudaMallocManaged(&in, 256 * sizeof(float));
  float *host = (float *)malloc(sizeof(float) * 256);
  for (int i = 0; i < 256; i++) in[i] = host[i] = i * 7 % 5;
  cudaMemcpyToSymbol(table, host, sizeof(float) * 256);
  taken<<<1, 32>>>(o, in, 4); print();
  ofStructure<<<1, 32>>>(o, in, 4); print();
  declaredSo<<<1, 32>>>(o, in, 4); print();
  stored<<<1, 32>>>(o, (float4 *)in, 4); print();
  wider<<<1, 32>>>(o, (int *)in, 4); print();
  rows<<<1, 32>>>(o, in, 4); print();
  member<<<1, 32>>>(o, in, 2); print();
  shorts<<<1, 32>>>(o, in, 4); print();
  bytes<<<1, 32>>>(o, in, 4); print();
  device<<<1, 32>>>(o, 4); print();
  copiedBytes<<<1, 32>>>(o, in); print();
  copiedWords<<<1, 32>>>(o, (Four *)in); print();
  copiedDynamic<<<1, 32, 128>>>(o, in); print("\n");
  free(host);
}
