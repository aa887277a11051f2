// Approximations of functions in 16 bits by inline PTX, as FlashInfer has them: within what PTX promises.
// stdout: f16 1 1 f16x2 1 1 1 1 bf16 1 1
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void approximate(float *o, const float *x) {
  int t = threadIdx.x;
  __half h = __float2half(x[t]), e, u;
  asm volatile("ex2.approx.f16 %0, %1;" : "=h"(*(unsigned short *)&e) : "h"(*(unsigned short *)&h));
  asm volatile("tanh.approx.f16 %0, %1;" : "=h"(*(unsigned short *)&u) : "h"(*(unsigned short *)&h));
  __half2 two = __floats2half2_rn(x[t], -x[t]), e2, u2;
  asm volatile("ex2.approx.f16x2 %0, %1;" : "=r"(*(unsigned *)&e2) : "r"(*(unsigned *)&two));
  asm volatile("tanh.approx.f16x2 %0, %1;" : "=r"(*(unsigned *)&u2) : "r"(*(unsigned *)&two));
  __nv_bfloat16 b = __float2bfloat16(x[t]), eb, ub;
  asm volatile("ex2.approx.ftz.bf16 %0, %1;" : "=h"(*(unsigned short *)&eb) : "h"(*(unsigned short *)&b));
  asm volatile("tanh.approx.bf16 %0, %1;" : "=h"(*(unsigned short *)&ub) : "h"(*(unsigned short *)&b));
  auto near = [](float a, float b, float error) { return fabsf(a - b) <= error * fmaxf(fabsf(b), 0.1f) ? 1.f : 0.f; };
  float y = __half2float(h), z = __bfloat162float(b);
  float *r = o + t * 8;
  r[0] = near(__half2float(e), exp2f(y), 0x1p-9);
  r[1] = near(__half2float(u), tanhf(y), 0x1p-9);
  r[2] = near(__low2float(e2), exp2f(y), 0x1p-9);
  r[3] = near(__high2float(e2), exp2f(-y), 0x1p-9);
  r[4] = near(__low2float(u2), tanhf(y), 0x1p-9);
  r[5] = near(__high2float(u2), tanhf(-y), 0x1p-9);
  r[6] = near(__bfloat162float(eb), exp2f(z), 0x1p-6);
  r[7] = near(__bfloat162float(ub), tanhf(z), 0x1p-6);
}

int main() {
  float h[32], *o, *x, r[256];
  for (int i = 0; i < 32; ++i) h[i] = (i - 15) * 0.21f;
  cudaMalloc(&o, sizeof r);
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  approximate<<<1, 32>>>(o, x);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  float all[8];
  for (int k = 0; k < 8; ++k) {
    all[k] = 1;
    for (int i = 0; i < 32; ++i) all[k] *= r[i * 8 + k];
  }
  printf("f16 %g %g f16x2 %g %g %g %g bf16 %g %g\n", all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
}
