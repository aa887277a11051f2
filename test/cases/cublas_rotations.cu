// cuBLAS's rotations in both pointer modes, real and complex, and the vector functions that take types as arguments.
// levels: nightly
// stdout: rotg r 5 z 1.67 c 0.6 s 0.8
// stdout: rot 10 5, complex (3, 5) (0, -1)
// stdout: crotg c 0.6 s (0, -0.8) a (5, 0)
// stdout: rotmg 1: 0.25 0.5, d 1.778 0.8889 x 2.25
// stdout: rotm 2.25 0, whole 7 10, diagonal 7 4, none 7 4
// stdout: scaled -1: 2.5 0
// stdout: device: 5 0.6, rotm 2.25 0, rot 10 5
// stdout: half 7 21 dot 63 nrm2 21 rot 10 5, bfloat16 7 21 dot 63 nrm2 21 rot 10 5
// stdout: double 7 21, dotc (-1, -3) nrm2 2.236, refused 15 15
#include <cstdio>
#include <vector>
#include <cublas_v2.h>
template <class T> T *upload(const std::vector<T> &v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> T fetch(const T *d) {
  T value;
  cudaMemcpy(&value, d, sizeof(T), cudaMemcpyDeviceToHost);
  return value;
}
template <class T> void narrow(cublasHandle_t h, cudaDataType type) {
  T *x = upload<T>({3.0f}), *y = upload<T>({1.0f}), dot, norm, two = 2.0f, one = 1.0f;
  float byTwo = 2, byThree = 3;
  cublasAxpyEx(h, 1, &byTwo, CUDA_R_32F, x, type, 1, y, type, 1, CUDA_R_32F);
  printf(" %g", (float)fetch(y));
  cublasScalEx(h, 1, &byThree, CUDA_R_32F, y, type, 1, CUDA_R_32F);
  cublasDotEx(h, 1, x, type, 1, y, type, 1, &dot, type, CUDA_R_32F);
  cublasNrm2Ex(h, 1, y, type, 1, &norm, type, CUDA_R_32F);
  T *u = upload<T>({3.0f}), *v = upload<T>({4.0f});
  cublasRotEx(h, 1, u, type, 1, v, type, 1, &two, &one, type, CUDA_R_32F);
  printf(" %g dot %g nrm2 %g rot %g %g", (float)fetch(y), (float)dot, (float)norm, (float)fetch(u), (float)fetch(v));
}
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  float a = 3, b = 4, c, s;
  cublasSrotg(h, &a, &b, &c, &s);
  printf("rotg r %g z %.3g c %g s %g\n", a, b, c, s);
  float two = 2, one = 1, *x = upload<float>({3}), *y = upload<float>({4});
  cublasSrot_v2(h, 1, x, 1, y, 1, &two, &one);
  cuComplex i = {0, 1}, *zx = upload<cuComplex>({{1, 2}}), *zy = upload<cuComplex>({{1, -1}});
  cublasCrot(h, 1, zx, 1, zy, 1, &two, &i);
  printf("rot %g %g, complex (%g, %g) (%g, %g)\n", fetch(x), fetch(y), fetch(zx).x, fetch(zx).y, fetch(zy).x, fetch(zy).y);
  cuDoubleComplex za = {3, 0}, zb = {0, 4}, zs;
  double zc;
  cublasZrotg(h, &za, &zb, &zc, &zs);
  printf("crotg c %g s (%g, %g) a (%g, %g)\n", zc, zs.x, zs.y, za.x, za.y);

  double d1 = 1, d2 = 2, x1 = 1, y1 = 2, p[5] = {};
  cublasDrotmg(h, &d1, &d2, &x1, &y1, p);
  printf("rotmg %g: %g %g, d %.4g %.4g x %g\n", p[0], p[1], p[4], d1, d2, x1);
  double *u = upload<double>({1}), *v = upload<double>({2}), whole[5] = {-1, 1, 2, 3, 4}, diagonal[5] = {0, 9, 2, 3, 9}, none[5] = {-2};
  auto reset = [&] {
    double values[2] = {1, 2};
    cudaMemcpy(u, values, 8, cudaMemcpyHostToDevice);
    cudaMemcpy(v, values + 1, 8, cudaMemcpyHostToDevice);
  };
  cublasDrotm(h, 1, u, 1, v, 1, p);
  printf("rotm %g %g,", fetch(u), fetch(v));
  reset();
  cublasDrotm(h, 1, u, 1, v, 1, whole);
  printf(" whole %g %g,", fetch(u), fetch(v));
  reset();
  cublasDrotm(h, 1, u, 1, v, 1, diagonal);
  printf(" diagonal %g %g,", fetch(u), fetch(v));
  cublasDrotm(h, 1, u, 1, v, 1, none);
  printf(" none %g %g\n", fetch(u), fetch(v));
  double e1 = 1e-10, e2 = 1e-10, ex = 2, ey = 1, q[5];
  cublasDrotmg(h, &e1, &e2, &ex, &ey, q);
  printf("scaled %g: %g %g\n", q[0], (q[1] * 2 + q[3]) * 4096, q[2] * 2 + q[4]);

  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  double *g = upload<double>({3, 4, 0, 0}), *onDevice = upload(std::vector<double>(p, p + 5)), *cs = upload<double>({2, 1});
  cublasDrotg(h, g, g + 1, g + 2, g + 3);
  printf("device: %g %g,", fetch(g), fetch(g + 2));
  reset();
  cublasDrotm(h, 1, u, 1, v, 1, onDevice);
  printf(" rotm %g %g,", fetch(u), fetch(v));
  double *dx = upload<double>({3}), *dy = upload<double>({4});
  cublasDrot(h, 1, dx, 1, dy, 1, cs, cs + 1);
  printf(" rot %g %g\n", fetch(dx), fetch(dy));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);

  printf("half");
  narrow<__half>(h, CUDA_R_16F);
  printf(", bfloat16");
  narrow<__nv_bfloat16>(h, CUDA_R_16BF);
  double alpha = 2, third = 3, *ax = upload<double>({3}), *ay = upload<double>({1});
  cublasAxpyEx(h, 1, &alpha, CUDA_R_64F, ax, CUDA_R_64F, 1, ay, CUDA_R_64F, 1, CUDA_R_64F);
  printf("\ndouble %g", fetch(ay));
  cublasScalEx(h, 1, &third, CUDA_R_64F, ay, CUDA_R_64F, 1, CUDA_R_64F);
  cuComplex *px = upload<cuComplex>({{1, 2}}), *py = upload<cuComplex>({{1, -1}}), dotc;
  cublasDotcEx(h, 1, px, CUDA_C_32F, 1, py, CUDA_C_32F, 1, &dotc, CUDA_C_32F, CUDA_C_32F);
  float norm;
  cublasNrm2Ex(h, 1, px, CUDA_C_32F, 1, &norm, CUDA_R_32F, CUDA_R_32F);
  printf(" %g, dotc (%g, %g) nrm2 %.4g,", fetch(ay), dotc.x, dotc.y, norm);
  printf(" refused %d %d\n", cublasScalEx(h, 1, &alpha, CUDA_R_64F, ax, CUDA_R_32F, 1, CUDA_R_32F),
         cublasDotEx(h, 1, px, CUDA_R_8I, 1, py, CUDA_R_8I, 1, &dotc, CUDA_R_8I, CUDA_R_32F));
}
