// Vectors of four elements of 8 bytes, which since CUDA 13 say their alignment: two loads and stores of 16 bytes a thread.
// levels: 2
// stdout: 16 32 32 | 10 20 30 40 | -1 7
// count: _Z4copy global load executed = 2
// count: _Z4copy global store executed = 2
#include <cstdio>
__global__ void copy(const double4_32a *from, double4_32a *to) {
  double4_32a v = from[threadIdx.x];
  to[threadIdx.x] = make_double4_32a(10 * v.x, 10 * v.y, 10 * v.z, 10 * v.w);
}
__global__ void whole(longlong4_16a *to, ulonglong4_16a *other) {
  *to = make_longlong4_16a(-1, 2, 3, 4);
  *other = make_ulonglong4_16a(5, 6, 7, 8);
}
int main() {
  double4_32a *v;
  longlong4_16a *l;
  ulonglong4_16a *u;
  cudaMallocManaged(&v, 64 * sizeof *v), cudaMallocManaged(&l, sizeof *l), cudaMallocManaged(&u, sizeof *u);
  for (int i = 0; i < 32; i++) v[i] = {1, 2, 3, 4};
  copy<<<1, 32>>>(v, v + 32);
  whole<<<1, 1>>>(l, u);
  cudaDeviceSynchronize();
  printf("%d %d %d | %g %g %g %g | %lld %llu\n", (int)alignof(double4_16a), (int)alignof(double4_32a), (int)sizeof(longlong4_16a), v[40].x,
         v[40].y, v[40].z, v[40].w, l->x, u->z);
  return 0;
}
