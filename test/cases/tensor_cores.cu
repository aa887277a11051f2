// Matrices of a warp, nvcuda::wmma: every type and shape, both orders of rows and columns, from global and from shared memory,
// against sums of whole numbers done one by one; rounding, saturation, elements by lane, several fragments in one variable.
// levels: nightly
// stdout: half 0 0 0, bfloat16 0 0 0, s8 0 0 0, u8 0 0 0, tf32 0, double 0
// stdout: half sums 0 0 0, mixed 0 0
// stdout: shared half 0 0 0, bfloat16 0 0 0, s8 0 0 0, u8 0 0 0, tf32 0, double 0
// stdout: sizes 16 8 8 4 4 16 4 1 2
// stdout: lane 5: a 1,2 9,2 1,10 9,10 b 2,1 10,1 2,9 10,9 c 1,2 9,2 1,10 9,10
// stdout: saturated 2147483647 -2147483648, wrapped -2147475659
// stdout: tf32 3f802000 3f800000 bf802000 7f800000 7fffffff
// stdout: nan 7fffffff, infinity 7f800000, tiny 33800000
// stdout: chosen 0
// count: loadsGlobal global load executed = 8
// count: loadsShared shared load executed = 8
// count: storesBoth global store executed = 4
// count: storesBoth shared store executed = 8
#include <cstdio>
#include <cstring>
#include <mma.h>
#include <type_traits>
using namespace nvcuda;
template <class T> struct Storage { using type = T; };
template <> struct Storage<wmma::precision::tf32> { using type = float; };

template <int M, int N, int K, class T, class LA, class LB, class D, class C, bool SHARED>
__global__ void multiply(const typename Storage<T>::type *a, const typename Storage<T>::type *b, const C *c, D *d, int lda, int ldb,
                         int ldc, wmma::layout_t layout) {
  using S = typename Storage<T>::type;
  __shared__ __align__(32) S sa[1024], sb[1024];
  __shared__ __align__(32) C sc[1024];
  if (SHARED) {
    for (int i = threadIdx.x; i < 1024; i += 32) sa[i] = a[i], sb[i] = b[i], sc[i] = c[i];
    __syncwarp();
    a = sa, b = sb, c = sc;
  }
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; i++) fd.x[i] = D((float)fd.x[i] + 1.0f);
  wmma::store_matrix_sync(d, fd, ldc, layout);
}
template <class T> double number(T x) { return (double)(float)x; }
template <> double number<double>(double x) { return x; }
template <> double number<int>(int x) { return x; }

/* Mistakes: in all combinations of orders, half of them from shared memory. */
template <int M, int N, int K, class T, class LA, class LB, class D, class C, bool SHARED> int check(bool rowMajor) {
  using S = typename Storage<T>::type;
  bool aRows = std::is_same<LA, wmma::row_major>::value, bRows = std::is_same<LB, wmma::row_major>::value;
  int lda = (aRows ? K : M) + (sizeof(S) == 8 ? 2 : 16 / (int)sizeof(S)), ldb = (bRows ? N : K), ldc = (rowMajor ? N : M) + 8;
  static S a[1024], b[1024];
  static C c[1024];
  static D d[1024];
  bool isUnsigned = std::is_same<T, unsigned char>::value;
  for (int i = 0; i < 1024; i++) {
    int x = i * 7 % 13, y = i * 5 % 11;
    a[i] = S(isUnsigned ? x * 19 : x - 6), b[i] = S(isUnsigned ? y * 23 : y - 5), c[i] = C(i % 17 - 8);
    d[i] = D(0);
  }
  S *da, *db;
  C *dc;
  D *dd;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c), cudaMalloc(&dd, sizeof d);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice), cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice), cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
  multiply<M, N, K, T, LA, LB, D, C, SHARED>
      <<<1, 32>>>(da, db, dc, dd, lda, ldb, ldc, rowMajor ? wmma::mem_row_major : wmma::mem_col_major);
  cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
  cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd);
  int wrong = 0;
  for (int m = 0; m < M; m++)
    for (int n = 0; n < N; n++) {
      int at = rowMajor ? m * ldc + n : n * ldc + m;
      double sum = number(c[at]) + 1;
      for (int k = 0; k < K; k++) sum += number(a[aRows ? m * lda + k : k * lda + m]) * number(b[bRows ? k * ldb + n : n * ldb + k]);
      wrong += number(d[at]) != sum;
    }
  return wrong;
}
template <int M, int N, int K, class T, class D, class C, bool SHARED> int orders() {
  using R = wmma::row_major;
  using L = wmma::col_major;
  if (SHARED) return check<M, N, K, T, R, R, D, C, SHARED>(false) + check<M, N, K, T, L, L, D, C, SHARED>(true);
  return check<M, N, K, T, R, L, D, C, SHARED>(true) + check<M, N, K, T, L, R, D, C, SHARED>(false);
}
template <class T, class D, class C, bool SHARED> void shapes(const char *name, const char *end) {
  printf("%s %d %d %d%s", name, orders<16, 16, 16, T, D, C, SHARED>(), orders<32, 8, 16, T, D, C, SHARED>(),
         orders<8, 32, 16, T, D, C, SHARED>(), end);
}
template <bool SHARED> void types() {
  shapes<half, float, float, SHARED>("half", ", ");
  shapes<__nv_bfloat16, float, float, SHARED>("bfloat16", ", ");
  shapes<signed char, int, int, SHARED>("s8", ", ");
  shapes<unsigned char, int, int, SHARED>("u8", ", ");
  printf("tf32 %d, double %d\n", orders<16, 16, 8, wmma::precision::tf32, float, float, SHARED>(),
         orders<8, 8, 4, double, double, double, SHARED>());
}

__global__ void lanes(int *out) {
  __shared__ __align__(32) half s[256];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = half(i);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
  wmma::load_matrix_sync(a, s, 16), wmma::load_matrix_sync(b, s, 16), wmma::load_matrix_sync(c, s, 16, wmma::mem_row_major);
  if (threadIdx.x == 5)
    for (int i = 0; i < 4; i++) out[i] = (int)(float)a.x[2 * i], out[4 + i] = (int)(float)b.x[2 * i], out[8 + i] = (int)(float)c.x[2 * i];
}
__global__ void saturate(int *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, d;
  wmma::fill_fragment(a, 100), wmma::fill_fragment(b, 5), wmma::fill_fragment(c, 2147483647 - 10);
  wmma::mma_sync(d, a, b, c, true);
  if (threadIdx.x == 0) out[0] = d.x[3];
  wmma::mma_sync(d, a, b, c);
  if (threadIdx.x == 0) out[2] = d.x[3];
  wmma::fill_fragment(b, -5), wmma::fill_fragment(c, -2147483647);
  wmma::mma_sync(d, a, b, c, true);
  if (threadIdx.x == 31) out[1] = d.x[7];
}
__global__ void rounding(unsigned *out) {
  float inputs[5] = {1.0f + 3.0f / 4096, 1.0f + 1.0f / 4096, -(1.0f + 1.0f / 2048), 3.4028e38f, __int_as_float(0x7f812345)};
  if (threadIdx.x == 0)
    for (int i = 0; i < 5; i++) out[i] = __float_as_uint(wmma::__float_to_tf32(inputs[i]));
}
__global__ void special(unsigned *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  half values[3] = {__ushort_as_half(0x7c01), __ushort_as_half(0x7c00), __ushort_as_half(1)};
  for (int i = 0; i < 3; i++) {
    wmma::fill_fragment(a, half(0)), wmma::fill_fragment(b, half(1)), wmma::fill_fragment(c, 0.0f);
    if (threadIdx.x % 4 == 0) a.x[0] = values[i];
    wmma::mma_sync(c, a, b, c);
    if (threadIdx.x == 0) out[i] = __float_as_uint(c.x[0]);
  }
}
/* Fragments chosen at run time, copied, and passed on by reference. */
template <class F> __device__ void add(F &to, const F &from) {
  for (int i = 0; i < to.num_elements; i++) to.x[i] = to.x[i] + from.x[i];
}
__global__ void chosen(float *out, int which, int rounds) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[3];
  wmma::fill_fragment(a[0], half(1)), wmma::fill_fragment(a[1], half(2)), wmma::fill_fragment(b, half(3));
  for (int i = 0; i < 3; i++) wmma::fill_fragment(c[i], 0.0f);
#pragma unroll 1
  for (int i = 0; i < rounds; i++) wmma::mma_sync(c[i % 2], a[(i + which) % 2], b, c[i % 2]);
  c[2] = c[1];
  add(c[2], c[0]);
  wmma::store_matrix_sync(out, c[2], 16, wmma::mem_row_major);
}
__global__ void loadsGlobal(const half *a, const float *c, float *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  out[threadIdx.x] = (float)fa.x[0] + (float)fa.x[2] + (float)fa.x[4] + (float)fa.x[6] + fc.x[0] + fc.x[2] + fc.x[4] + fc.x[6];
}
__global__ void loadsShared(float *out) {
  __shared__ __align__(32) float s[256];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = i;
  __syncwarp();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fc, s, 16, wmma::mem_col_major);
  for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = fc.x[i];
}
__global__ void storesBoth(float *out) {
  __shared__ __align__(32) float s[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  wmma::store_matrix_sync(s, fc, 16, wmma::mem_col_major);
  __syncwarp();
  fc.x[0] = s[threadIdx.x];
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}
int main() {
  types<false>();
  shapes<half, half, half, false>("half sums", ", mixed ");
  printf("%d %d\n", orders<16, 16, 16, half, half, float, false>(), orders<32, 8, 16, half, float, half, true>());
  printf("shared ");
  types<true>();
  using R = wmma::row_major;
  printf("sizes %d %d %d %d %d %d %d %d %d\n", wmma::fragment<wmma::matrix_a, 8, 32, 16, half, R>::num_elements,
         wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, R>::num_elements,
         wmma::fragment<wmma::accumulator, 32, 8, 16, int>::num_elements, wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, R>::num_elements,
         wmma::fragment<wmma::matrix_a, 8, 32, 16, unsigned char, R>::num_elements, wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, R>::num_elements,
         wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, R>::num_elements,
         wmma::fragment<wmma::matrix_a, 8, 8, 4, double, R>::num_elements, wmma::fragment<wmma::accumulator, 8, 8, 4, double>::num_elements);
  int *words;
  float *floats;
  half *halves;
  cudaMallocManaged(&words, 64), cudaMallocManaged(&floats, 4096), cudaMallocManaged(&halves, 512);
  lanes<<<1, 32>>>(words);
  cudaDeviceSynchronize();
  printf("lane 5:");
  for (int i = 0; i < 12; i++) printf("%s%d,%d", i == 0 ? " a " : i == 4 ? " b " : i == 8 ? " c " : " ", words[i] / 16, words[i] % 16);
  saturate<<<1, 32>>>(words);
  cudaDeviceSynchronize();
  printf("\nsaturated %d %d, wrapped %d\n", words[0], words[1], words[2]);
  rounding<<<1, 32>>>((unsigned *)words);
  cudaDeviceSynchronize();
  printf("tf32 %x %x %x %x %x\n", words[0], words[1], words[2], words[3], words[4]);
  special<<<1, 32>>>((unsigned *)words);
  cudaDeviceSynchronize();
  printf("nan %x, infinity %x, tiny %x\n", words[0], words[1], words[2]);
  memset(floats, 0, 4096);
  chosen<<<1, 32>>>(floats, 1, 3);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; i++) wrong += floats[i] != 16 * 3 * (2 + 1 + 2);
  printf("chosen %d\n", wrong);
  loadsGlobal<<<1, 32>>>(halves, floats + 256, floats);
  loadsShared<<<1, 32>>>(floats);
  storesBoth<<<1, 32>>>(floats);
  return cudaDeviceSynchronize();
}
