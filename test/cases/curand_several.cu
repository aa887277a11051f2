// Two and four random numbers at once are those that come one call, or two, at a time; log-normal ones are powers of e of normal ones.
// levels: 2
// stdout: differ 0
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>
__device__ bool differ(double one, double other) { return fabs(one - other) > 1e-6 * fabs(other); }
__global__ void several(int *wrong) {
  curandStatePhilox4_32_10_t a, b;
  curand_init(7, threadIdx.x, 0, &a), b = a;
  float2 pair = curand_log_normal2(&a, 0.5f, 2.0f), plain = curand_normal2(&b);
  *wrong += differ(pair.x, expf(0.5f + 2 * plain.x)) + differ(pair.y, expf(0.5f + 2 * plain.y));
  float4 four = curand_log_normal4(&a, 0.5f, 2.0f), plainFour = curand_normal4(&b);
  *wrong += differ(four.x, expf(0.5f + 2 * plainFour.x)) + differ(four.w, expf(0.5f + 2 * plainFour.w));
  double2 wide = curand_log_normal2_double(&a, 0.5, 2.0), plainWide = curand_normal2_double(&b);
  *wrong += differ(wide.y, exp(0.5 + 2 * plainWide.y));
  double4 wideFour = curand_log_normal4_double(&a, 0.5, 2.0), plainWideFour = curand_normal4_double(&b);
  *wrong += differ(wideFour.x, exp(0.5 + 2 * plainWideFour.x)) + differ(wideFour.w, exp(0.5 + 2 * plainWideFour.w));
  double4 uniform = curand_uniform4_double(&a);
  double2 first = curand_uniform2_double(&b), second = curand_uniform2_double(&b);
  *wrong += differ(uniform.x, first.x) + differ(uniform.y, first.y) + differ(uniform.z, second.x) + differ(uniform.w, second.y);
}
__global__ void ofXorwow(int *wrong) {
  curandState a, b;
  curand_init(7, threadIdx.x, 0, &a), b = a;
  float2 pair = curand_log_normal2(&a, 0.0f, 1.0f), plain = curand_normal2(&b);
  *wrong += differ(pair.x, expf(plain.x)) + differ(pair.y, expf(plain.y));
}
int main() {
  int *wrong;
  cudaMallocManaged(&wrong, sizeof *wrong);
  several<<<1, 1>>>(wrong);
  ofXorwow<<<1, 1>>>(wrong);
  cudaDeviceSynchronize();
  printf("differ %d\n", *wrong);
}
