// Floats of 4 bits (E2M1), alone and packed, and scales of 8 (E8M0): every code, rounding between neighbours, what lies beyond.
// stdout: device 0 wrong, host 0 wrong
// stdout: values 0 0.5 1 1.5 2 3 4 6 | -0 -0.5 -1 -1.5 -2 -3 -4 -6
// stdout: packed 5e f7 76a4 | 6 -4 2 1 | bool 0 1 int -6
// stdout: scales 127 127 128 0 0 1 254 255 255 | 5.87747e-39 1 nan | 126 128
#include <cuda_fp4.h>
#include <cstdio>
__host__ __device__ int check(int i) {
  const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  float f = (i - 1024) / 128.0f, magnitude = f < 0 ? -f : f;
  int best = 0;
  for (int k = 1; k < 8; k++) {
    float d = fabsf(values[k] - magnitude), e = fabsf(values[best] - magnitude);
    if (d < e || (d == e && k % 2 == 0)) best = k;
  }
  int code = best | (f < 0 ? 8 : 0), wrong = 0;
  wrong += __nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest) != code;
  wrong += __nv_cvt_double_to_fp4(f, __NV_E2M1, cudaRoundNearest) != code;
  wrong += __nv_fp4_e2m1(__float2half(f)).__x != code;
  wrong += __nv_fp4x2_e2m1(float2{f, 1}).__x != (code | 2 << 4);
  wrong += __nv_fp4x4_e2m1(float4{0, 6, -3, f}).__x != (0x0d70 | code << 12);
  wrong += (float)__nv_fp4_e2m1(f) != (f < 0 ? -values[best] : values[best]);
  return wrong;
}
__global__ void device(int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (int n = check(i)) atomicAdd(wrong, n);
}
int main() {
  int *wrong, host = 0;
  cudaMallocManaged(&wrong, 4);
  *wrong = 0;
  device<<<8, 256>>>(wrong);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2048; i++) host += check(i);
  printf("device %d wrong, host %d wrong\nvalues", *wrong, host);
  for (int i = 0; i < 16; i++) printf("%s %g", i == 8 ? " |" : "", (double)__half2float(__half(__nv_cvt_fp4_to_halfraw(i, __NV_E2M1))));
  __nv_fp4x4_e2m1 four(float4{2, -1, 4, 6});
  float2 pair = (float2)__nv_fp4x2_e2m1(double2{100, -4.5});
  float4 part = (float4)four;
  printf("\npacked %x %x %x | %g %g %g %g | bool %d %d int %d\n", __nv_fp4x2_e2m1(float2{-4, 3}).__x,
         __nv_fp4x2_e2m1(float2{NAN, -INFINITY}).__x, four.__x, pair.x, pair.y, part.x, -part.y, (bool)__nv_fp4_e2m1(-0.0f),
         (bool)__nv_fp4_e2m1(0.5), (int)__nv_fp4_e2m1(-100));
  auto down = [](float f) { return __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundZero); };
  auto up = [](float f) { return __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf); };
  printf("scales %d %d %d %d %d %d %d %d %d | %g %g %g | %d %d\n", down(-1.5f), up(1), up(1.0001f), down(0), up(5.8e-39f), up(6e-39f), up(3e38f),
         __nv_cvt_float_to_e8m0(3e38f, __NV_NOSAT, cudaRoundPosInf), down(NAN), (float)__nv_fp8_e8m0(0.0f),
         (double)__nv_fp8_e8m0(1.0), (float)__nv_cvt_e8m0_to_bf16raw(255).x == 0x7fff ? NAN : 0,
         __nv_cvt_double_to_e8m0(0.99999999999, __NV_SATFINITE, cudaRoundZero), __nv_cvt_double_to_e8m0(1.00000000001, __NV_SATFINITE, cudaRoundPosInf));
}
