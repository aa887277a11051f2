// A matrix transpose in three steps, each of which Warplens shows in numbers.
//
//   naive    reads rows (4 sectors a request), writes columns (32 sectors a request, efficiency 12.5 %)
//   tiled    goes through shared memory: both sides coalesced, but a column of the tile lies in one bank (32 ways)
//   padded   one unused word a row moves each row to other banks: no excess left
//
// usage: transpose [rows columns]     default 1024 1024
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define TILE 32

__global__ void naive(float *out, const float *in, int rows, int columns) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

template <int PAD>
__global__ void tiled(float *out, const float *in, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
  exit(1);
}

int main(int argc, char **argv) {
  int rows = argc > 2 ? atoi(argv[1]) : 1024;
  int columns = argc > 2 ? atoi(argv[2]) : 1024;
  size_t count = (size_t)rows * columns;
  std::vector<float> in(count), out(count);
  for (size_t i = 0; i < count; i++) in[i] = (float)(i % 1000003);

  float *deviceIn, *deviceOut;
  check(cudaMalloc(&deviceIn, count * sizeof(float)));
  check(cudaMalloc(&deviceOut, count * sizeof(float)));
  check(cudaMemcpy(deviceIn, in.data(), count * sizeof(float), cudaMemcpyHostToDevice));

  dim3 block(TILE, TILE);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  int wrong = 0;
  for (int step = 0; step < 3; step++) {
    check(cudaMemset(deviceOut, 0, count * sizeof(float)));
    if (step == 0) naive<<<grid, block>>>(deviceOut, deviceIn, rows, columns);
    if (step == 1) tiled<0><<<grid, block>>>(deviceOut, deviceIn, rows, columns);
    if (step == 2) tiled<1><<<grid, block>>>(deviceOut, deviceIn, rows, columns);
    check(cudaGetLastError());
    check(cudaMemcpy(out.data(), deviceOut, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) wrong += out[(size_t)x * rows + y] != in[(size_t)y * columns + x];
  }
  check(cudaFree(deviceIn));
  check(cudaFree(deviceOut));
  printf("transpose %d x %d: %s\n", rows, columns, wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
