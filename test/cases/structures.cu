// Functions that return structures of odd sizes, and structures inside of structures, also where nothing is optimised.
// stdout: 6.5 3 4 5 2 1
#include <cstdio>
struct Inner { float x; short s[3]; };
struct Outer { double d; Inner inner; char c; };
__device__ __noinline__ float3 add(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ __noinline__ Outer make(int i) {
  Outer o;
  o.d = i * 0.5;
  o.inner.x = i;
  for (int k = 0; k < 3; k++) o.inner.s[k] = i + k;
  o.c = (char)(i - 1);
  return o;
}
__global__ void run(float *out, Outer *outers) {
  float3 sum = add(make_float3(1, 2, 3), make_float3(0, threadIdx.x, 0.5f));
  outers[threadIdx.x] = make(threadIdx.x);
  Outer o = outers[threadIdx.x];
  if (threadIdx.x == 3) {
    out[0] = sum.x + sum.y + sum.z - 3;
    for (int k = 0; k < 3; k++) out[1 + k] = o.inner.s[k];
    out[4] = o.c;
    out[5] = (float)o.d - 0.5f;
  }
}
int main() {
  float *out, host[6];
  Outer *outers;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&outers, 32 * sizeof(Outer));
  run<<<1, 32>>>(out, outers);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g %g %g\n", host[0], host[1], host[2], host[3], host[4], host[5]);
}
