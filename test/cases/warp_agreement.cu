// match and reduce by whole warps, by parts of them, in branches, of 32 and 64 bits; checked by the host lane by lane.
// stdout: 0 wrong of 6144
#include <cstdio>

struct Found {
  unsigned any, all, sum, bits, low;
  int least, most, agree, agreeWide;
  unsigned long long wide;
};

__device__ Found ask(unsigned members, int v, long long w) {
  Found f;
  f.any = __match_any_sync(members, v);
  f.all = __match_all_sync(members, v / 64, &f.agree);
  f.sum = __reduce_add_sync(members, (unsigned)v);
  f.bits = __reduce_xor_sync(members, (unsigned)v) ^ __reduce_or_sync(members, 1u << (v & 31)) ^ __reduce_and_sync(members, (unsigned)v | 6);
  f.low = __reduce_min_sync(members, (unsigned)v) + 7 * __reduce_max_sync(members, (unsigned)v);
  f.least = __reduce_min_sync(members, v);
  f.most = __reduce_max_sync(members, v);
  f.wide = __match_any_sync(members, w) | (unsigned long long)__match_all_sync(members, w >> 40, &f.agreeWide) << 32;
  return f;
}

__global__ void asks(const int *v, Found *o, int kind) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  long long w = ((long long)(v[t] & 3) << 32) + (v[t] & 4);
  if (kind == 0) o[t] = ask(~0u, v[t], w);
  else if (lane % 3 == 0) o[t] = ask(0x49249249, v[t], w);
  else if (kind == 1) o[t] = ask(0xb6db6db6, v[t], w);
  else o[t] = ask(__activemask(), v[t], w);
}

int main() {
  const int threads = 2048;
  int *v, wrong = 0, asked = 0;
  Found *o;
  cudaMallocManaged(&v, threads * sizeof *v);
  cudaMallocManaged(&o, threads * sizeof *o);
  unsigned seed = 5;
  for (int i = 0; i < threads; i++) v[i] = (i / 32 % 4 ? (int)((seed = seed * 1664525 + 1013904223) >> 20) % (3 << i / 32 % 9) - 5 : i / 32 % 5 - 2);
  for (int kind = 0; kind < 3; kind++) {
    asks<<<8, 256>>>(v, o, kind);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int t = 0; t < threads; t++) {
      int base = t / 32 * 32, group = (t & 31) % 3 == 0;
      Found e = {};
      e.least = 1 << 30, e.most = -(1 << 30), e.agree = e.agreeWide = 1;
      unsigned members = 0, ones = 0, all = ~0u, ors = 0, low = ~0u, high = 0, any = 0;
      long long own = ((long long)(v[t] & 3) << 32) + (v[t] & 4);
      for (int l = 0; l < 32; l++) {
        if (kind && (l % 3 == 0) != group) continue;
        int x = v[base + l];
        long long w = ((long long)(x & 3) << 32) + (x & 4);
        members |= 1u << l;
        if (x == v[t]) e.any |= 1u << l;
        if (w == own) any |= 1u << l;
        if (x / 64 != v[t] / 64) e.agree = 0;
        if (w >> 40 != own >> 40) e.agreeWide = 0;
        e.sum += x, ones ^= x, ors |= 1u << (x & 31), all &= x | 6;
        if (x < e.least) e.least = x;
        if (x > e.most) e.most = x;
        if ((unsigned)x < low) low = x;
        if ((unsigned)x > high) high = x;
      }
      e.all = e.agree ? members : 0;
      e.bits = ones ^ ors ^ all;
      e.low = low + 7 * high;
      e.wide = any | (unsigned long long)(e.agreeWide ? members : 0) << 32;
      asked++;
      const Found &f = o[t];
      wrong += f.any != e.any || f.all != e.all || f.sum != e.sum || f.bits != e.bits || f.low != e.low || f.least != e.least ||
               f.most != e.most || f.agree != e.agree || f.agreeWide != e.agreeWide || f.wide != e.wide;
    }
  }
  printf("%d wrong of %d\n", wrong, asked);
}
