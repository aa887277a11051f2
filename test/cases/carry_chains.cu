// Sums, differences and products of many words, one statement of assembly a word: the carry goes from one to the next, over blocks and rounds too.
// stdout: sums 0 differences 0 products 0 rounds 0 chosen 0
#include <cstdio>
typedef unsigned long long word;
__device__ __forceinline__ word addCC(word a, word b) { word r; asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ __forceinline__ word addcCC(word a, word b) { word r; asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ __forceinline__ word addc(word a, word b) { word r; asm volatile("addc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ __forceinline__ word subCC(word a, word b) { word r; asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ __forceinline__ word subcCC(word a, word b) { word r; asm volatile("subc.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ __forceinline__ unsigned madLoCC(unsigned a, unsigned b, unsigned c) { unsigned r; asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ unsigned madcHi(unsigned a, unsigned b, unsigned c) { unsigned r; asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ word mixed(unsigned i) { word x = (i + 1) * 0x9e3779b97f4a7c15ull; x ^= x >> 29; return (i & 3) == 0 ? ~0ull : (i & 3) == 1 ? 0 : x * 0xbf58476d1ce4e5b9ull; }
__global__ void chains(int *wrong, int n) {
  unsigned t = threadIdx.x;
  word a[4], b[4], r[4];
  for (int i = 0; i < 4; i++) a[i] = mixed(5 * t + i), b[i] = mixed(7 * t + 3 * i + 1);
  r[0] = addCC(a[0], b[0]);
  r[1] = addcCC(a[1], b[1]);
  r[2] = addcCC(a[2], b[2]);
  r[3] = addc(a[3], b[3]);
  word carry = 0;
  for (int i = 0; i < 4; i++) {
    word s = a[i] + carry, c = s < carry;
    s += b[i], c |= s < b[i];
    if (s != r[i]) atomicAdd(wrong, 1);
    carry = c;
  }
  r[0] = subCC(a[0], b[0]);
  r[1] = subcCC(a[1], b[1]);
  r[2] = subcCC(a[2], b[2]);
  r[3] = subcCC(a[3], b[3]);
  word all = subcCC(0, 0), borrow = 0;
  for (int i = 0; i < 4; i++) {
    word s = a[i] - b[i], c = a[i] < b[i];
    c |= s < borrow, s -= borrow;
    if (s != r[i]) atomicAdd(wrong + 1, 1);
    borrow = c;
  }
  if (all != 0 - borrow) atomicAdd(wrong + 1, 1);
  unsigned x = (unsigned)a[0], y = (unsigned)b[3], z = (unsigned)a[2], high = (unsigned)(a[2] >> 32);
  unsigned low = madLoCC(x, y, z);
  unsigned top = madcHi(x, y, high);
  word exact = (word)x * y + ((word)high << 32 | z);
  if ((((word)top << 32) | low) != exact) atomicAdd(wrong + 2, 1);
  // The upper half of a signed product.
  long long p = (long long)a[0], q = (long long)b[3];
  word upper = addCC(a[1], b[1]) - a[1] - b[1];
  asm volatile("madc.hi.s64 %0, %1, %2, %3;" : "=l"(upper) : "l"(p), "l"(q), "l"(a[2]));
  if (upper != (word)__mul64hi(p, q) + a[2] + (a[1] + b[1] < a[1])) atomicAdd(wrong + 2, 1);
  int narrow;
  asm volatile("mad.hi.cc.s32 %0, %1, %2, %3;" : "=r"(narrow) : "r"((int)p), "r"((int)q), "r"(7));
  if (narrow != __mulhi((int)p, (int)q) + 7) atomicAdd(wrong + 2, 1);
  // Rounds: the flag of one round is read in the next, and what stands between does not touch it.
  word sum[4], first = addCC(a[0], b[0]);
  sum[0] = first;
#pragma unroll 1
  for (int i = 1; i < n; i++) sum[i] = addcCC(a[i], b[i]);
  carry = 0;
  for (int i = 0; i < n; i++) {
    word s = a[i] + carry, c = s < carry;
    s += b[i], c |= s < b[i];
    if (s != sum[i]) atomicAdd(wrong + 3, 1);
    carry = c;
  }
  // One of two ways writes it.
  word one;
  if (t & 1) one = addCC(a[0], b[0]);
  else one = subCC(a[0], b[0]);
  word next = addc(0, 0);
  if (next != (t & 1 ? one < a[0] : a[0] < b[0])) atomicAdd(wrong + 4, 1);
}
int main() {
  int *wrong;
  cudaMallocManaged(&wrong, 20);
  for (int i = 0; i < 5; i++) wrong[i] = 0;
  chains<<<1, 64>>>(wrong, 4);
  cudaDeviceSynchronize();
  printf("sums %d differences %d products %d rounds %d chosen %d\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]);
}
