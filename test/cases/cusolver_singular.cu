// Singular values of complex matrices: A = U S V', with further columns of U, of a matrix with a column that depends on others, and by the
// functions for all types.
// levels: nightly
// stdout: Z: 0 0 1 1 1 1
// stdout: C: 0 0 1 1 1 1
// stdout: X: 0 0 1 1 1 1
// stdout: values alone 1
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

template <class C> using Matrix = std::vector<C>;
/* A B, or A' B, of matrices stored by columns. */
template <class C> Matrix<C> times(const Matrix<C> &a, const Matrix<C> &b, int m, int k, int n, bool turned = false) {
  Matrix<C> c(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < k; l++) c[j * m + i] += (turned ? std::conj(a[i * k + l]) : a[l * m + i]) * b[j * k + l];
  return c;
}
template <class C> bool close(const Matrix<C> &a, const Matrix<C> &b) {
  for (size_t i = 0; i < a.size(); i++)
    if (!(std::abs(a[i] - b[i]) <= (sizeof(C) == 8 ? 1e-4 : 1e-10))) return false;
  return true;
}
template <class C> Matrix<C> unit(int n) {
  Matrix<C> c(n * n);
  for (int i = 0; i < n; i++) c[i * n + i] = 1;
  return c;
}

enum { m = 6, n = 4 };
template <class C> Matrix<C> sample() {
  Matrix<C> a(m * n);
  for (int i = 0; i < m * n; i++) a[i] = C(std::sin(i * 1.3 + 1), std::cos(i * 0.7));
  /* The last column is of the first two. */
  for (int i = 0; i < m; i++) a[3 * m + i] = a[i] * C(0, 2) + a[m + i];
  return a;
}

cusolverDnHandle_t h;
int *info;
template <class C, class R, class Solve> Matrix<R> check(const char *name, Solve solve) {
  Matrix<C> a = sample<C>(), U(m * m), VT(n * n), middle(m * n);
  Matrix<R> S(n);
  C *A, *u, *vt;
  R *s;
  cudaMalloc(&A, sizeof(C) * m * n), cudaMalloc(&u, sizeof(C) * m * m), cudaMalloc(&vt, sizeof(C) * n * n), cudaMalloc(&s, sizeof(R) * n);
  cudaMemcpy(A, a.data(), sizeof(C) * m * n, cudaMemcpyHostToDevice);
  int status = solve(A, s, u, vt), failed;
  cudaMemcpy(U.data(), u, sizeof(C) * m * m, cudaMemcpyDeviceToHost), cudaMemcpy(VT.data(), vt, sizeof(C) * n * n, cudaMemcpyDeviceToHost);
  cudaMemcpy(S.data(), s, sizeof(R) * n, cudaMemcpyDeviceToHost), cudaMemcpy(&failed, info, sizeof failed, cudaMemcpyDeviceToHost);
  bool descends = S[3] < 1e-4 && S[2] > 1e-2;
  for (int j = 1; j < n; j++) descends = descends && S[j - 1] >= S[j];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) middle[j * m + i] = S[i] * VT[j * n + i];
  if (name)
    printf("%s: %d %d %d %d %d %d\n", name, status, failed, descends, close(times(U, middle, m, m, n), a),
           close(times(U, U, m, m, m, true), unit<C>(m)), close(times(VT, VT, n, n, n, true), unit<C>(n)));
  return S;
}

int main() {
  cusolverDnCreate(&h);
  cudaMalloc(&info, sizeof *info);
  void *work, *host = nullptr;
  cudaMalloc(&work, 1 << 16);
  int size;
  using Z = cuDoubleComplex;
  using C = cuComplex;
  auto values = check<std::complex<double>, double>("Z", [&](auto *a, double *s, auto *u, auto *vt) {
    cusolverDnZgesvd_bufferSize(h, m, n, &size);
    return cusolverDnZgesvd(h, 'A', 'A', m, n, (Z *)a, m, s, (Z *)u, m, (Z *)vt, n, (Z *)work, size, nullptr, info);
  });
  check<std::complex<float>, float>("C", [&](auto *a, float *s, auto *u, auto *vt) {
    cusolverDnCgesvd_bufferSize(h, m, n, &size);
    return cusolverDnCgesvd(h, 'A', 'A', m, n, (C *)a, m, s, (C *)u, m, (C *)vt, n, (C *)work, size, nullptr, info);
  });
  check<std::complex<double>, double>("X", [&](auto *a, double *s, auto *u, auto *vt) {
    size_t onDevice, onHost;
    cusolverDnXgesvd_bufferSize(h, nullptr, 'A', 'A', m, n, CUDA_C_64F, a, m, CUDA_R_64F, s, CUDA_C_64F, u, m, CUDA_C_64F, vt, n,
                                CUDA_C_64F, &onDevice, &onHost);
    return cusolverDnXgesvd(h, nullptr, 'A', 'A', m, n, CUDA_C_64F, a, m, CUDA_R_64F, s, CUDA_C_64F, u, m, CUDA_C_64F, vt, n, CUDA_C_64F,
                            work, onDevice, host, onHost, info);
  });
  auto alone = check<std::complex<double>, double>(nullptr, [&](auto *a, double *s, auto *, auto *) {
    return cusolverDnZgesvd(h, 'N', 'N', m, n, (Z *)a, m, s, nullptr, m, nullptr, n, (Z *)work, 1000, nullptr, info);
  });
  bool same = true;
  for (int i = 0; i < n; i++) same = same && std::abs(alone[i] - values[i]) < 1e-12;
  printf("values alone %d\n", same);
  cusolverDnDestroy(h);
  return 0;
}
