// Lanes that exchange values in loops of different lengths, by the lanes that are there: what they get depends on how the compiler writes the
// loop out. The numbers are an H200's, of nvcc 13.0 -O3 (with -Xcicc -O0 the others, which -O0 has here, too).
// levels: 2
// stdout: 3343482449 122 312 5 40
// stdout: 2262704799 122 412 17 41
// stdout: 1620858591 122 1132 292 45
// stdout: 2536418739 122 2364 4688 49
#include <cstdio>
__global__ void k(int *o, const int *u, int n) {
  int t = threadIdx.x; int v = u[t];
  if (t < 16) v = __shfl_down_sync(0xffff, v, 8); else v = __shfl_down_sync(0xffff0000, v, 4);
  o[t] = v;
  if (u[t] & 1) { unsigned m = __activemask(); o[t + 32] = __popc(m) + __popc(__ballot_sync(m, v > 5)); } else { unsigned m = __activemask(); o[t + 32] = 100 + __popc(m) + __popc(__ballot_sync(m, v > 7)); }
  int s = 0;
  for (int i = 0; i < (t & 7) + n; i++) { unsigned m = __activemask(); s += __popc(m) * i + __shfl_sync(m, v, __ffs(m) - 1); }
  o[t + 64] = s;
  int c = 0, x = v + 3;
  while (__any_sync(~0u, x > 0)) { x -= (t & 3) + 1; c++; }
  o[t + 96] = c;
  int w = v;
  for (int i = 0; i < n; i++) { if (t < 8) w += __shfl_xor_sync(0xff, w, 1); __syncwarp(); w += __shfl_xor_sync(~0u, w, 16) & i; if (__all_sync(~0u, w > 1000000)) break; }
  o[t + 128] = w;
  unsigned q = __match_any_sync(~0u, v & 3); o[t + 160] = __popc(q);
  int r = t; do { r = __shfl_up_sync(~0u, r, 1) + 1; } while (__any_sync(~0u, r < 40 + n)); o[t + 192] = r;
}
int main() { int h[256], *u, *o; for (int i = 0; i < 32; i++) h[i] = (i * 7) % 13; cudaMalloc(&u, 128); cudaMalloc(&o, 1024); cudaMemset(o, 0, 1024); cudaMemcpy(u, h, 128, cudaMemcpyHostToDevice);
  for (int n : {0, 1, 5, 9}) { k<<<1, 32>>>(o, u, n); cudaMemcpy(h + 0, o, 1024 - 128, cudaMemcpyDeviceToHost); unsigned x = 0; for (int i = 0; i < 224; i++) x = x * 31 + h[i]; printf("%u %d %d %d %d\n", x, h[32], h[70], h[130], h[200]); for (int i = 0; i < 32; i++) h[i] = (i * 7) % 13; } }
