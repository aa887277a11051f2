// How long matrix instructions take: one after the other and several at once, by one warp, by one a partition and by four; and products of
// matrices made of them. Each kernel leaves a sum of what it computed.
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int WORDS, typename T> struct Registers { T word[WORDS]; };

#define FLOATS4(d) "+f"(d.word[0]), "+f"(d.word[1]), "+f"(d.word[2]), "+f"(d.word[3])
#define WORDS4(d) "+r"(d.word[0]), "+r"(d.word[1]), "+r"(d.word[2]), "+r"(d.word[3])
#define WORDS2(d) "+r"(d.word[0]), "+r"(d.word[1])
#define DOUBLES2(d) "+d"(d.word[0]), "+d"(d.word[1])

// d += a x b, of one instruction each: factors of so many words, all the same number
struct HalfFloat16 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct HalfFloat8 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct HalfHalf16 { using Sum = Registers<2, unsigned>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2,%2,%2}, {%3,%3}, {%0,%1};" : WORDS2(d) : "r"(a), "r"(b)); } };
struct HalfHalf8 { using Sum = Registers<2, unsigned>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%3}, {%0,%1};" : WORDS2(d) : "r"(a), "r"(b)); } };
struct Brain16 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct Brain8 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct Tensor8 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct Tensor4 { using Sum = Registers<4, float>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};" : FLOATS4(d) : "r"(a), "r"(b)); } };
struct Byte32 { using Sum = Registers<4, unsigned>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : WORDS4(d) : "r"(a), "r"(b)); } };
struct Byte16 { using Sum = Registers<4, unsigned>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};" : WORDS4(d) : "r"(a), "r"(b)); } };
struct ByteSmall { using Sum = Registers<2, unsigned>; static __device__ void run(Sum &d, unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};" : WORDS2(d) : "r"(a), "r"(b)); } };
struct Double { using Sum = Registers<2, double>; static __device__ void run(Sum &d, unsigned a, unsigned b) { double x = a, y = b;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : DOUBLES2(d) : "d"(x), "d"(y)); } };

template <typename Kind, int CHAINS> __global__ void chains(const unsigned *in, float *out, int rounds) {
  unsigned a = in[threadIdx.x % 32], b = in[32 + threadIdx.x % 32];
  typename Kind::Sum sums[CHAINS] = {};
#pragma unroll 1
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < 16 / CHAINS; k++)
#pragma unroll
      for (int c = 0; c < CHAINS; c++) Kind::run(sums[c], a, b);
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++) sum += sums[c].word[0];
  out[threadIdx.x] = sum;
}

// Fragments of mma.h, their sums in registers
template <int M, int N, int K, typename T, typename S> __global__ void fragments(const T *in, S *out, int rounds) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, M, N, K, S> c[2];
  wmma::load_matrix_sync(a, in, K); wmma::load_matrix_sync(b, in, K);
  wmma::fill_fragment(c[0], S(0)); wmma::fill_fragment(c[1], S(0));
#pragma unroll 1
  for (int i = 0; i < rounds; i++) { wmma::mma_sync(c[0], a, b, c[0]); wmma::mma_sync(c[1], a, b, c[1]); }
  wmma::store_matrix_sync(out, c[0], N, wmma::mem_row_major); wmma::store_matrix_sync(out + M * N, c[1], N, wmma::mem_row_major);
}

// Products of matrices: a warp a tile of 16 x 16, out of global memory
template <typename T, typename S> __global__ void naive(const T *a, const T *b, S *c, int n) {
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16, column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, S> fc;
  wmma::fill_fragment(fc, S(0));
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n); wmma::load_matrix_sync(fb, b + k * n + column, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

// 64 x 64 a block of four warps, 32 of depth at a time in shared memory
__global__ void tiled(const half *a, const half *b, float *c, int n) {
  __shared__ half sa[64][32 + 8], sb[32][64 + 8];
  int warp = threadIdx.x / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[2][2];
  for (auto &r : fc) for (auto &f : r) wmma::fill_fragment(f, 0.f);
  for (int k = 0; k < n; k += 32) {
    for (int i = threadIdx.x; i < 64 * 4; i += 128) *(uint4 *)&sa[i / 4][i % 4 * 8] = *(const uint4 *)&a[(row + i / 4) * n + k + i % 4 * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += 128) *(uint4 *)&sb[i / 8][i % 8 * 8] = *(const uint4 *)&b[(k + i / 8) * n + column + i % 8 * 8];
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; i++) { wmma::load_matrix_sync(fa[i], &sa[warp / 2 * 32 + i * 16][kk], 40); wmma::load_matrix_sync(fb[i], &sb[kk][warp % 2 * 32 + i * 16], 72); }
      for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) wmma::mma_sync(fc[i][j], fa[i], fb[j], fc[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++)
    wmma::store_matrix_sync(c + (row + warp / 2 * 32 + i * 16) * n + column + warp % 2 * 32 + j * 16, fc[i][j], n, wmma::mem_row_major);
}

static char *in, *out;
static void check(const char *name) {
  float sum = 0, *host = (float *)malloc(4096);
  cudaMemcpy(host, out, 4096, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) sum += host[i];
  printf("%s %g %s\n", name, sum, cudaGetErrorString(cudaGetLastError()));
  free(host);
}
template <typename Kind> static void kind(const char *name) {
  const unsigned *words = (const unsigned *)in;
  float *sums = (float *)out;
  chains<Kind, 1><<<1, 32>>>(words, sums, 64);
  chains<Kind, 2><<<1, 32>>>(words, sums, 64);
  chains<Kind, 8><<<1, 32>>>(words, sums, 64);
  chains<Kind, 8><<<1, 128>>>(words, sums, 64);
  chains<Kind, 4><<<1, 512>>>(words, sums, 64);
  check(name);
}
template <int M, int N, int K, typename T, typename S> static void fragment(const char *name) {
  fragments<M, N, K, T, S><<<1, 32>>>((const T *)in, (S *)out, 256);
  fragments<M, N, K, T, S><<<1, 512>>>((const T *)in, (S *)out, 256);
  check(name);
}

int main() {
  const int n = 512;
  cudaMalloc(&in, 8 * n * n); cudaMalloc(&out, 8 * n * n);
  unsigned short *ones = (unsigned short *)malloc(8 * n * n);
  for (int i = 0; i < 4 * n * n; i++) ones[i] = 0x3c00; // of half
  cudaMemcpy(in, ones, 8 * n * n, cudaMemcpyHostToDevice); cudaMemset(out, 0, 8 * n * n);
  kind<HalfFloat16>("half, sums of float, 16"); kind<HalfFloat8>("half, sums of float, 8"); kind<HalfHalf16>("half, 16"); kind<HalfHalf8>("half, 8");
  kind<Brain16>("bfloat16, 16"); kind<Brain8>("bfloat16, 8"); kind<Tensor8>("tf32, 8"); kind<Tensor4>("tf32, 4");
  kind<Byte32>("bytes, 32"); kind<Byte16>("bytes, 16"); kind<ByteSmall>("bytes, 8 x 8"); kind<Double>("double");
  fragment<16, 16, 16, half, float>("half, float"); fragment<16, 16, 16, half, half>("half, half"); fragment<32, 8, 16, half, float>("32 x 8");
  fragment<16, 16, 16, __nv_bfloat16, float>("bfloat16"); fragment<16, 16, 16, signed char, int>("bytes"); fragment<8, 8, 4, double, double>("double");
  naive<half, float><<<dim3(n / 64, n / 64), dim3(128, 4)>>>((half *)in, (half *)in, (float *)out, n); check("naive");
  naive<half, half><<<dim3(n / 64, n / 64), dim3(128, 4)>>>((half *)in, (half *)in, (half *)out, n); check("naive, half");
  naive<signed char, int><<<dim3(n / 64, n / 64), dim3(128, 4)>>>((signed char *)in, (signed char *)in, (int *)out, n); check("naive, bytes");
  tiled<<<dim3(n / 64, n / 64), 128>>>((half *)in, (half *)in, (float *)out, n); check("tiled");
  return cudaDeviceSynchronize();
}
