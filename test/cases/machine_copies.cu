// Structures that are copied in and out: aligned ones whole, others member by member; bits of floats as integers; a shared histogram added
// to a global one. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 3 6 9 4 | 3 2 3 8 | 3 2 2 0 3
// stdout: 3 2 3 40800001 | 3 2 3 40800001 | 3 2 3 4 | 5 6 7 16 | 3 2 3
// stdout: 1 2 3 0 | 2 4 3 4 | 2 2 1 4 | 2 2 3 8 | 2 3 4 7 | 2 2 3 4 | 3 2 3 8 | 14 62
// count: position global load executed = 2
// count: position global store executed = 1
// count: ends global load executed = 1
// count: ends global store executed = 1
// count: two global load executed = 1
// count: bytes global load executed = 1
// count: bytes global store executed = 1
// count: structure global load executed = 1
// count: structure global store executed = 1
// count: halves global load executed = 2
// count: halves global store executed = 2
// count: nested global load executed = 2
// count: nested global store executed = 2
// count: unaligned global load executed = 1
// count: unaligned global store executed = 1
// count: branch global load executed = 2
// count: branch global store executed = 1
// count: rest global load executed = 1
// count: rest global store executed = 1
// count: cleared global load executed = 0
// count: cleared global store executed = 2
// count: rounds global load executed = 5
// count: rounds global store executed = 5
// count: tile shared load executed = 3
// count: tile shared store executed = 3
// count: bits global load executed = 1
// count: bits global store executed = 1
// count: members global load executed = 2
// count: members global store executed = 2
// count: histogram shared load executed = 8
#include <cstdio>

struct __align__(16) Particle { float a, b, c; int k; };
struct __align__(8) Pair { float a, b, c; int k; };
struct Body { float4 p, v; };

__global__ void position(float4 *o, const float4 *v, float d) {
  int t = threadIdx.x;
  float4 p = o[t], w = v[t];
  p.x += w.x * d; p.y += w.y * d; p.z += w.z * d;
  o[t] = p;
}
__global__ void ends(float4 *o, float d) { int t = threadIdx.x; float4 v = o[t]; v.x += d; v.w *= 2; o[t] = v; }
__global__ void two(float2 *o, float d) { int t = threadIdx.x; float2 v = o[t]; v.x += d; o[t] = v; }
__global__ void bytes(uchar4 *o, int d) { int t = threadIdx.x; uchar4 v = o[t]; v.x += d; v.z = 3; o[t] = v; }
__global__ void structure(Particle *o, float d) { int t = threadIdx.x; Particle v = o[t]; v.a += d; v.k++; o[t] = v; }
__global__ void halves(Pair *o, float d) { int t = threadIdx.x; Pair v = o[t]; v.a += d; v.k++; o[t] = v; }
__global__ void nested(Body *o, float d) { int t = threadIdx.x; Body v = o[t]; v.p.x += d; v.v.w *= d; o[t] = v; }
__global__ void unaligned(float3 *o, float d) { int t = threadIdx.x; float3 v = o[t]; v.x += d; o[t] = v; }
__global__ void branch(float4 *o, float d) {
  int t = threadIdx.x;
  float4 v = o[t];
  if (v.x < d) { v.y = d; v.w = 0; o[t] = v; }
}
__global__ void rest(float4 *o, float d) { float4 *p = o + threadIdx.x; float4 v = *p; v.x = d; v.y += 2; *p = v; }
// One member is loaded, and stored back: left out.
__global__ void cleared(float4 *o, float d) { int t = threadIdx.x; float4 v = o[t]; v.x = d; v.y = 2; v.z = 1; o[t] = v; }
__global__ void rounds(float4 *o, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) { float4 v = o[i * 32 + t]; v.x += 1; v.w *= 2; o[i * 32 + t] = v; }
}
// The value that is kept is the second copy's: another thread wrote it in between.
__global__ void tile(float4 *o, float d) {
  __shared__ float4 s[64];
  int t = threadIdx.x;
  s[t] = o[t];
  __syncthreads();
  float4 v = s[t ^ 1];
  __syncthreads();
  s[t] = make_float4(d, d + 1, d + 2, d + 3);
  __syncthreads();
  float4 w = s[t ^ 1];
  w.x = v.x + 1; w.w = w.w + 2;
  s[t ^ 1] = w;
  __syncthreads();
  o[t] = s[t];
}
__global__ void bits(float4 *o, int d) {
  int t = threadIdx.x;
  float4 v = o[t];
  int k = __float_as_int(v.w);
  v.x += 1;
  v.w = __int_as_float(k + d);
  o[t] = v;
}
// Assigned member by member: stays so.
__global__ void members(float4 *o, float d) {
  int t = threadIdx.x;
  o[t] = make_float4(o[t].x + d, o[t].y, o[t].z, o[t].w * 2);
}
__global__ void histogram(int *o, const int *p) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = p[t];
  __syncthreads();
  if (t < 2)
    for (int i = 0; i < 32; i++) atomicAdd(&o[i], s[i]);
}

template <class T, class F> T run(F launch) {
  T host[160], *device;
  for (auto &each : host) {
    float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    __builtin_memcpy(&each, values, sizeof each < sizeof values ? sizeof each : sizeof values);
  }
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  launch(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return host[7];
}

void print(float4 v) { printf("%g %g %g %g | ", v.x, v.y, v.z, v.w); }

int main() {
  float4 *v;
  cudaMallocManaged(&v, 32 * sizeof *v);
  for (int i = 0; i < 32; i++) v[i] = make_float4(1, 2, 3, 4);
  print(run<float4>([&](float4 *o) { position<<<1, 32>>>(o, v, 2); }));
  print(run<float4>([](float4 *o) { ends<<<1, 32>>>(o, 2); }));
  float2 b = run<float2>([](float2 *o) { two<<<1, 32>>>(o, 2); });
  uchar4 c = run<uchar4>([](uchar4 *o) { bytes<<<1, 32>>>(o, 2); });
  printf("%g %g %d %d %d\n", b.x, b.y, c.x, c.y, c.z);
  Particle d = run<Particle>([](Particle *o) { structure<<<1, 32>>>(o, 2); });
  Pair e = run<Pair>([](Pair *o) { halves<<<1, 32>>>(o, 2); });
  printf("%g %g %g %x | %g %g %g %x | ", d.a, d.b, d.c, d.k, e.a, e.b, e.c, e.k);
  Body f = run<Body>([](Body *o) { nested<<<1, 32>>>(o, 2); });
  print(f.p);
  print(f.v);
  float3 g = run<float3>([](float3 *o) { unaligned<<<1, 32>>>(o, 2); });
  printf("%g %g %g\n", g.x, g.y, g.z);
  print(run<float4>([](float4 *o) { branch<<<1, 32>>>(o, 2); }));
  print(run<float4>([](float4 *o) { rest<<<1, 32>>>(o, 2); }));
  print(run<float4>([](float4 *o) { cleared<<<1, 32>>>(o, 2); }));
  print(run<float4>([](float4 *o) { rounds<<<1, 32>>>(o, 5); }));
  print(run<float4>([](float4 *o) { tile<<<1, 32>>>(o, 2); }));
  print(run<float4>([](float4 *o) { bits<<<1, 32>>>(o, 2); }));
  print(run<float4>([](float4 *o) { members<<<1, 32>>>(o, 2); }));
  int *o, *p;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&p, 128);
  for (int i = 0; i < 32; i++) o[i] = 0, p[i] = i;
  histogram<<<1, 32>>>(o, p);
  cudaDeviceSynchronize();
  printf("%d %d\n", o[7], o[31]);
}
