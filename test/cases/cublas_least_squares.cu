// cuBLAS: lists of matrices as orthogonal ones times triangles, and least squares by them.
// levels: nightly
// stdout: lines 1 2 / 0.5 -1, diagonal 0 0, status 0 0
// stdout: complex 1,2 0,-1
// stdout: R 5 3 / 2, as geqrf of cuSOLVER has them 1
// stdout: singular 2 0
// stdout: wide 15, transposed 15, wrong 7 -6
#include <cmath>
#include <cstdio>
#include <vector>
#include <cublas_v2.h>
#include <cusolverDn.h>
template <class T> T *upload(std::vector<T> v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<T> download(const T *d, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  // Lines through four points each: 1 + 2 x, and 0.5 - x with an error that is orthogonal to both columns.
  double *a1 = upload<double>({1, 1, 1, 1, 0, 1, 2, 3}), *a2 = upload<double>({1, 1, 1, 1, -3, -1, 1, 3});
  double *c1 = upload<double>({1, 3, 5, 7}), *c2 = upload<double>({3.5 + 1, 1.5 - 1, -0.5 - 1, -2.5 + 1});
  double **as = upload<double *>({a1, a2}), **cs = upload<double *>({c1, c2});
  int info = 9, *each = upload<int>({9, 9});
  int status = cublasDgelsBatched(h, CUBLAS_OP_N, 4, 2, 1, as, 4, cs, 4, &info, each, 2);
  auto x1 = download(c1, 2), x2 = download(c2, 2);
  auto singular = download(each, 2);
  printf("lines %.4g %.4g / %.4g %.4g, diagonal %d %d, status %d %d\n", x1[0], x1[1], x2[0], x2[1], singular[0], singular[1], status, info);

  // (1 i | i 2 | 0 1) (1 + 2i, -i) = (2 + 2i, -2 - i, -i)
  cuDoubleComplex *a = upload<cuDoubleComplex>({{1, 0}, {0, 1}, {0, 0}, {0, 1}, {2, 0}, {1, 0}});
  cuDoubleComplex *c = upload<cuDoubleComplex>({{2, 2}, {-2, -1}, {0, -1}});
  cublasZgelsBatched(h, CUBLAS_OP_N, 3, 2, 1, upload<cuDoubleComplex *>({a}), 3, upload<cuDoubleComplex *>({c}), 3, &info, nullptr, 1);
  auto z = download(c, 2);
  printf("complex %.3g,%.3g %.0f,%.3g\n", z[0].x, z[0].y, fabs(z[1].x), z[1].y);

  // Columns (3, 4), of length 5, and one of 3 along it and 2 beside it.
  std::vector<float> square = {3, 4, 3 * 0.6f - 2 * 0.8f, 3 * 0.8f + 2 * 0.6f};
  float *first = upload(square), *second = upload(square), *tau1 = upload<float>({0, 0}), *tau2 = upload<float>({0, 0}), *work;
  int lwork;
  cublasSgeqrfBatched(h, 2, 2, upload<float *>({first}), 2, upload<float *>({tau1}), &info, 1);
  cusolverDnHandle_t solver;
  cusolverDnCreate(&solver);
  cusolverDnSgeqrf_bufferSize(solver, 2, 2, second, 2, &lwork);
  cudaMalloc(&work, lwork * sizeof(float));
  cusolverDnSgeqrf(solver, 2, 2, second, 2, tau2, work, lwork, each);
  auto f = download(first, 4), g = download(second, 4), t = download(tau1, 2), u = download(tau2, 2);
  printf("R %.3g %.3g / %.3g, as geqrf of cuSOLVER has them %d\n", fabs(f[0]), fabs(f[2]), fabs(f[3]), f == g && t == u);

  double *zero = upload<double>({1, 0, 0, 0, 0, 0}), *right = upload<double>({1, 1, 1});
  status = cublasDgelsBatched(h, CUBLAS_OP_N, 3, 2, 1, upload<double *>({zero}), 3, upload<double *>({right}), 3, &info, each, 1);
  printf("singular %d %d\n", download(each, 1)[0], info);
  int wide = cublasDgelsBatched(h, CUBLAS_OP_N, 2, 4, 1, as, 4, cs, 4, &info, each, 2);
  int transposed = cublasDgelsBatched(h, CUBLAS_OP_T, 4, 2, 1, as, 4, cs, 4, &info, each, 2);
  int wrong = cublasDgelsBatched(h, CUBLAS_OP_N, 4, 2, 1, as, 2, cs, 4, &info, each, 2);
  printf("wide %d, transposed %d, wrong %d %d\n", wide, transposed, wrong, info);
}
