// How long a warp waits for lines out of DRAM that it asks for together: 1 to 16 of them, at distances of a line to 64 KiB, by one
// warp alone, and by one on each multiprocessor whose lines lie beside each other.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

// Each round begins where the one before ends, and waits for it: all words are 0.
template <int LINES>
__global__ void batch(const int *in, int *out, int rounds, int distance) {
  int at = blockIdx.x * 32 + threadIdx.x, sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; round++) {
    int words[LINES];
#pragma unroll
    for (int i = 0; i < LINES; i++) words[i] = in[at + i * distance];
#pragma unroll
    for (int i = 0; i < LINES; i++) sum += words[i];
    at += LINES * distance + sum;
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

template <int LINES>
void run(const int *in, int *out) {
  for (int distance : {32, 256, 4096, 4224, 16384})
    for (int blocks : {1, 132}) {
      if (blocks > 1 && distance < 4096) continue; // they would read each other's lines
      batch<LINES><<<blocks, 32>>>(in, out, 1024 / LINES < 64 ? 1024 / LINES : 64, distance);
    }
}

int main() {
  int *in, *out;
  const size_t bytes = sizeof(int) * ((size_t)1024 * 16384 + 132 * 32);
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, sizeof(int) * 132 * 32));
  CHECK(cudaMemset(in, 0, bytes));
  run<1>(in, out);
  run<2>(in, out);
  run<4>(in, out);
  run<8>(in, out);
  run<16>(in, out);
  CHECK(cudaDeviceSynchronize());
  printf("ok\n");
}
