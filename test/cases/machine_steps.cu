// Loops that step by a variable: nvcc writes them out four rounds at a time, with the rest in front or behind, so that lanes of one warp
// with eight rounds and with seven make eleven requests. Counts are those of nvcc 13.0's machine code (sm_90), one warp; 100 elements
// are four rounds of the first four lanes and three of the others, 96 are three of all.
// levels: 2
// stdout: 4950 4560 | 4950 4950 | 4950 | 4950 4950 | 6216 | 360.50
// count: uneven global load executed = 7
// count: alike global load executed = 3
// count: summed global load executed = 7
// count: counted global load executed = 7
// count: eight global load executed = 11
// count: unsignedStep global load executed = 4
// count: withAtomics global load executed = 4
// count: halfWarps global load executed = 4
// count: byTwo global load executed = 10
#include <cstdio>

__device__ int stepOf() { return blockDim.x * gridDim.x; }

__global__ void uneven(const int *a, int *o, int n) {
  int step = stepOf();
  for (int i = threadIdx.x; i < n; i += step) o[i] = a[i];
}
__global__ void alike(const int *a, int *o, int n) {
  int step = stepOf();
  for (int i = threadIdx.x; i < n; i += step) o[i] = a[i];
}
// The sum begins as a number with a point: the rest is in front, as above.
__global__ void summed(const int *a, float *o, int n) {
  int step = stepOf();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += step) sum += a[i];
  atomicAdd(o, sum);
}
// It begins as a whole number: the rest is behind.
__global__ void counted(const int *a, int *o, int n) {
  int step = stepOf(), sum = 0;
  for (int i = threadIdx.x; i < n; i += step) sum += a[i];
  atomicAdd(o, sum);
}
__global__ void eight(const int *a, int *o, int n) {
  int step = stepOf();
  for (int i = threadIdx.x; i < n; i += step) o[i] = a[i];
}
// A step without a sign makes a counter without one, which may wrap.
__global__ void unsignedStep(const int *a, int *o, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = a[i];
}
__global__ void withAtomics(const int *a, int *o, int n) {
  int step = stepOf();
  for (int i = threadIdx.x; i < n; i += step) atomicAdd(o, a[i]);
}
// Quotients by one number: nvcc leaves the loop alone. Seven rows are four rounds of one half warp and three of the other.
__global__ void halfWarps(const int *a, int *o, int rows) {
  int step = blockDim.x / 16;
  for (int row = threadIdx.x / 16; row < rows; row += step) o[16 * row + threadIdx.x % 16] = a[16 * row + threadIdx.x % 16];
}
// Longer bodies are written out twice.
__global__ void byTwo(const int *a, float *o, int n) {
  int step = stepOf();
  for (int i = threadIdx.x; i < n; i += step) {
    float x = a[i];
#pragma unroll
    for (int k = 0; k < 32; k++) x = x * 0.5f + (0.25f + k);
    o[i] = x + a[i + 300];
  }
}

static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

int main() {
  int *a, *o;
  float *f;
  cudaMallocManaged(&a, 512 * sizeof(int));
  cudaMallocManaged(&o, 512 * sizeof(int));
  cudaMallocManaged(&f, 512 * sizeof(float));
  for (int i = 0; i < 512; i++) a[i] = i;
  auto clear = [&] {
    cudaDeviceSynchronize();
    for (int i = 0; i < 512; i++) o[i] = 0;
  };
  clear();
  uneven<<<1, 32>>>(a, o, 100);
  cudaDeviceSynchronize();
  printf("%d ", sum(o, 512));
  clear();
  alike<<<1, 32>>>(a, o, 96);
  cudaDeviceSynchronize();
  printf("%d | ", sum(o, 512));
  clear();
  summed<<<1, 32>>>(a, f, 100);
  counted<<<1, 32>>>(a, o, 100);
  cudaDeviceSynchronize();
  printf("%g %d | ", f[0], o[0]);
  clear();
  eight<<<1, 32>>>(a, o, 228);
  cudaDeviceSynchronize();
  printf("%d | ", sum(o, 100));
  clear();
  unsignedStep<<<1, 32>>>(a, o, 100);
  cudaDeviceSynchronize();
  printf("%d ", sum(o, 512));
  clear();
  withAtomics<<<1, 32>>>(a, o, 100);
  cudaDeviceSynchronize();
  printf("%d | ", o[0]);
  clear();
  halfWarps<<<1, 32>>>(a, o, 7);
  cudaDeviceSynchronize();
  printf("%d | ", sum(o, 512));
  byTwo<<<1, 32>>>(a, f, 100);
  cudaDeviceSynchronize();
  printf("%.2f\n", f[0]);
}
