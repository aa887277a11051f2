// Inline assembly that moves memory, shuffles, votes, synchronises and branches by predicates.
// stdout: loads 7 9 11 13 | 32 33 | 250 -6
// stdout: stored 3.5 4.5 guarded 0 101 0 103
// stdout: atom old 5 now 12, max -1, cas 12 then 99, f32 2.5
// stdout: scan 0 1 3 6 10 15 21 28
// stdout: ballot 55555555 all 0 match 11111111 redux 496
// stdout: shared 31 0, copied 7
// stdout: wide 1fffffffe carry 0 2, field 34, lop 6, bytes 11223344
// stdout: float 7.5 2.5 1 0
// stdout: ended 16
// count: _Z5loads global load executed = 6
// count: _Z5loads global load sectors = 6
// count: _Z7atomics global atomic executed = 2
// count: _Z7atomics global red executed = 2
#include <cstdio>
__global__ void loads(const int *x, const signed char *c, int *out) {
  int a, b, d, e, g, h, u, s;
  asm volatile("ld.global.cg.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(d), "=r"(e) : "l"(x + 4));
  asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2+8];" : "=r"(g), "=r"(h) : "l"(x + 32));
  asm volatile("{ .reg .u8 t; ld.global.u8 t, [%1]; cvt.u32.u8 %0, t; }" : "=r"(u) : "l"(c));
  asm volatile("ld.global.s8 %0, [%1+1];" : "=r"(s) : "l"(c));
  int one, two;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(one) : "l"(x) : "memory");
  asm volatile("ld.s32 %0, [%1];" : "=r"(two) : "l"(x + 64));
  out[0] = a, out[1] = b, out[2] = d, out[3] = e, out[4] = g - 40 + one, out[5] = h - 105 + two, out[6] = u, out[7] = s;
}
__global__ void stores(float *f, int *g) {
  int lane = threadIdx.x;
  if (lane == 0) asm volatile("st.global.wt.v2.f32 [%0], {%1, %2};" ::"l"(f), "f"(3.5f), "f"(4.5f) : "memory");
  asm volatile("{ .reg .pred p; .reg .b32 r; and.b32 r, %1, 1; setp.ne.s32 p, r, 0;\n @p st.global.u32 [%0], %2; }" ::"l"(g + lane),
               "r"(lane), "r"(lane + 100)
               : "memory");
}
__global__ void atomics(int *x, float *f, int *out) {
  int old, prior;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(x), "r"(7) : "memory");
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(x + 1), "r"(-1) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(prior) : "l"(x), "r"(12), "r"(99) : "memory");
  asm volatile("{ .reg .f32 t; atom.add.f32 t, [%0], %1; }" ::"l"(f), "f"(1.5f) : "memory");
  out[0] = old, out[1] = prior;
}
__global__ void scan(int *out) {
  int sum = threadIdx.x;
  for (int offset = 1; offset < 32; offset *= 2)
    asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, 0, -1; shfl.up.sync.b32 r0|p, %1, %2, 0, -1; @p add.s32 r0, r0, %1; mov.s32 %0, r0; }"
                 : "=r"(sum)
                 : "r"(sum), "r"(offset), "0"(sum));
  out[threadIdx.x] = sum;
}
__global__ void votes(unsigned *out) {
  unsigned lane, ballot, all, same, sum;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("{ .reg .pred p; .reg .b32 r; and.b32 r, %1, 1; setp.eq.u32 p, r, 0; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(ballot)
               : "r"(lane));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 31; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(all) : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(lane & 3));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
  if (lane == 0) out[0] = ballot, out[1] = all, out[2] = same, out[3] = sum;
}
__global__ void shared(const int *x, int *out) {
  __shared__ int tile[64];
  __shared__ __align__(16) int copied[4];
  unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(threadIdx.x) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned base;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(tile));
  int other;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(other) : "r"(base + 4 * (threadIdx.x ^ 31)) : "memory");
  out[threadIdx.x] = other;
  if (threadIdx.x == 0) {
    unsigned to = (unsigned)__cvta_generic_to_shared(copied);
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(to), "l"(x + 4), "n"(16) : "memory");
    asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
    out[64] = copied[0];
  }
}
__global__ void arithmetic(unsigned *out, float *f, int n) {
  unsigned long long wide;
  unsigned low, high, field, logic, bytes;
  asm("mul.wide.u32 %0, %1, 2;" : "=l"(wide) : "r"(0xffffffffu));
  asm("add.u32.cc %0, %2, %3; addc.u32 %1, %4, 1;" : "=r"(low), "=r"(high) : "r"(0xffffffffu), "r"(n), "r"(n - 1));
  asm("bfe.u32 %0, %1, %2, 8;" : "=r"(field) : "r"(0x123456u), "r"(n * 8));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(logic) : "r"(n), "r"(2), "r"(5));
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(bytes) : "r"(0x44332211), "r"(n));
  out[0] = (unsigned)(wide >> 32), out[1] = (unsigned)wide, out[2] = low, out[3] = high, out[4] = field, out[5] = logic, out[6] = bytes;
  float fused, rounded;
  int less, unordered;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fused) : "f"(2.0f), "f"(3.0f), "f"(1.5f));
  asm("cvt.rn.f32.s32 %0, %1;\n mul.f32 %0, %0, 0f40200000;" : "=f"(rounded) : "r"(n));
  asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(less) : "f"(rounded), "f"(fused));
  asm("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(unordered) : "f"(rounded), "f"(fused));
  f[0] = fused, f[1] = rounded, f[2] = less, f[3] = unordered;
}
__global__ void ends(int *x) {
  if (threadIdx.x & 1) asm volatile("exit;");
  atomicAdd(x, 1);
}
int main() {
  int *x, *out;
  float *f;
  signed char *c;
  cudaMallocManaged(&x, 1024), cudaMallocManaged(&out, 1024), cudaMallocManaged(&f, 1024), cudaMallocManaged(&c, 64);
  for (int i = 0; i < 256; i++) x[i] = i < 32 ? 2 * i - 1 : i;
  x[0] = 0, x[34] = 72, x[35] = 74, c[0] = c[1] = -6;
  loads<<<1, 1>>>(x, c, out);
  cudaDeviceSynchronize();
  printf("loads %d %d %d %d | %d %d | %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);
  for (int i = 0; i < 4; i++) out[i] = 0;
  stores<<<1, 32>>>(f, out);
  cudaDeviceSynchronize();
  printf("stored %g %g guarded %d %d %d %d\n", f[0], f[1], out[0], out[1], out[2], out[3]);
  int *y = x + 128;
  y[0] = 5, y[1] = -8, f[0] = 1;
  atomics<<<1, 1>>>(y, f, out);
  cudaDeviceSynchronize();
  printf("atom old %d now %d, max %d, cas %d then %d, f32 %g\n", out[0], out[1], y[1], out[1], y[0], f[0]);
  scan<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("scan");
  for (int i = 0; i < 8; i++) printf(" %d", out[i]);
  votes<<<1, 32>>>((unsigned *)out);
  cudaDeviceSynchronize();
  printf("\nballot %x all %d match %x redux %d\n", out[0], out[1], out[2], out[3]);
  shared<<<1, 32>>>(x, out);
  cudaDeviceSynchronize();
  printf("shared %d %d, copied %d\n", out[0], out[31], out[64]);
  arithmetic<<<1, 1>>>((unsigned *)out, f, 1);
  cudaDeviceSynchronize();
  printf("wide %x%08x carry %x %x, field %x, lop %d, bytes %x\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6]);
  printf("float %g %g %g %g\n", f[0], f[1], f[2], f[3]);
  *out = 0;
  ends<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("ended %d\n", *out);
}
