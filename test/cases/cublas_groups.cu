// cuBLAS's groups of products of different sizes, and products of a complex matrix and its own transpose by types.
// levels: nightly
// stdout: floats (19 22 43 50) (111 122 151 166) (8 20), doubles (19 22 43 50) (111 122 151 166) (8 20), halves (19 22 43 50)
// stdout: none 0, 15, 7
// stdout: syrk (0 2) (2 2) (4 0), the same 1 1 1, bytes 15
#include <cstdio>
#include <cuComplex.h>
#include <cublas_v2.h>

/* All numbers of the matrices one behind the other; lists of where they begin. */
template <class T> struct Products {
  T *values;
  T **a, **b, **c;
  Products() {
    const float all[] = {1, 3, 2, 4, 5, 7, 6, 8, 5, 7, 6, 8, 9, 11, 10, 12, 2, 2, 5};
    cudaMallocManaged(&values, 64 * sizeof(T));
    for (int i = 0; i < 64; i++) values[i] = (T)(i < 19 ? all[i] : -1.0f);
    cudaMallocManaged(&a, 9 * sizeof(T *));
    b = a + 3, c = a + 6;
    a[0] = values, b[0] = values + 4, a[1] = values + 8, b[1] = values + 12, a[2] = values + 16, b[2] = values + 17;
    for (int i = 0; i < 3; i++) c[i] = values + 32 + 4 * i;
  }
  void print(const char *name, int count) {
    cudaDeviceSynchronize();
    printf("%s", name);
    for (int i = 0; i < count; i++)
      if (i < 2) printf(" (%g %g %g %g)", (float)c[i][0], (float)c[i][2], (float)c[i][1], (float)c[i][3]);
      else printf(" (%g %g)", (float)c[i][0], (float)c[i][1]);
  }
};

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int m[] = {2, 1}, n[] = {2, 2}, k[] = {2, 1}, ldc[] = {2, 1}, sizes[] = {2, 1};
  Products<float> f;
  const float ones[] = {1, 2}, zeros[] = {0, 0};
  cublasSgemmGroupedBatched(h, ops, ops, m, n, k, ones, f.a, ldc, f.b, ldc, zeros, f.c, ldc, 2, sizes);
  f.print("floats", 3);
  Products<double> d;
  const double ones64[] = {1, 2}, zeros64[] = {0, 0};
  cublasDgemmGroupedBatched(h, ops, ops, m, n, k, ones64, d.a, ldc, d.b, ldc, zeros64, d.c, ldc, 2, sizes);
  d.print(", doubles", 3);
  Products<__half> g;
  cublasGemmGroupedBatchedEx(h, ops, ops, m, n, k, ones, (void **)g.a, CUDA_R_16F, ldc, (void **)g.b, CUDA_R_16F, ldc, zeros,
                             (void **)g.c, CUDA_R_16F, ldc, 1, sizes, CUBLAS_COMPUTE_32F);
  g.print(", halves", 1);
  const auto by = [&](cudaDataType type, int groups) {
    return cublasGemmGroupedBatchedEx(h, ops, ops, m, n, k, ones, (void **)g.a, type, ldc, (void **)g.b, CUDA_R_16F, ldc, zeros,
                                      (void **)g.c, CUDA_R_16F, ldc, groups, sizes, CUBLAS_COMPUTE_32F);
  };
  printf("\nnone %d, %d, %d\n", by(CUDA_R_16F, 0), by(CUDA_R_16BF, 1), by(CUDA_R_16F, -1));

  cuComplex *z, one = {1, 0}, none = {0, 0};
  float single = 1, zero = 0;
  cudaMallocManaged(&z, 32 * sizeof(cuComplex));
  for (int i = 0; i < 32; i++) z[i] = make_cuComplex(i + 1, i == 0 ? 1 : i - 1);
  const auto upper = CUBLAS_FILL_MODE_UPPER;
  cuComplex *s[5];
  for (int i = 0; i < 5; i++) s[i] = z + 4 * (i + 2);
  cublasCsyrkEx(h, upper, CUBLAS_OP_N, 2, 1, &one, z, CUDA_C_32F, 2, &none, s[0], CUDA_C_32F, 2);
  cublasCsyrk3mEx(h, upper, CUBLAS_OP_N, 2, 1, &one, z, CUDA_C_32F, 2, &none, s[1], CUDA_C_32F, 2);
  cublasCherk(h, upper, CUBLAS_OP_N, 2, 1, &single, z, 2, &zero, s[2], 2);
  cublasCherkEx(h, upper, CUBLAS_OP_N, 2, 1, &single, z, CUDA_C_32F, 2, &zero, s[3], CUDA_C_32F, 2);
  cublasCherk3mEx(h, upper, CUBLAS_OP_N, 2, 1, &single, z, CUDA_C_32F, 2, &zero, s[4], CUDA_C_32F, 2);
  const int bytes = cublasCherkEx(h, upper, CUBLAS_OP_N, 2, 1, &single, z, CUDA_C_8I, 2, &zero, s[3], CUDA_C_32F, 2);
  cudaDeviceSynchronize();
  const auto same = [&](int p, int q) {
    bool all = true;
    for (int i : {0, 2, 3}) all &= s[p][i].x == s[q][i].x && s[p][i].y == s[q][i].y;
    return all;
  };
  printf("syrk (%g %g) (%g %g) (%g %g), the same %d %d %d, bytes %d\n", s[0][0].x, s[0][0].y, s[0][2].x, s[0][2].y, s[0][3].x,
         s[0][3].y, same(0, 1), same(2, 3), same(2, 4), bytes);
}
