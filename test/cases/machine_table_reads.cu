// Functions that read tables keep nvcc from moving stores to memory that may be the table out of loops; what is loaded behind their
// branches is loaded in each round. Instructions as in the machine code of nvcc 13.0 for sm_90.
// levels: 2
// count: added global load executed = 20
// count: added global store executed = 20
// count: writtenOut global load executed = 1
// count: writtenOut global store executed = 10
// count: alone global load executed = 1
// count: alone global store executed = 1
// count: inDouble global store executed = 1
// count: chained global load executed = 1
// count: chained global store executed = 10
// count: doubled global load executed = 40
// count: doubled global store executed = 10
// count: inShared shared store executed = 2
// count: turns global load executed = 4
// stdout: 1.955 1.955 0.463 1.955 1.955 0.000
#include <cstdio>
__global__ void added(float *data, int n) {
  for (int i = 0; i < n; ++i) data[threadIdx.x] += sinf((float)i);
}
__global__ void writtenOut(float *data, int n) {
  for (int i = 0; i < 10; ++i) data[threadIdx.x] += sinf((float)i * n);
}
__global__ void alone(float *__restrict__ data, int n) {
  for (int i = 0; i < n; ++i) data[threadIdx.x] += sinf((float)i);
}
__global__ void inDouble(float *__restrict__ data, int n) {
  for (int i = 0; i < n; ++i) data[threadIdx.x] += sin((double)i);
}
__global__ void chained(float *data, int n) {
  for (int i = 0; i < n; ++i) data[threadIdx.x] = sinf(data[threadIdx.x]);
}
__global__ void doubled(float *data, int n) {
  for (int i = 0; i < n; ++i) data[threadIdx.x] += sin((double)i);
}
__global__ void inShared(float *data, int n) {
  __shared__ float sums[32];
  sums[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i) sums[threadIdx.x] += sinf((float)i);
  data[threadIdx.x] = sums[threadIdx.x];
}
__global__ void turns(double *data) { data[threadIdx.x] = sinpi(data[threadIdx.x]); }
int main() {
  float *data;
  cudaMalloc(&data, 7 * 128 + 128);
  cudaMemset(data, 0, 7 * 128 + 128);
  float one[32];
  for (float &value : one) value = 1;
  cudaMemcpy(data + 64, one, sizeof one, cudaMemcpyHostToDevice);
  added<<<1, 32>>>(data, 10);
  added<<<1, 32>>>(data + 32, 10);
  writtenOut<<<1, 32>>>(data + 192, 1);
  alone<<<1, 32>>>(data + 192, 10);
  inDouble<<<1, 32>>>(data + 192, 10);
  chained<<<1, 32>>>(data + 64, 10);
  doubled<<<1, 32>>>(data + 96, 10);
  inShared<<<1, 32>>>(data + 128, 10);
  turns<<<1, 32>>>((double *)(data + 160));
  float results[6 * 32];
  cudaMemcpy(results, data, sizeof results, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; ++i) printf("%.3f%c", results[32 * i + 7], i < 5 ? ' ' : '\n');
}
