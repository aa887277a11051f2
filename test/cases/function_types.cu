// What mathematical functions of mixed arguments are, in kernels as on the host: with nvcc 13 this compiles, too.
// stdout: PASS
#include <cmath>
#include <cstdio>
#include <type_traits>

#define IS(type, expression) static_assert(std::is_same<decltype(expression), type>::value, #expression)
#define TYPES                                                                                                          \
  IS(double, pow(f, 2)); IS(double, pow(f, i)); IS(double, pow(d, 2)); IS(double, pow(2, f)); IS(double, pow(i, i));   \
  IS(float, pow(f, f)); IS(double, pow(f, d)); IS(double, std::pow(f, 2)); IS(double, std::pow(i, 2));                 \
  IS(float, std::pow(f, f)); IS(float, powf(f, 2)); IS(float, sqrt(f)); IS(double, sqrt(i)); IS(float, exp(f));        \
  IS(double, fmax(f, d)); IS(double, fmax(f, i)); IS(float, fmax(f, f)); IS(double, atan2(f, i));                      \
  IS(double, fmod(f, i)); IS(float, fmod(f, f)); IS(float, ldexp(f, 2)); IS(double, hypot(f, d)); IS(float, floor(f)); \
  IS(double, floor(i)); IS(float, fabs(f)); IS(double, fabs(i)); IS(int, abs(i)); IS(float, abs(f));                   \
  IS(double, fdim(f, i)); IS(double, copysign(f, d)); IS(float, fma(f, f, f)); IS(double, fma(f, f, d))

__global__ void powers(double *out, float f, double d, int i) {
  TYPES;
  out[0] = pow(f, 2);
  out[1] = pow(d, 3);
  out[2] = pow(i, 3);
  out[3] = pow(f, -2) + std::pow(f, i);
  float sum = 0.1f;
  sum += pow(f, 2);
  out[4] = sum;
}

int main() {
  float f = 1.1f;
  double d = 1.3, *out, host[5];
  int i = 7;
  TYPES;
  cudaMalloc(&out, sizeof host);
  powers<<<1, 1>>>(out, f, d, i);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  const double wanted[] = {pow(f, 2), pow(d, 3), pow(i, 3), pow(f, -2) + std::pow(f, i), (float)(0.1f + pow(f, 2))};
  bool same = true;
  for (int k = 0; k < 5; k++) same = same && std::abs(host[k] / wanted[k] - 1) < 1e-15;
  printf("%s\n", same ? "PASS" : "FAIL");
}
