// Words of shared memory that a branch needs, or what comes behind it, beside one that is loaded in front: ptxas loads them together
// (analysis/joining/raiseLoads.ts), whatever their kinds, and so it joins members of structures (mergeAccesses.ts). One warp, n = 40: no lane
// takes the branches that ask for more. Counts were read on an H200 (nvcc 13.0 -O3 -arch=sm_90).
// levels: 2
// stdout: 676 1478 1414 6043 2152 793 659 659 1000 2717 3172 2154 1478 1478 2165 1478 1820 -2147482562 1694 1952 0 682 60868 47153 916 6185 11224 60 60 60 no error
// count: inBranch shared load executed = 1
// count: behindBranch shared load executed = 1
// count: behindReturn shared load executed = 1
// count: deep shared load executed = 1
// count: twoBranches shared load executed = 2
// count: lineOfFour shared load executed = 1
// count: noNeighbour shared load executed = 2
// count: longBranch shared load executed = 1
// count: eightBytes shared load executed = 1
// count: variables shared load executed = 1
// count: kinds shared load executed = 1
// count: sharedStore shared load executed = 2
// count: barrier shared load executed = 2
// count: fence shared load executed = 2
// count: shuffle shared load executed = 1
// count: vote shared load executed = 1
// count: atomic shared load executed = 1
// count: quotient shared load executed = 2
// count: loopBetween shared load executed = 2
// count: leaves shared load executed = 4
// count: skips shared load executed = 4
// count: maximum shared load executed = 8
// count: guarded shared load executed = 16
// count: counted shared load executed = 10
// count: downwards shared load executed = 45
// count: mixed shared load executed = 1
// count: particles shared load executed = 8
// count: largestOfFloats shared load executed = 11
// count: largestOfDoubles shared load executed = 16
// count: largestOfTwo shared load executed = 11
#include <cstdio>

#define BRANCH o[t + 64] = in[t + n] % 11 + in[t + 100] / 13; o[t + 128] = in[t + 200] * in[t + 300];
#define SHARED __shared__ int s[512]; __shared__ int a, b, c; __shared__ float x, y; int t = threadIdx.x; \
  for (int k = t; k < 512; k += 32) s[k] = in[k]; \
  if (t == 0) { a = in[1]; b = in[2]; c = in[3]; x = in[4]; y = in[5]; } __syncthreads();
#define KERNEL(name, ...) __global__ void name(int *o, const int *in, int n) { SHARED __VA_ARGS__ }

// In a branch, behind it, and where nothing is in front.
KERNEL(inBranch, int q = s[2 * t]; if (q > n) { BRANCH q += s[2 * t + 1]; } o[t] = q;)
KERNEL(behindBranch, int q = s[2 * t]; if (q > n) { BRANCH } o[t] = q + s[2 * t + 1];)
KERNEL(behindReturn, int q = s[2 * t]; if (q == 7) return; o[t] = q + s[2 * t + 1];)
KERNEL(deep, if (s[8] < n) { BRANCH if (t > n - 38) { o[t + 256] = 4; if (n > 5) { o[t + 320] = in[t + 5] / n; if (n > 80) o[t + 352] = s[9]; } } })
KERNEL(twoBranches, if (t < n - 30) { BRANCH o[t] = s[8]; } if (t * t > n) { o[t + 256] = s[9] / n; })
KERNEL(lineOfFour, int q = s[4 * t]; if (q > n) q += s[4 * t + 1]; if (q > 2 * n) { BRANCH q += s[4 * t + 2]; } o[t] = q;)
KERNEL(noNeighbour, int q = s[4 * t + 1]; if (q > n) { o[t + 64] = in[t + n]; q += s[4 * t + 2]; } o[t] = q;)
KERNEL(longBranch, int q = s[4 * t + 1]; if (q > n) { BRANCH o[t + 512] = in[t + 9] * 3 + in[t + n] * in[t + 300] - in[t + 30] / 7; q += s[4 * t + 2]; } o[t] = q;)
KERNEL(eightBytes, long long *w = (long long *)s; long long q = w[2 * t]; if (q < n) { BRANCH q += w[2 * t + 1]; } o[t] = (int)q;)
// Variables of their own.
KERNEL(variables, if (t < a) { BRANCH } if (t < b) o[t + 256] = t; o[t] = c;)
KERNEL(kinds, float q = x; if (q > n) { BRANCH } o[t] = q * y + c;)
// What parts them and what does not.
KERNEL(sharedStore, int q = s[2 * t]; s[t + 128] = q; if (q > n) { BRANCH } o[t] = q + s[2 * t + 1] + s[t + 128];)
KERNEL(barrier, int q = s[2 * t]; __syncthreads(); o[t] = q + s[2 * t + 1];)
KERNEL(fence, int q = s[2 * t]; __threadfence(); if (q > n) { BRANCH } o[t] = q + s[2 * t + 1];)
KERNEL(shuffle, int q = s[2 * t]; q += __shfl_xor_sync(~0u, q, 1); if (q > n) { BRANCH } o[t] = q + s[2 * t + 1];)
KERNEL(vote, int q = s[2 * t]; q += __any_sync(~0u, q > n); o[t] = q + s[2 * t + 1];)
KERNEL(atomic, int q = s[2 * t]; atomicAdd(o + 512, q); if (q > n) { BRANCH } o[t] = q + s[2 * t + 1];)
KERNEL(quotient, float q = s[2 * t]; float r = q / in[t + 3]; if (r > n) { BRANCH } o[t] = r + s[2 * t + 1];)
KERNEL(loopBetween, int q = s[2 * t]; for (int i = 0; i < n; i += 8) q += in[i * t & 511] / 7; o[t] = q + s[2 * t + 1];)
// Loops that are written out.
KERNEL(leaves, int i; for (i = 0; i < 16; ++i) if (s[i] > n) break; o[t] = i;)
KERNEL(skips, int q = 0; for (int i = 0; i < 16; ++i) { if (s[i] == 7) continue; q += in[t + i] / n; o[t + 32 * i] = q; })
KERNEL(maximum, int q = 0, k = 0; for (int i = 0; i < 32; ++i) if (s[i] > q && (t & 1)) { q = s[i]; k = i; } o[t] = k;)
KERNEL(guarded, int q = 0; for (int i = 0; i < 16; ++i) if (i + t < n) q += s[i] * in[i + t]; o[t] = q;)
// Rounds that end a line, not begin one (machine code; not read).
KERNEL(downwards, int q = 0; for (int i = 4 * (t % 16) - 1; i >= 0; i -= 4) { if (s[i] == n + 1000) break; if (s[i - 1] == n + 1000) break; if (s[i - 2] == n + 1000) break; q++; } o[t] = q;)
KERNEL(counted, for (int i = 0; i < n; ++i) { if (s[i] > 5) o[t + 32 * (i & 15)] = i; })

// Structures of floats and integers, and such with members of 8 bytes.
struct Mixed { float x; int i; float y; int j; };
struct Particle { float x, y, z; int kind; };
struct Largest { float value; int index; };
struct Long { double value; int index; };
struct Two { double value; long long index; };
__global__ void mixed(int *o, const int *in, int n) {
  __shared__ Mixed s[64];
  int t = threadIdx.x;
  s[t] = {(float)in[t], in[t + 1], (float)in[t + 2], in[t + 3]};
  __syncthreads();
  Mixed *p = &s[31 - t];
  o[t] = p->x * p->i + p->y * p->j;
}
__global__ void particles(int *o, const int *in, int n) {
  __shared__ Particle s[64];
  int t = threadIdx.x;
  s[t] = {(float)in[t], (float)in[t + 1], (float)in[t + 2], in[t + 3]};
  __syncthreads();
  float q = 0;
  for (int k = 0; k < 8; ++k) if (s[k].kind > 3) q += s[k].x * s[k].y - s[k].z;
  o[t] = q;
}
template <class T> __device__ void reduce(int *o, T *s, int t) {
  for (int k = 16; k > 0; k /= 2) {
    if (t < k) { if (s[t + k].value > s[t].value) s[t] = s[t + k]; }
    __syncthreads();
  }
  if (t == 0) { o[0] = s[0].value; o[1] = (int)s[0].index; }
}
#define REDUCE(name, T) __global__ void name(int *o, const int *in, int n) { __shared__ T s[32]; int t = threadIdx.x; \
  s[t].value = in[t]; s[t].index = t; __syncthreads(); reduce<T>(o, s, t); }
REDUCE(largestOfFloats, Largest)
REDUCE(largestOfDoubles, Long)
REDUCE(largestOfTwo, Two)

void run(void (*kernel)(int *, const int *, int)) {
  static int h[1024];
  int *o, *in;
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&in, sizeof h);
  cudaMemset(o, 0, sizeof h);
  for (int k = 0; k < 1024; k++) h[k] = k * 7 % 13;
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(o, in, 40);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int k = 0; k < 1024; k++) sum += h[k] * (k % 7 + 1);
  printf("%d ", sum);
  cudaFree(o);
  cudaFree(in);
}

int main() {
  run(inBranch), run(behindBranch), run(behindReturn), run(deep), run(twoBranches), run(lineOfFour), run(noNeighbour), run(longBranch), run(eightBytes);
  run(variables), run(kinds), run(sharedStore), run(barrier), run(fence), run(shuffle), run(vote), run(atomic), run(quotient);
  run(loopBetween), run(leaves), run(skips), run(maximum), run(guarded), run(counted), run(downwards);
  run(mixed), run(particles), run(largestOfFloats), run(largestOfDoubles), run(largestOfTwo);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
