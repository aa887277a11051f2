// Structures with gaps, copied to a thread's own and back: nvcc stores all of their members where that takes several blocks, and else what changed
// (PTX of CUDA 13.0; frontend/passes/paddedCopies.ts, analysis/reusing/dropUnchangedStores.ts). cuRAND's state is one.
// levels: 2
// stdout: no error
// count: counted global load executed = 7
// count: counted global store executed = 7
// count: once global load executed = 3
// count: once global store executed = 4
// count: resultFirst global load executed = 6
// count: resultFirst global store executed = 7
// count: results global load executed = 6
// count: results global store executed = 12
// count: summed global load executed = 6
// count: summed global store executed = 7
// count: chosen global load executed = 1
// count: chosen global store executed = 1
// count: besideStore global load executed = 3
// count: besideStore global store executed = 4
// count: bytes global load executed = 3
// count: bytes global store executed = 3
// count: branches global load executed = 3
// count: branches global store executed = 4
// count: elsewhere global load executed = 3
// count: elsewhere global store executed = 3
// count: withoutGaps global load executed = 1
// count: withoutGaps global store executed = 1
// count: shared shared load executed = 6
// count: shared shared store executed = 6
#include <cstdio>

struct State { unsigned d, v[5]; int f, g; float e; double ee; };
struct Small { unsigned d; int f; float e; double ee; };
struct Bytes { char c; int f; float e; };
struct Whole { unsigned d, v[5]; int f, g; float e; };

__device__ unsigned next(State *s) {
  unsigned t = s->v[0] ^ (s->v[0] >> 2);
  for (int i = 0; i < 4; i++) s->v[i] = s->v[i + 1];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
__global__ void counted(State *st, int *r, int m) {
  int t = threadIdx.x;
  State s = st[t];
  int c = 0;
  for (int n = 0; n < 1000; n++)
    if (next(&s) & 1) c++;
  st[t] = s;
  r[t] += c;
}
__global__ void once(State *st, int *r, int m) {
  int t = threadIdx.x;
  State s = st[t];
  int c = next(&s);
  st[t] = s;
  r[t] = c;
}
__global__ void resultFirst(State *st, int *r, int m) {
  int t = threadIdx.x;
  State s = st[t];
  int c = next(&s);
  r[t] = c;
  st[t] = s;
}
__global__ void results(State *st, int *r, int m) {
  int t = threadIdx.x;
  State s = st[t];
  for (int i = 0; i < m; i++) r[t + i * 32] = next(&s);
  st[t] = s;
}
__global__ void summed(State *st, int *r, int m) {
  int t = threadIdx.x;
  State s = st[t];
  int c = 0;
  for (int i = 0; i < m; i++) c += next(&s);
  r[t] = c;
  st[t] = s;
}
__global__ void chosen(Small *st, int *r, int m) {
  int t = threadIdx.x;
  Small s = st[t];
  if (m > 3) s.d = s.d * 5 + m;
  st[t] = s;
}
__global__ void besideStore(Small *st, int *r, int m) {
  int t = threadIdx.x;
  Small s = st[t];
  if (m > 3) {
    s.d = s.d * 5 + m;
    st[t + 64].f = 3;
  }
  st[t] = s;
}
__global__ void bytes(Bytes *st, int *r, int m) {
  int t = threadIdx.x;
  Bytes s = st[t];
  for (int i = 0; i < m; i++) s.f = s.f * 5 + m;
  st[t] = s;
}
__global__ void branches(Small *st, int *r, int m) {
  int t = threadIdx.x;
  Small s = st[t];
  for (int i = 0; i < m; i++) {
    s.d = s.d * 5 + m;
    if (s.d & 1) s.e += 1;
  }
  st[t] = s;
  r[t] = 3;
}
__global__ void elsewhere(Small *st, int *r, int m) {
  int t = threadIdx.x;
  Small s = st[t];
  for (int i = 0; i < m; i++) s.d = s.d * 5 + m;
  st[t + 1] = s;
}
__global__ void withoutGaps(Whole *st, int *r, int m) {
  int t = threadIdx.x;
  Whole s = st[t];
  for (int i = 0; i < m; i++) s.d = s.d * 5 + m;
  st[t] = s;
}
__global__ void shared(Small *st, int *r, int m) {
  __shared__ Small sh[32];
  int t = threadIdx.x;
  sh[t] = st[t];
  __syncthreads();
  Small s = sh[t ^ 1];
  for (int i = 0; i < m; i++) s.d = s.d * 5 + m;
  sh[t ^ 1] = s;
  __syncthreads();
  st[t] = sh[t];
}

int main() {
  void *st;
  int *r;
  cudaMalloc(&st, 8192);
  cudaMalloc(&r, 4096);
  cudaMemset(st, 1, 8192);
  cudaMemset(r, 0, 4096);
  counted<<<1, 32>>>((State *)st, r, 6);
  once<<<1, 32>>>((State *)st, r, 6);
  resultFirst<<<1, 32>>>((State *)st, r, 6);
  results<<<1, 32>>>((State *)st, r, 6);
  summed<<<1, 32>>>((State *)st, r, 6);
  chosen<<<1, 32>>>((Small *)st, r, 6);
  besideStore<<<1, 32>>>((Small *)st, r, 6);
  bytes<<<1, 32>>>((Bytes *)st, r, 6);
  branches<<<1, 32>>>((Small *)st, r, 6);
  elsewhere<<<1, 32>>>((Small *)st, r, 6);
  withoutGaps<<<1, 32>>>((Whole *)st, r, 6);
  shared<<<1, 32>>>((Small *)st, r, 6);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
