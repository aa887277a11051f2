// Barriers that lanes of one warp come to in different rounds of a loop, or not at all: each waits for all threads that have not ended.
// stdout: rows: 88 92 44 46 128 132 64 66 168 172 84 86 64 66 32 33
// stdout: skipped: 12 4 12 4 12 4 12 4
#include <cstdio>

/** Both loops end at different times for the lanes of the only warp. */
__global__ void rows(int *out, int height, int width) {
  int seen = 0;
  for (int row = threadIdx.y; row < height; row += 4)
    for (int col = threadIdx.x; col < width; col += 4) {
      __syncthreads();
      seen += 10 * row + col;
    }
  out[threadIdx.y * 4 + threadIdx.x] = seen;
}

/** Odd lanes come to the barrier in every third round. */
__global__ void skipped(int *out) {
  int count = 0;
  for (int round = 0; round < 12; round++) {
    if (threadIdx.x % 2 == 1 && round % 3 != 0) continue;
    __syncthreads();
    count++;
  }
  out[threadIdx.x] = count;
}

static void print(const char *name, const int *out, int n) {
  printf("%s:", name);
  if (cudaDeviceSynchronize() != cudaSuccess) printf(" %s", cudaGetErrorString(cudaGetLastError()));
  for (int i = 0; i < n; i++) printf(" %d", out[i]);
  printf("\n");
}

int main() {
  int *out;
  cudaMallocManaged(&out, 64);
  rows<<<1, dim3(4, 4)>>>(out, 7, 6);
  print("rows", out, 16);
  skipped<<<1, 8>>>(out);
  print("skipped", out, 8);
  return 0;
}
