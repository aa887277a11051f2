// Words of which a branch asks for some bits, or of which several uses need one part: the byte or the half that has them is loaded.
// Widths are those of nvcc 13.0's machine code (sm_90), one warp. Threads read words 32 bytes apart: a sector and 32 lanes each.
// levels: 2
// stdout: 1 1 1 1 1 1 1 1
// count: flag global load bytes = 32
// count: several global load bytes = 64
// count: lowest global load bytes = 128
// count: highest global load bytes = 64
// count: ofLong global load bytes = 32
// count: both global load bytes = 64
// count: chosen global load bytes = 128
// count: parts global load bytes = 32
#include <cstdio>

#define KERNEL(name) __global__ void name(unsigned *o, const unsigned *a, const unsigned long long *l, unsigned char *b, int n)

KERNEL(flag) {
  if (a[8 * threadIdx.x] & 0x100) o[threadIdx.x] = 1;
}
KERNEL(several) {
  if (a[8 * threadIdx.x] & 0x8101) o[threadIdx.x] = 1;
}
KERNEL(lowest) {
  if (a[8 * threadIdx.x] & 1) o[threadIdx.x] = 1;
}
KERNEL(highest) {
  if (!(a[8 * threadIdx.x] & 0x8000)) o[threadIdx.x] = 1;
}
KERNEL(ofLong) {
  if (l[4 * threadIdx.x] & 0x4000000000ull) o[threadIdx.x] = 1;
}
KERNEL(both) {
  if ((a[8 * threadIdx.x] & 4) && (a[8 * threadIdx.x + 1] & 8)) o[threadIdx.x] = 1;
}
KERNEL(chosen) {
  o[threadIdx.x] = (a[8 * threadIdx.x] & 4) ? 1 : n;
}
KERNEL(parts) {
  int t = threadIdx.x;
  unsigned char m = a[8 * t];
  if (n > 2) b[t + 32] = m;
  else o[t] = m + 5;
}

int main() {
  unsigned *o, *a;
  unsigned long long *l;
  unsigned char *b;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&a, 1024);
  cudaMallocManaged(&l, 1024);
  cudaMallocManaged(&b, 64);
  for (int i = 0; i < 256; ++i) a[i] = 0x7fff;
  for (int i = 0; i < 128; ++i) l[i] = ~0ull;
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%u%s", o[5], between); o[5] = 0; };
  flag<<<1, 32>>>(o, a, l, b, 3); told();
  several<<<1, 32>>>(o, a, l, b, 3); told();
  lowest<<<1, 32>>>(o, a, l, b, 3); told();
  highest<<<1, 32>>>(o, a, l, b, 3); told();
  ofLong<<<1, 32>>>(o, a, l, b, 3); told();
  both<<<1, 32>>>(o, a, l, b, 3); told();
  chosen<<<1, 32>>>(o, a, l, b, 3); told();
  parts<<<1, 32>>>(o, a, l, b, 3); cudaDeviceSynchronize(); o[5] = b[37] == 255; told("\n");
}
