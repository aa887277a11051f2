// Copies with policies for L2, with predicates for what is not read, and sizes that constants name; floats in decimal.
// stdout: copied 3 3 0 6 5 6, policy 7 7, floats 3.75 0.1 -2e+10
#include <cstdio>
constexpr int WORD = 4;
struct Sizes {
  static constexpr int bytes = 8;
};
template <int N> __device__ void copyFirst(unsigned to, const int *from) {
  const int BYTES = N;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
}
__global__ void copies(int *x, int *out) {
  __shared__ __align__(16) int tile[8];
  for (int i = 0; i < 8; i++) tile[i] = 99;
  unsigned at = (unsigned)__cvta_generic_to_shared(tile);
  copyFirst<16>(at, x);
  asm volatile(
      "{ .reg .b64 p; createpolicy.fractional.L2::evict_first.b64 p, 1.0;\n"
      "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, p; }" ::"r"(at + 16), "l"(x + 2), "n"(Sizes::bytes)
      : "memory");
  asm volatile("{ .reg .pred q; setp.ne.b32 q, %3, 0; cp.async.ca.shared.global [%0], [%1], %2, q; }" ::"r"(at + 4),
               "l"(x), "n"((WORD)), "r"(x[0] != 3)
               : "memory");
  asm volatile("{ .reg .pred q; setp.ne.b32 q, %3, 0; cp.async.ca.shared.global [%0], [%1], %2, q; }" ::"r"(at + 8),
               "l"(x), "n"(WORD), "r"(x[0] == 3)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 6; i++) out[i] = tile[i];
  unsigned long long policy;
  int held;
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(held) : "l"(x + 4), "l"(policy));
  asm volatile("st.global.L1::no_allocate.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(out + 6), "r"(held), "l"(policy)
               : "memory");
  asm volatile("red.global.add.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(out + 7), "r"(held), "l"(policy) : "memory");
}
__global__ void floats(float *f, double *d) {
  asm("mul.f32 %0, %1, 2.5;" : "=f"(f[0]) : "f"(f[0]));
  asm("mov.f64 %0, .1;" : "=d"(d[0]));
  asm("{ .reg .f32 t; mov.f32 t, -2e10; mov.f32 %0, t; }" : "=f"(f[1]));
}
int main() {
  int *x, *out;
  float *f;
  double *d;
  cudaMallocManaged(&x, 64), cudaMallocManaged(&out, 64), cudaMallocManaged(&f, 64), cudaMallocManaged(&d, 64);
  for (int i = 0; i < 8; i++) x[i] = 3 + i, out[i] = 0;
  f[0] = 1.5f;
  copies<<<1, 1>>>(x, out);
  floats<<<1, 1>>>(f, d);
  cudaDeviceSynchronize();
  printf("copied %d %d %d %d %d %d, policy %d %d, floats %g %g %g\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6],
         out[7], f[0], d[0], f[1]);
}
