// Four products a thread in blocks of 1,024 threads: nvcc needs 40 registers (read on an H200, unseen25); an estimate of more than 64
// is no reason to refuse the launch.
// levels: 2
// stdout: no error, a block fits: yes
// stdout: sum right
#include <cstdio>

constexpr int TILE = 64, BLOCK = 32, N = 100;

__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row0 = blockIdx.y * TILE + ty, row1 = row0 + BLOCK, col0 = blockIdx.x * TILE + tx, col1 = col0 + BLOCK;
  float c00 = 0, c01 = 0, c10 = 0, c11 = 0;
  for (int start = 0; start < n; start += TILE) {
    int x0 = start + tx, x1 = x0 + BLOCK, y0 = start + ty, y1 = y0 + BLOCK;
    as[ty][tx] = row0 < n && x0 < n ? a[row0 * n + x0] : 0.0f;
    as[ty][tx + BLOCK] = row0 < n && x1 < n ? a[row0 * n + x1] : 0.0f;
    as[ty + BLOCK][tx] = row1 < n && x0 < n ? a[row1 * n + x0] : 0.0f;
    as[ty + BLOCK][tx + BLOCK] = row1 < n && x1 < n ? a[row1 * n + x1] : 0.0f;
    bs[ty][tx] = y0 < n && col0 < n ? b[y0 * n + col0] : 0.0f;
    bs[ty][tx + BLOCK] = y0 < n && col1 < n ? b[y0 * n + col1] : 0.0f;
    bs[ty + BLOCK][tx] = y1 < n && col0 < n ? b[y1 * n + col0] : 0.0f;
    bs[ty + BLOCK][tx + BLOCK] = y1 < n && col1 < n ? b[y1 * n + col1] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      float a0 = as[ty][k], a1 = as[ty + BLOCK][k], b0 = bs[k][tx], b1 = bs[k][tx + BLOCK];
      c00 += a0 * b0;
      c01 += a0 * b1;
      c10 += a1 * b0;
      c11 += a1 * b1;
    }
    __syncthreads();
  }
  if (row0 < n && col0 < n) c[row0 * n + col0] = c00;
  if (row0 < n && col1 < n) c[row0 * n + col1] = c01;
  if (row1 < n && col0 < n) c[row1 * n + col0] = c10;
  if (row1 < n && col1 < n) c[row1 * n + col1] = c11;
}

int main() {
  float *a, *b, *c;
  cudaMallocManaged(&a, N * N * sizeof(float));
  cudaMallocManaged(&b, N * N * sizeof(float));
  cudaMallocManaged(&c, N * N * sizeof(float));
  for (int i = 0; i < N * N; i++) a[i] = i % 3, b[i] = i % 5 == 0;
  product<<<dim3(2, 2), dim3(BLOCK, BLOCK)>>>(a, b, c, N);
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, product, BLOCK * BLOCK, 0);
  printf("%s, a block fits: %s\n", cudaGetErrorString(cudaGetLastError()), resident > 0 ? "yes" : "no");
  cudaDeviceSynchronize();
  double sum = 0, expected = 0;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      sum += c[y * N + x];
      for (int k = 0; k < N; k++) expected += a[y * N + k] * b[k * N + x];
    }
  printf("sum %s\n", sum == expected ? "right" : "wrong");
}
