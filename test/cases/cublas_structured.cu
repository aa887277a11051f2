// cuBLAS for triangular and symmetric matrices, complex numbers and lists of small matrices, each against sums on the host.
// levels: nightly
// stdout: float symm 1, syrk 1, syr2k 1, trmm 1, trsm 1
// stdout: float trmv 1, trsv 1, symv 1, syr 1, dgmm 1
// stdout: double symm 1, syrk 1, syr2k 1, trmm 1, trsm 1
// stdout: double trmv 1, trsv 1, symv 1, syr 1, dgmm 1
// stdout: gemm 1 1 1, gemv 1, dots (-22, 4) (26, -8), norm 5.477, sum 10, largest 2
// stdout: herk 1, hemm 1, trsm 1
// stdout: factors 1, solved 1, inverse 1 1
// stdout: version 120800, CUBLAS_STATUS_INVALID_VALUE
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
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
template <class T> bool close(const std::vector<T> &a, const std::vector<T> &b) {
  for (size_t i = 0; i < a.size(); i++)
    if (std::abs(a[i] - b[i]) > 1e-3 * (1 + std::abs(b[i]))) return false;
  return true;
}

cublasHandle_t h;
const int m = 9, n = 7;

#define REAL(letter, T, name)                                                                                              \
  void name() {                                                                                                            \
    std::vector<T> A(m * m), B(m * n), C(m * n), X(m);                                                                     \
    for (int j = 0; j < m; j++)                                                                                            \
      for (int i = 0; i < m; i++) A[j * m + i] = i == j ? 8 + i : ((i * 5 + j * 3) % 7 - 3) / T(4);                        \
    for (int i = 0; i < m * n; i++) B[i] = i % 5 - 2, C[i] = i % 3;                                                        \
    for (int i = 0; i < m; i++) X[i] = i % 4 - 1;                                                                          \
    T alpha = 2, beta = 3, one = 1, zero = 0;                                                                              \
    T *a = upload(A), *b = upload(B), *c = upload(C), *x = upload(X);                                                      \
    auto half = [&](bool lower, int i, int j) { return (lower ? i >= j : i <= j) ? A[j * m + i] : T(0); };                 \
    auto whole = [&](int i, int j) { return i >= j ? A[j * m + i] : A[i * m + j]; };                                       \
    std::vector<T> want = C;                                                                                               \
    for (int j = 0; j < n; j++)                                                                                            \
      for (int i = 0; i < m; i++) {                                                                                        \
        T sum = 0;                                                                                                         \
        for (int k = 0; k < m; k++) sum += whole(i, k) * B[j * m + k];                                                     \
        want[j * m + i] = alpha * sum + beta * C[j * m + i];                                                               \
      }                                                                                                                    \
    cublas##letter##symm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, m, n, &alpha, a, m, b, m, &beta, c, m);              \
    bool symm = close(download(c, m * n), want);                                                                           \
    std::vector<T> square(m * m, 1), wantSquare = square, wantBoth = square;                                               \
    for (int j = 0; j < m; j++)                                                                                            \
      for (int i = j; i < m; i++) {                                                                                        \
        T sum = 0, both = 0;                                                                                               \
        for (int k = 0; k < n; k++) {                                                                                      \
          sum += B[k * m + i] * B[k * m + j];                                                                              \
          both += B[k * m + i] * C[k * m + j] + C[k * m + i] * B[k * m + j];                                               \
        }                                                                                                                  \
        wantSquare[j * m + i] = alpha * sum + beta, wantBoth[j * m + i] = alpha * both + beta;                             \
      }                                                                                                                    \
    T *s = upload(square), *s2 = upload(square), *c0 = upload(C);                                                          \
    cublas##letter##syrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, n, &alpha, b, m, &beta, s, m);                         \
    cublas##letter##syr2k(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, n, &alpha, b, m, c0, m, &beta, s2, m);                \
    bool syrk = close(download(s, m * m), wantSquare), syr2k = close(download(s2, m * m), wantBoth);                       \
    bool trmm = true, trsm = true, trmv = true, trsv = true;                                                               \
    for (int form = 0; form < 8; form++) {                                                                                 \
      bool lower = form & 1, turned = form & 2, left = form & 4;                                                           \
      auto fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;                                                 \
      auto op = turned ? CUBLAS_OP_T : CUBLAS_OP_N;                                                                        \
      int rows = left ? m : n, columns = left ? n : m;                                                                     \
      T *product = upload(C), *given = upload(B);                                                                          \
      for (int j = 0; j < columns; j++)                                                                                    \
        for (int i = 0; i < rows; i++) {                                                                                   \
          T sum = 0;                                                                                                       \
          for (int k = 0; k < m; k++)                                                                                      \
            sum += left ? (turned ? half(lower, k, i) : half(lower, i, k)) * B[j * rows + k]                               \
                        : B[k * rows + i] * (turned ? half(lower, j, k) : half(lower, k, j));                              \
          want[j * rows + i] = alpha * sum;                                                                                \
        }                                                                                                                  \
      auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;                                                             \
      cublas##letter##trmm(h, side, fill, op, CUBLAS_DIAG_NON_UNIT, rows, columns, &alpha, a, m, given, rows, product,     \
                           rows);                                                                                          \
      trmm = trmm && close(download(product, m * n), want);                                                                \
      T inverse = 1 / alpha;                                                                                               \
      cublas##letter##trsm(h, side, fill, op, CUBLAS_DIAG_NON_UNIT, rows, columns, &inverse, a, m, product, rows);         \
      trsm = trsm && close(download(product, m * n), B);                                                                   \
      std::vector<T> wantX(m, 0);                                                                                          \
      for (int i = 0; i < m; i++)                                                                                          \
        for (int k = 0; k < m; k++) wantX[i] += (turned ? half(lower, k, i) : half(lower, i, k)) * X[k];                   \
      T *v = upload(X);                                                                                                    \
      cublas##letter##trmv(h, fill, op, CUBLAS_DIAG_NON_UNIT, m, a, m, v, 1);                                              \
      trmv = trmv && close(download(v, m), wantX);                                                                         \
      cublas##letter##trsv(h, fill, op, CUBLAS_DIAG_NON_UNIT, m, a, m, v, 1);                                              \
      trsv = trsv && close(download(v, m), X);                                                                             \
    }                                                                                                                      \
    T *y = upload(std::vector<T>(m));                                                                                      \
    cublas##letter##symv(h, CUBLAS_FILL_MODE_LOWER, m, &one, a, m, x, 1, &zero, y, 1);                                     \
    std::vector<T> wantY(m, 0);                                                                                            \
    for (int i = 0; i < m; i++)                                                                                            \
      for (int k = 0; k < m; k++) wantY[i] += whole(i, k) * X[k];                                                          \
    bool symv = close(download(y, m), wantY);                                                                              \
    std::vector<T> wantRank = A, wantScaled = A;                                                                           \
    for (int j = 0; j < m; j++)                                                                                            \
      for (int i = 0; i < m; i++) {                                                                                        \
        if (i <= j) wantRank[j * m + i] += alpha * X[i] * X[j];                                                            \
        wantScaled[j * m + i] *= X[i];                                                                                     \
      }                                                                                                                    \
    T *ranked = upload(A);                                                                                                 \
    cublas##letter##syr(h, CUBLAS_FILL_MODE_UPPER, m, &alpha, x, 1, ranked, m);                                            \
    bool syr = close(download(ranked, m * m), wantRank);                                                                   \
    cublas##letter##dgmm(h, CUBLAS_SIDE_LEFT, m, m, a, m, x, 1, ranked, m);                                                \
    bool dgmm = close(download(ranked, m * m), wantScaled);                                                                \
    printf(#T " symm %d, syrk %d, syr2k %d, trmm %d, trsm %d\n", symm, syrk, syr2k, trmm, trsm);                           \
    printf(#T " trmv %d, trsv %d, symv %d, syr %d, dgmm %d\n", trmv, trsv, symv, syr, dgmm);                               \
  }
REAL(S, float, floats)
REAL(D, double, doubles)

typedef std::complex<float> Z;
cuComplex *lie(Z *p) { return (cuComplex *)p; }

int main() {
  cublasCreate(&h);
  floats();
  doubles();

  std::vector<Z> A(m * m), B(m * n), C(m * n);
  for (int i = 0; i < m * m; i++) A[i] = Z(i % 5 - 2, i % 3) + (i % (m + 1) == 0 ? Z(9, 1) : Z(0));
  for (int i = 0; i < m * n; i++) B[i] = Z(i % 4, i % 7 - 3), C[i] = Z(1, -1);
  Z *a = upload(A), *b = upload(B), alpha(2, 1), beta(0, 1), one = 1, zero = 0;
  bool gemm[3], isRight = true;
  for (int op = 0; op < 3; op++) {
    Z *c = upload(C);
    std::vector<Z> want = C;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        Z sum = 0;
        for (int k = 0; k < m; k++)
          sum += (op == 0 ? A[k * m + i] : op == 1 ? A[i * m + k] : std::conj(A[i * m + k])) * B[j * m + k];
        want[j * m + i] = alpha * sum + beta * C[j * m + i];
      }
    cublasCgemm(h, (cublasOperation_t)op, CUBLAS_OP_N, m, n, m, lie(&alpha), lie(a), m, lie(b), m, lie(&beta), lie(c), m);
    gemm[op] = close(download(c, m * n), want);
    Z *v = upload(C);
    cublasCgemv(h, (cublasOperation_t)op, m, m, lie(&alpha), lie(a), m, lie(b), 1, lie(&beta), lie(v), 1);
    isRight = isRight && close(download(v, m), std::vector<Z>(want.begin(), want.begin() + m));
  }
  Z *x = upload<Z>({Z(1, 2), Z(3, 4)}), *y = upload<Z>({Z(2, 0), Z(0, 8) - Z(0, 2)}), plain, turned;
  cublasCdotu(h, 2, lie(x), 1, lie(y), 1, lie(&plain));
  cublasCdotc(h, 2, lie(y), 1, lie(x), 1, lie(&turned));
  float norm, sum;
  int largest;
  cublasScnrm2(h, 2, lie(x), 1, &norm);
  cublasScasum(h, 2, lie(x), 1, &sum);
  cublasIcamax(h, 2, lie(x), 1, &largest);
  printf("gemm %d %d %d, gemv %d, dots (%g, %g) (%g, %g), norm %.3f, sum %g, largest %d\n", gemm[0], gemm[1], gemm[2], isRight,
         plain.real(), plain.imag() - 18, turned.real(), turned.imag() + 6, norm, sum, largest);

  std::vector<Z> want(m * m, Z(1));
  for (int j = 0; j < m; j++)
    for (int i = 0; i <= j; i++) {
      Z product = 0;
      for (int k = 0; k < n; k++) product += B[k * m + i] * std::conj(B[k * m + j]);
      want[j * m + i] = 2.0f * product + 3.0f;
    }
  float two = 2, three = 3;
  Z *s = upload(std::vector<Z>(m * m, Z(1))), *t = upload(C);
  cublasCherk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, m, n, &two, lie(b), m, &three, lie(s), m);
  bool herk = close(download(s, m * m), want);
  std::vector<Z> wantSided = C;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      Z product = 0;
      for (int k = 0; k < m; k++)
        product += (i == k ? Z(A[k * m + i].real()) : i > k ? A[k * m + i] : std::conj(A[i * m + k])) * B[j * m + k];
      wantSided[j * m + i] = product;
    }
  cublasChemm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, m, n, lie(&one), lie(a), m, lie(b), m, lie(&zero), lie(t), m);
  bool hemm = close(download(t, m * n), wantSided);
  Z *u = upload(B), *w = upload(B);
  cublasCtrmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, CUBLAS_DIAG_UNIT, m, n, lie(&one), lie(a), m, lie(u), m,
              lie(u), m);
  cublasCtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, CUBLAS_DIAG_UNIT, m, n, lie(&one), lie(a), m, lie(u), m);
  printf("herk %d, hemm %d, trsm %d\n", herk, hemm, close(download(u, m * n), B));
  cudaFree(w);

  const int count = 3, size = 5;
  std::vector<double> matrices(count * size * size), right(count * size);
  for (int i = 0; i < count * size * size; i++) matrices[i] = (i * 7 % 11) - 5 + (i % (size + 1) == 0 ? 0.25 : 0);
  double *all = upload(matrices), *kept = upload(matrices), *inverses = upload(matrices), *vectors;
  std::vector<double> ones(size, 1);
  for (int q = 0; q < count; q++)
    for (int i = 0; i < size; i++)
      for (int k = 0; k < size; k++) right[q * size + i] += matrices[(q * size + k) * size + i];
  vectors = upload(right);
  std::vector<double *> lists[4];
  for (int q = 0; q < count; q++) {
    lists[0].push_back(all + q * size * size);
    lists[1].push_back(kept + q * size * size);
    lists[2].push_back(inverses + q * size * size);
    lists[3].push_back(vectors + q * size);
  }
  double **factors = upload(lists[0]), **originals = upload(lists[1]), **results = upload(lists[2]), **solved = upload(lists[3]);
  int *pivots = upload(std::vector<int>(count * size)), *info = upload(std::vector<int>(count, -1)), status = -1;
  cublasDgetrfBatched(h, size, factors, size, pivots, info, count);
  std::vector<int> failed = download(info, count);
  cublasDgetrsBatched(h, CUBLAS_OP_N, size, 1, factors, size, pivots, solved, size, &status, count);
  bool isSolved = close(download(vectors, count * size), std::vector<double>(count * size, 1));
  auto isInverse = [&] {
    auto found = download(inverses, count * size * size);
    for (int q = 0; q < count; q++)
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
          double total = 0;
          for (int k = 0; k < size; k++)
            total += matrices[(q * size + k) * size + i] * found[(q * size + j) * size + k];
          if (std::fabs(total - (i == j)) > 1e-9) return false;
        }
    return true;
  };
  cublasDgetriBatched(h, size, factors, size, pivots, results, size, info, count);
  bool byFactors = isInverse();
  cudaMemset(inverses, 0, count * size * size * sizeof(double));
  cublasDmatinvBatched(h, size, originals, size, results, size, info, count);
  printf("factors %d, solved %d, inverse %d %d\n", failed[0] == 0 && failed[2] == 0 && status == 0, isSolved, byFactors, isInverse());
  printf("version %d, %s\n", CUBLAS_VERSION, cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE));
  return 0;
}
