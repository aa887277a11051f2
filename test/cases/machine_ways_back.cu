// Loads of what lies in a register already on all ways but one are on that one (PTX and machine code of CUDA 13.0;
// read on an H200: scripts/fidelity/cases/machine_ways_back.json).
// levels: 2
// stdout: behindBranch 200: 414250111
// stdout: twoLack 3: 413617971
// stdout: twoLack 5: 414250016
// stdout: stored 250: 413172529
// stdout: leastSoFar 0: 412400882
// stdout: leastSoFar 3: 412108822
// stdout: leastSoFar 14: 412043930
// stdout: sumsAndLeast 13: 424287286
// stdout: behindLoop 9: 412088760
// stdout: overBarrier 5: 414250016
// stdout: overBarrier 6: 414250756
// stdout: neighbours 1: 413376885
// stdout: apart 100: 413741431
// stdout: always 100: 413741431
// stdout: exchanges 40: 414981634
// stdout: leaves 100: 413914671
// stdout: oneOfThree 1: 416285259
#include <cstdio>

// Behind a branch that may write it, or an atomic.
__global__ void behindBranch(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (s > n) atomicAdd(q, 1);
  o[t] = p[t] + s;
}
// Two ways lack it: the load stays where it is.
__global__ void twoLack(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (n == 3) q[t] = 1;
  else if (n == 4) q[t + 1] = 2;
  o[t] = s + p[t];
}
// What a way has stored is known there.
__global__ void stored(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  if (q[t] > n) {
    p[t] = q[t];
    if (q[t + 32] > n) p[t] = 4;
  }
  o[t] += p[t];
}
// Round by round, also from one of those written out to the next.
__global__ void leastSoFar(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++) {
    if (q[j * 32 + t] < p[t]) {
      p[t] = q[j * 32 + t];
      o[t] = j;
    }
  }
}
__global__ void sumsAndLeast(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++) {
    o[t] += q[j * 32 + t];
    if (q[j * 32 + t] < p[t]) p[t] = q[j * 32 + t];
  }
}
// Behind a loop that writes, which may not run at all.
__global__ void behindLoop(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
#pragma unroll 1
  for (int j = 0; j < n; j++)
    if (q[j * 32 + t] > s) o[j * 32 + t] = 1;
  q[t] = p[t] + s;
}
// Not over barriers: another thread may have written.
__global__ void overBarrier(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (n > 5) {
    p[t ^ 1] = s + 1;
    __syncthreads();
  }
  o[t] = s + p[t];
}
__global__ void neighbours(int *p, int *q, int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = q[t];
  s[t + 32] = q[t + 32];
  __syncthreads();
  for (int k = 16; k > 0; k >>= 1) {
    if (t < k && s[t] < s[t + k]) s[t] = s[t + k];
    __syncthreads();
  }
  o[t] = s[t];
}
// Pointers declared apart need no second load at all.
__global__ void apart(int *__restrict__ p, int *__restrict__ q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (s > n) q[t] = 1;
  o[t] = s + p[t];
}
// Volatile ones are all made.
__global__ void always(volatile int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (s > n) q[t] = 1;
  o[t] = s + p[t];
}
// The address is known, not what lies there: its index is another round's.
__global__ void exchanges(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
#pragma unroll 1
  for (int j = 0; j < n; j++) {
    int i = t * 2 + (j & 1);
    if (i + 1 < 64 && p[i] > p[i + 1]) {
      int x = p[i];
      p[i] = p[i + 1];
      p[i + 1] = x;
    }
    __syncthreads();
  }
  if (p[t] > n) o[t] = p[t] + p[t + 32];
}
// Leaving early is a way too.
__global__ void leaves(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = p[t];
  if (s > 300) q[t] = 2;
  if (s < n) return;
  o[t] = s + p[t];
}
__global__ void oneOfThree(int *p, int *q, int *o, int n) {
  int t = threadIdx.x;
  int s = 0;
  switch (q[t] & 3) {
    case 0: s = p[t]; break;
    case 1: s = p[t] + 1; break;
    case 2: o[t] = 5; break;
  }
  o[t + 32] = s + p[t];
}

static int a[3][4096];

void fill(int *p, int *q, int *o) {
  for (int i = 0; i < 4096; i++) {
    a[0][i] = (i * 2654435761u) >> 23;
    a[1][i] = (i * 2246822519u + 7) >> 23;
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
#define RUN(kernel, n)           \
  fill(p, q, o);                 \
  kernel<<<1, 32>>>(p, q, o, n); \
  printf(#kernel " %d: %u\n", n, check(p, q, o));
  RUN(behindBranch, 200)
  RUN(twoLack, 3)
  RUN(twoLack, 5)
  RUN(stored, 250)
  RUN(leastSoFar, 0)
  RUN(leastSoFar, 3)
  RUN(leastSoFar, 14)
  RUN(sumsAndLeast, 13)
  RUN(behindLoop, 9)
  RUN(overBarrier, 5)
  RUN(overBarrier, 6)
  RUN(neighbours, 1)
  RUN(apart, 100)
  RUN(always, 100)
  RUN(exchanges, 40)
  RUN(leaves, 100)
  RUN(oneOfThree, 1)
}
