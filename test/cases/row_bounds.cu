// Lanes behind a bounds check whose addresses lie far outside of memory, in rows of 16: only some warps have work at all.
// args: 256
// stdout: no error
// stdout: 0 wrong
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void transposeRow(float *out, const float *in, int columns, int rows) {
  unsigned row = (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    int to = row;
    for (int from = row * columns; from < (row + 1) * columns; from++, to += columns) out[to] = in[from];
  }
}

int main(int, char **argv) {
  int n = atoi(argv[1]);
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; i++) in[i] = i;
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMemcpy(b, in.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  transposeRow<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, n, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(out.data(), a, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n * n; i++) wrong += out[i % n * n + i / n] != in[i];
  printf("%d wrong\n", wrong);
}
