// Vectors fetched into registers and shared memory, one round ahead or under a condition; stores that are overwritten, and stores
// of two branches in a loop: accesses of the machine code of these kernels (sm_90).
// levels: 2
// stdout: 6 16 136 68 66 40 239 512
// count: copyAcross global load executed = 1
// count: copyAcross shared store executed = 1
// count: fetchAhead local load executed = 0
// count: fetchAhead global load executed = 7
// count: fetchAhead shared store executed = 4
// count: vectorAhead shared load executed = 5
// count: pairAhead global load executed = 5
// count: structureAhead global load executed = 12
// count: membersAhead global load executed = 4
// count: tileWithBounds shared store executed = 3
// count: longSum shared store executed = 1
#include <cstdio>
#define FLOAT4(place) (reinterpret_cast<float4 *>(&(place))[0])
struct Three { float a, b, c; };

__global__ void copyAcross(float *in, float *out) {
  __shared__ float tile[128];
  int i = threadIdx.x;
  FLOAT4(tile[4 * i]) = FLOAT4(in[4 * i]);
  __syncthreads();
  out[i] = tile[i];
}

__global__ void fetchAhead(float *in, float *out, int rounds) {
  __shared__ float tile[128];
  float ahead[4];
  int i = threadIdx.x;
  tile[i] = 1;
  for (int round = 0; round < rounds; round++) {
    if (round + 1 < rounds) FLOAT4(ahead[0]) = FLOAT4(in[4 * i + 128 * round]);
    __syncthreads();
    out[i] += tile[i];
    __syncthreads();
    if (round + 1 < rounds) FLOAT4(tile[4 * i]) = FLOAT4(ahead[0]);
  }
}

__global__ void vectorAhead(const float *in, float *out, int n) {
  __shared__ float tile[1024];
  float four[4];
  int i = threadIdx.x, j = 0;
  for (int k = i; k < 1024; k += 32) tile[k] = in[k];
  __syncthreads();
  FLOAT4(four[0]) = FLOAT4(tile[4 * i]);
  float sum = 0;
#pragma unroll 1
  do {
    j += 1;
    sum += four[0] * four[1] + four[2] * four[3];
    out[j] = sum;
    FLOAT4(four[0]) = FLOAT4(tile[4 * (i + j)]);
  } while (j < n);
  out[i] = sum;
}

__global__ void pairAhead(const float2 *in, float *out, int n) {
  int i = threadIdx.x, j = 0;
  float sum = 0;
  float2 pair = in[i];
#pragma unroll 1
  do { j += 1; sum += pair.x * pair.y; out[j] = sum; pair = in[i + j]; } while (j < n);
  out[i] = sum;
}

__global__ void structureAhead(const Three *in, float *out, int n) {
  int i = threadIdx.x, j = 0;
  float sum = 0;
  Three three = in[i];
#pragma unroll 1
  do { j += 1; sum += three.a * three.b + three.c; out[j] = sum; three = in[i + j]; } while (j < n);
  out[i] = sum;
}

__global__ void membersAhead(const float4 *in, float *out, int n) {
  int i = threadIdx.x, j = 0;
  float sum = 0, x = in[i].x, y = in[i].y;
#pragma unroll 1
  do { j += 1; sum += x * y; out[j] = sum; x = in[i + j].x; y = in[i + j].y; } while (j < n);
  out[i] = sum;
}

__global__ void tileWithBounds(const float *in, float *out, int n, int rounds) {
  __shared__ float tile[32];
  int i = threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; round++) {
    if (32 * round + i < n) tile[i] = in[32 * round + i];
    else tile[i] = 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += tile[k];
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void longSum(const float *in, float *out) {
  __shared__ float sums[32];
  int i = threadIdx.x;
  sums[i] = 0;
#pragma unroll
  for (int k = 0; k < 128; k++) sums[i] += in[i + 8 * k];
  __syncthreads();
  out[i] = sums[31 - i];
}

int main() {
  static float numbers[2048];
  for (int i = 0; i < 2048; i++) numbers[i] = i % 8;
  float *in, *out, first[32];
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  auto read = [&](int at) {
    cudaMemcpy(first, out, sizeof first, cudaMemcpyDeviceToHost);
    printf(at == 6 ? "%g" : " %g", first[at]);
    cudaMemset(out, 0, sizeof first);
  };
  cudaMemset(out, 0, sizeof numbers);
  copyAcross<<<1, 32>>>(in, out);
  read(6);
  fetchAhead<<<1, 32>>>(in, out, 4);
  read(5);
  vectorAhead<<<1, 32>>>(in, out, 4);
  read(30);
  pairAhead<<<1, 32>>>((float2 *)in, out, 4);
  read(30);
  structureAhead<<<1, 32>>>((Three *)in, out, 4);
  read(30);
  membersAhead<<<1, 32>>>((float4 *)in, out, 4);
  read(30);
  tileWithBounds<<<1, 32>>>(in, out, 70, 3);
  read(3);
  longSum<<<1, 32>>>(in, out);
  read(3);
  printf("\n");
}
