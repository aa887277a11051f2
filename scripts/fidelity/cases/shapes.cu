// Products of matrices, and volumes read and written in place and not, by blocks of several shapes.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// In place, once; the block as it is, or with whole lines of a block in warps that follow each other.
__global__ void once(float *h, const float *e, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * ny + y) * nx + x;
  h[at] -= e[at];
}
// Not in place.
__global__ void apart(const float *h, const float *e, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * ny + y) * nx + x;
  out[at] = h[at] - e[at];
}
// Only in place.
__global__ void alone(float *h, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * ny + y) * nx + x;
  h[at] = h[at] * 2 + 1;
}
// A block of 256 threads has 2,048 floats; a warp takes W floats of each of 32 / W lines, which are `apart` lines from each other.
template <int W>
__global__ void inBlock(float *h, int lines) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // warps of a group of 32 / W share their lines
  constexpr int SHARE = 32 / W;
  int group = warp / SHARE, part = warp % SHARE;
  int line = (blockIdx.x * 8 + group * SHARE + lane / W);
  int at = line * 32 + part * W + lane % W;
  if (line < lines) h[at] = h[at] * 2 + 1;
}

int main() {
  const size_t bytes = 512u << 20;
  float *a, *b;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMemset(a, 0, bytes));
  CHECK(cudaMemset(b, 0, bytes));
  for (int side : {1024, 1000, 2048}) {
    for (dim3 block : {dim3(32, 32), dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(64, 4), dim3(32, 16)}) {
      dim3 grid((side + block.x - 1) / block.x, (side + block.y - 1) / block.y);
      if (side == 2048 && block.x != 32) continue;
      matmul<<<grid, block>>>(a, a + side * side, b, side);
    }
  }
  const int side = 256;
  for (dim3 block : {dim3(32, 8, 1), dim3(16, 8, 4), dim3(8, 8, 8), dim3(4, 8, 8), dim3(2, 16, 8)}) {
    dim3 grid(side / block.x, side / block.y, side / block.z);
    once<<<grid, block>>>(b, a, side, side, side);
    apart<<<grid, block>>>(a, a + 64 * 1024 * 1024, b, side, side, side);
    alone<<<grid, block>>>(b, side, side, side);
  }
  const int lines = 512 * 1024;
  inBlock<32><<<lines / 8, 256>>>(b, lines);
  inBlock<16><<<lines / 8, 256>>>(b, lines);
  inBlock<8><<<lines / 8, 256>>>(b, lines);
  inBlock<4><<<lines / 8, 256>>>(b, lines);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
