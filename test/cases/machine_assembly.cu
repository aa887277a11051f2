// Assembly that computes, between loads of the same places: ptxas makes one of these.
// levels: 2
// stdout: no error
#include <cstdio>
typedef unsigned long long u;
#define MUL(k) asm volatile("mul.lo.u64 %0, %1, %2;" : "=l"(r[k]) : "l"(a[4 * i]), "l"(b[4 * i + (k & 3)]))
#define KEPT(k) asm volatile("mul.lo.u64 %0, %1, %2;" : "=l"(r[k]) : "l"(a[4 * i]), "l"(b[4 * i + (k & 3)]) : "memory")
#define HIGH(k) asm volatile("mul.hi.u64 %0, %1, %2;" : "=l"(r[k]) : "l"(a[4 * i]), "l"(b[4 * i + (k & 3)]) : "memory")
#define BEGIN int i = blockIdx.x * blockDim.x + threadIdx.x; u r[8];
#define END o[i] = r[0] + r[1] ^ r[2] * r[3] + r[4] ^ r[5] - r[6] + 3 * r[7];

__global__ void eight(u *a, u *b, u *o) { BEGIN MUL(0); MUL(1); MUL(2); MUL(3); MUL(4); MUL(5); MUL(6); MUL(7); END }
__global__ void withMemory(u *a, u *b, u *o) { BEGIN KEPT(0); KEPT(1); KEPT(2); KEPT(3); KEPT(4); KEPT(5); KEPT(6); KEPT(7); END }
__global__ void branch(u *a, u *b, u *o) {
  BEGIN MUL(0); MUL(1);
  if (r[0] > 5) { MUL(2); MUL(3); } else { r[2] = 3; r[3] = 4; }
  MUL(4); MUL(5); MUL(6); MUL(7); END
}
__global__ void stored(u *a, u *b, u *o) { BEGIN MUL(0); MUL(1); o[i + 8192] = r[0]; MUL(2); MUL(3); MUL(4); MUL(5); MUL(6); MUL(7); END }
__global__ void high(u *a, u *b, u *o) {
  BEGIN HIGH(0); HIGH(1); HIGH(2); HIGH(3);
  if (r[0] > r[1]) { HIGH(4); HIGH(5); r[6] = 1; r[7] = 2; } else { HIGH(6); HIGH(7); r[4] = r[6]; r[5] = r[7]; }
  END
}
__global__ void carries(u *a, u *b, u *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u r0, r1, r2;
  asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r0) : "l"(a[i]), "l"(b[i]) : "memory");
  asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(r1) : "l"(a[i]), "l"(b[i + 64]) : "memory");
  asm volatile("addc.u64 %0, %1, %2;" : "=l"(r2) : "l"(a[i]), "l"(b[i]) : "memory");
  o[i] = r0 ^ r1 + r2;
}
__global__ void asLoad(u *a, u *b, u *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u x = a[i], y;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(y) : "l"(a + i) : "memory");
  o[i] = x + y * 3 + a[i];
}
__global__ void clocks(u *a, u *b, u *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; u x = a[i]; long long t = clock64(); o[i] = x + 3 * a[i] + (t == 0); }
__global__ void fences(u *a, u *b, u *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; u x = a[i]; __threadfence_block(); o[i] = x + 3 * a[i]; }

int main() {
  u *a, *b, *o;
  cudaMalloc(&a, 1 << 19); cudaMalloc(&b, 1 << 19); cudaMalloc(&o, 1 << 19);
  cudaMemset(a, 3, 1 << 19); cudaMemset(b, 5, 1 << 19); cudaMemset(o, 0, 1 << 19);
  for (auto kernel : {eight, withMemory, branch, stored, high, carries, asLoad, clocks, fences}) kernel<<<64, 128>>>(a, b, o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
