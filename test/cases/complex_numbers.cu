// Products and quotients of complex numbers in kernels: libcu++'s and C's.
// levels: nightly
// stdout: 1.015321 0.236627
// stdout: -0.170000 -0.190000
// stdout: inf
#include <cstdio>
#include <cuda/std/complex>
using Complex = cuda::std::complex<float>;

__global__ void iterates(Complex *z) {
  Complex a = z[0];
  for (int i = 0; i < 4; i++) a = a * a + z[1];
  z[2] = a / z[1];
}
__global__ void ofC(double _Complex *z) { z[2] = z[0] * z[1] / (z[0] + z[1]); }
__global__ void multiplies(double _Complex *z) { z[2] = z[0] * z[1]; }

int main() {
  Complex *z;
  cudaMallocManaged(&z, 3 * sizeof *z);
  z[0] = {0.1f, 0.2f}, z[1] = {-0.3f, 0.5f};
  iterates<<<1, 1>>>(z);
  cudaDeviceSynchronize();
  printf("%f %f\n", z[2].real(), z[2].imag());
  double *w;
  cudaMallocManaged(&w, 6 * sizeof *w);
  w[0] = 0.1, w[1] = -0.5, w[2] = -0.3, w[3] = -0.1;
  ofC<<<1, 1>>>((double _Complex *)w);
  cudaDeviceSynchronize();
  printf("%f %f\n", w[4], w[5]);
  // An infinite product stays one, by the rules of C (Annex G).
  w[0] = 1.0 / 0.0, w[1] = 0.0 / 0.0, w[2] = 1, w[3] = 0;
  multiplies<<<1, 1>>>((double _Complex *)w);
  cudaDeviceSynchronize();
  printf("%f\n", w[4]);
}
