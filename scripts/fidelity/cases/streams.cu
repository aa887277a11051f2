// Many places read and written at once, each going on in memory of its own, in more than L2 holds: rows by warps, blocks and threads,
// of many pitches; several arrays side by side; few and many blocks in strides of the grid. Nothing depends on what is read.
#include <cstdio>

__global__ void warpSum(float *out, const float *in, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0;
  for (int i = lane; i < n; i += 32) s += in[row * pitch + i];
  if (s == 1.5f) out[row] = s;
}

__global__ void warpCopy(float *out, const float *in, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int i = lane; i < n; i += 32) out[row * pitch + i] = in[row * pitch + i];
}

__global__ void warpCopy4(float *out, const float *in, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int i = lane * 4; i < n; i += 128) *(float4 *)&out[row * pitch + i] = *(const float4 *)&in[row * pitch + i];
}

__global__ void warpFill(float *out, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int i = lane; i < n; i += 32) out[row * pitch + i] = i;
}

__global__ void warpScale(float *x, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int i = lane; i < n; i += 32) x[row * pitch + i] *= 2.0f;
}

// Twice over a row, as softmax does.
__global__ void warpTwice(float *out, const float *in, int rows, int pitch, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0;
  for (int i = lane; i < n; i += 32) s += in[row * pitch + i];
  for (int i = lane; i < n; i += 32) out[row * pitch + i] = in[row * pitch + i] * s;
}

__global__ void blockSum(float *out, const float *in, int pitch, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[blockIdx.x * pitch + i];
  if (s == 1.5f) out[blockIdx.x] = s;
}

__global__ void blockCopy(float *out, const float *in, int pitch, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * pitch + i] = in[blockIdx.x * pitch + i];
}

__global__ void blockTwice(float *out, const float *in, int pitch, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[blockIdx.x * pitch + i];
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * pitch + i] = in[blockIdx.x * pitch + i] * s;
}

__global__ void threadSum(float *out, const float *in, int rows, int pitch, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float s = 0;
  for (int i = 0; i < n; ++i) s += in[row * pitch + i];
  if (s == 1.5f) out[row] = s;
}

__global__ void threadCopy(float *out, const float *in, int rows, int pitch, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int i = 0; i < n; ++i) out[row * pitch + i] = in[row * pitch + i];
}

// A piece of the array each thread, one behind the other.
__global__ void gridCopy(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

template <int ARRAYS> __global__ void sumOf(float *out, const float *in, int n, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int a = 0; a < ARRAYS; ++a) s += in[a * apart + i];
  out[i] = s;
}

template <int ARRAYS> __global__ void scaleAll(float *x, int n, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int a = 0; a < ARRAYS; ++a) x[a * apart + i] *= 2.0f;
}

template <int ARRAYS> __global__ void copyAll(float *out, const float *in, int n, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int a = 0; a < ARRAYS; ++a) out[a * apart + i] = in[a * apart + i];
}

static void check() {
  if (cudaDeviceSynchronize() != cudaSuccess) printf("failed: %s\n", cudaGetErrorString(cudaGetLastError()));
}

int main() {
  float *in, *out;
  const size_t bytes = size_t(260) << 20;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  struct Case { int rows, pitch, n, block; };
  const Case all[] = {{8192, 8192, 8192, 128}, {8192, 8192 + 32, 8192, 128}, {8192, 8000, 8000, 128}, {32768, 2048, 2048, 256},
                      {131072, 512, 512, 256}, {1024, 65536, 65536, 128}, {2048, 32768, 32768, 256}, {4096, 16384, 16384, 512}};
  for (const Case &c : all) {
    int grid = c.rows * 32 / c.block;
    warpSum<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
    warpCopy<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
    warpFill<<<grid, c.block>>>(out, c.rows, c.pitch, c.n); check();
    if (c.block == 128) {
      warpCopy4<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
      warpScale<<<grid, c.block>>>(out, c.rows, c.pitch, c.n); check();
      warpTwice<<<grid, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
    }
  }
  const Case blocks[] = {{8192, 8192, 8192, 256}, {8192, 8192, 8192, 1024}, {65536, 1024, 1024, 256}, {2048, 32768, 32768, 256}};
  for (const Case &c : blocks) {
    blockSum<<<c.rows, c.block>>>(out, in, c.pitch, c.n); check();
    blockCopy<<<c.rows, c.block>>>(out, in, c.pitch, c.n); check();
    blockTwice<<<c.rows, c.block>>>(out, in, c.pitch, c.n); check();
  }
  const Case threads[] = {{8192, 8192, 2048, 128}, {8192, 8192 + 32, 2048, 128}, {32768, 2048, 512, 256}, {131072, 512, 512, 256}};
  for (const Case &c : threads) {
    threadSum<<<c.rows / c.block, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
    threadCopy<<<c.rows / c.block, c.block>>>(out, in, c.rows, c.pitch, c.n); check();
  }
  const int n = 1 << 26;
  for (int grid : {132, 528, 1056, 4224}) { gridCopy<<<grid, 256>>>(out, in, n); check(); }
  const int m = 1 << 23;
  for (int apart : {m, m + 4096 + 32}) {
    sumOf<2><<<m / 256, 256>>>(out, in, m, apart); check();
    sumOf<7><<<m / 256, 256>>>(out, in, m, apart); check();
    scaleAll<1><<<m / 256, 256>>>(out, m, apart); check();
    scaleAll<3><<<m / 256, 256>>>(out, m, apart); check();
    scaleAll<7><<<m / 256, 256>>>(out, m, apart); check();
    copyAll<3><<<m / 256, 256>>>(out, in, m, apart); check();
    copyAll<7><<<m / 256, 256>>>(out, in, m, apart); check();
  }
  return 0;
}
