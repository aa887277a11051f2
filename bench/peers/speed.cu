// The benchmark's seven kernels in CUDA, and two whose addresses are data. Checks the result of the last launch.
// usage: speed KERNEL SIZE [REPEATS [PIECES]]     prints  KERNEL SIZE OK|BAD; exit code 1 for a wrong result
// PIECES: launches that do the work of one (transpose_naive, vecadd, reduce).
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include "workload.h"

#define CHECK(call)                                                                      \
  do {                                                                                   \
    cudaError_t status = (call);                                                         \
    if (status != cudaSuccess) {                                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));    \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

__global__ void transpose_naive(const float *in, float *out, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size && y < size) out[x * size + y] = in[y * size + x];
}

template <int PAD> __global__ void transpose_tile(const float *in, float *out, int size) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * size + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) out[(y + j) * size + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void vecadd(const float *a, const float *b, float *c, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) c[i] = a[i] + b[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int size) {
  __shared__ float as[MATMUL_TILE][MATMUL_TILE], bs[MATMUL_TILE][MATMUL_TILE];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * MATMUL_TILE + tx, row = blockIdx.y * MATMUL_TILE + ty;
  float sum = 0;
  for (int t = 0; t < size / MATMUL_TILE; t++) {
    as[ty][tx] = a[row * size + t * MATMUL_TILE + tx];
    bs[ty][tx] = b[(t * MATMUL_TILE + ty) * size + col];
    __syncthreads();
    for (int k = 0; k < MATMUL_TILE; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * size + col] = sum;
}

__global__ void reduce(const float *in, float *out, int size) {
  __shared__ float s[REDUCE_BLOCK];
  int t = threadIdx.x, i = blockIdx.x * REDUCE_BLOCK + t;
  s[t] = i < size ? in[i] : 0;
  __syncthreads();
  for (int d = REDUCE_BLOCK / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void mandel(int *out, int size, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= size || py >= size) return;
  float cx = -2.0f + 3.0f * px / size, cy = -1.5f + 3.0f * py / size, x = 0, y = 0;
  int steps = 0;
  while (x * x + y * y <= 4.0f && steps < limit) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    steps++;
  }
  out[py * size + px] = steps;
}

__global__ void gather(const float *in, const unsigned *index, float *out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = in[index[i]];
}

__global__ void histogram(const unsigned *in, unsigned *out, int size) {
  __shared__ unsigned bins[HISTOGRAM_BINS];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] % HISTOGRAM_BINS], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: speed KERNEL SIZE [REPEATS [PIECES]]\n"), 2;
  std::string name = argv[1];
  int size = atoi(argv[2]), repeats = argc > 3 ? atoi(argv[3]) : 1, pieces = argc > 4 ? atoi(argv[4]) : 1;
  size_t count = elementsOf(argv[1], size), outputs = count < HISTOGRAM_BINS ? HISTOGRAM_BINS : count;
  bool dataDependent = name == "gather" || name == "histogram";
  std::vector<float> a(count), out(outputs);
  float *da, *db, *dout;
  CHECK(cudaMalloc(&da, count * 4));
  CHECK(cudaMalloc(&db, count * 4));
  CHECK(cudaMalloc(&dout, outputs * 4));
  for (size_t i = 0; i < count; i++) a[i] = inputA(i);
  CHECK(cudaMemcpy(da, a.data(), count * 4, cudaMemcpyHostToDevice));
  // The vector serves twice: host memory is what a run's peak is made of.
  for (size_t i = 0; i < count; i++) {
    uint32_t index = indexAt(i, count);
    if (dataDependent) memcpy(&a[i], &index, 4);
    else a[i] = inputB(i);
  }
  CHECK(cudaMemcpy(db, a.data(), count * 4, cudaMemcpyHostToDevice));
  dim3 tiles((size + TILE - 1) / TILE, (size + TILE - 1) / TILE), squares((size + 15) / 16, (size + 15) / 16);
  int rows = (size + 255) / 256;
  bool inPieces = name == "transpose_naive" || name == "vecadd" || name == "reduce";
  int part = size / pieces;
  if (pieces > 1 && (!inPieces || size % pieces || part % (name == "transpose_naive" ? 16 : 256)))
    return fprintf(stderr, "%s %d has no %d pieces\n", argv[1], size, pieces), 2;
  for (int r = 0; r < repeats; r++) {
    for (int p = 0; pieces > 1 && p < pieces; p++) {
      size_t at = (size_t)p * part;
      if (name == "transpose_naive") transpose_naive<<<dim3((size + 31) / 32, part / 16), dim3(32, 16)>>>(da + at * size, dout + at, size);
      else if (name == "vecadd") vecadd<<<part / 256, 256>>>(da + at, db + at, dout + at, part);
      else reduce<<<part / 256, 256>>>(da + at, dout + at / 256, part);
    }
    if (pieces > 1) continue;
    if (name == "transpose_naive") transpose_naive<<<dim3((size + 31) / 32, (size + 15) / 16), dim3(32, 16)>>>(da, dout, size);
    else if (name == "transpose_tile") transpose_tile<0><<<tiles, dim3(32, 8)>>>(da, dout, size);
    else if (name == "transpose_tile_pad") transpose_tile<1><<<tiles, dim3(32, 8)>>>(da, dout, size);
    else if (name == "vecadd") vecadd<<<rows, 256>>>(da, db, dout, size);
    else if (name == "matmul") matmul<<<squares, dim3(16, 16)>>>(da, db, dout, size);
    else if (name == "reduce") reduce<<<rows, 256>>>(da, dout, size);
    else if (name == "mandel") mandel<<<squares, dim3(16, 16)>>>((int *)dout, size, MANDEL_STEPS);
    else if (name == "gather") gather<<<rows, 256>>>(da, (unsigned *)db, dout, size);
    else if (name == "histogram") {
      CHECK(cudaMemset(dout, 0, HISTOGRAM_BINS * 4));
      histogram<<<256, HISTOGRAM_BINS>>>((unsigned *)db, (unsigned *)dout, size);
    } else return fprintf(stderr, "unknown kernel %s\n", argv[1]), 2;
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dout, outputs * 4, cudaMemcpyDeviceToHost));
  size_t wrong = countWrong(argv[1], size, size, out.data());
  printf("%s %d %s\n", argv[1], size, wrong ? "BAD" : "OK");
  return wrong != 0;
}
