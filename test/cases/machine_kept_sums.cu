// Sums in memory that rounds keep in a register: whatever else the loop reads is in another memory or at a constant distance, and the store
// stands behind it, once (read on an H200: scripts/fidelity/cases/machine_kept_sums.json).
// levels: 2
// stdout: sumsOfGlobal 0: 318967994
// stdout: sumsOfGlobal 3: 319514029
// stdout: sumsOfGlobal 14: 321455577
// stdout: sumsBySteps 32: 319310336
// stdout: sumsBySteps 400: 323385554
// stdout: sumsBySteps 413: 323534472
// stdout: apart 13: 319993183
// stdout: together 13: 319993183
// stdout: twoSums 6: 2245475779
// stdout: sometimes 9: 320295684
// stdout: withBarriers 9: 320566339
// stdout: lastValue 9: 319530815
#include <cstdio>

// Dynamic shared memory beside global memory.
__global__ void sumsOfGlobal(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; i++) s[t] += q[i * 32 + t];
  __syncthreads();
  o[t] = s[t ^ 1];
}
// A step that only the launch knows.
__global__ void sumsBySteps(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x, step = gridDim.x * blockDim.x;
  s[t] = 0;
  for (int i = t; i < n; i += step) s[t] += q[i];
  __syncthreads();
  if (t < 16) s[t] += s[t + 16];
  __syncwarp();
  o[t] = s[t & 15];
}
// Pointers declared apart.
__global__ void apart(int *__restrict__ p, const int *__restrict__ q, int *o, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) p[t] += q[i * 32 + t];
}
// Pointers that may be one: loaded and stored each round.
__global__ void together(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) p[t] += q[i * 32 + t];
}
// Two sums at a constant distance.
__global__ void twoSums(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[2 * t] = s[2 * t + 1] = 1;
  for (int i = 0; i < n; i++) {
    s[2 * t] += q[i * 32 + t];
    s[2 * t + 1] *= q[i * 32 + t] | 1;
  }
  o[t] = s[2 * t] + s[2 * t + 1];
}
// Not made in every round: it stays.
__global__ void sometimes(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++)
    if (q[i * 32 + t] > 40) s[t] += q[i * 32 + t];
  __syncthreads();
  o[t] = s[t ^ 1];
}
// A barrier in the loop: others may read.
__global__ void withBarriers(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    s[t] += q[i * 32 + t];
    __syncthreads();
  }
  o[t] = s[t ^ 1];
}
// The last value only.
__global__ void lastValue(int *p, int *q, int *o, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) s[t] = q[i * 32 + t] * 3;
  __syncthreads();
  o[t] = s[t ^ 1];
}

static int a[3][4096];

void fill(int *p, int *q, int *o) {
  for (int i = 0; i < 4096; i++) {
    a[0][i] = (i * 2654435761u) >> 23;
    a[1][i] = ((i * 2246822519u + 7) >> 23) % 100;
    a[2][i] = i & 15;
  }
  cudaMemcpy(p, a[0], sizeof a[0], cudaMemcpyHostToDevice);
  cudaMemcpy(q, a[1], sizeof a[1], cudaMemcpyHostToDevice);
  cudaMemcpy(o, a[2], sizeof a[2], cudaMemcpyHostToDevice);
}
unsigned check(int *p, int *q, int *o) {
  cudaMemcpy(a[0], p, sizeof a[0], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[1], q, sizeof a[1], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[2], o, sizeof a[2], cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 4096; i++) sum += (unsigned)(a[0][i] * 3 + a[1][i] * 5 + a[2][i] * 7) * (i + 1);
  return sum;
}

int main() {
  int *p, *q, *o;
  cudaMalloc(&p, 16384);
  cudaMalloc(&q, 16384);
  cudaMalloc(&o, 16384);
#define RUN(kernel, n)                 \
  fill(p, q, o);                       \
  kernel<<<1, 32, 1024>>>(p, q, o, n); \
  printf(#kernel " %d: %u\n", n, check(p, q, o));
  RUN(sumsOfGlobal, 0)
  RUN(sumsOfGlobal, 3)
  RUN(sumsOfGlobal, 14)
  RUN(sumsBySteps, 32)
  RUN(sumsBySteps, 400)
  RUN(sumsBySteps, 413)
  RUN(apart, 13)
  RUN(together, 13)
  RUN(twoSums, 6)
  RUN(sometimes, 9)
  RUN(withBarriers, 9)
  RUN(lastValue, 9)
}
