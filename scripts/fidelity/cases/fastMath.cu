// What quotients, roots and functions of singles take under -use_fast_math (fastMath.json), with approximate quotients and roots only
// (fastMathQuotients.json) and with zeros for subnormal numbers only (fastMathFlushed.json): one warp's chain of each, and
// many warps with four chains each.
#include <cuda_runtime.h>

struct Quotient { static __device__ float of(float x, float a) { return a / x; } };
struct Reciprocal { static __device__ float of(float x, float a) { return 1.0f / (x + a); } };
struct ByConstant { static __device__ float of(float x, float a) { return x / 3.0f + a; } };
struct ByOne { static __device__ float of(float x, float a) { return (x + a) / (a + 1.0f); } };
struct Root { static __device__ float of(float x, float) { return sqrtf(x); } };
struct InverseRoot { static __device__ float of(float x, float) { return 1.0f / sqrtf(x); } };
struct Sine { static __device__ float of(float x, float) { return sinf(x); } };
struct Exponential { static __device__ float of(float x, float) { return expf(x); } };
struct Logarithm { static __device__ float of(float x, float a) { return logf(x + a); } };
struct Power { static __device__ float of(float x, float a) { return powf(x, a); } };
struct Tangent { static __device__ float of(float x, float) { return tanhf(x); } };
struct Sum { static __device__ float of(float x, float a) { return x + a; } };

template <class F> __global__ void chain(float *out, float a, int rounds) {
  float x = 1.0f + threadIdx.x * 0.01f;
  for (int i = 0; i < rounds; i++) x = F::of(x, a);
  out[threadIdx.x] = x;
}

template <class F> __global__ void many(float *out, float a, int rounds) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 1.0f + threadIdx.x * 0.01f, y = x + 0.1f, z = x + 0.2f, w = x + 0.3f;
  for (int i = 0; i < rounds; i++) {
    x = F::of(x, a);
    y = F::of(y, a);
    z = F::of(z, a);
    w = F::of(w, a);
  }
  out[at] = x + y + z + w;
}

template <class F> void read(float *out) {
  chain<F><<<1, 32>>>(out, 1.5f, 2000);
  many<F><<<1056, 256>>>(out, 1.5f, 500);
}

int main() {
  float *out;
  cudaMalloc(&out, 1056 * 256 * sizeof(float));
  read<Quotient>(out);
  read<Reciprocal>(out);
  read<ByConstant>(out);
  read<ByOne>(out);
  read<Root>(out);
  read<InverseRoot>(out);
  read<Sine>(out);
  read<Exponential>(out);
  read<Logarithm>(out);
  read<Power>(out);
  read<Tangent>(out);
  read<Sum>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
