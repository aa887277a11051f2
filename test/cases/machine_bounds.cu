// Loops whose lanes have different numbers of rounds, by the type of their counter, their first number, their step and what ends them: which
// of them nvcc writes out by four, and which ptxas then writes out four times more, shows in how many loads a warp makes.
// stdout: no error, last sum 61
#include <cstdio>
#include <cuda_runtime.h>

constexpr int THREADS = 128;

// T: the counter's type; the ranges of the lanes are data.
template <typename T> __global__ void upTo(const float *a, float *y, const int *lo, const int *hi) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (T j = lo[t]; j <= hi[t]; ++j) sum += a[j];
  y[t] = sum;
}
template <typename T, int STEP> __global__ void stepsUpTo(const float *a, float *y, const int *lo, T n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (T j = lo[t]; j <= n; j += STEP) sum += a[j];
  y[t] = sum;
}
template <typename T, int STEP> __global__ void stepsBelow(const float *a, float *y, const int *lo, T n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (T j = lo[t]; j < n; j += STEP) sum += a[j];
  y[t] = sum;
}
template <typename T> __global__ void fromZero(const float *a, float *y, const int *hi) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const T end = hi[t];
  float sum = 0;
  for (T j = 0; j < end; ++j) sum += a[3 * j];
  y[t] = sum;
}
template <typename T> __global__ void rows(const float *a, const float *x, float *y, const T *begin) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (T j = begin[t]; j < begin[t + 1]; ++j) sum += a[j] * x[j & 31];
  y[t] = sum;
}
__global__ void band(const float *a, const float *x, float *y, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  const int first = max(0, row - k), last = min(n - 1, row + k);
  for (int j = first; j <= last; ++j) sum += a[row * (2 * k + 1) + k + j - row] * x[j];
  y[row] = sum;
}
__global__ void downTo(const float *a, float *y, const int *hi, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = hi[t]; j >= n; j -= 2) sum += a[j];
  y[t] = sum;
}

int main() {
  constexpr int N = 2 * THREADS;
  float *a, *y;
  int *lo, *hi, *begin;
  long long *begin64;
  cudaMallocManaged(&a, 65536 * sizeof(float));
  cudaMallocManaged(&y, N * sizeof(float));
  cudaMallocManaged(&lo, N * sizeof(int));
  cudaMallocManaged(&hi, N * sizeof(int));
  cudaMallocManaged(&begin, (N + 1) * sizeof(int));
  cudaMallocManaged(&begin64, (N + 1) * sizeof(long long));
  for (int i = 0; i < 65536; ++i) a[i] = float(i % 7);
  begin[0] = 0;
  for (int i = 0; i < N; ++i) {
    lo[i] = (i * 7) % 11;
    hi[i] = 20 + (i * 13) % 37;
    begin[i + 1] = begin[i] + (i * 5) % 23;
  }
  for (int i = 0; i <= N; ++i) begin64[i] = begin[i];
  upTo<int><<<2, THREADS>>>(a, y, lo, hi);
  upTo<unsigned><<<2, THREADS>>>(a, y, lo, hi);
  upTo<long long><<<2, THREADS>>>(a, y, lo, hi);
  stepsUpTo<int, 3><<<2, THREADS>>>(a, y, lo, 50);
  stepsUpTo<unsigned, 3><<<2, THREADS>>>(a, y, lo, 50);
  stepsUpTo<long long, 3><<<2, THREADS>>>(a, y, lo, 50);
  stepsUpTo<size_t, 3><<<2, THREADS>>>(a, y, lo, 50);
  stepsBelow<int, 3><<<2, THREADS>>>(a, y, lo, 51);
  stepsBelow<unsigned, 3><<<2, THREADS>>>(a, y, lo, 51);
  stepsBelow<long long, 3><<<2, THREADS>>>(a, y, lo, 51);
  stepsBelow<size_t, 3><<<2, THREADS>>>(a, y, lo, 51);
  stepsBelow<unsigned, 1><<<2, THREADS>>>(a, y, lo, 51);
  stepsBelow<size_t, 1><<<2, THREADS>>>(a, y, lo, 51);
  fromZero<int><<<2, THREADS>>>(a, y, hi);
  fromZero<unsigned><<<2, THREADS>>>(a, y, hi);
  fromZero<long long><<<2, THREADS>>>(a, y, hi);
  fromZero<size_t><<<2, THREADS>>>(a, y, hi);
  rows<int><<<2, THREADS>>>(a, a, y, begin);
  rows<unsigned><<<2, THREADS>>>(a, a, y, reinterpret_cast<unsigned *>(begin));
  rows<long long><<<2, THREADS>>>(a, a, y, begin64);
  rows<size_t><<<2, THREADS>>>(a, a, y, reinterpret_cast<size_t *>(begin64));
  band<<<2, THREADS>>>(a, a, y, 200, 5);
  band<<<2, THREADS>>>(a, a, y, 200, 16);
  downTo<<<2, THREADS>>>(a, y, hi, 3);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s, last sum %g\n", cudaGetErrorString(error), y[N - 1]);
  return error != cudaSuccess;
}
