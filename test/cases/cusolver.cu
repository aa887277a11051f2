// cuSOLVER's dense functions, each against what its result must satisfy.
// levels: nightly
// reference: nightly
// stdout: getrf 0, getrs 1 1, zero pivot 2
// stdout: potrf 0 1, potrs 1 1, not positive 2
// stdout: complex 1 1
// stdout: geqrf 1, orthogonal 1, ormqr 1 1
// stdout: syevd 1 1 1, values alone 1, many 1
// stdout: heevd 1 1 1, heevjBatched 1 1
// stdout: sygvd 1 1
// stdout: gesvd 1 1 1 1
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
  return true;
}
/* op(A) B, of matrices stored by columns. */
template <class T>
std::vector<T> times(const std::vector<T> &a, const std::vector<T> &b, int m, int k, int n, bool turned = false) {
  std::vector<T> c(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < k; l++) c[j * m + i] += (turned ? a[i * k + l] : a[l * m + i]) * b[j * k + l];
  return c;
}
typedef std::vector<double> Doubles;
Doubles unit(int n) {
  Doubles v(n * n);
  for (int i = 0; i < n; i++) v[i * n + i] = 1;
  return v;
}

int main() {
  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  const int n = 12, m = 17;
  int *info = upload(std::vector<int>(8, -9)), *pivots = upload(std::vector<int>(m)), size = 0;
  auto status = [&] { return download(info, 1)[0]; };
  Doubles A(n * n), X(n * 3);
  for (int i = 0; i < n * n; i++) A[i] = (i * 7 % 23) - 11 + (i % (n + 1) == 0 ? 0.5 : 0);
  for (int i = 0; i < n * 3; i++) X[i] = i % 5 - 2;
  double *a = upload(A), *b = upload(times(A, X, n, n, 3)), *bt = upload(times(A, X, n, n, 3, true));
  cusolverDnDgetrf_bufferSize(h, n, n, a, n, &size);
  double *work = upload(Doubles(4000));
  cusolverDnDgetrf(h, n, n, a, n, work, pivots, info);
  int factored = status();
  cusolverDnDgetrs(h, CUBLAS_OP_N, n, 3, a, n, pivots, b, n, info);
  cusolverDnDgetrs(h, CUBLAS_OP_T, n, 3, a, n, pivots, bt, n, info);
  double *singular = upload<double>({1, 2, 2, 4});
  cusolverDnDgetrf(h, 2, 2, singular, 2, work, pivots, info);
  printf("getrf %d, getrs %d %d, zero pivot %d\n", factored, close(download(b, n * 3), X), close(download(bt, n * 3), X), status());

  Doubles S = times(A, A, n, n, n, true);
  for (int i = 0; i < n; i++) S[i * n + i] += 3;
  bool solved[2], isFactor = false;
  int positive = 0;
  for (int form = 0; form < 2; form++) {
    auto fill = form ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    double *s = upload(S), *y = upload(times(S, X, n, n, 3));
    cusolverDnDpotrf_bufferSize(h, fill, n, s, n, &size);
    cusolverDnDpotrf(h, fill, n, s, n, work, size, info);
    positive += status();
    if (!form) {
      Doubles L = download(s, n * n);
      for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) L[j * n + i] = 0;
      Doubles turned(n * n);
      for (int i = 0; i < n * n; i++) turned[i] = L[i % n * n + i / n];
      isFactor = close(times(L, turned, n, n, n), S, 1e-8);
    }
    cusolverDnDpotrs(h, fill, n, 3, s, n, y, n, info);
    solved[form] = close(download(y, n * 3), X, 1e-8);
  }
  double *indefinite = upload<double>({1, 2, 2, 1});
  cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, 2, indefinite, 2, work, 4, info);
  printf("potrf %d %d, potrs %d %d, not positive %d\n", positive, isFactor, solved[0], solved[1], status());

  typedef std::complex<double> Z;
  std::vector<Z> H(n * n), V(n), C(n * n);
  for (int i = 0; i < n * n; i++) C[i] = Z(i % 5 - 2, i % 3 - 1);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) H[j * n + i] += C[k * n + i] * std::conj(C[k * n + j]);
      if (i == j) H[j * n + i] += 2;
    }
  for (int i = 0; i < n; i++) V[i] = Z(i, 1 - i);
  bool complexes[2];
  for (int form = 0; form < 2; form++) {
    auto fill = form ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    Z *z = upload(H), *v = upload(times(H, V, n, n, 1));
    auto pointer = [](Z *p) { return (cuDoubleComplex *)p; };
    cusolverDnZpotrf(h, fill, n, pointer(z), n, nullptr, 0, info);
    cusolverDnZpotrs(h, fill, n, 1, pointer(z), n, pointer(v), n, info);
    complexes[form] = close(download(v, n), V, 1e-7);
  }
  printf("complex %d %d\n", complexes[0], complexes[1]);

  Doubles Q(m * n);
  for (int i = 0; i < m * n; i++) Q[i] = (i * 5 % 19) - 9;
  double *q = upload(Q), *tau = upload(Doubles(n)), *c = upload(Q), *d = upload(Q);
  cusolverDnDgeqrf_bufferSize(h, m, n, q, m, &size);
  cusolverDnDgeqrf(h, m, n, q, m, tau, work, size, info);
  Doubles R = download(q, m * n), upper(n * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) upper[j * n + i] = R[j * m + i];
  cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, q, m, tau, c, m, work, 4000, info);
  Doubles rotated = download(c, m * n);
  bool isUpper = true;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) isUpper = isUpper && std::fabs(rotated[j * m + i] - (i <= j ? upper[j * n + i] : 0)) < 1e-9;
  cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, n, q, m, tau, c, m, work, 4000, info);
  bool isBack = close(download(c, m * n), Q);
  cusolverDnDorgqr_bufferSize(h, m, n, n, q, m, tau, &size);
  cusolverDnDorgqr(h, m, n, n, q, m, tau, work, size, info);
  Doubles basis = download(q, m * n);
  printf("geqrf %d, orthogonal %d, ormqr %d %d\n", close(times(basis, upper, m, n, n), Q), close(times(basis, basis, n, m, n, true), unit(n)),
         isUpper, isBack);

  double *s = upload(S), *w = upload(Doubles(2 * n)), *alone = upload(Doubles(2 * n));
  cusolverDnDsyevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, s, n, w, &size);
  cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, s, n, w, work, size, info);
  Doubles vectors = download(s, n * n), values = download(w, n), scaled = vectors;
  bool ascends = true;
  for (int j = 0; j < n; j++) {
    ascends = ascends && (j == 0 || values[j - 1] <= values[j]);
    for (int i = 0; i < n; i++) scaled[j * n + i] *= values[j];
  }
  Doubles two = S;
  two.insert(two.end(), S.begin(), S.end());
  for (int i = 0; i < n; i++) two[n * n + i * n + i] += 1;
  s = upload(two);
  syevjInfo_t how;
  cusolverDnCreateSyevjInfo(&how);
  cusolverDnXsyevjSetTolerance(how, 1e-12);
  cusolverDnDsyevjBatched_bufferSize(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, s, n, w, &size, how, 2);
  cusolverDnDsyevjBatched(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, s, n, alone, work, size, info, how, 2);
  Doubles both = download(alone, 2 * n), first(both.begin(), both.begin() + n), second(both.begin() + n, both.end());
  Doubles moved = values;
  for (double &value : moved) value += 1;
  printf("syevd %d %d %d, values alone %d, many %d\n", ascends, close(times(S, vectors, n, n, n), scaled, 1e-7),
         close(times(vectors, vectors, n, n, n, true), unit(n)), close(first, values, 1e-7), close(second, moved, 1e-7));

  std::vector<Z> hermitian(2 * n * n);
  for (int j = 0; j < 2 * n; j++)
    for (int i = 0; i < n; i++) hermitian[j * n + i] = Z((i + j % n) * 5 % 7 - 3 + j / n * (i == j % n), (i - j % n) * 3 % 5);
  /* What lies in the other triangle is not read. */
  std::vector<Z> half = hermitian;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) half[j * n + i] = Z(99, 99);
  auto onDevice = [](Z *p) { return (cuDoubleComplex *)p; };
  Z *z = upload(half), *zwork = upload(std::vector<Z>(2 * n * (n + 1)));
  cusolverDnZheevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, onDevice(z), n, w, &size);
  cusolverDnZheevd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, onDevice(z), n, w, onDevice(zwork), size, info);
  std::vector<Z> zvectors = download(z, n * n), adjoint(n * n), zscaled = zvectors, zunit(n * n);
  values = download(w, n), ascends = true;
  for (int i = 0; i < n * n; i++) {
    zscaled[i] *= values[i / n], adjoint[i % n * n + i / n] = conj(zvectors[i]), zunit[i] = i % n == i / n;
    ascends = ascends && (i == 0 || values[(i - 1) / n] <= values[i / n]);
  }
  z = upload(hermitian);
  cusolverDnZheevjBatched_bufferSize(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, onDevice(z), n, w, &size, how, 2);
  cusolverDnZheevjBatched(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, onDevice(z), n, alone, onDevice(zwork), size,
                          info, how, 2);
  both = download(alone, 2 * n), first.assign(both.begin(), both.begin() + n), second.assign(both.begin() + n, both.end());
  moved = values;
  for (double &value : moved) value += 1;
  printf("heevd %d %d %d, heevjBatched %d %d\n", ascends, close(times(hermitian, zvectors, n, n, n), zscaled),
         close(times(adjoint, zvectors, n, n, n), zunit), close(first, values), close(second, moved));

  bool general[2];
  for (int form = 0; form < 2; form++) {
    auto fill = form ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    Doubles symmetric(n * n);
    for (int i = 0; i < n * n; i++) symmetric[i] = (i % n + i / n) % 7 - 3;
    double *left = upload(symmetric), *right = upload(S);
    cusolverDnDsygvd_bufferSize(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, fill, n, left, n, right, n, w, &size);
    cusolverDnDsygvd(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, fill, n, left, n, right, n, w, work, size, info);
    vectors = download(left, n * n), values = download(w, n), scaled = times(S, vectors, n, n, n);
    for (int i = 0; i < n * n; i++) scaled[i] *= values[i / n];
    general[form] = status() == 0 && close(times(symmetric, vectors, n, n, n), scaled, 1e-8);
  }
  printf("sygvd %d %d\n", general[0], general[1]);

  double *g = upload(Q), *u = upload(Doubles(m * m)), *vt = upload(Doubles(n * n));
  cusolverDnDgesvd_bufferSize(h, m, n, &size);
  cusolverDnDgesvd(h, 'A', 'A', m, n, g, m, w, u, m, vt, n, work, size, nullptr, info);
  Doubles U = download(u, m * m), VT = download(vt, n * n), singulars = download(w, n), middle(m * n);
  bool descends = status() == 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) middle[j * m + i] = singulars[i] * VT[j * n + i];
  for (int j = 1; j < n; j++) descends = descends && singulars[j - 1] >= singulars[j];
  printf("gesvd %d %d %d %d\n", descends, close(times(U, middle, m, m, n), Q), close(times(U, U, m, m, m, true), unit(m)),
         close(times(VT, VT, n, n, n, true), unit(n)));
  cusolverDnDestroySyevjInfo(how);
  cusolverDnDestroy(h);
  return 0;
}
