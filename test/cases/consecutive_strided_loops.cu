// Two loops with a variable step, one right behind the other and guarded by the same condition: the end of the first is the entry of the
// second, also when both are written out as nvcc does.
// stdout: PASS
#include <cstdio>

__global__ void fill(float *a, float *b, const float *x, const float *y, int rows, int columns) {
  int count = rows * columns, step = blockDim.x;
  for (int i = threadIdx.x; i < count; i += step) a[i] = x[i] * 2;
  for (int i = threadIdx.x; i < count; i += step) b[i] = y[i] + 1;
}

int main() {
  const int rows = 7, columns = 43, n = rows * columns;
  float *memory;
  cudaMallocManaged(&memory, 4 * n * sizeof(float));
  float *a = memory, *b = a + n, *x = b + n, *y = x + n;
  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = 3 * i;
  }
  fill<<<1, 96>>>(a, b, x, y, rows, columns);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += a[i] != 2 * i || b[i] != 3 * i + 1;
  printf(wrong ? "%d wrong\n" : "PASS\n", wrong);
}
