// Branches of several conditions that stay branches on the machine (analysis/branches/joinStores.ts, partialLoads.ts): which stores are one, and which
// loads. One warp whose lanes go all ways. Counts were read on an H200 (nvcc 13.0 -O3 -arch=sm_90).
// levels: 2
// stdout: 244 615 636 422 622 1485 227 966 2357 30 550 622 622 666 0 792 3958 no error
// count: andLoads global load executed = 2
// count: andLoads global store executed = 2
// count: andComputes global load executed = 2
// count: andComputes global store executed = 2
// count: andAndComputes global load executed = 3
// count: andAndComputes global store executed = 2
// count: guarded global load executed = 2
// count: guarded global store executed = 2
// count: returns global load executed = 2
// count: returns global store executed = 2
// count: twoEach global load executed = 2
// count: twoEach global store executed = 4
// count: inShared global load executed = 4
// count: inShared global store executed = 1
// count: inShared shared store executed = 2
// count: storedBefore global load executed = 2
// count: storedBefore global store executed = 2
// count: orComputes global load executed = 3
// count: orComputes global store executed = 1
// count: constants global load executed = 2
// count: constants global store executed = 1
// count: arguments global load executed = 2
// count: arguments global store executed = 1
// count: negated global load executed = 2
// count: negated global store executed = 1
// count: merged global load executed = 2
// count: merged global store executed = 1
// count: eitherFloat global load executed = 2
// count: eitherFloat global store executed = 1
// count: eitherInt global load executed = 2
// count: eitherInt global store executed = 0
// count: eitherOfThree global load executed = 5
// count: eitherOfThree global store executed = 1
// count: twoBuffers global load executed = 1
// count: twoBuffers global store executed = 1
// count: twoBuffers shared store executed = 6
#include <cstdio>

#define KERNEL(name, ...) \
  __global__ void name(float *o, const float *a, const float *b, int n, int m, float p, float q) { int t = threadIdx.x; __VA_ARGS__ }

// The second branch has two ways into it: two stores.
KERNEL(andLoads, if (a[t] > 2 && b[t] > 1) o[t] = b[t]; else o[t] = a[t];)
KERNEL(andComputes, if (a[t] > 2 && b[t] > 1) o[t] = b[t] * 2; else o[t] = a[t] * 3;)
KERNEL(andAndComputes, float x = a[t]; if (x > 1 && b[t] < 3 && b[t + 32] > 1) o[t] = x * 2; else o[t] = x * 3;)
KERNEL(guarded, if (t < n && a[t] > 2) o[t] = a[t]; else o[t] = b[t];)
KERNEL(returns, float x = a[t]; if (x > 2) { if (b[t] < 3) { o[t] = x * 2; return; } } o[t] = x * 3;)
KERNEL(twoEach, float x = a[t]; if (x > 2 && b[t] < 3) { o[t] = x * 2; o[t + 32] = 4; } else { o[t] = x * 3; o[t + 32] = 7; })
KERNEL(inShared, __shared__ float s[64]; float x = a[t]; if (x > 2 && b[t] < 3) s[t] = a[t + m]; else s[t] = a[t + n]; __syncthreads(); o[t] = s[31 - t];)
KERNEL(storedBefore, float x = p * 2; o[t + 32] = x; if (a[t] > 2 && b[t] > 1) o[t] = x; else o[t] = 0;)
// One: the first has, and where nothing is computed in either.
KERNEL(orComputes, float x = a[t]; if (x > 2 || b[t] < 3) o[t] = n; else o[t] = a[t + n];)
KERNEL(constants, if (a[t] > 2 && b[t] > 1) o[t] = 1; else o[t] = 0;)
KERNEL(arguments, if (a[t] > 2 && b[t] > 1) o[t] = p; else o[t] = q;)
KERNEL(negated, float x = a[t]; if (!(x > 2 && b[t] < 3)) o[t] = x * 3; else o[t] = x * 2;)
KERNEL(merged, float x = a[t]; float r; if (x > 2 && b[t] < 3) r = x * 2; else r = x * 3; o[t] = r;)
// What the condition's second part and what follows both load.
KERNEL(eitherFloat, if (a[t] > 2 || b[t] > 3) o[t] = a[t] * b[t];)
KERNEL(eitherInt, const int *d = (const int *)a; const int *e = (const int *)b; if (d[t] == n || e[t] == m) o[t] = d[t] < e[t] ? d[t] : e[t];)
KERNEL(eitherOfThree, if (a[t] > 3 || (a[t + 32] > 2 && b[t] > 1)) o[t] = a[t] * b[t] * a[t + 32];)
// An address that both branches compute.
KERNEL(twoBuffers, __shared__ float s[64]; int in = 0; s[t] = a[t]; __syncthreads();
  for (int k = 1; k < 32; k *= 2) {
    int out = 1 - in;
    if (t >= k) s[out * n + t] = s[in * n + t] + s[in * n + t - k];
    else s[out * n + t] = s[in * n + t];
    in = out;
    __syncthreads();
  }
  o[t] = s[in * n + t];)

void run(void (*kernel)(float *, const float *, const float *, int, int, float, float)) {
  static float h[512];
  float *o, *a, *b;
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemset(o, 0, sizeof h);
  for (int k = 0; k < 512; k++) h[k] = k * 7 % 5;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  for (int k = 0; k < 512; k++) h[k] = k * 3 % 7;
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(o, a, b, 32, 64, 3, 5);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int k = 0; k < 512; k++) sum += h[k] * (k % 7 + 1);
  printf("%g ", sum);
  cudaFree(o), cudaFree(a), cudaFree(b);
}

int main() {
  run(andLoads), run(andComputes), run(andAndComputes), run(guarded), run(returns), run(twoEach), run(inShared), run(storedBefore);
  run(orComputes), run(constants), run(arguments), run(negated), run(merged), run(eitherFloat), run(eitherInt), run(eitherOfThree), run(twoBuffers);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
