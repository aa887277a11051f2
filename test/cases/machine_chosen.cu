// A choice between two places is loaded again, where they differ in one thing only; and stores of two branches, one where the index is known
// in the one, or in shared memory. Counts are those of nvcc 13.0's machine code (sm_90), one warp whose lanes take both ways.
// levels: 2
// stdout: 4608 5384 4608 3072 7680 4608 4096 10816 5896 4224 4608 4608 7168 | 6064 6080 3872 4129 4129 8255 4124 4159 2704 3889
// count: index global load executed = 3
// count: array global load executed = 3
// count: shared shared load executed = 3
// count: member global load executed = 3
// count: column shared load executed = 3
// count: branches global load executed = 3
// count: otherwise global load executed = 5
// count: inLoop global load executed = 12
// count: both global load executed = 2
// count: row shared load executed = 3
// count: first global load executed = 2
// count: functions global load executed = 2
// count: ofTwoMembers global load executed = 2
// count: guard shared store executed = 1
// count: two shared store executed = 3
// count: zeroIndex shared store executed = 2
// count: someIndex shared store executed = 3
// count: givenIndex shared store executed = 3
// count: globalIndex global store executed = 2
// count: update shared store executed = 2
// count: chosenIndex shared store executed = 3
// count: less shared store executed = 2
// count: unknownIndex shared store executed = 2
#include <cstdio>

#define MAX(a, b) ((a) > (b)) ? (a) : (b)
struct Pair { int x, y; };
#define KERNEL(name, ...) __global__ void name(int *o, const int *a, const int *b, int i) { int t = threadIdx.x; __VA_ARGS__ }
KERNEL(index, o[t] = MAX(a[t], a[t + i]);)
KERNEL(array, o[t] = MAX(a[t + i], b[t + i]);)
KERNEL(shared, __shared__ int s[64]; s[t] = a[t]; s[t + 32] = a[t + i]; __syncthreads(); o[t] = MAX(s[t], s[t + 32]);)
KERNEL(member, const Pair *p = (const Pair *)a; o[t] = MAX(p[t].y, p[t + i].y);)
KERNEL(column, __shared__ int s[8][8]; s[t / 8][t % 8] = a[t]; __syncthreads(); int x = t / 8, y = t % 8; o[t] = MAX(s[x][y], s[x][y ^ 1]);)
KERNEL(branches, int m; int w; if (a[t] < a[t + i]) { m = a[t + i]; w = 0; } else { m = a[t]; w = 32; } o[t] = m; o[64 + w] = t;)
KERNEL(otherwise, int u = a[t], v = a[t + i]; o[t] = b[t] > b[t + i] ? a[t] : a[t + i]; o[t + 32] = u * v;)
KERNEL(inLoop, int r = 0; for (int k = 0; k < i - 28; k++) { r += MAX(a[k * 32 + t], a[k * 64 + t]); } o[t] = r / 4 + t * 12;)
KERNEL(row, __shared__ int s[8][8]; s[t / 8][t % 8] = a[t]; __syncthreads(); int x = t / 8, y = t % 8; o[t] = MAX(s[x][y], s[x ^ 1][y]);)
// Where they differ in two things, or in the member, or one is no element, or a function chooses, the values are known.
KERNEL(both, o[t] = MAX(a[t], b[t + i]);)
KERNEL(first, const int *p = a + t; o[t] = MAX(*p, *(p + i));)
__device__ int larger(int x, int y) { return x > y ? x : y; }
KERNEL(functions, o[t] = larger(a[t], a[t + i]);)
KERNEL(ofTwoMembers, const Pair *p = (const Pair *)a; o[t] = MAX(p[t].x, p[t].y);)

#define STORES(name, ...) \
  __global__ void name(int *o, const int *a, const int *b, int i) { __shared__ int s[64]; int t = threadIdx.x; __VA_ARGS__ __syncthreads(); o[t] = s[t]; }
STORES(guard, if (t < i - 16) { int d = a[t]; s[t] = d * 2; } else s[t] = 123;)
STORES(two, __shared__ int r[64]; if (t < i - 16) { r[t] = a[t] * 2; s[t] = b[t] * 2; } else { r[t] = 5; s[t] = 123; } __syncthreads(); o[t + 32] = r[t];)
STORES(zeroIndex, s[t] = a[t]; __syncthreads(); int p = s[t]; if (t == 0) s[t] = 0; else s[t] = p + 1;)
STORES(someIndex, s[t] = a[t]; __syncthreads(); int p = s[t]; __syncthreads(); if (t == 7) s[t] = 9; else s[t] = p + 1;)
STORES(givenIndex, s[t] = a[t]; __syncthreads(); int p = s[t]; __syncthreads(); if (t == i) s[t] = 9; else s[t] = p + 1;)
KERNEL(globalIndex, int p = o[t]; if (t == 3) o[t] = 5; else o[t] = p * 2;)
STORES(update, s[t] = a[t]; __syncthreads(); int p = s[t]; if (t == 3) s[t] = 0; else s[t] = p + 1;)
STORES(chosenIndex, s[t] = a[t]; __syncthreads(); int p = s[t]; if (t != 3) s[t] = p * 1 + 1; else s[t] = p * 3 - 6 + 32;)
STORES(less, s[t] = a[t]; __syncthreads(); int p = s[t]; if (t < 7) s[t] = 0; else s[t] = p - 15;)
STORES(unknownIndex, s[t] = a[t]; __syncthreads(); int p = s[t]; __syncthreads(); if (t == i / 4) s[t] = 9; else s[t] = p + 1;)

#define RUN(name, ...) name<<<1, 32>>>(o, a, b, 32 __VA_ARGS__); cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); sum = 0; for (int v : h) sum += v; printf("%d", sum)
int main() {
  int h[32], ha[4096], hb[256], sum;
  int *o, *a, *b;
  cudaMalloc(&o, 1024);
  cudaMalloc(&a, sizeof ha);
  cudaMalloc(&b, sizeof hb);
  for (int k = 0; k < 4096; k++) ha[k] = k & 1 ? k & 255 : 255 - (k & 255);
  for (int k = 0; k < 256; k++) hb[k] = k & 2 ? k : 255 - k;
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  RUN(index); printf(" "); RUN(array); printf(" "); RUN(shared); printf(" "); RUN(member); printf(" "); RUN(column); printf(" ");
  RUN(branches); printf(" "); RUN(otherwise); printf(" "); RUN(inLoop); printf(" "); RUN(both); printf(" "); RUN(row); printf(" ");
  RUN(first); printf(" "); RUN(functions); printf(" "); RUN(ofTwoMembers); printf(" | ");
  RUN(guard); printf(" "); RUN(two); printf(" "); RUN(zeroIndex); printf(" "); RUN(someIndex); printf(" "); RUN(givenIndex, -25); printf(" ");
  RUN(globalIndex); printf(" "); RUN(update); printf(" "); RUN(chosenIndex); printf(" "); RUN(less); printf(" "); RUN(unknownIndex); printf("\n");
  return cudaDeviceSynchronize();
}
