// Stores of two branches one of which loads first what it stores to, behind another branch, and what code behind them overwrites
// (analysis/branches/branchStores.ts, joinStores.ts); ways that store and load the same (joinLoads.ts). Counts are those of nvcc 13.0's machine code
// (sm_90), one warp whose lanes take both ways.
// levels: 2
// count: updates global load executed = 4
// count: updates global store executed = 3
// count: constantAndUpdate global load executed = 3
// count: constantAndUpdate global store executed = 3
// count: productAndSum global load executed = 4
// count: productAndSum global store executed = 3
// count: bothBegin global load executed = 2
// count: bothBegin global store executed = 2
// count: constantFirst global load executed = 2
// count: constantFirst global store executed = 2
// count: sums global load executed = 3
// count: sums global store executed = 2
// count: guarded global load executed = 1
// count: guarded global store executed = 2
// count: scaled global load executed = 1
// count: scaled global store executed = 2
// count: chain global load executed = 3
// count: chain global store executed = 2
// count: eitherWay global load executed = 3
// count: eitherWay global store executed = 2
// count: storing global load executed = 3
// count: storing global store executed = 3
// count: missing global load executed = 3
// count: missing global store executed = 3
// count: mayAlias global load executed = 4
// count: mayAlias global store executed = 2
// count: mayNot global load executed = 3
// count: mayNot global store executed = 2
// stdout:  26293 25562 29689 31453 26001 26787 24724 25015 24664 24789.3 22010 28017 30132 22147
#include <cstdio>

#define KERNEL(name, ...)                                                                                                     \
  __global__ void name(float *__restrict__ o, const float *__restrict__ a, const float *__restrict__ b, int n) {              \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                            \
    if (i >= n) return;                                                                                                       \
    __VA_ARGS__                                                                                                               \
    o[i + n] = 1;                                                                                                             \
  }

// What the other way computes first, and loads, is not what the one way begins with: two stores.
KERNEL(updates, if (a[i] > 4) o[i] += a[i]; else o[i] -= b[i];)
KERNEL(constantAndUpdate, if (a[i] > 4) o[i] = 3; else o[i] -= b[i];)
KERNEL(productAndSum, if (a[i] > 4) o[i] *= a[i]; else o[i] += b[i];)
// Both begin with the place, or store one operation with one other operand: one.
KERNEL(bothBegin, if (a[i] > 4) o[i] += 3; else o[i] = 5 * o[i] - a[i];)
KERNEL(constantFirst, if (a[i] > 4) o[i] = 3; else o[i] += a[i];)
KERNEL(sums, if (a[i] > 4) o[i] += a[i]; else o[i] += b[i];)
// Behind a branch (`if (i >= n) return;`) the index is widened for both.
KERNEL(guarded, if (i > 4) o[i] = b[i]; else o[i] = 3;)
KERNEL(scaled, if (i > 4) o[i] = 2 * b[i]; else o[i] = 3;)
// What three branches, or those of `||`, store and the code behind them overwrites.
KERNEL(chain, if (a[i] > 4) o[i] = b[i]; else if (a[i] > 2) o[i] = b[i + 1] / 3; else o[i] = 0; o[i] *= 2;)
KERNEL(eitherWay, if (a[i] > 4 || b[i] < 3) o[i] = b[i]; else o[i] = b[i + 1] / 3; o[i] *= 2;)
// Ways that store load together what both load, where the kernel goes on behind them.
KERNEL(storing, float r; if (a[i] > 4) { r = b[i]; o[i + 2 * n] = r - a[i]; } else { r = b[i + 1] * 2 + b[i]; } o[i] = r;)
// A load goes to a way that another one was put on already, and is one with that of the other way.
KERNEL(missing, if (a[i] > 4) o[i + 2 * n] = b[i] - a[i]; o[i] = o[i + 2 * n] + b[i];)
// Without __restrict__: where the condition fails comes first, and may store what the other way loads.
__global__ void mayAlias(float *o, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r;
  if (i > 4) r = b[i + 1] * 2 + b[i];
  else { r = b[i]; o[i + 2 * n] = r - a[i]; }
  o[i] = r;
}
__global__ void mayNot(float *o, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r;
  if (i > 4) { r = b[i]; o[i + 2 * n] = r - a[i]; }
  else r = b[i + 1] * 2 + b[i];
  o[i] = r;
}

int main() {
  float *o, *a, *b;
  cudaMallocManaged(&o, 128 * sizeof(float));
  cudaMallocManaged(&a, 32 * sizeof(float));
  cudaMallocManaged(&b, 33 * sizeof(float));
  typedef void (*Kernel)(float *, const float *, const float *, int);
  for (Kernel kernel : {updates, constantAndUpdate, productAndSum, bothBegin, constantFirst, sums, guarded, scaled, chain, eitherWay,
                        storing, missing, mayAlias, mayNot}) {
    for (int i = 0; i < 128; i++) o[i] = i;
    for (int i = 0; i < 32; i++) a[i] = i % 8;
    for (int i = 0; i < 33; i++) b[i] = i % 5 + 1;
    kernel<<<1, 32>>>(o, a, b, 32);
    cudaDeviceSynchronize();
    float sum = 0;
    for (int i = 0; i < 128; i++) sum += o[i] * (i % 7 + 1);
    printf(" %g", sum);
  }
  printf("\n");
}
