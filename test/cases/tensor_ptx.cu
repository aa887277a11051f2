// Matrices of a warp in inline PTX: mma.sync of each type and depth, ldmatrix plain and transposed, movmatrix. Elements are
// placed by the tables of the PTX ISA, "Matrix Fragments for mma", and checked against sums of whole numbers.
// levels: nightly
// stdout: f16 0 0, halves 0, bf16 0 0, tf32 0 0, fp8 0 0 0 0 0, codes 0 0, s8 0 0, u8 0, mixed 0, eight rows 0, f64 0, saturated 2147483647 -2147483648 7
// stdout: ldmatrix 0, transposed 0, one 0, moved 0, product 0
// count: loadMatrices shared load executed = 14
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
typedef unsigned u32;
template <int BITS> __device__ u32 pack(const int *values, int (*code)(int)) {
  u32 word = 0;
  for (int i = 0; i < 32 / BITS; i++) word |= (u32)(code(values[i]) & (BITS == 32 ? -1 : (1 << BITS) - 1)) << (BITS == 32 ? 0 : i * BITS);
  return word;
}
__device__ int halfCode(int x) { return __half_as_ushort(__int2half_rn(x)); }
__device__ int bfloatCode(int x) { return __bfloat16_as_ushort(__int2bfloat16_rn(x)); }
__device__ int floatCode(int x) { return __float_as_int((float)x) | 0xfff; }
__device__ int byteCode(int x) { return x; }
__device__ int e4m3Code(int x) { return __nv_fp8_e4m3((float)x).__x; }
__device__ int e5m2Code(int x) { return __nv_fp8_e5m2((float)x).__x; }

/* Words of a (16 x K, rows) and b (K x 8): each lane's, from matrices of whole numbers. */
template <int K, int BITS, int (*CODE)(int)> __device__ void wordsOf(const int *a, const int *b, u32 *wa, u32 *wb) {
  constexpr int PER = 32 / BITS, CHUNK = 4 * PER;
  int lane = threadIdx.x % 32, group = lane / 4, inGroup = lane % 4, values[4];
  for (int w = 0; w < 2 * (K / CHUNK); w++) {
    for (int i = 0; i < PER; i++) values[i] = a[(group + w % 2 * 8) * K + w / 2 * CHUNK + inGroup * PER + i];
    wa[w] = pack<BITS>(values, CODE);
  }
  for (int w = 0; w < K / CHUNK; w++) {
    for (int i = 0; i < PER; i++) values[i] = b[(w * CHUNK + inGroup * PER + i) * 8 + group];
    wb[w] = pack<BITS>(values, CODE);
  }
}
template <class T> __device__ void sumsOut(const T *d, int *out) {
  int lane = threadIdx.x % 32;
  for (int i = 0; i < 4; i++) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = (int)d[i];
}
#define FLOATS(name, K, BITS, CODE, shape, types, regsA, regsB, aWords, bWords)                                              \
  __global__ void name(const int *a, const int *b, int *out) {                                                               \
    u32 A[4], B[2];                                                                                                          \
    float d[4] = {1, 2, 3, 4};                                                                                               \
    wordsOf<K, BITS, CODE>(a, b, A, B);                                                                                      \
    asm volatile("mma.sync.aligned." shape ".row.col.f32." types ".f32 {%0,%1,%2,%3}, " regsA ", " regsB ", {%0,%1,%2,%3};"  \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                            \
                 : aWords, bWords);                                                                                          \
    sumsOut(d, out);                                                                                                         \
  }
#define A4 "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3])
#define A2 "r"(A[0]), "r"(A[1])
#define B2 "r"(B[0]), "r"(B[1])
#define B1 "r"(B[0])
FLOATS(f16k16, 16, 16, halfCode, "m16n8k16", "f16.f16", "{%4,%5,%6,%7}", "{%8,%9}", A4, B2)
FLOATS(f16k8, 8, 16, halfCode, "m16n8k8", "f16.f16", "{%4,%5}", "{%6}", A2, B1)
FLOATS(bf16k16, 16, 16, bfloatCode, "m16n8k16", "bf16.bf16", "{%4,%5,%6,%7}", "{%8,%9}", A4, B2)
FLOATS(bf16k8, 8, 16, bfloatCode, "m16n8k8", "bf16.bf16", "{%4,%5}", "{%6}", A2, B1)
FLOATS(tf32k8, 8, 32, floatCode, "m16n8k8", "tf32.tf32", "{%4,%5,%6,%7}", "{%8,%9}", A4, B2)
FLOATS(tf32k4, 4, 32, floatCode, "m16n8k4", "tf32.tf32", "{%4,%5}", "{%6}", A2, B1)
FLOATS(e4m3k32, 32, 8, e4m3Code, "m16n8k32", "e4m3.e4m3", "{%4,%5,%6,%7}", "{%8,%9}", A4, B2)
FLOATS(e4m3k16, 16, 8, e4m3Code, "m16n8k16", "e4m3.e4m3", "{%4,%5}", "{%6}", A2, B1)
FLOATS(e5m2k32, 32, 8, e5m2Code, "m16n8k32", "e5m2.e5m2", "{%4,%5,%6,%7}", "{%8,%9}", A4, B2)
/* Small whole numbers are alike in both but for their codes. */
__global__ void mixedFloats(const int *a, const int *b, int *out) {
  u32 A[4], B[4];
  float d[4] = {1, 2, 3, 4};
  wordsOf<32, 8, e4m3Code>(a, b, A, B + 2);
  wordsOf<32, 8, e5m2Code>(a, b, A, B);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : A4, "r"(B[2]), "r"(B[3]));
  sumsOut(d, out);
}
/* Every code as a factor of each side, beside ones; the NaNs' and infinities' too. */
#define CODES(name, type, one)                                                                                               \
  __global__ void name(float *out) {                                                                                         \
    int lane = threadIdx.x, group = lane / 4;                                                                                \
    for (int code = 0; code < 256; code += 8) {                                                                              \
      u32 own = lane % 4 == 0 ? code + group : 0, ones = lane % 4 == 0 ? one : 0;                                            \
      float d[4], e[4];                                                                                                      \
      asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%5,%5}, {%6,%5}, {%7,%7,%7,%7};" \
                   : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(own), "r"(0), "r"(ones), "f"(0.0f));                 \
      asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%5,%5,%4,%5}, {%5,%6}, {%7,%7,%7,%7};" \
                   : "=f"(e[0]), "=f"(e[1]), "=f"(e[2]), "=f"(e[3]) : "r"(ones << 24), "r"(0), "r"(own << 24), "f"(0.0f));       \
      if (lane % 4 == 0) out[code + group] = d[0];                                                                           \
      if (lane < 4) out[256 + code + lane * 2] = e[0], out[256 + code + lane * 2 + 1] = e[1];                                 \
    }                                                                                                                        \
  }
CODES(codesE4m3, "e4m3", 0x38)
CODES(codesE5m2, "e5m2", 0x3c)
#define BYTES(name, K, types, regsA, regsB, aWords, bWords)                                                                   \
  __global__ void name(const int *a, const int *b, int *out) {                                                               \
    u32 A[4], B[2];                                                                                                          \
    int c[4] = {1, 2, 3, 4}, d[4];                                                                                           \
    wordsOf<K, 8, byteCode>(a, b, A, B);                                                                                     \
    asm volatile("mma.sync.aligned.m16n8k" #K ".row.col.s32." types ".s32 {%0,%1,%2,%3}, " regsA ", " regsB                  \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                            \
                 : aWords, bWords, "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));                                              \
    sumsOut(d, out);                                                                                                         \
  }
BYTES(s8k32, 32, "s8.s8", "{%4,%5,%6,%7}", "{%8,%9}, {%10,%11,%12,%13};", A4, B2)
BYTES(s8k16, 16, "s8.s8", "{%4,%5}", "{%6}, {%7,%8,%9,%10};", A2, B1)
BYTES(u8k32, 32, "u8.u8", "{%4,%5,%6,%7}", "{%8,%9}, {%10,%11,%12,%13};", A4, B2)
BYTES(mixedk32, 32, "u8.s8", "{%4,%5,%6,%7}", "{%8,%9}, {%10,%11,%12,%13};", A4, B2)
#define HALVES(name, K, BITS, CODE, shape, types)                                                                            \
  __global__ void name(const int *a, const int *b, int *out) {                                                               \
    u32 A[4], B[2], c[2], d[2];                                                                                              \
    int first[2] = {1, 2}, second[2] = {3, 4};                                                                               \
    c[0] = pack<16>(first, halfCode), c[1] = pack<16>(second, halfCode);                                                     \
    wordsOf<K, BITS, CODE>(a, b, A, B);                                                                                      \
    asm volatile("mma.sync.aligned." shape ".row.col.f16." types ".f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"            \
                 : "=r"(d[0]), "=r"(d[1]) : A4, B2, "r"(c[0]), "r"(c[1]));                                                    \
    float sums[4];                                                                                                           \
    for (int i = 0; i < 4; i++) sums[i] = __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> (i % 2 * 16))));        \
    sumsOut(sums, out);                                                                                                      \
  }
HALVES(halves, 16, 16, halfCode, "m16n8k16", "f16.f16")
HALVES(e4m3Halves, 32, 8, e4m3Code, "m16n8k32", "e4m3.e4m3")
__global__ void doubles(const int *a, const int *b, int *out) {
  int lane = threadIdx.x, group = lane / 4, inGroup = lane % 4;
  double A = a[group * 4 + inGroup], B = b[inGroup * 8 + group], d[2] = {1, 2};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(A), "d"(B));
  for (int i = 0; i < 2; i++) out[group * 8 + inGroup * 2 + i] = (int)d[i];
}
__global__ void eightRows(const int *a, const int *b, int *out) {
  u32 A[2], B[1];
  int c[2] = {1, 2}, d[2];
  wordsOf<16, 8, byteCode>(a, b, A, B);
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=r"(d[0]), "=r"(d[1]) : "r"(A[0]), "r"(B[0]), "r"(c[0]), "r"(c[1]));
  for (int i = 0; i < 2; i++) out[threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2 + i] = d[i];
}
/* c, and 32 products of 200 times 127, or of 200 times -128. */
__global__ void saturated(int c, int factor, int *out) {
  u32 A = 0xc8c8c8c8, B = (factor & 255) * 0x01010101u;
  int d[4] = {c, c, c, c};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32.satfinite {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(A), "r"(B));
  *out = d[1];
}
/* Element (row, column) of block i is i * 64 + row * 8 + column. */
__global__ void loadMatrices(u32 *out) {
  __shared__ __align__(16) unsigned short s[4 * 64 + 64];
  int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) s[i / 8 * 8 + i % 8] = (unsigned short)i;
  __syncwarp();
  u32 at = (u32)__cvta_generic_to_shared(s + lane * 8), r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  for (int i = 0; i < 4; i++) out[i * 32 + lane] = r[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  for (int i = 0; i < 4; i++) out[(4 + i) * 32 + lane] = r[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+64];" : "=r"(r[0]) : "r"((u32)__cvta_generic_to_shared(s + lane % 8 * 8)));
  out[8 * 32 + lane] = r[0];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"((unsigned long long)(size_t)(s + lane * 8)));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[1]) : "r"(r[1]));
  out[9 * 32 + lane] = r[1];
  u32 low = s[lane];
  out[10 * 32 + lane] = low;
}
/* As programs use them: a product of tiles from shared memory in a loop. */
__global__ void product(const __half *a, const __half *b, float *out, int k) {
  __shared__ __align__(16) __half sa[16 * 24], sb[16 * 8];
  int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  for (int step = 0; step < k; step += 16) {
    for (int i = lane; i < 256; i += 32) sa[i / 16 * 24 + i % 16] = a[i / 16 * k + step + i % 16];
    for (int i = lane; i < 128; i += 32) sb[i] = b[step * 8 + i];
    __syncthreads();
    u32 A[4], B[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3])
                 : "r"((u32)__cvta_generic_to_shared(sa + lane % 16 * 24 + lane / 16 * 8)));
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0,%1}, [%2];" : "=r"(B[0]), "=r"(B[1])
                 : "r"((u32)__cvta_generic_to_shared(sb + lane % 16 * 8)));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : A4, B2);
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

static int *a, *b, *out;
int check(void (*kernel)(const int *, const int *, int *), int rows, int k, bool isUnsigned = false, bool bSigned = false) {
  for (int i = 0; i < 512; i++) a[i] = isUnsigned ? i * 37 % 256 : i * 7 % 13 - 6, b[i] = isUnsigned && !bSigned ? i * 91 % 256 : i * 5 % 11 - 5;
  kernel<<<1, 32>>>(a, b, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int m = 0; m < rows; m++)
    for (int n = 0; n < 8; n++) {
      int sum = 1 + m / 8 * 2 + n % 2;
      for (int i = 0; i < k; i++) sum += a[m * k + i] * b[i * 8 + n];
      wrong += out[m * 8 + n] != sum;
    }
  return wrong;
}
template <class F> int checkCodes(void (*kernel)(float *)) {
  static float *sums;
  if (!sums) cudaMallocManaged(&sums, 2048);
  kernel<<<1, 32>>>(sums);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int code = 0; code < 512; code++) {
    F value;
    value.__x = code % 256;
    float expected = (float)value;
    wrong += expected != expected ? sums[code] == sums[code] : sums[code] != expected;
  }
  return wrong;
}
int main() {
  cudaMallocManaged(&a, 4096), cudaMallocManaged(&b, 4096), cudaMallocManaged(&out, 4096);
  printf("f16 %d %d, halves %d, ", check(f16k16, 16, 16), check(f16k8, 16, 8), check(halves, 16, 16));
  printf("bf16 %d %d, tf32 %d %d, ", check(bf16k16, 16, 16), check(bf16k8, 16, 8), check(tf32k8, 16, 8), check(tf32k4, 16, 4));
  printf("fp8 %d %d %d ", check(e4m3k32, 16, 32), check(e4m3k16, 16, 16), check(e5m2k32, 16, 32));
  printf("%d %d, codes ", check(mixedFloats, 16, 32), check(e4m3Halves, 16, 32));
  printf("%d %d, ", checkCodes<__nv_fp8_e4m3>(codesE4m3), checkCodes<__nv_fp8_e5m2>(codesE5m2));
  printf("s8 %d %d, u8 %d, ", check(s8k32, 16, 32), check(s8k16, 16, 16), check(u8k32, 16, 32, true));
  printf("mixed %d, eight rows %d, f64 %d, ", check(mixedk32, 16, 32, true, true), check(eightRows, 8, 16), check(doubles, 8, 4));
  saturated<<<1, 32>>>(0x7fffffff - 1000, 127, out), saturated<<<1, 32>>>(-0x7fffffff, -128, out + 1);
  saturated<<<1, 32>>>(7 - 32 * 200 * 127, 127, out + 2);
  cudaDeviceSynchronize();
  printf("saturated %d %d %d\n", out[0], out[1], out[2]);
  u32 *words = (u32 *)out;
  loadMatrices<<<1, 32>>>(words);
  cudaDeviceSynchronize();
  int wrong[4] = {};
  for (int lane = 0; lane < 32; lane++) {
    u32 row = lane / 4, column = lane % 4 * 2;
    for (u32 i = 0; i < 4; i++) {
      u32 plain = i * 64 + row * 8 + column, turned = i * 64 + column * 8 + row;
      wrong[0] += words[i * 32 + lane] != (plain | (plain + 1) << 16);
      wrong[1] += words[(4 + i) * 32 + lane] != (turned | (turned + 8) << 16);
      if (i == 1) wrong[3] += words[9 * 32 + lane] != (turned | (turned + 8) << 16);
    }
    u32 fromRow4 = (row + 4) * 8 + column;
    wrong[2] += words[8 * 32 + lane] != (fromRow4 | (fromRow4 + 1) << 16);
  }
  __half *ha, *hb;
  float *sums;
  cudaMallocManaged(&ha, 4096), cudaMallocManaged(&hb, 4096), cudaMallocManaged(&sums, 512);
  for (int i = 0; i < 16 * 64; i++) ha[i] = __half(float(i * 7 % 13 - 6));
  for (int i = 0; i < 64 * 8; i++) hb[i] = __half(float(i * 5 % 11 - 5));
  product<<<1, 32>>>(ha, hb, sums, 64);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int m = 0; m < 16; m++)
    for (int n = 0; n < 8; n++) {
      float sum = 0;
      for (int i = 0; i < 64; i++) sum += (float)ha[m * 64 + i] * (float)hb[i * 8 + n];
      bad += sums[m * 8 + n] != sum;
    }
  printf("ldmatrix %d, transposed %d, one %d, moved %d, product %d\n", wrong[0], wrong[1], wrong[2], wrong[3], bad);
}
