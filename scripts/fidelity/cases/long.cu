// Rows of a thread each and of a warp each by few and by many blocks, and blocks that do nothing: what long.json has an H100's readings of.
#include <cstdio>

__global__ void fill(float *out, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) out[r * pitch + i] = i;
}

__global__ void copy(float *out, const float *in, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) out[r * pitch + i] = in[r * pitch + i];
}

__global__ void sum(float *out, const float *in, int rows, int pitch, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  for (int i = 0; i < n; ++i) s += in[r * pitch + i];
  out[r] = s;
}

__global__ void warpRow(float *out, const float *in, int rows, int n) {
  int w = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
  for (int r = w; r < rows; r += warps)
    for (int i = lane; i < n; i += 32) out[r * n + i] = in[r * n + i];
}

__global__ void none(float *out, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) out[r] = r;
}

int main() {
  const size_t bytes = size_t(288) << 20;
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  for (int n : {1024, 8192})
    for (int grid : {64, 65536, 524288}) {
      copy<<<grid, 128>>>(out, in, 8192, 8192, n);
      fill<<<grid, 128>>>(out, 8192, 8192, n);
      sum<<<grid, 128>>>(out, in, 8192, 8192, n);
    }
  for (int pitch : {8192, 8224, 4096, 4128, 8208}) copy<<<64, 128>>>(out, in, 8192, pitch, 4096);
  for (int rows : {1024, 2048, 4096, 16384}) copy<<<rows / 128, 128>>>(out, in, rows, 4096, 4096);
  for (int grid : {2048, 16384, 65536, 524288}) warpRow<<<grid, 128>>>(out, in, 8192, 8192);
  for (int grid : {64, 2048, 16384, 65536, 524288}) none<<<grid, 128>>>(out, 8192);
  for (int block : {32, 64, 256, 512, 1024}) none<<<65536, block>>>(out, 8192);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
