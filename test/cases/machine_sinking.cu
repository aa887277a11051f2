// Loads that ptxas moves behind a branch, counted as the machine has them (machine code of CUDA 13.0: nvcc -O3 -arch=sm_90). Nobody
// goes where they are needed.
// levels: 2
// stdout: 0 0 0 0 0 0 0 0 0
// count: leave global load executed = 0
// count: later global load executed = 0
// count: first global load executed = 1
// count: second global load executed = 0
// count: both global load executed = 1
// count: computed global load executed = 0
// count: squared global load executed = 1
// count: chained global load executed = 1
// count: stored global load executed = 1
#include <cstdio>

// Needed in a loop behind the return.
__global__ void leave(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  if (i >= n) return;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}
// Behind a barrier, and where later branches meet.
__global__ void later(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  __syncthreads();
  if (i < n) {
    if (m > 3) out[i + 1] = 2;
    for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
  }
}
// Of two ways that both have code only the second one.
__global__ void first(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  if (i < n) {
    for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
  } else {
    for (int k = 0; k < m; k++) out[k] = k * k > i ? 0 : i * n;
  }
  out[32 + i] = n;
}
__global__ void second(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  if (i < n) {
    for (int k = 0; k < m; k++) out[k] = k * k > i ? 0 : i * n;
  } else {
    for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
  }
  out[32 + i] = n;
}
// Where two conditions both have to hold for the return, either may lead to what is behind it.
__global__ void both(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  if (i >= n && m < 3) return;
  out[32 + i] = n;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}
// With what is computed from it, where that needs no register more.
__global__ void computed(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = (in[i] ^ 5) * 3;
  if (i >= n) return;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}
__global__ void squared(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[i] * in[i];
  if (i >= n) return;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}
// Not what the address needs.
__global__ void chained(int *__restrict__ out, const int *__restrict__ in, int n, int m) {
  int i = threadIdx.x, x = in[in[i]];
  if (i >= n) return;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}
// Not past a store that may write it.
__global__ void stored(int *out, const int *in, int n, int m) {
  int i = threadIdx.x, x = in[i];
  out[i] = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) out[k] = k * k > x ? k : i;
}

int *out, *in;

template <class Kernel> void run(Kernel kernel, int n, int m) {
  static int count;
  kernel<<<1, 32>>>(out, in, n, m);
  cudaDeviceSynchronize();
  printf("%s%d", count++ ? " " : "", out[0]);
}

int main() {
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&in, 256 * sizeof(int));
  for (int i = 0; i < 256; i++) in[i] = out[i] = 0;
  run(leave, 0, 2);
  run(later, 0, 2);
  run(first, 0, 0);
  run(second, 32, 0);
  run(both, 0, 2);
  run(computed, 0, 2);
  run(squared, 0, 2);
  run(chained, 0, 2);
  run(stored, 0, 2);
  printf("\n");
}
