// cuSPARSE's incomplete factors, in place: LU and Cholesky's, from offsets of zero and of one; pivots that are not there.
// levels: nightly
// stdout: lu 4 1 2 / 0.25 3.75 / 0.5 2 3, pivot -1
// stdout: cholesky 2 9 9 / 1 3 9 / 1 2 4, pivot -1
// stdout: no pivot in row 2: status 9
// stdout: nor a root in row 1: status 9
#include <cstdio>
#include <vector>
#include <cusparse.h>
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
  cusparseHandle_t h;
  cusparseMatDescr_t a;
  csrilu02Info_t lu;
  csric02Info_t cholesky;
  int bytes, pivot;
  void *buffer;
  const auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  cusparseCreate(&h);
  cusparseCreateMatDescr(&a);
  cusparseCreateCsrilu02Info(&lu);
  cusparseCreateCsric02Info(&cholesky);

  // 4 1 2 | 1 4 . | 2 . 4: the place of -0.5 is not there.
  int *offsets = upload<int>({0, 3, 5, 7}), *columns = upload<int>({0, 1, 2, 0, 1, 0, 2});
  double *d = upload<double>({4, 1, 2, 1, 4, 2, 4});
  cusparseDcsrilu02_bufferSize(h, 3, 7, a, d, offsets, columns, lu, &bytes);
  cudaMalloc(&buffer, bytes);
  cusparseDcsrilu02_analysis(h, 3, 7, a, d, offsets, columns, lu, policy, buffer);
  cusparseDcsrilu02(h, 3, 7, a, d, offsets, columns, lu, policy, buffer);
  cusparseXcsrilu02_zeroPivot(h, lu, &pivot);
  auto v = download(d, 7);
  printf("lu %g %g %g / %g %g / %g 2 %g, pivot %d\n", v[0], v[1], v[2], v[3], v[4], v[5], v[6], pivot);

  // L = 2 | 1 3 | 1 2 4, of which the upper triangle is not read.
  cusparseSetMatIndexBase(a, CUSPARSE_INDEX_BASE_ONE);
  int *full = upload<int>({1, 4, 7, 10}), *all = upload<int>({1, 2, 3, 1, 2, 3, 1, 2, 3});
  float *f = upload<float>({4, 9, 9, 2, 10, 9, 2, 7, 21});
  cusparseScsric02_bufferSize(h, 3, 9, a, f, full, all, cholesky, &bytes);
  cusparseScsric02_analysis(h, 3, 9, a, f, full, all, cholesky, policy, buffer);
  cusparseScsric02(h, 3, 9, a, f, full, all, cholesky, policy, buffer);
  cusparseXcsric02_zeroPivot(h, cholesky, &pivot);
  auto w = download(f, 9);
  printf("cholesky %g %g %g / %g %g %g / %g %g %g, pivot %d\n", w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], pivot);

  float *g = upload<float>({1, 1, 1, 1}), *n = upload<float>({-1, 0, 0, 1});
  int *two = upload<int>({1, 3, 5}), *square = upload<int>({1, 2, 1, 2});
  cusparseScsrilu02_analysis(h, 2, 4, a, g, two, square, lu, policy, buffer);
  cusparseScsrilu02(h, 2, 4, a, g, two, square, lu, policy, buffer);
  int status = cusparseXcsrilu02_zeroPivot(h, lu, &pivot);
  printf("no pivot in row %d: status %d\n", pivot, status);
  cusparseScsric02_analysis(h, 2, 4, a, n, two, square, cholesky, policy, buffer);
  cusparseScsric02(h, 2, 4, a, n, two, square, cholesky, policy, buffer);
  status = cusparseXcsric02_zeroPivot(h, cholesky, &pivot);
  printf("nor a root in row %d: status %d\n", pivot, status);
  cusparseDestroyCsrilu02Info(lu);
  cusparseDestroyCsric02Info(cholesky);
}
