// cuSOLVER's functions with types as arguments, factors Q R of complex matrices, and singular values of wide, tall and many
// matrices: each result against what it must satisfy.
// levels: nightly
// reference: nightly
// stdout: complex QR 1, R 1, back 1, right 1
// stdout: Xgetrf 0, Xgetrs 1 1, Xpotrf 1, Xgeqrf 1, Xsyevd 1, refused 9
// stdout: Xgesvd 1, Xgesvdp 1 0
// stdout: gesvdj tall 1 1, wide 1 1, values alone 1
// stdout: many 1 1 1, leading 1 1
// stdout: Xtrtri 1 1 1, zero 2
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

template <class T> T *upload(const std::vector<T> &v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<T> download(const T *d, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T> bool close(const std::vector<T> &a, const std::vector<T> &b, double within = 1e-9) {
  for (size_t i = 0; i < a.size(); i++)
    if (!(std::abs(a[i] - b[i]) <= within)) return false;
  return a.size() == b.size();
}
/* A B, of matrices stored by columns. */
template <class T> std::vector<T> times(const std::vector<T> &a, const std::vector<T> &b, int m, int k, int n) {
  std::vector<T> c(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < k; l++) c[j * m + i] += a[l * m + i] * b[j * k + l];
  return c;
}
typedef std::vector<double> Doubles;
typedef std::complex<double> Z;
cuDoubleComplex *raw(Z *p) { return (cuDoubleComplex *)p; }
/* U (first `k` of its columns) S V' of matrices stored by columns. */
Doubles product(const Doubles &u, const Doubles &s, const Doubles &v, int m, int n, int k) {
  Doubles c(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < k; l++) c[j * m + i] += u[l * m + i] * s[l] * v[l * n + j];
  return c;
}
bool orthogonal(const Doubles &q, int rows, int columns) {
  for (int a = 0; a < columns; a++)
    for (int b = 0; b < columns; b++) {
      double sum = 0;
      for (int i = 0; i < rows; i++) sum += q[a * rows + i] * q[b * rows + i];
      if (std::fabs(sum - (a == b)) > 1e-9) return false;
    }
  return true;
}

int main() {
  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  const int m = 9, n = 5;
  int *info = upload(std::vector<int>(8, -9)), size = 0;
  auto status = [&] { return download(info, 1)[0]; };
  double *work = upload(Doubles(4000));

  std::vector<Z> A(m * n), C(m * n);
  for (int i = 0; i < m * n; i++) A[i] = Z(i * 7 % 11 - 5, i * 5 % 7 - 3), C[i] = Z(i % 4, i % 3 - 1);
  Z *a = upload(A), *tau = upload(std::vector<Z>(n)), *c = upload(A), *d = upload(C);
  cusolverDnZgeqrf(h, m, n, raw(a), m, raw(tau), (cuDoubleComplex *)work, 2000, info);
  std::vector<Z> F = download(a, m * n), R(n * n), wide(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) R[j * n + i] = wide[j * m + i] = F[j * m + i];
  cusolverDnZunmqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, m, n, n, raw(a), m, raw(tau), raw(c), m, (cuDoubleComplex *)work, 2000, info);
  bool isTriangle = close(download(c, m * n), wide);
  cusolverDnZunmqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, n, raw(a), m, raw(tau), raw(c), m, (cuDoubleComplex *)work, 2000, info);
  bool isBack = close(download(c, m * n), A);
  /* C' Q' with C' n by m, and Q again. */
  cusolverDnZunmqr(h, CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, n, m, n, raw(a), m, raw(tau), raw(d), n, (cuDoubleComplex *)work, 2000, info);
  bool isRight = !close(download(d, m * n), C);
  cusolverDnZunmqr(h, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, n, m, n, raw(a), m, raw(tau), raw(d), n, (cuDoubleComplex *)work, 2000, info);
  isRight = isRight && close(download(d, m * n), C);
  cusolverDnZungqr(h, m, n, n, raw(a), m, raw(tau), (cuDoubleComplex *)work, 2000, info);
  printf("complex QR %d, R %d, back %d, right %d\n", close(times(download(a, m * n), R, m, n, n), A), isTriangle, isBack, isRight);

  cusolverDnParams_t params;
  cusolverDnCreateParams(&params);
  Doubles S(n * n), X(n * 2);
  for (int i = 0; i < n * n; i++) S[i] = (i % n + i / n) * 3 % 7 - 2 + (i % (n + 1) ? 0 : 9);
  for (int i = 0; i < n * 2; i++) X[i] = i % 3 - 1;
  double *s = upload(S), *b = upload(times(S, X, n, n, 2)), *bt = upload(times(S, X, n, n, 2));
  int64_t *pivots = upload(std::vector<int64_t>(n));
  size_t device, host;
  cusolverDnXgetrf_bufferSize(h, params, n, n, CUDA_R_64F, s, n, CUDA_R_64F, &device, &host);
  cusolverDnXgetrf(h, params, n, n, CUDA_R_64F, s, n, pivots, CUDA_R_64F, work, device, nullptr, host, info);
  printf("Xgetrf %d, ", status());
  cusolverDnXgetrs(h, params, CUBLAS_OP_N, n, 2, CUDA_R_64F, s, n, pivots, CUDA_R_64F, b, n, info);
  cusolverDnXgetrs(h, params, CUBLAS_OP_T, n, 2, CUDA_R_64F, s, n, pivots, CUDA_R_64F, bt, n, info);
  printf("Xgetrs %d %d, ", close(download(b, n * 2), X), close(download(bt, n * 2), X));
  s = upload(S), b = upload(times(S, X, n, n, 2));
  cusolverDnXpotrf(h, params, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, s, n, CUDA_R_64F, work, 4000, nullptr, 0, info);
  cusolverDnXpotrs(h, params, CUBLAS_FILL_MODE_LOWER, n, 2, CUDA_R_64F, s, n, CUDA_R_64F, b, n, info);
  printf("Xpotrf %d, ", close(download(b, n * 2), X));
  a = upload(A);
  cusolverDnXgeqrf(h, params, m, n, CUDA_C_64F, a, m, CUDA_C_64F, tau, CUDA_C_64F, work, 4000, nullptr, 0, info);
  printf("Xgeqrf %d, ", close(download(a, m * n), F));
  double *w = upload(Doubles(n));
  s = upload(S);
  cusolverDnXsyevd_bufferSize(h, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, s, n, CUDA_R_64F, w,
                              CUDA_R_64F, &device, &host);
  cusolverDnXsyevd(h, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, s, n, CUDA_R_64F, w, CUDA_R_64F,
                   work, device, nullptr, 0, info);
  Doubles vectors = download(s, n * n), values = download(w, n);
  printf("Xsyevd %d, ", close(product(vectors, values, vectors, n, n, n), S));
  printf("refused %d\n", cusolverDnXpotrf(h, params, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, s, n, CUDA_R_32F, work, 4000, nullptr, 0, info));

  Doubles Q(m * n), V(n * n);
  for (int i = 0; i < m * n; i++) Q[i] = (i * 5 % 19) - 9;
  double *g = upload(Q), *u = upload(Doubles(m * m)), *v = upload(Doubles(m * m)), *vt = upload(Doubles(n * n));
  cusolverDnXgesvd_bufferSize(h, params, 'S', 'S', m, n, CUDA_R_64F, g, m, CUDA_R_64F, w, CUDA_R_64F, u, m, CUDA_R_64F, vt, n,
                              CUDA_R_64F, &device, &host);
  cusolverDnXgesvd(h, params, 'S', 'S', m, n, CUDA_R_64F, g, m, CUDA_R_64F, w, CUDA_R_64F, u, m, CUDA_R_64F, vt, n, CUDA_R_64F,
                   work, device, nullptr, 0, info);
  Doubles VT = download(vt, n * n);
  for (int i = 0; i < n * n; i++) V[i] = VT[i % n * n + i / n];
  values = download(w, n);
  printf("Xgesvd %d, ", close(product(download(u, m * n), values, V, m, n, n), Q));
  g = upload(Q);
  double error = -1;
  cusolverDnXgesvdp(h, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, CUDA_R_64F, g, m, CUDA_R_64F, w, CUDA_R_64F, u, m, CUDA_R_64F,
                    v, n, CUDA_R_64F, work, 8 * 4000, nullptr, 0, info, &error);
  printf("Xgesvdp %d %g\n", close(product(download(u, m * n), download(w, n), download(v, n * n), m, n, n), Q), error);

  gesvdjInfo_t how;
  cusolverDnCreateGesvdjInfo(&how);
  g = upload(Q);
  cusolverDnDgesvdj_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, 0, m, n, g, m, w, u, m, v, n, &size, how);
  cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 0, m, n, g, m, w, u, m, v, n, work, size, info, how);
  printf("gesvdj tall %d %d, ", close(product(download(u, m * m), download(w, n), download(v, n * n), m, n, n), Q),
         orthogonal(download(u, m * m), m, m));
  Doubles turned(m * n);
  for (int i = 0; i < m * n; i++) turned[i] = Q[i % n * m + i / n];
  g = upload(turned);
  cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 0, n, m, g, n, w, u, n, v, m, work, size, info, how);
  printf("wide %d %d, ", close(product(download(u, n * n), download(w, n), download(v, m * m), n, m, n), turned),
         orthogonal(download(v, m * m), m, m));
  cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_NOVECTOR, 1, n, m, upload(turned), n, w, nullptr, n, nullptr, m, work, size, info, how);
  printf("values alone %d\n", close(download(w, n), values));

  Doubles two = Q;
  for (double x : Q) two.push_back(2 * x);
  double *pair = upload(two), *ws = upload(Doubles(2 * n)), *us = upload(Doubles(2 * m * m)), *vs = upload(Doubles(2 * n * n));
  cusolverDnDgesvdjBatched_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, m, n, pair, m, ws, us, m, vs, n, &size, how, 2);
  cusolverDnDgesvdjBatched(h, CUSOLVER_EIG_MODE_VECTOR, m, n, pair, m, ws, us, m, vs, n, work, size, info, how, 2);
  Doubles both = download(ws, 2 * n), doubled = values, U = download(us, 2 * m * m), second(U.begin() + m * m, U.end());
  for (double &x : doubled) x *= 2;
  Doubles VS = download(vs, 2 * n * n);
  printf("many %d %d %d, ", close(Doubles(both.begin(), both.begin() + n), values), close(Doubles(both.begin() + n, both.end()), doubled),
         close(product(second, doubled, Doubles(VS.begin() + n * n, VS.end()), m, n, n), Doubles(two.begin() + m * n, two.end())));
  pair = upload(two);
  double left[2];
  cusolverDnDgesvdaStridedBatched_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, 2, m, n, pair, m, m * n, ws, 2, us, m, m * 2, vs, n, n * 2,
                                             &size, 2);
  cusolverDnDgesvdaStridedBatched(h, CUSOLVER_EIG_MODE_VECTOR, 2, m, n, pair, m, m * n, ws, 2, us, m, m * 2, vs, n, n * 2,
                                  upload(Doubles(size)), size, info, left, 2);
  Doubles near = product(download(us, m * 2), download(ws, 2), download(vs, n * 2), m, n, 2);
  double rest = 0;
  for (int i = 0; i < m * n; i++) rest += (near[i] - Q[i]) * (near[i] - Q[i]);
  printf("leading %d %d\n", std::fabs(std::sqrt(rest) - left[0]) < 1e-9, std::fabs(left[1] - 2 * left[0]) < 1e-9);

  bool isInverse[3];
  for (int form = 0; form < 3; form++) {
    bool lower = form != 1, unit = form == 2;
    Doubles T(n * n), L(n * n), expected(n * n);
    for (int i = 0; i < n * n; i++) {
      int row = i % n, column = i / n;
      T[i] = row == column ? 2 + row : (lower ? row > column : row < column) ? i % 4 - 1 : 77;
      L[i] = row == column && unit ? 1 : T[i] == 77 ? 0 : T[i];
      expected[i] = row == column;
    }
    double *t = upload(T);
    auto fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cusolverDnXtrtri_bufferSize(h, fill, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, CUDA_R_64F, t, n, &device, &host);
    cusolverDnXtrtri(h, fill, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, CUDA_R_64F, t, n, work, device, nullptr, 0, info);
    Doubles inverse = download(t, n * n);
    bool isKept = true;
    for (int i = 0; i < n * n; i++) {
      if (T[i] == 77) isKept = isKept && inverse[i] == 77, inverse[i] = 0;
      if (unit && i % n == i / n) isKept = isKept && inverse[i] == T[i], inverse[i] = 1;
    }
    isInverse[form] = isKept && status() == 0 && close(times(L, inverse, n, n, n), expected);
  }
  double *zero = upload<double>({1, 2, 0, 0});
  cusolverDnXtrtri(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, 2, CUDA_R_64F, zero, 2, work, 8 * 4, nullptr, 0, info);
  printf("Xtrtri %d %d %d, zero %d\n", isInverse[0], isInverse[1], isInverse[2], status());
  cusolverDnDestroyGesvdjInfo(how);
  cusolverDnDestroyParams(params);
  cusolverDnDestroy(h);
}
