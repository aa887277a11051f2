// Inline assembly on parts of words, beside the functions of CUDA that do the same, and where a pointer points to.
// levels: 2
// stdout: dp4a 0 vadd4 0 vabsdiff4 0 mul24 0 sat 0 slct 0 testp 0 prmt 0
// stdout: behind 0 high 0 relu 0 0 averages 41004084 c0004104
// stdout: spaces 1 0 1 0 0
#include <cstdio>
__global__ void compare(const unsigned *x, const unsigned *y, int *wrong) {
  unsigned a = x[threadIdx.x], b = y[threadIdx.x], r, s;
  int d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(3));
  if (d != __dp4a((int)a, (int)b, 3)) atomicAdd(wrong, 1);
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  if (r != __vaddus4(a, b)) atomicAdd(wrong + 1, 1);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  if (r != __vsadu4(a, b)) atomicAdd(wrong + 2, 1);
  asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(7));
  if (r != __umul24(a, b) + 7) atomicAdd(wrong + 3, 1);
  asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  long long exact = (long long)(int)a + (int)b;
  if (d != (exact > 0x7fffffff ? 0x7fffffff : exact < -0x80000000ll ? (int)0x80000000 : (int)exact)) atomicAdd(wrong + 4, 1);
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(a));
  if (r != ((int)a >= 0 ? a : b)) atomicAdd(wrong + 5, 1);
  asm("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(__uint_as_float(a)));
  if (r != (unsigned)(isfinite(__uint_as_float(a)) != 0)) atomicAdd(wrong + 6, 1);
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(threadIdx.x));
  s = __funnelshift_r(a, b, 8 * (threadIdx.x & 3));
  if (r != s) atomicAdd(wrong + 7, 1);
}
// Limits behind the type, of products' upper halves, and at zero.
__global__ void limits(const unsigned *x, const unsigned *y, int *wrong) {
  int a = x[threadIdx.x], b = y[threadIdx.x], d, e;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  asm("add.s32.sat %0, %1, %2;" : "=r"(e) : "r"(a), "r"(b));
  if (d != e) atomicAdd(wrong, 1);
  int addend = threadIdx.x & 1 ? 0x7fff0000 : (int)0x80010000;
  asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(addend));
  long long exact = (long long)__mulhi(a, b) + addend;
  if (d != (exact > 0x7fffffff ? 0x7fffffff : exact < -0x80000000ll ? (int)0x80000000 : (int)exact)) atomicAdd(wrong + 1, 1);
  asm("min.relu.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  if (d != max(min(a, b), 0)) atomicAdd(wrong + 2, 1);
  asm("max.relu.s16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  if (d != (int)__vimax_s16x2_relu(a, b)) atomicAdd(wrong + 3, 1);
}
// As an H200 prints them.
__global__ void averages(unsigned *of) {
  unsigned a = of[0], b = of[1];
  asm("vavrg2.u32.u32.s32 %0, %1, %2, %3;" : "=r"(of[0]) : "r"(a), "r"(b), "r"(0));
  asm("vavrg4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(of[1]) : "r"(a), "r"(b), "r"(0));
}
__global__ void spaces(int *out, int *const *held) {
  __shared__ int tile[2];
  int *either = out[4] ? tile : out;
  int global, shared, isHeld, isEither;
  asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(global) : "l"(out));
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(shared) : "l"(out));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(isHeld) : "l"(*held));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(isEither) : "l"(either));
  out[0] = global, out[1] = shared, out[2] = isHeld, out[3] = isEither, out[4] = __isGlobal(either);
}
int main() {
  unsigned *x, *y;
  int *wrong;
  cudaMallocManaged(&x, 1024), cudaMallocManaged(&y, 1024), cudaMallocManaged(&wrong, 64);
  unsigned state = 1;
  for (int i = 0; i < 256; i++) {
    state = state * 1664525u + 1013904223u, x[i] = i < 8 ? 0x7f7fffffu + i : state;
    state = state * 1664525u + 1013904223u, y[i] = state;
  }
  compare<<<1, 256>>>(x, y, wrong);
  cudaDeviceSynchronize();
  printf("dp4a %d vadd4 %d vabsdiff4 %d mul24 %d sat %d slct %d testp %d prmt %d\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4],
         wrong[5], wrong[6], wrong[7]);
  cudaMemset(wrong, 0, 16);
  limits<<<1, 256>>>(x, y, wrong);
  cudaDeviceSynchronize();
  x[0] = 0x80010203, x[1] = 0x01ff7f04;
  averages<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("behind %d high %d relu %d %d averages %08x %08x\n", wrong[0], wrong[1], wrong[2], wrong[3], x[0], x[1]);
  wrong[4] = 1;
  int **held;
  cudaMallocManaged(&held, sizeof *held), *held = wrong;
  spaces<<<1, 1>>>(wrong, held);
  cudaDeviceSynchronize();
  printf("spaces %d %d %d %d %d\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]);
  return 0;
}
