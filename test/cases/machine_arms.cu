// Two values of which one is chosen: ptxas loads the later one only where it is. Counts are those of nvcc 13.0's machine code (sm_90), one
// warp, of which every other eight lanes choose the first.
// levels: 2
// stdout: 101 2 | 101 2 | 101 2 | 101 2 | 101 2 | 101 2 | 101 2 | 101 2 | 101 101 | 101 101 | 0 0 | 6 6 | 101 2 | 101 2 | 101 2 | 101 2 | 2 2
// count: pair global load sectors = 10
// count: swapped global load sectors = 10
// count: bytes global load sectors = 6
// count: wide global load sectors = 20
// count: later global load sectors = 10
// count: sum global load sectors = 12
// count: kept global load sectors = 10
// count: again global load sectors = 12
// count: unneeded global load executed = 1
// count: behindBranch global load sectors = 10
// count: guardedSum global load sectors = 10
// count: noneOfTwo global load executed = 1
// count: noneInLoop global load executed = 3
// count: bothInLoop global load executed = 6
// count: written global load sectors = 12
// count: constants global load sectors = 8
// count: quotient global load sectors = 12
#include <cstdio>

#define KERNEL(name, T, ...) \
  __global__ void name(T *o, const T *x, const T *y, const int *z, int n) { int t = threadIdx.x; __VA_ARGS__ }
KERNEL(pair, float, int c = z[t]; float u = x[t]; float v = y[t]; o[t] = c > n ? u : v;)
KERNEL(swapped, float, int c = z[t]; float v = y[t]; float u = x[t]; o[t] = c > n ? u : v;)
KERNEL(bytes, unsigned char, int c = z[t]; unsigned char u = x[t]; unsigned char v = y[t]; o[t] = c > n ? u : v;)
KERNEL(wide, double, int c = z[t]; double u = x[t]; double v = y[t]; o[t] = c > n ? u : v;)
KERNEL(later, float, float v = y[t]; float w = v * n + v; float u = x[t]; int c = z[t]; o[t] = c > n ? u : w;)
KERNEL(sum, float, float u = x[t]; float v = y[t]; float w = v * n + v; int c = z[t]; o[t] = c > n ? u : w;)
KERNEL(kept, float, float u = x[t]; float v = y[t]; int c = z[t]; o[t] = c > n ? u : v; o[t + 32] = c;)
KERNEL(again, float, float u = x[t]; float v = y[t]; int c = z[t]; float r = c > n ? u : v; o[t] = r; o[t + 32] = r + v;)
// No lane needs it: not counted.
KERNEL(unneeded, float, float u = x[t]; float v = y[t]; o[t] = n > 3 ? u : v;)
KERNEL(noneOfTwo, float, float u = x[t]; float v = y[t]; float w = x[t + 32]; float r = n > 3 ? u : v; o[t] = n > 4 ? w : r;)
KERNEL(noneInLoop, float, float r = 0; _Pragma("unroll 1") for (int i = 0; i < 3; i++) { float k = y[i]; r = z[i] > n ? k : r; } o[t] = r;)
KERNEL(bothInLoop, float, float r = 0; _Pragma("unroll 1") for (int i = 0; i < 3; i++) { float u = x[i]; float v = y[i]; r += z[i] > n ? u : v; } o[t] = r;)
// Behind a branch the source's first one waits.
KERNEL(behindBranch, float, if (t < n + 40) { float u = x[t]; float v = y[t]; int c = z[t]; o[t] = c > n ? u : v; })
KERNEL(guardedSum, float, if (t < n + 40) { float u = x[t]; float w = y[t] * n + 2; int c = z[t]; o[t] = c > n ? u : w; })
KERNEL(written, float, float u = x[t]; float v = y[t]; int c = z[t]; o[t + 32] = c; o[t] = c > n ? u : v;)
KERNEL(constants, float, float u = x[t]; int c = z[t]; o[t] = c > n ? u : 2;)
KERNEL(quotient, float, float u = x[t]; float v = y[t]; int c = z[t] / n; o[t] = c > n ? u : v;)

template <class T> void show(void (*kernel)(T *, const T *, const T *, const int *, int), int n) {
  T *o, *x, *y;
  int *z;
  cudaMallocManaged(&o, 64 * sizeof(T));
  cudaMallocManaged(&x, 64 * sizeof(T));
  cudaMallocManaged(&y, 64 * sizeof(T));
  cudaMallocManaged(&z, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) x[i] = 101, y[i] = 2, z[i] = i / 8 % 2;
  kernel<<<1, 32>>>(o, x, y, z, n);
  cudaDeviceSynchronize();
  printf("%g %g", (double)o[8], (double)o[0]);
}

int main() {
  show(pair, 0); printf(" | ");
  show(swapped, 0); printf(" | ");
  show(bytes, 0); printf(" | ");
  show(wide, 0); printf(" | ");
  show(later, 0); printf(" | ");
  show(sum, 0); printf(" | ");
  show(kept, 0); printf(" | ");
  show(again, 0); printf(" | ");
  show(unneeded, 4); printf(" | ");
  show(noneOfTwo, 4); printf(" | ");
  show(noneInLoop, 5); printf(" | ");
  show(bothInLoop, 5); printf(" | ");
  show(behindBranch, 0); printf(" | ");
  show(guardedSum, 0); printf(" | ");
  show(written, 0); printf(" | ");
  show(constants, 0); printf(" | ");
  show(quotient, 1); printf("\n");
}
