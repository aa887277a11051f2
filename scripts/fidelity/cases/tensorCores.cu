// Fragments of tensor cores: which lane holds which element, and what loading and storing them sends to memory.
// Each launch moves one fragment: loads and stores of the kind under test are the only ones of that space and direction.
// With an argument the program prints every fragment's elements by lane.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;
constexpr int SPACE = 32 * 80;
template <class T> __device__ T numbered(int i) { return T((float)i); }
template <> __device__ signed char numbered<signed char>(int i) { return (signed char)i; }
template <> __device__ unsigned char numbered<unsigned char>(int i) { return (unsigned char)i; }
template <> __device__ int numbered<int>(int i) { return i; }
template <class F, class T> __device__ void load(F &f, const T *from, int ldm, wmma::layout_t) { wmma::load_matrix_sync(f, from, ldm); }
template <int M, int N, int K, class T>
__device__ void load(wmma::fragment<wmma::accumulator, M, N, K, T> &f, const T *from, int ldm, wmma::layout_t layout) {
  wmma::load_matrix_sync(f, from, ldm, layout);
}
template <class F, class T> __global__ void loadGlobal(const T *in, T *o, int ldm, wmma::layout_t layout) {
  F f;
  load(f, in, ldm, layout);
  for (int i = 0; i < f.num_elements; i++) o[threadIdx.x * f.num_elements + i] = f.x[i];
}
template <class F, class T, int LDM, wmma::layout_t LAYOUT> __global__ void loadGlobalFixed(const T *in, T *o) {
  F f;
  load(f, in, LDM, LAYOUT);
  for (int i = 0; i < f.num_elements; i++) o[threadIdx.x * f.num_elements + i] = f.x[i];
}
template <class F, class T, wmma::layout_t LAYOUT> __global__ void loadShared(const T *in, T *o, int ldm) {
  __shared__ __align__(32) T s[SPACE];
  for (int i = threadIdx.x; i < SPACE; i += 32) s[i] = in[i];
  __syncthreads();
  F f;
  load(f, s, ldm, LAYOUT);
  for (int i = 0; i < f.num_elements; i++) o[threadIdx.x * f.num_elements + i] = f.x[i];
}
template <class F, class T, int LDM, wmma::layout_t LAYOUT> __global__ void loadSharedFixed(const T *in, T *o) {
  __shared__ __align__(32) T s[SPACE];
  for (int i = threadIdx.x; i < SPACE; i += 32) s[i] = in[i];
  __syncthreads();
  F f;
  load(f, s, LDM, LAYOUT);
  for (int i = 0; i < f.num_elements; i++) o[threadIdx.x * f.num_elements + i] = f.x[i];
}
template <class F, class T, wmma::layout_t LAYOUT> __global__ void storeGlobal(T *o, int ldm) {
  F f;
  for (int i = 0; i < f.num_elements; i++) f.x[i] = numbered<T>(threadIdx.x * f.num_elements + i);
  wmma::store_matrix_sync(o, f, ldm, LAYOUT);
}
template <class F, class T, wmma::layout_t LAYOUT> __global__ void storeShared(T *o, int ldm) {
  __shared__ __align__(32) T s[SPACE];
  F f;
  for (int i = 0; i < f.num_elements; i++) f.x[i] = numbered<T>(threadIdx.x * f.num_elements + i);
  wmma::store_matrix_sync(s, f, ldm, LAYOUT);
  __syncthreads();
  for (int i = threadIdx.x; i < SPACE; i += 32) o[i] = s[i];
}
static void *in, *out;
static bool show;
template <class T> void fill() {
  static T h[SPACE];
  for (int i = 0; i < SPACE; i++) h[i] = T((float)(i < 2048 ? i : 0));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
}
template <> void fill<signed char>() {
  static signed char h[SPACE];
  for (int i = 0; i < SPACE; i++) h[i] = (signed char)i;
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
}
template <> void fill<unsigned char>() {
  static unsigned char h[SPACE];
  for (int i = 0; i < SPACE; i++) h[i] = (unsigned char)i;
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
}
template <class F, class T> void print(const char *name) {
  if (!show) return;
  static T h[32 * 32];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int i = 0; i < 32 * F::num_elements; i++) printf(" %d", (int)(float)h[i]);
  printf("\n");
}
// `columns`: the length of what lies together in memory.
template <class F, class T, int COLUMNS, wmma::layout_t LAYOUT> void loads(const char *name) {
  constexpr int WIDE = COLUMNS + (sizeof(T) == 1 ? 16 : sizeof(T) == 8 ? 4 : 8);
  fill<T>();
  T *i = (T *)in, *o = (T *)out;
  loadGlobal<F, T><<<1, 32>>>(i, o, COLUMNS, LAYOUT);
  print<F, T>(name);
  loadGlobal<F, T><<<1, 32>>>(i, o, 64, LAYOUT);
  loadGlobalFixed<F, T, WIDE, LAYOUT><<<1, 32>>>(i, o);
  loadShared<F, T, LAYOUT><<<1, 32>>>(i, o, COLUMNS);
  loadShared<F, T, LAYOUT><<<1, 32>>>(i, o, WIDE);
  loadShared<F, T, LAYOUT><<<1, 32>>>(i, o, 64);
  loadSharedFixed<F, T, WIDE, LAYOUT><<<1, 32>>>(i, o);
  print<F, T>(name);
}
template <class F, class T, int COLUMNS, wmma::layout_t LAYOUT> void stores() {
  constexpr int WIDE = COLUMNS + (sizeof(T) == 8 ? 4 : 8);
  T *o = (T *)out;
  storeGlobal<F, T, LAYOUT><<<1, 32>>>(o, COLUMNS);
  storeGlobal<F, T, LAYOUT><<<1, 32>>>(o, 64);
  storeShared<F, T, LAYOUT><<<1, 32>>>(o, COLUMNS);
  storeShared<F, T, LAYOUT><<<1, 32>>>(o, WIDE);
  storeShared<F, T, LAYOUT><<<1, 32>>>(o, 64);
}
template <int M, int N, int K, class S, class T> void factors(const char *name) {
  char text[80];
  auto of = [&](const char *rest) { snprintf(text, sizeof text, "%s %dx%dx%d %s", name, M, N, K, rest); return text; };
  loads<wmma::fragment<wmma::matrix_a, M, N, K, S, wmma::row_major>, T, K, wmma::mem_row_major>(of("a row"));
  loads<wmma::fragment<wmma::matrix_a, M, N, K, S, wmma::col_major>, T, M, wmma::mem_col_major>(of("a col"));
  loads<wmma::fragment<wmma::matrix_b, M, N, K, S, wmma::row_major>, T, N, wmma::mem_row_major>(of("b row"));
  loads<wmma::fragment<wmma::matrix_b, M, N, K, S, wmma::col_major>, T, K, wmma::mem_col_major>(of("b col"));
}
template <int M, int N, int K, class T> void sums(const char *name) {
  char text[80];
  auto of = [&](const char *rest) { snprintf(text, sizeof text, "%s %dx%dx%d %s", name, M, N, K, rest); return text; };
  using F = wmma::fragment<wmma::accumulator, M, N, K, T>;
  loads<F, T, N, wmma::mem_row_major>(of("c row"));
  loads<F, T, M, wmma::mem_col_major>(of("c col"));
  stores<F, T, N, wmma::mem_row_major>();
  stores<F, T, M, wmma::mem_col_major>();
}
template <int M, int N, int K> void narrow() {
  factors<M, N, K, half, half>("half");
  factors<M, N, K, __nv_bfloat16, __nv_bfloat16>("bfloat16");
  factors<M, N, K, signed char, signed char>("s8");
  factors<M, N, K, unsigned char, unsigned char>("u8");
  sums<M, N, K, half>("half");
  sums<M, N, K, float>("float");
  sums<M, N, K, int>("int");
}
int main(int argc, char **) {
  show = argc > 1;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 16);
  narrow<16, 16, 16>();
  narrow<32, 8, 16>();
  narrow<8, 32, 16>();
  factors<16, 16, 8, wmma::precision::tf32, float>("tf32");
  sums<16, 16, 8, float>("float");
  factors<8, 8, 4, double, double>("double");
  sums<8, 8, 4, double>("double");
  return cudaDeviceSynchronize();
}
