// cuRAND's device and host generators: the numbers are what cuRAND 10.4 printed on an H200 (integers and uniform numbers equal,
// normal ones within 1e-6).
// levels: nightly
// stdout: xorwow 342776314 3989926291, skipped 525950695
// stdout: philox 181365914 970875219, four 2334630092 3180702920 1549596404 1069600344
// stdout: mrg 4023489271 937234297
// stdout: sobol 4026531840 2952790016 2147483648
// stdout: uniform 0.868978858 0.973670244 0.304492921 0.197131708
// stdout: normal -0.004148 -0.226151 -1.319107
// stdout: host 624778773 3522650202 1867875844 2501467243
// stdout: host philox 546353992 3507855656 2666454581
// stdout: host mrg 3379073520 653317650
// stdout: host uniform 0.127207950 0.853468955
// stdout: host normal -1.61649 1.22916
// stdout: poisson mean within bounds
// stdout: sobol host 0.000000000 0.500000000 0.750000000 0.250000000 0.375000000
// stdout: second dimension 0.000000000 0.500000000 0.250000000 0.750000000 0.375000000
// stdout: normal 0.000000000 0.674489737 -0.674489737
// stdout: sobol64 0.625000000000000 0.875000000000000, dimensions 104, scrambled 103
#include <cmath>
#include <cstdio>
#include <vector>
#include <curand.h>
#include <curand_kernel.h>
__global__ void xorwow(unsigned *out) {
  curandState s;
  curand_init(1234ULL, 77ULL, 3ULL, &s);
  out[0] = curand(&s), out[1] = curand(&s);
  curand_init(1234ULL, 5, 7, &s);
  skipahead(13ULL, &s);
  out[2] = curand(&s);
}
__global__ void philox(unsigned *out) {
  curandStatePhilox4_32_10_t s;
  curand_init(1234ULL, 77ULL, 3ULL, &s);
  out[0] = curand(&s), out[1] = curand(&s);
  curand_init(1234ULL, 5, 2, &s);
  uint4 v = curand4(&s);
  out[2] = v.x, out[3] = v.y, out[4] = v.z, out[5] = v.w;
}
__global__ void mrg(unsigned *out) {
  curandStateMRG32k3a_t s;
  curand_init(1234ULL, 5000000000ULL, 70000000000ULL, &s);
  out[0] = curand(&s), out[1] = curand(&s);
}
__device__ unsigned directions[32] = {2147483648u, 3221225472u, 1610612736u, 2415919104u, 3892314112u, 1543503872u};
__global__ void sobol(unsigned *out) {
  curandStateSobol32_t s;
  curand_init(directions, 5u, &s);
  for (int i = 0; i < 3; i++) curand(&s);
  out[0] = curand(&s);
  curand(&s);
  out[1] = s.x;
  curand_init(directions, 1u, &s);
  out[2] = curand(&s);
}
template <class S> __global__ void real(float *out) {
  S s;
  curand_init(1234ULL, 5, 0, &s);
  out[0] = curand_uniform(&s);
  for (int i = 0; i < 5; i++) curand_uniform(&s);
  out[1] = (float)curand_uniform_double(&s);
  curand_init(1234ULL, 5, 0, &s);
  out[2] = curand_normal(&s);
}
__global__ void poisson(unsigned *out, float mean) {
  curandState s;
  curand_init(99, threadIdx.x, 0, &s);
  unsigned sum = 0;
  for (int i = 0; i < 20; i++) sum += curand_poisson(&s, mean);
  atomicAdd(out, sum);
}
int main() {
  unsigned *d, h[8];
  float *f, hx[3], hp[3], hm[3];
  cudaMalloc(&d, 64);
  cudaMalloc(&f, 64);
#define GET(n) cudaMemcpy(h, d, 4 * n, cudaMemcpyDeviceToHost)
  xorwow<<<1, 1>>>(d);
  GET(3);
  printf("xorwow %u %u, skipped %u\n", h[0], h[1], h[2]);
  philox<<<1, 1>>>(d);
  GET(6);
  printf("philox %u %u, four %u %u %u %u\n", h[0], h[1], h[2], h[3], h[4], h[5]);
  mrg<<<1, 1>>>(d);
  GET(2);
  printf("mrg %u %u\n", h[0], h[1]);
  sobol<<<1, 1>>>(d);
  GET(3);
  printf("sobol %u %u %u\n", h[0], h[1], h[2]);
  real<curandState><<<1, 1>>>(f);
  cudaMemcpy(hx, f, 12, cudaMemcpyDeviceToHost);
  real<curandStatePhilox4_32_10_t><<<1, 1>>>(f);
  cudaMemcpy(hp, f, 12, cudaMemcpyDeviceToHost);
  real<curandStateMRG32k3a_t><<<1, 1>>>(f);
  cudaMemcpy(hm, f, 12, cudaMemcpyDeviceToHost);
  printf("uniform %.9f %.9f %.9f %.9f\n", hx[0], hp[0], hm[0], hp[1]);
  printf("normal %.6f %.6f %.6f\n", hx[2], hp[2], hm[2]);
  curandGenerator_t g;
  unsigned *many;
  const int n = 300000;
  std::vector<unsigned> m(n);
  cudaMalloc(&many, n * 4);
  auto generate = [&](curandRngType_t type) {
    curandCreateGenerator(&g, type);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
    curandGenerate(g, many, n);
    cudaMemcpy(m.data(), many, n * 4, cudaMemcpyDeviceToHost);
    curandDestroyGenerator(g);
  };
  generate(CURAND_RNG_PSEUDO_DEFAULT);
  printf("host %u %u %u %u\n", m[0], m[1], m[4096], m[5 * 4096]);
  generate(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  printf("host philox %u %u %u\n", m[0], m[4], m[262144]);
  generate(CURAND_RNG_PSEUDO_MRG32K3A);
  printf("host mrg %u %u\n", m[0], m[1]);
  float u[2], v[2];
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
  curandGenerateUniform(g, u, 2);
  curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
  curandGenerateNormal(g, v, 2, 0, 1);
  printf("host uniform %.9f %.9f\nhost normal %.5f %.5f\n", u[0], u[1], v[0], v[1]);
  bool good = true;
  for (float mean : {5.0f, 100.0f}) {
    cudaMemset(d, 0, 4);
    poisson<<<1, 256>>>(d, mean);
    GET(1);
    good = good && fabs(h[0] / 5120.0 - mean) < 5 * sqrt(mean / 5120.0);
  }
  printf("poisson mean %s\n", good ? "within bounds" : "wrong");
  float q[10];
  curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32);
  curandSetQuasiRandomGeneratorDimensions(g, 2);
  curandGenerateUniform(g, q, 10);
  printf("sobol host %.9f %.9f %.9f %.9f %.9f\n", q[0], q[1], q[2], q[3], q[4]);
  printf("second dimension %.9f %.9f %.9f %.9f %.9f\n", q[5], q[6], q[7], q[8], q[9]);
  curandSetGeneratorOffset(g, 1);
  curandSetQuasiRandomGeneratorDimensions(g, 1);
  curandGenerateNormal(g, q, 3, 0, 1);
  printf("normal %.9f %.9f %.9f\n", fabsf(q[0]) < 1e-6f ? 0.0f : q[0], q[1], q[2]);
  curandDirectionVectors64_t *directions;
  curandGetDirectionVectors64(&directions, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  curandStateSobol64_t wide;
  curand_init(directions[2], 4ULL, &wide);
  const double fourth = curand_uniform_double(&wide);
  skipahead(1ULL, &wide);
  printf("sobol64 %.15f %.15f, dimensions %d, scrambled %d\n", fourth, curand_uniform_double(&wide),
         curandSetQuasiRandomGeneratorDimensions(g, 1000), curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32));
}
