// wmma of inline PTX: every type and shape, both orders of rows and columns, with a stride and without, in each space, against sums
// of whole numbers done one by one; fragments lie as nvcuda::wmma's do, and their accesses are its own.
// levels: nightly
// stdout: f16 0 0 0, halves 0 0 0, mixed 0 0, bf16 0 0 0, s8 0 0 0, u8 0 0 0, tf32 0, f64 0
// stdout: saturated 2147483647, as nvcuda::wmma 0 0 0
// count: loads global load executed = 16
// count: loads shared load executed = 18
// count: stores global store executed = 12
// count: stores shared store executed = 8
#include <cstdio>
#include <cstring>
#include <mma.h>
using namespace nvcuda;
typedef unsigned u32;
typedef __half half_t;
typedef __nv_bfloat16 bfloat;
typedef signed char s8;
typedef unsigned char u8;

#define OUT1(q, x) q((x)[0])
#define OUT2(q, x) OUT1(q, x), q((x)[1])
#define OUT4(q, x) OUT2(q, x), OUT2(q, x + 2)
#define OUT8(q, x) OUT4(q, x), OUT4(q, x + 4)
#define TO1 "{%0}, [%1]"
#define TO2 "{%0,%1}, [%2]"
#define TO4 "{%0,%1,%2,%3}, [%4]"
#define TO8 "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8]"
#define AND1 ", %2;"
#define AND2 ", %3;"
#define AND4 ", %5;"
#define AND8 ", %9;"
#define LOAD(n, q, form, x, p, ld) asm volatile("wmma.load." form " " TO##n AND##n : OUT##n("=" q, x) : "l"(p), "r"(ld) : "memory")
#define LOAD_SHARED(n, q, form, x, p, ld)                                                                                    \
  asm volatile("wmma.load." form " " TO##n AND##n : OUT##n("=" q, x) : "r"((u32)__cvta_generic_to_shared(p)), "r"(ld) : "memory")
#define LOAD_DENSE(n, q, form, x, p) asm volatile("wmma.load." form " " TO##n ";" : OUT##n("=" q, x) : "l"(p) : "memory")
#define FROM2 "[%0], {%1,%2}, %3;"
#define FROM4 "[%0], {%1,%2,%3,%4}, %5;"
#define FROM8 "[%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;"
#define STORE(n, q, form, p, x, ld)                                                                                          \
  asm volatile("wmma.store.d.sync.aligned." form " " FROM##n ::"l"(p), OUT##n(q, x), "r"(ld) : "memory")
/* d, a, b, c by their numbers of registers; d is c. */
#define REGS_2_1_1 "{%0,%1}, {%2}, {%3}, {%0,%1};"
#define REGS_4_8_8 "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, {%0,%1,%2,%3};"
#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}, "
#define REGS_8_8_8 D8 "{%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_4_4 D8 "{%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_8_2 D8 "{%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_2_8 D8 "{%8,%9}, {%10,%11,%12,%13,%14,%15,%16,%17}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_2_2 D8 "{%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_4_1 D8 "{%8,%9,%10,%11}, {%12}, {%0,%1,%2,%3,%4,%5,%6,%7};"
#define REGS_8_1_4 D8 "{%8}, {%9,%10,%11,%12}, {%0,%1,%2,%3,%4,%5,%6,%7};"

/* One product: a from global memory, b from shared, c by a generic address; `la`, `lb`, `lc` are the orders. */
#define PRODUCT(name, shape, M, N, K, T, C, R, q, S, s, type, sum, types, na, nb, nc, la, lb, lc)                             \
  __global__ void name(const T *a, const T *b, const C *c, C *d, int lda, int ldb, int ldc) {                                \
    __shared__ __align__(32) T sb[1536];                                                                                     \
    for (int i = threadIdx.x; i < 1536; i += 32) sb[i] = b[i];                                                               \
    __syncwarp();                                                                                                            \
    R fa[8], fb[8];                                                                                                          \
    S fc[8];                                                                                                                 \
    LOAD(na, q, "a.sync.aligned." la "." shape ".global." type, fa, a, lda);                                                 \
    LOAD_SHARED(nb, q, "b.sync.aligned." lb "." shape ".shared." type, fb, sb, ldb);                                         \
    LOAD(nc, s, "c.sync.aligned." lc "." shape "." sum, fc, c, ldc);                                                         \
    asm volatile("wmma.mma.sync.aligned." la "." lb "." shape "." types " " REGS_##nc##_##na##_##nb                          \
                 : OUT##nc("+" s, fc) : OUT##na(q, fa), OUT##nb(q, fb));                                                     \
    STORE(nc, s, lc "." shape ".global." sum, d, fc, ldc);                                                                   \
  }
/* All orders. */
#define PRODUCTS(name, shape, M, N, K, ...)                                                                                  \
  PRODUCT(name##0, shape, M, N, K, __VA_ARGS__, "row", "row", "row")                                                         \
  PRODUCT(name##1, shape, M, N, K, __VA_ARGS__, "col", "row", "col")                                                         \
  PRODUCT(name##2, shape, M, N, K, __VA_ARGS__, "row", "col", "col")                                                         \
  PRODUCT(name##3, shape, M, N, K, __VA_ARGS__, "col", "col", "row")
#define CHECK(name, M, N, K, T, C) (check<M, N, K, T, C>(name##0, true, true, true) + check<M, N, K, T, C>(name##1, false, true, false) + \
                                    check<M, N, K, T, C>(name##2, true, false, false) + check<M, N, K, T, C>(name##3, false, false, true))
PRODUCTS(f16a, "m16n16k16", 16, 16, 16, half_t, float, u32, "r", float, "f", "f16", "f32", "f32.f32", 8, 8, 8)
PRODUCTS(f16b, "m32n8k16", 32, 8, 16, half_t, float, u32, "r", float, "f", "f16", "f32", "f32.f32", 8, 8, 8)
PRODUCTS(f16c, "m8n32k16", 8, 32, 16, half_t, float, u32, "r", float, "f", "f16", "f32", "f32.f32", 8, 8, 8)
PRODUCTS(halfa, "m16n16k16", 16, 16, 16, half_t, half_t, u32, "r", u32, "r", "f16", "f16", "f16.f16", 8, 8, 4)
PRODUCTS(halfb, "m32n8k16", 32, 8, 16, half_t, half_t, u32, "r", u32, "r", "f16", "f16", "f16.f16", 8, 8, 4)
PRODUCTS(halfc, "m8n32k16", 8, 32, 16, half_t, half_t, u32, "r", u32, "r", "f16", "f16", "f16.f16", 8, 8, 4)
PRODUCTS(bf16a, "m16n16k16", 16, 16, 16, bfloat, float, u32, "r", float, "f", "bf16", "f32", "f32.bf16.bf16.f32", 4, 4, 8)
PRODUCTS(bf16b, "m32n8k16", 32, 8, 16, bfloat, float, u32, "r", float, "f", "bf16", "f32", "f32.bf16.bf16.f32", 8, 2, 8)
PRODUCTS(bf16c, "m8n32k16", 8, 32, 16, bfloat, float, u32, "r", float, "f", "bf16", "f32", "f32.bf16.bf16.f32", 2, 8, 8)
PRODUCTS(s8a, "m16n16k16", 16, 16, 16, s8, int, u32, "r", int, "r", "s8", "s32", "s32.s8.s8.s32", 2, 2, 8)
PRODUCTS(s8b, "m32n8k16", 32, 8, 16, s8, int, u32, "r", int, "r", "s8", "s32", "s32.s8.s8.s32", 4, 1, 8)
PRODUCTS(s8c, "m8n32k16", 8, 32, 16, s8, int, u32, "r", int, "r", "s8", "s32", "s32.s8.s8.s32", 1, 4, 8)
PRODUCTS(u8a, "m16n16k16", 16, 16, 16, u8, int, u32, "r", int, "r", "u8", "s32", "s32.u8.u8.s32", 2, 2, 8)
PRODUCTS(u8b, "m32n8k16", 32, 8, 16, u8, int, u32, "r", int, "r", "u8", "s32", "s32.u8.u8.s32.satfinite", 4, 1, 8)
PRODUCTS(u8c, "m8n32k16", 8, 32, 16, u8, int, u32, "r", int, "r", "u8", "s32", "s32.u8.u8.s32", 1, 4, 8)
PRODUCTS(tf32a, "m16n16k8", 16, 16, 8, float, float, u32, "r", float, "f", "tf32", "f32", "f32.tf32.tf32.f32", 4, 4, 8)
PRODUCTS(f64a, "m8n8k4", 8, 8, 4, double, double, double, "d", double, "d", "f64", "f64", "f64.f64.f64.f64", 1, 1, 2)

/* Sums of half before, of float behind, and the reverse. */
__global__ void mixed(const half_t *a, const half_t *b, float *d, half_t *e) {
  u32 fa[8], fb[8], h[4] = {0, 0, 0, 0};
  float f[8];
  LOAD_DENSE(8, "r", "a.sync.aligned.row.m16n16k16.f16", fa, a);
  LOAD_DENSE(8, "r", "b.sync.aligned.row.m16n16k16.f16", fb, b);
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "
               "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27};"
               : OUT8("=f", f) : OUT8("r", fa), OUT8("r", fb), OUT4("r", h));
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
               "{%12,%13,%14,%15,%16,%17,%18,%19}, {%20,%21,%22,%23,%24,%25,%26,%27};"
               : OUT4("=r", h) : OUT8("r", fa), OUT8("r", fb), OUT8("f", f));
  STORE(8, "f", "row.m16n16k16.f32", d, f, 16);
  STORE(4, "r", "row.m16n16k16.f16", e, h, 16);
}
__global__ void saturated(int *out) {
  int d[8];
  u32 ones = 0x01010101;
  for (int i = 0; i < 8; i++) d[i] = 0x7fffffff - 3;
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%8}, {%8,%8}, {%0,%1,%2,%3,%4,%5,%6,%7};"
               : OUT8("+r", d) : "r"(ones));
  *out = d[7];
}
/* 4 words of bf16, 4 of tf32, 8 single bytes, and 2 words of bytes from shared memory. */
__global__ void loads(const bfloat *b, const float *f, const s8 *s, u32 *out) {
  __shared__ __align__(32) bfloat sb[256];
  __shared__ __align__(32) float sf[128];
  __shared__ __align__(32) s8 ss[256];
  u32 x[8], sum = 0;
  LOAD(4, "r", "a.sync.aligned.col.m16n16k16.global.bf16", x, b, 16);
  for (int i = 0; i < 4; i++) sum += x[i];
  LOAD(4, "r", "a.sync.aligned.row.m16n16k8.global.tf32", x, f, 8);
  for (int i = 0; i < 4; i++) sum += x[i];
  LOAD(2, "r", "a.sync.aligned.col.m16n16k16.global.s8", x, s, 16);
  sum += x[0] + x[1];
  LOAD_SHARED(4, "r", "a.sync.aligned.col.m16n16k16.shared.bf16", x, sb, 16);
  for (int i = 0; i < 4; i++) sum += x[i];
  LOAD_SHARED(4, "r", "a.sync.aligned.row.m16n16k8.shared::cta.tf32", x, sf, 8);
  for (int i = 0; i < 4; i++) sum += x[i];
  LOAD_SHARED(2, "r", "a.sync.aligned.m16n16k16.col.shared.s8", x, ss, 16);
  sum += x[0] + x[1];
  LOAD_SHARED(2, "r", "a.sync.aligned.row.m16n16k16.shared.s8", x, ss, 16);
  if (sum + x[0] + x[1] == 12345) *out = sum;
}
__global__ void stores(float *d) {
  __shared__ __align__(32) float s[256];
  float f[8] = {};
  STORE(8, "f", "row.m16n16k16.global.f32", d, f, 16);
  STORE(8, "f", "col.m16n16k16.global.f32", d, f, 16);
  asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 " FROM8 ::"r"((u32)__cvta_generic_to_shared(s)), OUT8("f", f), "r"(16) : "memory");
}
/* Registers beside the elements of nvcuda::wmma's fragments. */
template <class F> __device__ int differs(const F &f, const u32 *x) {
  int wrong = 0;
  for (int i = 0; i < (int)sizeof f.x / 4; i++) wrong += reinterpret_cast<const u32 *>(f.x)[i] != x[i];
  return wrong;
}
__global__ void compare(const half_t *h, const s8 *s, const float *c, int *wrong) {
  u32 x[8];
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half_t, wmma::col_major> a;
  wmma::load_matrix_sync(a, h, 40);
  LOAD(8, "r", "a.sync.aligned.col.m32n8k16.f16", x, h, 40);
  atomicAdd(wrong, differs(a, x));
  wmma::fragment<wmma::matrix_b, 8, 32, 16, s8, wmma::row_major> b;
  wmma::load_matrix_sync(b, s, 32);
  LOAD_DENSE(4, "r", "b.sync.aligned.row.m8n32k16.s8", x, s);
  atomicAdd(wrong + 1, differs(b, x));
  wmma::fragment<wmma::accumulator, 8, 32, 16, float> f;
  wmma::load_matrix_sync(f, c, 8, wmma::mem_col_major);
  LOAD_DENSE(8, "r", "c.sync.aligned.col.m8n32k16.f32", x, c);
  atomicAdd(wrong + 2, differs(f, x));
}

template <class T> double number(T x) { return (double)(float)x; }
template <> double number<double>(double x) { return x; }
template <class T> T valueOf(int x) { return T((float)x); }
static char *memory;
template <int M, int N, int K, class T, class C>
int check(void (*kernel)(const T *, const T *, const C *, C *, int, int, int), bool aRows, bool bRows, bool cRows) {
  int lda = (aRows ? K : M) + 16 / (int)sizeof(T), ldb = (bRows ? N : K) + 16 / (int)sizeof(T), ldc = (cRows ? N : M) + 8;
  T *a = (T *)memory, *b = (T *)(memory + 16384);
  C *c = (C *)(memory + 32768), *d = (C *)(memory + 49152);
  bool isUnsigned = T(-1) > T(0) && sizeof(T) == 1;
  for (int i = 0; i < 1536; i++) {
    a[i] = valueOf<T>(isUnsigned ? i * 37 % 256 : i * 7 % 13 - 6), b[i] = valueOf<T>(isUnsigned ? i * 91 % 256 : i * 5 % 11 - 5);
    c[i] = valueOf<C>(i % 17);
  }
  kernel<<<1, 32>>>(a, b, c, d, lda, ldb, ldc);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int m = 0; m < M; m++)
    for (int n = 0; n < N; n++) {
      int at = cRows ? m * ldc + n : n * ldc + m;
      double sum = number(c[at]);
      for (int k = 0; k < K; k++) sum += number(a[aRows ? m * lda + k : k * lda + m]) * number(b[bRows ? k * ldb + n : n * ldb + k]);
      wrong += number(d[at]) != sum;
    }
  return wrong;
}
int main() {
  cudaMallocManaged(&memory, 65536);
  printf("f16 %d %d %d, ", CHECK(f16a, 16, 16, 16, half_t, float), CHECK(f16b, 32, 8, 16, half_t, float), CHECK(f16c, 8, 32, 16, half_t, float));
  printf("halves %d %d %d, ", CHECK(halfa, 16, 16, 16, half_t, half_t), CHECK(halfb, 32, 8, 16, half_t, half_t), CHECK(halfc, 8, 32, 16, half_t, half_t));
  half_t *h = (half_t *)memory, *e = h + 4096;
  float *d = (float *)(memory + 32768);
  for (int i = 0; i < 512; i++) h[i] = half_t((float)(i * 7 % 13 - 6));
  mixed<<<1, 32>>>(h, h + 256, d, e);
  cudaDeviceSynchronize();
  int wrong[2] = {};
  for (int m = 0; m < 16; m++)
    for (int n = 0; n < 16; n++) {
      float sum = 0;
      for (int k = 0; k < 16; k++) sum += (float)h[m * 16 + k] * (float)h[256 + k * 16 + n];
      wrong[0] += d[m * 16 + n] != sum, wrong[1] += (float)e[m * 16 + n] != 2 * sum;
    }
  printf("mixed %d %d, ", wrong[0], wrong[1]);
  printf("bf16 %d %d %d, ", CHECK(bf16a, 16, 16, 16, bfloat, float), CHECK(bf16b, 32, 8, 16, bfloat, float), CHECK(bf16c, 8, 32, 16, bfloat, float));
  printf("s8 %d %d %d, ", CHECK(s8a, 16, 16, 16, s8, int), CHECK(s8b, 32, 8, 16, s8, int), CHECK(s8c, 8, 32, 16, s8, int));
  printf("u8 %d %d %d, ", CHECK(u8a, 16, 16, 16, u8, int), CHECK(u8b, 32, 8, 16, u8, int), CHECK(u8c, 8, 32, 16, u8, int));
  printf("tf32 %d, f64 %d\n", CHECK(tf32a, 16, 16, 8, float, float), CHECK(f64a, 8, 8, 4, double, double));
  int *out = (int *)(memory + 49152);
  memset(out, 0, 64);
  saturated<<<1, 32>>>(out);
  compare<<<1, 32>>>(h, (s8 *)memory, (float *)memory, out + 1);
  loads<<<1, 32>>>((bfloat *)memory, (float *)memory, (s8 *)memory, (u32 *)out + 8);
  stores<<<1, 32>>>(d);
  cudaDeviceSynchronize();
  printf("saturated %d, as nvcuda::wmma %d %d %d\n", out[0], out[1], out[2], out[3]);
}
