// Functions by the names that CUDA's headers had until 12: they are there where a program misses one.
// stdout: 0.25 0 1 | 1 2 2 1 | 1065353216 0.5 | -1 | 16777216 16777220
#include <cstdio>

__global__ void names(float *f, int *i, long long *l) {
  f[0] = saturate(0.25f), f[1] = saturate(-3.0f), f[2] = saturate(7.0f);
  i[0] = float2int(1.5f), i[1] = float2int(1.5f, cudaRoundPosInf), i[2] = float2int(1.5f, cudaRoundNearest);
  i[3] = (int)float2uint(1.9f, cudaRoundMinInf);
  i[4] = float_as_int(1.0f), f[3] = uint_as_float(0x3f000000u);
  l[0] = mul64hi(-1LL, 5LL);
  f[4] = int2float(16777217), f[5] = uint2float(16777217u + 2u, cudaRoundPosInf);
}

int main() {
  float *f;
  int *i;
  long long *l;
  cudaMallocManaged(&f, 8 * sizeof(float));
  cudaMallocManaged(&i, 8 * sizeof(int));
  cudaMallocManaged(&l, 8 * sizeof(long long));
  names<<<1, 1>>>(f, i, l);
  cudaDeviceSynchronize();
  printf("%g %g %g | %d %d %d %d | %d %g | %lld | %.0f %.0f\n", f[0], f[1], f[2], i[0], i[1], i[2], i[3], i[4], f[3], l[0], f[4], f[5]);
  return 0;
}
