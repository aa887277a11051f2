// cuBLAS for banded matrices and packed triangles, each against the same matrix whole.
// levels: nightly
// stdout: S gbmv 1 1, triangles 1 1 1 1, packed 1 1 1 1, symmetric 1 1 1 1, forms 1 1
// stdout: Z gbmv 1 1, triangles 1 1 1 1, packed 1 1 1 1, symmetric 1 1 1 1, forms 1 1
// stdout: refused 7 7
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

static cublasHandle_t h;
static const int n = 9, m = 7, k = 2;

static float numberOf(float *, int i) { return (i * 5 % 11 - 4) / 4.0f; }
static cuDoubleComplex numberOf(cuDoubleComplex *, int i) { return {(i * 5 % 11 - 4) / 4.0, (i * 3 % 7 - 3) / 4.0}; }
static bool differ(float a, float b) { return std::fabs(a - b) > 1e-3 * (1 + std::fabs(b)); }
static bool differ(cuDoubleComplex a, cuDoubleComplex b) { return cuCabs(cuCsub(a, b)) > 1e-9 * (1 + cuCabs(b)); }
static float plus(float a, int b) { return a + b; }
static cuDoubleComplex plus(cuDoubleComplex a, int b) { return {a.x + b, a.y}; }
static float real(float a) { return a; }
static cuDoubleComplex real(cuDoubleComplex a) { return {a.x, 0}; }

template <class T> struct Matrix {
  std::vector<T> v;
  T *d;
  Matrix(const std::vector<T> &values) : v(values) {
    cudaMalloc(&d, v.size() * sizeof(T));
    reset();
  }
  void reset() { cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> now() const {
    std::vector<T> out(v.size());
    cudaMemcpy(out.data(), d, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }
};
template <class T> static bool same(const Matrix<T> &a, const Matrix<T> &b) {
  std::vector<T> x = a.now(), y = b.now();
  for (size_t i = 0; i < x.size(); i++)
    if (differ(x[i], y[i])) return false;
  return true;
}
/* Numbers of a matrix of rows x columns within a band, whole and as the band's diagonals; the main one is large. */
template <class T> static void makeBand(int rows, int columns, int below, int above, std::vector<T> &whole, std::vector<T> &band) {
  whole.assign(rows * columns, T{});
  band.assign((below + above + 1) * columns, T{});
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      if (i - j <= below && j - i <= above) {
        T value = numberOf((T *)nullptr, i * 13 + j);
        if (i == j) value = real(plus(value, 6));
        whole[j * rows + i] = band[j * (below + above + 1) + above + i - j] = value;
      }
}

#define CHECK(letter, T, R, sy, sb, sp)                                                                                    \
  static void check##letter() {                                                                                            \
    T alpha = numberOf((T *)nullptr, 1), beta = numberOf((T *)nullptr, 2);                                                 \
    R factor = 0.75;                                                                                                       \
    std::vector<T> whole, band, x0(n), y0(n);                                                                              \
    for (int i = 0; i < n; i++) x0[i] = numberOf((T *)nullptr, i + 3), y0[i] = numberOf((T *)nullptr, 2 * i);              \
    Matrix<T> x(x0), z(x0), y(y0), w(y0);                                                                                  \
    makeBand<T>(m, n, 2, 1, whole, band);                                                                                  \
    Matrix<T> a(whole), b(band);                                                                                           \
    bool general[2], triangles[4], packed[4], symmetric[4], forms[2];                                                      \
    for (int turned = 0; turned < 2; turned++) {                                                                           \
      cublasOperation_t trans = turned ? CUBLAS_OP_C : CUBLAS_OP_N;                                                        \
      y.reset(), w.reset();                                                                                                \
      cublas##letter##gemv(h, trans, m, n, &alpha, a.d, m, x.d, 1, &beta, y.d, 1);                                         \
      cublas##letter##gbmv(h, trans, m, n, 2, 1, &alpha, b.d, 4, x.d, 1, &beta, w.d, 1);                                   \
      general[turned] = same(y, w);                                                                                        \
    }                                                                                                                      \
    for (int lower = 0; lower < 2; lower++) {                                                                              \
      cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;                                     \
      makeBand<T>(n, n, lower ? k : 0, lower ? 0 : k, whole, band);                                                        \
      Matrix<T> t(whole), tb(band), tp(std::vector<T>(n * (n + 1) / 2)), back(std::vector<T>(n * n));                      \
      cublas##letter##trttp(h, fill, n, t.d, n, tp.d);                                                                     \
      cublas##letter##tpttr(h, fill, n, tp.d, back.d, n);                                                                  \
      forms[lower] = same(t, back);                                                                                        \
      cublasOperation_t trans = lower ? CUBLAS_OP_T : CUBLAS_OP_C;                                                         \
      x.reset(), z.reset();                                                                                                \
      cublas##letter##trmv(h, fill, trans, CUBLAS_DIAG_NON_UNIT, n, t.d, n, x.d, 1);                                       \
      cublas##letter##tbmv(h, fill, trans, CUBLAS_DIAG_NON_UNIT, n, k, tb.d, k + 1, z.d, 1);                               \
      triangles[lower] = same(x, z);                                                                                       \
      z.reset();                                                                                                           \
      cublas##letter##tpmv(h, fill, trans, CUBLAS_DIAG_NON_UNIT, n, tp.d, z.d, 1);                                         \
      packed[lower] = same(x, z);                                                                                          \
      x.reset(), z.reset();                                                                                                \
      cublas##letter##trsv(h, fill, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, t.d, n, x.d, 1);                                     \
      cublas##letter##tbsv(h, fill, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, k, tb.d, k + 1, z.d, 1);                             \
      triangles[2 + lower] = same(x, z);                                                                                   \
      z.reset();                                                                                                           \
      cublas##letter##tpsv(h, fill, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, tp.d, z.d, 1);                                       \
      packed[2 + lower] = same(x, z);                                                                                      \
      x.reset(), y.reset(), w.reset();                                                                                     \
      cublas##letter##sy##mv(h, fill, n, &alpha, t.d, n, x.d, 1, &beta, y.d, 1);                                           \
      cublas##letter##sb##mv(h, fill, n, k, &alpha, tb.d, k + 1, x.d, 1, &beta, w.d, 1);                                   \
      bool banded = same(y, w);                                                                                            \
      w.reset();                                                                                                           \
      cublas##letter##sp##mv(h, fill, n, &alpha, tp.d, x.d, 1, &beta, w.d, 1);                                             \
      symmetric[lower] = banded && same(y, w);                                                                             \
      y.reset();                                                                                                           \
      cublas##letter##sy##r(h, fill, n, &factor, x.d, 1, t.d, n);                                                          \
      cublas##letter##sp##r(h, fill, n, &factor, x.d, 1, tp.d);                                                            \
      cublas##letter##sy##r2(h, fill, n, &alpha, x.d, -1, y.d, 1, t.d, n);                                                 \
      cublas##letter##sp##r2(h, fill, n, &alpha, x.d, -1, y.d, 1, tp.d);                                                   \
      cublas##letter##tpttr(h, fill, n, tp.d, back.d, n);                                                                  \
      symmetric[2 + lower] = same(t, back);                                                                                \
    }                                                                                                                      \
    printf(#letter " gbmv %d %d, triangles %d %d %d %d, packed %d %d %d %d, symmetric %d %d %d %d, forms %d %d\n",         \
           general[0], general[1], triangles[0], triangles[1], triangles[2], triangles[3], packed[0], packed[1],           \
           packed[2], packed[3], symmetric[0], symmetric[1], symmetric[2], symmetric[3], forms[0], forms[1]);              \
  }
CHECK(S, float, float, sy, sb, sp)
CHECK(Z, cuDoubleComplex, double, he, hb, hp)

int main() {
  cublasCreate(&h);
  checkS();
  checkZ();
  float one = 1;
  printf("refused %d %d\n", cublasSgbmv(h, CUBLAS_OP_N, 4, 4, 2, 1, &one, &one, 3, &one, 1, &one, &one, 1),
         cublasDtpmv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, -1, nullptr, nullptr, 1));
}
