// Chains of conditions whose ways load alike, nests whose inner rounds depend on the outer counter, sums that stay in shared memory.
// levels: 2
// stdout: no error
#include <cstdio>
#define B 16
#define TILE __shared__ float t[B][B]; int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 256 + ty * 16 + tx; t[ty][tx] = a[i]; __syncthreads(); float c = t[ty][tx], n, s, w, e;

__global__ void nineWays(const float *a, float *o) {
  __shared__ float t[B][B], north[B][B], south[B][B], west[B][B], east[B][B];
  int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 256 + ty * 16 + tx;
  t[ty][tx] = a[i]; north[ty][tx] = a[i + 77]; south[ty][tx] = a[i + 78]; west[ty][tx] = a[i + 79]; east[ty][tx] = a[i + 80];
  __syncthreads();
  float c = t[ty][tx], n, s, w, e;
  if (ty == 0 && tx == 0) { n = north[ty][tx] - c; s = t[ty + 1][tx] - c; w = west[ty][tx] - c; e = t[ty][tx + 1] - c; }
  else if (ty == 0 && tx == B - 1) { n = north[ty][tx] - c; s = t[ty + 1][tx] - c; w = t[ty][tx - 1] - c; e = east[ty][tx] - c; }
  else if (ty == B - 1 && tx == B - 1) { n = t[ty - 1][tx] - c; s = south[ty][tx] - c; w = t[ty][tx - 1] - c; e = east[ty][tx] - c; }
  else if (ty == B - 1 && tx == 0) { n = t[ty - 1][tx] - c; s = south[ty][tx] - c; w = west[ty][tx] - c; e = t[ty][tx + 1] - c; }
  else if (ty == 0) { n = north[ty][tx] - c; s = t[ty + 1][tx] - c; w = t[ty][tx - 1] - c; e = t[ty][tx + 1] - c; }
  else if (tx == B - 1) { n = t[ty - 1][tx] - c; s = t[ty + 1][tx] - c; w = t[ty][tx - 1] - c; e = east[ty][tx] - c; }
  else if (ty == B - 1) { n = t[ty - 1][tx] - c; s = south[ty][tx] - c; w = t[ty][tx - 1] - c; e = t[ty][tx + 1] - c; }
  else if (tx == 0) { n = t[ty - 1][tx] - c; s = t[ty + 1][tx] - c; w = west[ty][tx] - c; e = t[ty][tx + 1] - c; }
  else { n = t[ty - 1][tx] - c; s = t[ty + 1][tx] - c; w = t[ty][tx - 1] - c; e = t[ty][tx + 1] - c; }
  o[i] = (n * n + s * s + w * w + e * e) / (c * c);
}
__global__ void edges(const float *a, float *o) {
  TILE
  if (tx == 0) { w = c; e = t[ty][tx + 1]; } else if (tx == B - 1) { w = t[ty][tx - 1]; e = c; } else { w = t[ty][tx - 1]; e = t[ty][tx + 1]; }
  if (ty == 0) { n = c; s = t[ty + 1][tx]; } else if (ty == B - 1) { n = t[ty - 1][tx]; s = c; } else { n = t[ty - 1][tx]; s = t[ty + 1][tx]; }
  o[i] = n + s + w + e - 4 * c;
}
#define RED __shared__ float m[B * B]; int tx = threadIdx.x; for (int i = 0; i < B; i++) m[i * B + tx] = a[blockIdx.x * 256 + i * B + tx]; __syncthreads();
#define OUT for (int i = 0; i < B; i++) o[blockIdx.x * 256 + i * B + tx] = m[i * B + tx];
__global__ void lower(const float *a, float *o) {
  RED
  for (int i = 0; i < B - 1; i++) {
    if (tx > i) {
      for (int j = 0; j < i; j++) m[tx * B + i] -= m[tx * B + j] * m[j * B + i];
      m[tx * B + i] /= m[i * B + i];
    }
    __syncthreads();
  }
  OUT
}
__global__ void upper(const float *a, float *o) {
  RED
  for (int i = 0; i < B - 1; i++) {
    if (tx > i) for (int j = 0; j < i + 1; j++) m[(i + 1) * B + tx] -= m[(i + 1) * B + j] * m[j * B + tx];
    __syncthreads();
  }
  OUT
}
__global__ void solved(const float *a, float *o) {
  RED
  for (int i = 1; i < B; i++)
    for (int j = 0; j < i; j++) m[i * B + tx] -= a[i * B + j] * m[j * B + tx];
  OUT
}
__global__ void back(const float *a, float *o) {
  RED
  for (int i = B - 1; i >= 0; i--) {
    float sum = m[i * B + tx];
    for (int j = i + 1; j < B; j++) sum -= a[i * B + j] * m[j * B + tx];
    m[i * B + tx] = sum / a[i * B + i];
  }
  OUT
}
__global__ void rows(const float *a, float *o) {
  int x = blockIdx.x * B + threadIdx.x;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j <= i; j++) o[i * 1024 + x] += a[j * 1024 + x] * a[i * 64 + j];
}
__global__ void columns(const float *a, float *o) {
  int x = blockIdx.x * B + threadIdx.x;
  for (int i = 0; i < 12; i++) {
    float sum = 0;
    for (int j = i; j < 12; j++) sum += a[j * 1024 + x] * a[i * 64 + j];
    o[i * 1024 + x] = sum;
  }
}
int main() {
  float *a, *o;
  cudaMalloc(&a, 1 << 20); cudaMalloc(&o, 1 << 20);
  cudaMemset(a, 0x3c, 1 << 20); cudaMemset(o, 0, 1 << 20);
  nineWays<<<64, dim3(B, B)>>>(a, o);
  edges<<<64, dim3(B, B)>>>(a, o);
  lower<<<64, B>>>(a, o); upper<<<64, B>>>(a, o); solved<<<64, B>>>(a, o); back<<<64, B>>>(a, o);
  rows<<<64, B>>>(a, o); columns<<<64, B>>>(a, o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
