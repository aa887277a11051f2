// Loads out of L1 beside arithmetic of several kinds.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

enum Kind { FLOATS, PRODUCTS, LOGIC, WIDE };
__device__ float read(const float *p) { float x; asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(p)); return x; }
__device__ float readByte(const uint8_t *p) { int x; asm volatile("ld.global.u8 %0, [%1];" : "=r"(x) : "l"(p)); return __int_as_float(x); }

// WORDS that all lanes read, and LINES, out of L1; MORE other operations a round of the kind; STEP: pointers move by a register (0)
template <int WORDS, int LINES, int MORE, Kind KIND, bool BYTES>
__global__ void loads(const float *a, const float *b, float *out, int n, int step) {
  a += threadIdx.y * 32;
  b += threadIdx.x;
  const uint8_t *ab = (const uint8_t *)a, *bb = (const uint8_t *)b;
  float sum = 0, fs[4] = {1, 2, 3, 4};
  int is[4] = {(int)threadIdx.x, 5, 7, (int)threadIdx.y};
  long long ls[2] = {threadIdx.x, threadIdx.y};
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float x[WORDS + LINES];
#pragma unroll
    for (int i = 0; i < WORDS; ++i) x[i] = BYTES ? readByte(ab + i) : read(a + i);
#pragma unroll
    for (int i = 0; i < LINES; ++i) x[WORDS + i] = BYTES ? readByte(bb + 32 * i) : read(b + 32 * i);
#pragma unroll
    for (int i = 0; i < MORE; ++i) {
      if (KIND == FLOATS) fs[i % 4] = fs[i % 4] * 1.0001f + 2.f;
      if (KIND == PRODUCTS) is[i % 4] = is[i % 4] * step + i;
      if (KIND == LOGIC) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(is[i % 4]) : "r"(step), "r"(n));
      if (KIND == WIDE) ls[i % 2] = (long long)(int)ls[i % 2] * step + ls[i % 2];
    }
#pragma unroll
    for (int i = 0; i < WORDS + LINES; ++i) sum += x[i];
    a += step, b += step, ab += step, bb += step;
  }
  out[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = sum + fs[0] + fs[1] + fs[2] + fs[3] + is[0] + is[1] + is[2] + is[3] + ls[0] + ls[1];
}

template <int W, int L, int M, Kind K, bool B = false> void go(const float *a, float *b, dim3 block = dim3(32, 32)) {
  loads<W, L, M, K, B><<<264, block>>>(a, a + 4096, b, 2048, 0);
}
int main() {
  float *a, *b;
  CHECK(cudaMalloc(&a, 16 << 20));
  CHECK(cudaMalloc(&b, 16 << 20));
  CHECK(cudaMemset(a, 0, 16 << 20));
  go<8, 0, 0, FLOATS>(a, b);
  go<0, 8, 0, FLOATS>(a, b);
  go<4, 4, 0, FLOATS>(a, b);
  go<4, 4, 8, FLOATS>(a, b);
  go<4, 4, 16, FLOATS>(a, b);
  go<4, 4, 24, FLOATS>(a, b);
  go<4, 4, 40, FLOATS>(a, b);
  go<4, 4, 4, PRODUCTS>(a, b);
  go<4, 4, 8, PRODUCTS>(a, b);
  go<4, 4, 16, PRODUCTS>(a, b);
  go<4, 4, 8, LOGIC>(a, b);
  go<4, 4, 16, LOGIC>(a, b);
  go<4, 4, 24, LOGIC>(a, b);
  go<4, 4, 2, WIDE>(a, b);
  go<4, 4, 4, WIDE>(a, b);
  go<4, 4, 8, WIDE>(a, b);
  go<4, 4, 12, WIDE>(a, b);
  go<4, 4, 0, FLOATS, true>(a, b);
  go<4, 4, 8, FLOATS, true>(a, b);
  go<4, 4, 16, FLOATS, true>(a, b);
  go<4, 4, 0, FLOATS>(a, b, dim3(32, 8));
  go<4, 4, 16, FLOATS>(a, b, dim3(32, 8));
  go<4, 4, 8, LOGIC>(a, b, dim3(32, 8));
  go<4, 4, 4, WIDE>(a, b, dim3(32, 8));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
