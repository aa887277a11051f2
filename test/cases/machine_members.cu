// Structures with gaps between their members or behind them, taken into variables and put back: in how many accesses, of what width.
// stdout: no error: 35 100 2 2.5 8 1
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 64;

struct Inner { int a; float b; char c; double d; };
struct Pair { double v; int i; };
struct Flagged { float x; bool f; };
struct Point { float3 p; char k; float4 q; };
struct Row { short n; int x[5]; char z; long long w; };
struct Nested { Inner g; int e; };
struct Tail { int a; char c; double d; bool f; };
struct Hit { bool hit; float3 p; double t; int id; };

__global__ void back(Inner *s, int *o) { Inner l = s[threadIdx.x]; l.a += 1; o[threadIdx.x] = l.c; s[threadIdx.x] = l; }
__global__ void copied(const Inner *s, Inner *d) { Inner l = s[threadIdx.x]; d[threadIdx.x] = l; }
__global__ void assigned(const Inner *s, Inner *d) { Inner l; l = s[threadIdx.x]; l.a++; d[threadIdx.x] = l; }
__global__ void plain(const Inner *s, Inner *d) { d[threadIdx.x] = s[threadIdx.x]; }
__global__ void swapped(Inner *s) { Inner t = s[threadIdx.x]; s[threadIdx.x] = s[threadIdx.x + 32]; s[threadIdx.x + 32] = t; }
__global__ void pair(Pair *s) { Pair l = s[threadIdx.x]; l.v += 1; s[threadIdx.x] = l; }
__global__ void flagged(const Flagged *s, Flagged *d) { Flagged l = s[threadIdx.x]; if (l.f) l.x *= 2; d[threadIdx.x] = l; }
__global__ void point(const Point *s, Point *d) { Point l = s[threadIdx.x]; l.p.x += l.q.w; d[threadIdx.x] = l; }
__global__ void row(const Row *s, Row *d) { Row l = s[threadIdx.x]; l.x[2] += l.z; d[threadIdx.x] = l; }
__global__ void chosen(const Row *s, Row *d, int k) { Row l = s[threadIdx.x]; l.x[k] += l.z; d[threadIdx.x] = l; }
__global__ void nested(const Nested *s, Nested *d) { Nested l = s[threadIdx.x]; l.g.c++; d[threadIdx.x] = l; }
__global__ void tail(const Tail *s, Tail *d) { Tail l = s[threadIdx.x]; l.d += l.a; d[threadIdx.x] = l; }
__global__ void tailFlag(const Tail *s, Tail *d) { Tail l = s[threadIdx.x]; l.f = l.a > 3; d[threadIdx.x] = l; }
__global__ void moved(const Hit *s, Hit *d) { Hit l = s[threadIdx.x]; if (l.hit) l.t += l.p.x; d[threadIdx.x] = l; }
__global__ void read(const Hit *s, float *o) { Hit l = s[threadIdx.x]; o[threadIdx.x] = l.hit ? l.p.x + l.t : l.id; }
__global__ void nearest(const Hit *s, Hit *d, int n) {
  Hit best = s[0];
  for (int i = 1; i < n; i++) { Hit next = s[i]; if (next.hit && next.t < best.t) best = next; }
  d[threadIdx.x] = best;
}
__device__ Inner change(Inner g) { g.a *= 2; g.c += 1; return g; }
__global__ void called(const Inner *s, Inner *d) { d[threadIdx.x] = change(s[threadIdx.x]); }
__global__ void parameter(Inner g, Inner *d) { g.a += threadIdx.x; d[threadIdx.x] = g; }
__global__ void whole(Inner g, Inner *d, int *o) { d[threadIdx.x] = g; o[threadIdx.x] = g.a + g.c; }
__global__ void shared(const Inner *s, Inner *d) {
  __shared__ Inner t[N];
  t[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  Inner l = t[threadIdx.x ^ 1];
  l.a++;
  d[threadIdx.x] = l;
}
__device__ Hit make(float t) { Hit w; w.hit = t > 1; w.p = make_float3(t, t, t); w.t = t; w.id = 3; return w; }
__global__ void made(Hit *d, float t) { d[threadIdx.x] = make(t + threadIdx.x); }
__global__ void madeLocal(Hit *d, float t) { Hit w = make(t + threadIdx.x); w.id++; d[threadIdx.x] = w; }

// Rounds that store: how long a loop may be for ptxas to write it out, where lanes have different numbers of rounds.
template <int STORES> __global__ void constants(float *d, int n) {
  for (int i = threadIdx.x; i < n; i += 32)
    for (int k = 0; k < STORES; ++k) d[k * 512 + i] = k;
}
template <int STORES> __global__ void copies(float *d, const float *a, int n) {
  for (int i = threadIdx.x; i < n; i += 32)
    for (int k = 0; k < STORES; ++k) d[k * 512 + i] = a[k * 512 + i];
}
template <int STORES> __global__ void spread(float *d, const float *a, int n) {
  for (int i = threadIdx.x; i < n; i += 32) {
    const float v = a[i];
    for (int k = 0; k < STORES; ++k) d[k * 512 + i] = v * (k + 2);
  }
}
__global__ void triples(float3 *d, const float3 *a, int n) { for (int i = threadIdx.x; i < n; i += 32) d[i] = a[i]; }
__global__ void setTriples(float3 *d, int n) { for (int i = threadIdx.x; i < n; i += 32) d[i] = make_float3(1, 2, 3); }

template <typename T> T *array() { T *p; cudaMallocManaged(&p, N * sizeof(T)); return p; }

int main() {
  Inner *inner = array<Inner>(), *to = array<Inner>();
  Pair *pairs = array<Pair>();
  Flagged *flags = array<Flagged>(), *flagsTo = array<Flagged>();
  Point *points = array<Point>(), *pointsTo = array<Point>();
  Row *rows = array<Row>(), *rowsTo = array<Row>();
  Nested *nest = array<Nested>(), *nestTo = array<Nested>();
  Tail *tails = array<Tail>(), *tailsTo = array<Tail>();
  Hit *hits = array<Hit>(), *hitsTo = array<Hit>();
  int *o = array<int>();
  float *f = array<float>(), *a, *d;
  cudaMallocManaged(&a, 4096 * sizeof(float));
  cudaMallocManaged(&d, 4096 * sizeof(float));
  for (int i = 0; i < N; ++i) {
    inner[i] = {i, float(i), char(i), i * 0.5};
    pairs[i] = {i * 0.25, i};
    flags[i] = {float(i), i % 3 == 0};
    points[i] = {make_float3(i, 1, 2), 'k', make_float4(1, 2, 3, i)};
    rows[i] = {short(i), {1, 2, 3, 4, i}, char(i), i};
    nest[i] = {inner[i], i};
    tails[i] = {i % 7, 'c', 1.5, false};
    hits[i] = {i % 2 == 1, make_float3(i, 0, 0), 100.0 - i, i};
  }
  for (int i = 0; i < 4096; ++i) a[i] = i % 13;
  back<<<1, 32>>>(inner, o);
  copied<<<1, 32>>>(inner, to);
  assigned<<<1, 32>>>(inner, to);
  plain<<<1, 32>>>(inner, to);
  swapped<<<1, 32>>>(inner);
  pair<<<1, 32>>>(pairs);
  flagged<<<1, 32>>>(flags, flagsTo);
  point<<<1, 32>>>(points, pointsTo);
  row<<<1, 32>>>(rows, rowsTo);
  chosen<<<1, 32>>>(rows, rowsTo, 3);
  nested<<<1, 32>>>(nest, nestTo);
  tail<<<1, 32>>>(tails, tailsTo);
  tailFlag<<<1, 32>>>(tails, tailsTo);
  moved<<<1, 32>>>(hits, hitsTo);
  read<<<1, 32>>>(hits, f);
  nearest<<<1, 32>>>(hits, hitsTo, 50);
  called<<<1, 32>>>(inner, to);
  parameter<<<1, 32>>>(Inner{1, 2, 'c', 4}, to);
  whole<<<1, 32>>>(Inner{1, 2, 'c', 4}, to, o);
  shared<<<1, N>>>(inner, to);
  made<<<1, 32>>>(hitsTo, 0.5f);
  madeLocal<<<1, 32>>>(hitsTo, 0.5f);
  constants<1><<<1, 32>>>(d, 307);
  constants<2><<<1, 32>>>(d, 307);
  constants<3><<<1, 32>>>(d, 307);
  copies<1><<<1, 32>>>(d, a, 307);
  copies<2><<<1, 32>>>(d, a, 307);
  copies<3><<<1, 32>>>(d, a, 307);
  spread<1><<<1, 32>>>(d, a, 307);
  spread<2><<<1, 32>>>(d, a, 307);
  spread<3><<<1, 32>>>(d, a, 307);
  spread<4><<<1, 32>>>(d, a, 307);
  triples<<<1, 32>>>((float3 *)d, (float3 *)a, 307);
  setTriples<<<1, 32>>>((float3 *)d, 307);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %d %d %g %g %d %g\n", cudaGetErrorString(error), to[3].a, o[5], pairs[4].v, hitsTo[2].t, rowsTo[4].x[3], d[30]);
  return error != cudaSuccess;
}
