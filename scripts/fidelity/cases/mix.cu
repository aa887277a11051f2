// Loads out of L1 beside arithmetic; rows of a warp out of L2 and DRAM; blocks that meet once; elements of 1 to 8 bytes.
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

// A product's inner loop over arrays that L1 holds: ROWS rows of `a` a warp, one word each, and a line of `b`; EXTRA products a round.
template <int EXTRA>
__global__ void product(const float *a, const float *b, float *out, int n, int pitch) {
  int col = threadIdx.x, row = threadIdx.y;
  float sum = 0, more = 1;
  for (int k = 0; k < n; ++k) {
    float x = a[row * pitch + (k & 31)], y = b[(k & 31) * pitch + col];
    sum += x * y;
#pragma unroll
    for (int e = 0; e < EXTRA; ++e) more = more * 1.0001f + x;
  }
  out[(blockIdx.x * blockDim.y + row) * blockDim.x + col] = sum + more;
}

// The same from bytes.
__global__ void productOfBytes(const int8_t *a, const int8_t *b, int *out, int n, int pitch) {
  int col = threadIdx.x, row = threadIdx.y;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += (int)a[row * pitch + (k & 31)] * (int)b[(k & 31) * pitch + col];
  out[(blockIdx.x * blockDim.y + row) * blockDim.x + col] = sum;
}

// One kind of load only.
__global__ void broadcasts(const float *a, float *out, int n, int pitch) {
  int col = threadIdx.x, row = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * pitch + (k & 31)];
  out[(blockIdx.x * blockDim.y + row) * blockDim.x + col] = sum;
}
__global__ void lines(const float *b, float *out, int n, int pitch) {
  int col = threadIdx.x, row = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += b[(k & 31) * pitch + col];
  out[(blockIdx.x * blockDim.y + row) * blockDim.x + col] = sum;
}

// Points of a volume, ARRAYS of them read at one place each, then one written: rows of a warp by the block's shape.
template <int ARRAYS, bool STORES>
__global__ void volume(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * ny + y) * nx + x, size = nx * ny * nz;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < ARRAYS; ++i) sum += in[i * size + at];
  if (STORES || sum == 12345.f) out[at] = sum;
}

// Neighbours in a volume: 1 + 6.
__global__ void neighbours(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int at = (z * ny + y) * nx + x;
  out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - nx * ny] + in[at + nx * ny];
}

// Three sums in place one after the other, each of two values of other arrays.
__global__ void inPlace(float *h, const float *e, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * ny + y) * nx + x, size = nx * ny * nz;
  h[at] -= e[at] - e[at + size];
  h[at + size] -= e[at + size] - e[at + 2 * size];
  h[at + 2 * size] -= e[at + 2 * size] - e[at];
}

template <int SIZE>
__global__ void blockSum(const float *in, float *out, int n) {
  __shared__ float parts[SIZE / 32];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  float sum = i < n ? in[i] : 0;
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (t % 32 == 0) parts[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < SIZE / 32 ? parts[t] : 0;
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

template <typename In, typename Out>
__global__ void convert(const In *in, Out *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (Out)in[i];
}

template <typename In, typename Out>
void conversions(const void *in, void *out, int n) {
  for (int threads : {128, 256, 512, 1024}) convert<In, Out><<<n / threads, threads>>>((const In *)in, (Out *)out, n);
}

int main() {
  const size_t bytes = 512u << 20;
  float *a, *b;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMemset(a, 0, bytes));
  CHECK(cudaMemset(b, 0, bytes));
  const int n = 4096, blocks = 264;
  for (int pitch : {32, 1024}) {
    dim3 wide(32, 32), narrow(16, 16);
    product<0><<<blocks, wide>>>(a, a + 65536, b, n, pitch);
    product<2><<<blocks, wide>>>(a, a + 65536, b, n, pitch);
    product<4><<<blocks, wide>>>(a, a + 65536, b, n, pitch);
    product<8><<<blocks, wide>>>(a, a + 65536, b, n, pitch);
    product<0><<<blocks * 4, narrow>>>(a, a + 65536, b, n, pitch);
    product<0><<<blocks / 2, wide>>>(a, a + 65536, b, n, pitch);
    product<0><<<blocks, dim3(32, 8)>>>(a, a + 65536, b, n, pitch);
    productOfBytes<<<blocks, wide>>>((int8_t *)a, (int8_t *)(a + 65536), (int *)b, n, pitch);
    broadcasts<<<blocks, wide>>>(a, b, n, pitch);
    lines<<<blocks, wide>>>(a, b, n, pitch);
  }
  for (int side : {128, 256}) {
    for (dim3 block : {dim3(32, 4, 4), dim3(16, 8, 4), dim3(8, 8, 8), dim3(4, 8, 8), dim3(32, 8, 1), dim3(8, 8, 4)}) {
      dim3 grid(side / block.x, side / block.y, side / block.z);
      volume<1, true><<<grid, block>>>(a, b, side, side, side);
      volume<4, true><<<grid, block>>>(a, b, side, side, side);
      volume<4, false><<<grid, block>>>(a, b, side, side, side);
      neighbours<<<grid, block>>>(a, b, side, side, side);
      inPlace<<<grid, block>>>(b, a, side, side, side);
    }
  }
  const int many = 1 << 25;
  blockSum<64><<<many / 64, 64>>>(a, b, many);
  blockSum<128><<<many / 128, 128>>>(a, b, many);
  blockSum<256><<<many / 256, 256>>>(a, b, many);
  blockSum<512><<<many / 512, 512>>>(a, b, many);
  blockSum<1024><<<many / 1024, 1024>>>(a, b, many);
  conversions<int8_t, int8_t>(a, b, many);
  conversions<int8_t, float>(a, b, many);
  conversions<float, int8_t>(a, b, many);
  conversions<float, float>(a, b, many);
  conversions<double, double>(a, b, many);
  conversions<float, double>(a, b, many);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
