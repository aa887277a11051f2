// Indices that a condition knows (analysis/joining/knownIndices.ts): the last step of a sum in shared memory loads two words at once. One warp.
// Counts are those of the machine code of nvcc 13.0 -O3 -arch=sm_90.
// levels: 2
// stdout: 32 32 245 54 32 2107 32 16400 32 no error
// count: lastStep global load executed = 1
// count: lastStep global store executed = 1
// count: lastStep shared load executed = 1
// count: lastStep shared store executed = 2
// count: negated global load executed = 1
// count: negated global store executed = 1
// count: negated shared load executed = 1
// count: negated shared store executed = 1
// count: fourWords global load executed = 1
// count: fourWords global store executed = 1
// count: fourWords shared load executed = 1
// count: fourWords shared store executed = 1
// count: oddPlace global load executed = 1
// count: oddPlace global store executed = 1
// count: oddPlace shared load executed = 2
// count: oddPlace shared store executed = 1
// count: below global load executed = 1
// count: below global store executed = 1
// count: below shared load executed = 2
// count: below shared store executed = 1
// count: cases global load executed = 1
// count: cases global store executed = 3
// count: cases shared load executed = 2
// count: cases shared store executed = 1
// count: bothConditions global load executed = 1
// count: bothConditions global store executed = 1
// count: bothConditions shared load executed = 1
// count: bothConditions shared store executed = 1
// count: loadedBefore global load executed = 1
// count: loadedBefore global store executed = 2
// count: loadedBefore shared load executed = 2
// count: loadedBefore shared store executed = 1
// count: argument global load executed = 1
// count: argument global store executed = 1
// count: argument shared load executed = 2
// count: argument shared store executed = 1
#include <cstdio>

#define KERNEL(name, ...) \
  __global__ void name(int *o, const int *a, int n) { __shared__ int s[256]; int u = threadIdx.x; s[u] = a[u]; __syncthreads(); __VA_ARGS__ }

KERNEL(lastStep, if (u == 0) { s[u] += s[u + 1]; o[u] = s[u]; })
KERNEL(negated, if (u != 0) return; o[u] = s[u] + s[u + 1];)
KERNEL(fourWords, if (u == 4) o[u] = s[u] + s[u + 1] + s[u + 2] + s[u + 3];)
KERNEL(oddPlace, if (u == 5) o[u] = s[u] + s[u + 1];)
KERNEL(below, if (u < 1) o[u] = s[u] + s[u + 1];)
KERNEL(cases, switch (u) { case 0: o[u] = s[u] + s[u + 1]; break; case 2: o[u] = s[u] - s[u + 1]; break; default: o[u] = 4; })
KERNEL(bothConditions, if (u == 0 && n > 3) o[u] = s[u] + s[u + 1];)
KERNEL(loadedBefore, int m = s[u]; if (u == 0) o[u] = m + s[u + 1]; else o[u] = m * 2;)
KERNEL(argument, if (u == n - 32) o[u] = s[u] + s[u + 1];)

void run(void (*kernel)(int *, const int *, int)) {
  int *m;
  cudaMallocManaged(&m, 1024);
  for (int k = 0; k < 256; k++) m[k] = k < 128 ? 0 : k * 7 % 31;
  kernel<<<1, 32>>>(m, m + 128, 32);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int k = 0; k < 128; k++) sum += m[k] * (k + 1);
  printf("%d ", sum);
  cudaFree(m);
}

int main() {
  run(lastStep), run(negated), run(fourWords), run(oddPlace), run(below), run(cases), run(bothConditions), run(loadedBefore), run(argument);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
