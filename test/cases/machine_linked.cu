// Members that are accessed more than once with a store between, and alignments that one member tells of others: which of them nvcc joins
// to vectors (PTX of CUDA 13.0; analysis/joining/vectorizerChains.ts).
// levels: 2
// stdout: no error
// count: a01 global load executed = 1
// count: a01 global store executed = 1
// count: a02 global load executed = 1
// count: a02 global store executed = 1
// count: a03 global load executed = 1
// count: a03 global store executed = 1
// count: a04 global load executed = 1
// count: a04 global store executed = 1
// count: a05 global load executed = 2
// count: a05 global store executed = 1
// count: a06 global load executed = 3
// count: a06 global store executed = 2
// count: a07 global load executed = 2
// count: a07 global store executed = 2
// count: a08 global load executed = 2
// count: a08 global store executed = 2
// count: a09 global load executed = 1
// count: a09 global store executed = 1
// count: a10 global load executed = 3
// count: a10 global store executed = 3
// count: a11 global load executed = 3
// count: a11 global store executed = 4
// count: a12 global load executed = 1
// count: a12 global store executed = 1
// count: c02 global load executed = 12
// count: c02 global store executed = 14
// count: c03 global load executed = 3
// count: c03 global store executed = 4
// count: c04 global load executed = 2
// count: c04 global store executed = 2
// count: c05 global load executed = 3
// count: c05 global store executed = 3
// count: c06 global load executed = 3
// count: c06 global store executed = 4
// count: c07 global load executed = 3
// count: c07 global store executed = 4
// count: c08 global load executed = 2
// count: c08 global store executed = 6
// count: d01 global load executed = 4
// count: d01 global store executed = 2
// count: d02 global load executed = 4
// count: d02 global store executed = 4
// count: d03 global load executed = 4
// count: d03 global store executed = 5
// count: d04 global load executed = 2
// count: d04 global store executed = 5
// count: d06 global load executed = 3
// count: d06 global store executed = 1
// count: d07 global load executed = 2
// count: d07 global store executed = 1
// count: d08 global load executed = 3
// count: d08 global store executed = 1
// count: d09 global load executed = 5
// count: d09 global store executed = 1
// count: d10 global load executed = 3
// count: d10 global store executed = 1
// count: d11 global load executed = 1
// count: d11 global store executed = 5
// count: d12 global store executed = 3
// count: d13 global load executed = 3
// count: d13 global store executed = 2
// count: d14 global load executed = 4
// count: d14 global store executed = 5
// count: d15 global load executed = 4
// count: d15 global store executed = 5
// count: e01 global load executed = 4
// count: e01 global store executed = 4
// count: e02 global load executed = 4
// count: e02 global store executed = 5
// count: e03 global load executed = 1
// count: e03 global store executed = 3
// count: e04 global load executed = 1
// count: e04 global store executed = 3
// count: e05 global load executed = 1
// count: e05 global store executed = 3
// count: e06 global load executed = 1
// count: e06 global store executed = 3
// count: e07 global load executed = 3
// count: e07 global store executed = 6
// count: e08 global load executed = 5
// count: e08 global store executed = 6
// count: e09 global load executed = 6
// count: e09 global store executed = 6
// count: e10 global load executed = 3
// count: e10 global store executed = 3
// count: e11 global load executed = 2
// count: e11 global store executed = 3
// count: e12 global load executed = 2
// count: e12 global store executed = 3
// count: e13 global load executed = 3
// count: e13 global store executed = 3
// count: e14 global load executed = 2
// count: e14 global store executed = 3
// count: e15 global load executed = 2
// count: e15 global store executed = 3
// count: f01 global load executed = 3
// count: f01 global store executed = 1
// count: f02 global load executed = 3
// count: f02 global store executed = 1
// count: f03 global load executed = 4
// count: f03 global store executed = 1
// count: f04 global load executed = 4
// count: f04 global store executed = 1
// count: f05 global load executed = 5
// count: f05 global store executed = 1
// count: f06 global load executed = 2
// count: f06 global store executed = 1
// count: f07 global load executed = 2
// count: f07 global store executed = 1
// count: f08 global load executed = 3
// count: f08 global store executed = 1
// count: f09 global load executed = 2
// count: f09 global store executed = 1
// count: f10 global load executed = 2
// count: f10 global store executed = 1
// count: f11 global load executed = 1
// count: f11 global store executed = 3
// count: f12 global store executed = 4
// count: f14 global load executed = 4
// count: f14 global store executed = 4
#include <cstdio>
static char *memory;
template <class T> T *at(int place) { return (T *)(memory + 4096 * place); }
namespace in_a {
struct S { unsigned d, v[5]; int b; double x; };
struct T { unsigned d, e; double x; };
struct __align__(8) U { unsigned d, e, f, g; };
struct W { unsigned v[4]; double x; };
struct X { unsigned d, v[3]; double x; };
__global__ void a01(S *s, unsigned *o) { o[0] = s->d + s->v[0]; }
__global__ void a02(T *s, unsigned *o) { o[0] = s->d + s->e; }
__global__ void a03(U *s, unsigned *o) { o[0] = s->d + s->e; }
__global__ void a04(W *s, unsigned *o) { o[0] = s->v[0] + s->v[1]; }
__global__ void a05(X *s, unsigned *o) { o[0] = s->v[1] + s->v[2]; }
__global__ void a06(X *s, unsigned *o) { o[0] = s->d; o[1] = s->v[1] + s->v[2]; }
__global__ void a07(T *s, unsigned *o) { s += threadIdx.x; o[0] = s->d; o[1] = s->e;  }
__global__ void a08(U *s, unsigned *o) { o[0] = s->d; o[1] = s->f + s->g; }
__global__ void a09(U *s, unsigned *o) { o[0] = s->f + s->g; }
__global__ void a10(X *s) { unsigned t = s->v[0]; s->v[0] = s->v[1]; s->v[1] = s->v[2]; s->v[2] = t; s->d += 5; }
__global__ void a11(X *s, unsigned *o) { s->d += 5; o[0] = 1; s->v[1]++; s->v[2]++; }
__global__ void a12(X *s, unsigned *o) { s->d += 5; s->v[0]++; }
void run() {
  a01<<<1, 1>>>(at<S>(0), at<unsigned>(1));
  a02<<<1, 1>>>(at<T>(0), at<unsigned>(1));
  a03<<<1, 1>>>(at<U>(0), at<unsigned>(1));
  a04<<<1, 1>>>(at<W>(0), at<unsigned>(1));
  a05<<<1, 1>>>(at<X>(0), at<unsigned>(1));
  a06<<<1, 1>>>(at<X>(0), at<unsigned>(1));
  a07<<<1, 1>>>(at<T>(0), at<unsigned>(1));
  a08<<<1, 1>>>(at<U>(0), at<unsigned>(1));
  a09<<<1, 1>>>(at<U>(0), at<unsigned>(1));
  a10<<<1, 1>>>(at<X>(0));
  a11<<<1, 1>>>(at<X>(0), at<unsigned>(1));
  a12<<<1, 1>>>(at<X>(0), at<unsigned>(1));
}
}
namespace in_c {
struct X { unsigned d, v[5]; double x; };
__device__ unsigned step(X *s) { unsigned t = s->v[0] ^ (s->v[0] >> 2); s->v[0] = s->v[1]; s->v[1] = s->v[2]; s->v[2] = s->v[3]; s->v[3] = s->v[4]; s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1)); s->d += 362437; return s->v[4] + s->d; }
__global__ void c02(float *flux, X *state, int n) { X *s = &state[blockIdx.x % 7]; flux[0] = step(s); flux[1] = step(s); }
__global__ void c03(float *flux, X *state, int n) { X *s = &state[blockIdx.x % 7]; flux[0] = step(s); }
__global__ void c04(float *flux, X *s, int n) { flux[0] = s->d + s->v[0]; flux[1] = s->d + s->v[0]; }
__global__ void c05(float *flux, X *s, int n) { flux[0] = s->v[0]; flux[1] = s->d; flux[2] = s->v[0]; }
__global__ void c06(float *flux, X *s, int n) { unsigned a = s->v[0]; s->v[1] = 4; unsigned b = s->d; flux[0] = a; flux[1] = b; flux[2] = s->v[0]; }
__global__ void c07(float *flux, X *s, int n) { unsigned a = s->v[0]; s->v[0] = 4; unsigned b = s->d; flux[0] = a; flux[1] = b; flux[2] = s->v[0]; }
__global__ void c08(float *flux, X *s, int n) { unsigned a = s->v[0]; s->v[0] = 4; s->d = 3; flux[0] = a; s->v[0]++; s->d++; flux[1] = 3; }
void run() {
  c02<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c03<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c04<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c05<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c06<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c07<<<1, 1>>>(at<float>(0), at<X>(1), 3);
  c08<<<1, 1>>>(at<float>(0), at<X>(1), 3);
}
}
namespace in_d {
struct X { unsigned d, v[5]; double x; };
__global__ void d01(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a + b; unsigned c = s->v[0], e = s->d; f[1] = c + e; }
__global__ void d02(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b; unsigned c = s->v[0], e = s->d; f[2] = c; f[3] = e; }
__global__ void d03(float *f, X *s) { unsigned a = s->v[0]; s->v[1] = a; unsigned b = s->d; f[0] = a; f[1] = b; unsigned c = s->v[0]; s->v[1] = c; unsigned e = s->d; f[2] = c; f[3] = e; }
__global__ void d04(float *f, X *s) { unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b; unsigned c = s->v[0]; s->v[1] = c; unsigned e = s->d; f[2] = c; f[3] = e; }
__global__ void d06(float *f, X *s) { f[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3] + s->v[4]; }
__global__ void d07(float *f, X *s) { f[0] = s->d + s->v[0] + s->v[1]; }
__global__ void d08(float *f, X *s) { f[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3]; }
__global__ void d09(float *f, X *s) { f[0] = s->v[0] + s->v[1] + s->v[2] + s->v[3] + s->v[4]; }
__global__ void d10(float *f, X *s) { f[0] = s->d + s->v[1] + s->v[2]; }
__global__ void d11(float *f, X *s) { s->d = 1; s->v[0] = 2; s->v[1] = 3; s->v[2] = 4; s->v[3] = f[0]; s->v[4] = 9; }
__global__ void d12(float *f, X *s) { s->v[1] = 3; s->v[2] = 4;  s->d = 1; s->v[0] = 2; }
__global__ void d13(float *f, X *s) { unsigned a = s->v[1] + s->v[2]; f[0] = a; f[1] = s->d + s->v[0]; }
__global__ void d14(float *f, X *s) { unsigned a = s->v[0]; s->v[1] = a; unsigned b = s->d; f[0] = a; f[1] = b; unsigned c = s->v[0]; unsigned e = s->d; f[2] = c; f[3] = e; }
__global__ void d15(float *f, X *s) { unsigned a = s->v[0]; unsigned b = s->d; f[0] = a; f[1] = b; unsigned c = s->v[0]; s->v[1] = c; unsigned e = s->d; f[2] = c; f[3] = e; }
void run() {
  d01<<<1, 1>>>(at<float>(0), at<X>(1));
  d02<<<1, 1>>>(at<float>(0), at<X>(1));
  d03<<<1, 1>>>(at<float>(0), at<X>(1));
  d04<<<1, 1>>>(at<float>(0), at<X>(1));
  d06<<<1, 1>>>(at<float>(0), at<X>(1));
  d07<<<1, 1>>>(at<float>(0), at<X>(1));
  d08<<<1, 1>>>(at<float>(0), at<X>(1));
  d09<<<1, 1>>>(at<float>(0), at<X>(1));
  d10<<<1, 1>>>(at<float>(0), at<X>(1));
  d11<<<1, 1>>>(at<float>(0), at<X>(1));
  d12<<<1, 1>>>(at<float>(0), at<X>(1));
  d13<<<1, 1>>>(at<float>(0), at<X>(1));
  d14<<<1, 1>>>(at<float>(0), at<X>(1));
  d15<<<1, 1>>>(at<float>(0), at<X>(1));
}
}
namespace in_e {
struct X { unsigned d, v[5]; double x; };
__global__ void e01(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b; unsigned c = s->d, e = s->v[0]; f[2] = c; f[3] = e; }
__global__ void e02(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b; unsigned c = s->d; s->v[1] = c; unsigned e = s->v[0]; f[2] = c; f[3] = e; }
__global__ void e03(float *f, X *s) { unsigned c = s->d; s->v[1] = c; unsigned e = s->v[0]; f[2] = c; f[3] = e; }
__global__ void e04(float *f, X *s) { unsigned c = s->v[0]; s->v[1] = c; unsigned e = s->d; f[2] = c; f[3] = e; }
__global__ void e05(float *f, X *s) { unsigned c = s->v[0]; s->v[1] = 3; unsigned e = s->d; f[2] = c; f[3] = e; }
__global__ void e06(float *f, X *s) { unsigned c = s->d; s->v[1] = 3; unsigned e = s->v[0]; f[2] = c; f[3] = e; }
__global__ void e07(float *f, X *s) { unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b; unsigned c = s->d, e = s->v[0]; f[2] = c; f[3] = e; b = s->d, a = s->v[0]; f[4] = a; f[5] = b; }
__global__ void e08(float *f, X *s) { unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b; unsigned e = s->v[0], c = s->d; f[2] = c; f[3] = e; a = s->v[0], b = s->d; f[4] = a; f[5] = b; }
__global__ void e09(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b; unsigned e = s->v[0], c = s->d; f[2] = c; f[3] = e; a = s->v[0], b = s->d; f[4] = a; f[5] = b; }
__global__ void e10(float *f, X *s) { unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b; f[2] = s->v[0]; }
__global__ void e11(float *f, X *s) { f[2] = s->v[0]; unsigned a = s->v[0], b = s->d; f[0] = a; f[1] = b;  }
__global__ void e12(float *f, X *s) { f[2] = s->v[0]; unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b;  }
__global__ void e13(float *f, X *s) { f[2] = s->d; unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b;  }
__global__ void e14(float *f, X *s) { unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b; f[2] = s->d; }
__global__ void e15(float *f, X *s) { unsigned b = s->d, a = s->v[0]; f[0] = a; f[1] = b; f[2] = s->v[0]; }
void run() {
  e01<<<1, 1>>>(at<float>(0), at<X>(1));
  e02<<<1, 1>>>(at<float>(0), at<X>(1));
  e03<<<1, 1>>>(at<float>(0), at<X>(1));
  e04<<<1, 1>>>(at<float>(0), at<X>(1));
  e05<<<1, 1>>>(at<float>(0), at<X>(1));
  e06<<<1, 1>>>(at<float>(0), at<X>(1));
  e07<<<1, 1>>>(at<float>(0), at<X>(1));
  e08<<<1, 1>>>(at<float>(0), at<X>(1));
  e09<<<1, 1>>>(at<float>(0), at<X>(1));
  e10<<<1, 1>>>(at<float>(0), at<X>(1));
  e11<<<1, 1>>>(at<float>(0), at<X>(1));
  e12<<<1, 1>>>(at<float>(0), at<X>(1));
  e13<<<1, 1>>>(at<float>(0), at<X>(1));
  e14<<<1, 1>>>(at<float>(0), at<X>(1));
  e15<<<1, 1>>>(at<float>(0), at<X>(1));
}
}
namespace in_f {
struct X3 { unsigned d, v[3]; double x; };
struct X4 { unsigned d, v[4]; double x; };
struct X6 { unsigned d, v[6]; double x; };
struct X7 { unsigned d, v[7]; double x; };
struct X9 { unsigned d, v[9]; double x; };
struct Y { unsigned a, b, c, d, e, f; double x; };
struct Z { float a, b, c, d; double x; };
__global__ void f01(unsigned *o, X3 *s) { o[0] = s->d + s->v[0] + s->v[1] + s->v[2]; }
__global__ void f02(unsigned *o, X4 *s) { o[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3]; }
__global__ void f03(unsigned *o, X6 *s) { o[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3] + s->v[4] + s->v[5]; }
__global__ void f04(unsigned *o, X7 *s) { o[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3] + s->v[4] + s->v[5] + s->v[6]; }
__global__ void f05(unsigned *o, X9 *s) { o[0] = s->d + s->v[0] + s->v[1] + s->v[2] + s->v[3] + s->v[4] + s->v[5] + s->v[6] + s->v[7]; }
__global__ void f06(unsigned *o, X7 *s) { o[0] = s->d + s->v[0] + s->v[1]; }
__global__ void f07(unsigned *o, Y *s) { o[0] = s->a + s->b + s->c + s->d; }
__global__ void f08(unsigned *o, Y *s) { o[0] = s->a + s->b + s->c + s->d + s->e; }
__global__ void f09(unsigned *o, Y *s) { o[0] = s->a + s->b + s->c; }
__global__ void f10(float *o, Z *s) { o[0] = s->a + s->b + s->c + s->d; }
__global__ void f11(float *o, Z *s) { s->a = 1; s->b = 2; s->c = 3; s->d = o[4]; }
__global__ void f12(unsigned *o, X7 *s) { for (int i = 0; i < 7; i++) s->v[i] = i; s->d = 1; }
__global__ void f14(unsigned *o, Y *s, Y *t) { *s = *t; }
void run() {
  f01<<<1, 1>>>(at<unsigned>(0), at<X3>(1));
  f02<<<1, 1>>>(at<unsigned>(0), at<X4>(1));
  f03<<<1, 1>>>(at<unsigned>(0), at<X6>(1));
  f04<<<1, 1>>>(at<unsigned>(0), at<X7>(1));
  f05<<<1, 1>>>(at<unsigned>(0), at<X9>(1));
  f06<<<1, 1>>>(at<unsigned>(0), at<X7>(1));
  f07<<<1, 1>>>(at<unsigned>(0), at<Y>(1));
  f08<<<1, 1>>>(at<unsigned>(0), at<Y>(1));
  f09<<<1, 1>>>(at<unsigned>(0), at<Y>(1));
  f10<<<1, 1>>>(at<float>(0), at<Z>(1));
  f11<<<1, 1>>>(at<float>(0), at<Z>(1));
  f12<<<1, 1>>>(at<unsigned>(0), at<X7>(1));
  f14<<<1, 1>>>(at<unsigned>(0), at<Y>(1), at<Y>(2));
}
}
int main() {
  cudaMalloc(&memory, 1 << 16);
  cudaMemset(memory, 0, 1 << 16);
  in_a::run();
  in_c::run();
  in_d::run();
  in_e::run();
  in_f::run();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
