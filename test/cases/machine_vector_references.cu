// Memory read as another type through references: nvcc 13.0 takes the alignment of the reference's type, as of a pointer's, so each is one
// access; structures that are not declared to be aligned are read by members. Counts of one warp, from the PTX.
// stdout: 21 4 6 42 8 30 5 7 end
// levels: 2
// count: local_arrays global load executed = 1
// count: local_arrays global store executed = 1
// count: named_casts global load executed = 1
// count: named_casts global store executed = 1
// count: constants global load executed = 2
// count: tiles global load executed = 1
// count: tiles shared store executed = 1
// count: tiles shared load executed = 1
// count: halves global load executed = 1
// count: halves global store executed = 1
// count: of_template global load executed = 2
// count: plain global load executed = 4
#include <cstdio>
#include <cuda_fp16.h>

__global__ void local_arrays(const float *p, float *o) {
  int i = threadIdx.x;
  float t[4];
  (float4 &)t[0] = (float4 &)p[4 * i];
  float s = 0;
  for (int k = 0; k < 4; k++) {
    t[k] = t[k] * 2 + k;
    s += t[k];
  }
  t[0] = s;
  (float4 &)o[4 * i] = (float4 &)t[0];
}
__global__ void named_casts(float *p, float *o) {
  float4 v = reinterpret_cast<float4 &>(p[4 * threadIdx.x]);
  v.x += v.y;
  reinterpret_cast<float4 &>(o[4 * threadIdx.x]) = v;
}
__global__ void constants(const float *p, float *o) {
  const float4 v = reinterpret_cast<const float4 &>(p[4 * threadIdx.x]);
  const float2 w = (const float2 &)p[2 * threadIdx.x + 128];
  o[threadIdx.x] = v.x + v.y + v.z * v.w + w.x + w.y;
}
#define FOUR(x) ((float4 &)(x))
#define TWO(x) (reinterpret_cast<float2 &>(x))
__global__ void tiles(float *p, float *o) {
  __shared__ float s[128];
  FOUR(s[4 * threadIdx.x]) = FOUR(p[4 * threadIdx.x]);
  __syncthreads();
  float2 a = TWO(s[126 - 2 * threadIdx.x]);
  o[threadIdx.x] = a.x + a.y;
}
__global__ void halves(__half *p, __half *o) {
  unsigned both = reinterpret_cast<unsigned &>(p[2 * threadIdx.x]);
  (unsigned &)o[2 * threadIdx.x] = both >> 16 | both << 16;
}
template <typename Vector, typename T> __global__ void of_template(T *p, T *o) {
  Vector v = reinterpret_cast<Vector &>(p[2 * threadIdx.x]);
  o[threadIdx.x] = v.x + v.y;
}
struct Pack {
  float x, y, z, w;
};
__global__ void plain(float *p, float *o) {
  Pack v = (Pack &)p[4 * threadIdx.x];
  o[threadIdx.x] = v.x + v.y * v.z + v.w;
}

int main() {
  float *p, *o;
  cudaMallocManaged(&p, 4096);
  cudaMallocManaged(&o, 4096);
  auto fill = [&] {
    for (int i = 0; i < 512; i++) p[i] = i % 8;
  };
  auto print = [&](double value) {
    cudaDeviceSynchronize();
    printf("%g ", value);
  };
  fill();
  local_arrays<<<1, 32>>>(p, o), cudaDeviceSynchronize(), print(o[0] + o[1]);
  named_casts<<<1, 32>>>(p, o), cudaDeviceSynchronize(), print(o[0] + o[1] + o[2]);
  constants<<<1, 32>>>(p, o), cudaDeviceSynchronize(), print(o[0] - 2);
  tiles<<<1, 32>>>(p, o), cudaDeviceSynchronize(), print(o[0] + o[1] + o[2] + 15);
  __half *h = (__half *)p, *g = (__half *)o;
  for (int i = 0; i < 64; i++) h[i] = __float2half(i);
  halves<<<1, 32>>>(h, g), cudaDeviceSynchronize(), print(__half2float(g[0]) + __half2float(g[6]));
  double *d = (double *)p, *e = (double *)o;
  for (int i = 0; i < 64; i++) d[i] = i;
  of_template<double2><<<1, 32>>>(d, e), cudaDeviceSynchronize(), print(e[7] + 1);
  unsigned *u = (unsigned *)p, *w = (unsigned *)o;
  for (int i = 0; i < 64; i++) u[i] = i;
  of_template<uint2><<<1, 32>>>(u, w), cudaDeviceSynchronize(), print(w[1]);
  fill();
  plain<<<1, 32>>>(p, o), cudaDeviceSynchronize(), print(o[0] + 2);
  printf("end\n");
}
