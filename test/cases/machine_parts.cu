// Vectors of which a branch needs a part: loaded whole in front of it where their parts are neighbours. Counts are those of nvcc 13.0's
// machine code (sm_90), one warp, half of whose lanes take the branch.
// levels: 2
// stdout: 0 7 | 0 21 | 0 13 | 0 8 | 0 7 | 0 56 | 22 0 | 11 11 | 6 4 1 8
// count: second global load executed = 1
// count: three global load executed = 1
// count: twoOfFour global load executed = 1
// count: last global load executed = 2
// count: leaves global load executed = 1
// count: within global load executed = 1
// count: onlyBehind global load executed = 1
// count: ends global load executed = 2
// count: pairs global load executed = 2
// count: pairs global store executed = 2
#include <cstdio>

__global__ void second(int2 *o, const int2 *a, int n) { int t = threadIdx.x; int2 p = a[t]; if (p.x > n) o[t].x = p.y; }
__global__ void three(int4 *o, const int4 *a, int n) { int t = threadIdx.x; int4 p = a[t]; if (p.x > n) o[t].x = p.y + p.z + p.w; }
__global__ void twoOfFour(int4 *o, const int4 *a, int n) { int t = threadIdx.x; int4 p = a[t]; if (p.x > n) o[t].x = p.y + p.z; }
// No neighbours: its load goes behind the branch.
__global__ void last(int4 *o, const int4 *a, int n) { int t = threadIdx.x; int4 p = a[t]; if (p.x > n) o[t].x = p.w; }
__global__ void leaves(int *o, const int2 *a, int n) { int t = threadIdx.x; int2 p = a[t]; if (p.x <= n) return; o[t] = p.y; }
__global__ void within(float *o, const float4 *a, float n) {
  int t = threadIdx.x;
  float4 p = a[t];
  if (p.x < n || p.x > 100 || p.y < 0 || p.y > 100) return;
  o[t] = p.z * p.w;
}
__global__ void onlyBehind(float *o, const float4 *a, int n) { int t = threadIdx.x; float4 p = a[t]; if (t < n) o[t] = p.x + p.y + p.z + p.w; }
__global__ void ends(float *o, const float4 *a, int n) { int t = threadIdx.x; float4 p = a[t]; if (t < n) o[t] = p.x + p.w; }
__global__ void pairs(int2 *a, int j, int k) {
  int t = threadIdx.x, x = t ^ j;
  if (x > t) {
    int2 p = a[t], q = a[x];
    if ((p.x > q.x) == !(t & k)) { a[t] = q; a[x] = p; }
  }
}

int *o, *a;

void prepare(bool areFloats) {
  for (int i = 0; i < 128; i++) {
    o[i] = 0;
    a[i] = i < 64 ? 4 + i % 4 - (i < 32 ? 4 : 0) : 5 + i % 4;
    if (areFloats) ((float *)a)[i] = a[i];
  }
}

template <class Launch> void run(bool areFloats, Launch launch, int first, int later) {
  prepare(areFloats);
  launch();
  cudaDeviceSynchronize();
  if (areFloats) printf("%g %g | ", ((float *)o)[first], ((float *)o)[later]);
  else printf("%d %d | ", o[first], o[later]);
}

int main() {
  cudaMallocManaged(&o, 128 * 4 * 4);
  cudaMallocManaged(&a, 128 * 4 * 4);
  run(false, [] { second<<<1, 32>>>((int2 *)o, (int2 *)a, 4); }, 0, 62);
  run(false, [] { three<<<1, 32>>>((int4 *)o, (int4 *)a, 4); }, 0, 64);
  run(false, [] { twoOfFour<<<1, 32>>>((int4 *)o, (int4 *)a, 4); }, 0, 64);
  run(false, [] { last<<<1, 32>>>((int4 *)o, (int4 *)a, 4); }, 0, 64);
  run(false, [] { leaves<<<1, 32>>>(o, (int2 *)a, 4); }, 0, 31);
  run(true, [] { within<<<1, 32>>>((float *)o, (float4 *)a, 5); }, 0, 31);
  run(true, [] { onlyBehind<<<1, 32>>>((float *)o, (float4 *)a, 16); }, 15, 16);
  run(true, [] { ends<<<1, 32>>>((float *)o, (float4 *)a, 16); }, 15, 8);
  for (int i = 0; i < 64; i++) a[i] = i * 7 % 9;
  pairs<<<1, 32>>>((int2 *)a, 1, 2);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", a[4], a[5], a[6], a[7]);
}
