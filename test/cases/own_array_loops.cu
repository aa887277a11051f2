// A loop that lanes leave one by one, because of what their own arrays hold, lets the stores in front of it and behind it be one (reading: compute).
// count: _Z7nqueens global store executed = 8
// stdout: done
// levels: 2
typedef unsigned u32;
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void nqueens(u32* out, int n) {
  u32 all = (1u << n) - 1, count = 0;
  u32 c1 = TID % n, c2 = TID / n % n;
  u32 cols[16], ld[16], rd[16], poss[16];
  u32 a = 1u << c1, b = 1u << c2;
  if (c1 == c2 || c1 == c2 + 1 || c2 == c1 + 1) { out[TID] = 0; return; }
  int d = 0;
  cols[0] = a | b; ld[0] = ((a << 1 | b) << 1) & all; rd[0] = (a >> 1 | b) >> 1; poss[0] = all & ~(cols[0] | ld[0] | rd[0]);
  while (d >= 0) {
    if (poss[d] == 0) { d--; continue; }
    u32 bit = poss[d] & -poss[d];
    poss[d] ^= bit;
    if ((cols[d] | bit) == all) { count++; continue; }
    cols[d + 1] = cols[d] | bit; ld[d + 1] = ((ld[d] | bit) << 1) & all; rd[d + 1] = (rd[d] | bit) >> 1; d++;
    poss[d] = all & ~(cols[d] | ld[d] | rd[d]);
  }
  out[TID] = count;
}
#include <cstdio>
int main() { u32 *o; cudaMalloc(&o, 4096); nqueens<<<4, 64>>>(o, 11); cudaDeviceSynchronize(); puts("done"); }
