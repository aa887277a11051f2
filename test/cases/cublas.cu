// cuBLAS calls of levels 1 to 3 in both pointer modes, and complex numbers. The kernels are ours and are named so.
// levels: nightly
// stdout: axpy 21 22 23, scal 63, dot 14, nrm2 5.00, asum 7, amax 2
// stdout: device dot 14
// stdout: gemv 7 10 / 5 11
// stdout: gemm PASS PASS
// stdout: batched PASS
// stdout: geam 1 3 5 2 4 6
// stdout: invalid 7
// stdout: complex (-5, 10) 5.00
// stdout: first interface 14 1 7 10 0 7 0
// count: 8warplens4gemm shared store executed = 1936
#include <cstdio>
#include <vector>
#include <cublas.h>
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
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  float *x = upload<float>({1, 2, 3}), *y = upload<float>({1, 2, 3}), ten = 20, three = 3, dot, nrm, sum;
  int where;
  cublasSdot(h, 3, x, 1, y, 1, &dot);
  float *pair = upload<float>({3, -4});
  cublasSnrm2(h, 2, pair, 1, &nrm);
  cublasSasum(h, 2, pair, 1, &sum);
  cublasIsamax(h, 2, pair, 1, &where);
  float one = 1;
  float *ones = upload<float>({1, 1, 1});
  cublasSaxpy(h, 3, &ten, ones, 1, y, 1);
  auto v = download(y, 3);
  cublasSscal(h, 1, &three, y, 1);
  printf("axpy %g %g %g, scal %g, dot %g, nrm2 %.2f, asum %g, amax %d\n", v[0], v[1], v[2], download(y, 1)[0], dot, nrm, sum, where);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(h, 3, x, 1, x, 1, y);
  printf("device dot %g\n", download(y, 1)[0]);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
  float zero = 0, *a = upload<float>({1, 2, 3, 4}), *b = upload<float>({1, 2}), *c = upload<float>({0, 0});
  cublasSgemv(h, CUBLAS_OP_N, 2, 2, &one, a, 2, b, 1, &zero, c, 1);
  auto plain = download(c, 2);
  cublasSgemv(h, CUBLAS_OP_T, 2, 2, &one, a, 2, b, 1, &zero, c, 1);
  auto turned = download(c, 2);
  printf("gemv %g %g / %g %g\n", plain[0], plain[1], turned[0], turned[1]);

  const int m = 37, n = 21, k = 50;
  std::vector<double> A(m * k), B(k * n), C(m * n, 2.0);
  for (int i = 0; i < m * k; i++) A[i] = i % 13 - 6;
  for (int i = 0; i < k * n; i++) B[i] = i % 7 - 3;
  double *dA = upload(A), *dB = upload(B), *dC = upload(C), alpha = 2, beta = 0.5;
  bool good[2];
  for (int form = 0; form < 2; form++) {
    cudaMemcpy(dC, C.data(), C.size() * 8, cudaMemcpyHostToDevice);
    if (form == 0) cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA, m, dB, k, &beta, dC, m);
    else cublasDgemm(h, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, dA, k, dB, n, &beta, dC, m);
    auto result = download(dC, C.size());
    good[form] = true;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int l = 0; l < k; l++) s += form == 0 ? A[l * m + i] * B[j * k + l] : A[i * k + l] * B[l * n + j];
        good[form] = good[form] && result[j * m + i] == 2 * s + 1;
      }
  }
  printf("gemm %s %s\n", good[0] ? "PASS" : "FAIL", good[1] ? "PASS" : "FAIL");
  double *dBatch;
  cudaMalloc(&dBatch, 2 * m * n * 8);
  double none = 0;
  cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA, m, 0, dB, k, 0, &none, dBatch, m, m * n, 2);
  cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA, m, dB, k, &none, dC, m);
  auto single = download(dC, m * n), both = download(dBatch, 2 * m * n);
  bool equal = true;
  for (int i = 0; i < 2 * m * n; i++) equal = equal && both[i] == single[i % (m * n)];
  printf("batched %s\n", equal ? "PASS" : "FAIL");
  float *wide = upload<float>({1, 2, 3, 4, 5, 6}), *tall = upload<float>({0, 0, 0, 0, 0, 0});
  cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, wide, 2, &zero, tall, 3, tall, 3);
  auto t = download(tall, 6);
  printf("geam %g %g %g %g %g %g\n", t[0], t[1], t[2], t[3], t[4], t[5]);
  printf("invalid %d\n", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 2, b, 4, &zero, c, 4));
  cuComplex p = cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4));
  printf("complex (%g, %g) %.2f\n", p.x, p.y, cuCabsf(make_cuFloatComplex(3, 4)));
  cublasDestroy(h);
  // The one without a handle, whose names are the same.
  cublasInit();
  float *old;
  cublasAlloc(2, sizeof(float), (void **)&old);
  cublasSgemm('n', 'N', 2, 1, 2, 1, a, 2, b, 2, 0, old, 2);
  auto product = download(old, 2);
  printf("first interface %g %d %g %g %d ", cublasSdot(3, x, 1, x, 1), cublasIsamax(1, x, 1), product[0], product[1], cublasGetError());
  cublasSgemm('n', 'n', 4, 4, 4, 1, a, 2, b, 4, 0, old, 4);
  cublasStatus first = cublasGetError();
  printf("%d %d\n", first, cublasGetError());
  cublasFree(old);
  cublasShutdown();
}
