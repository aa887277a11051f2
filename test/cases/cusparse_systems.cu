// cuSPARSE: triangular systems of several right sides, of all formats, transposed or not; batches; coordinates in order; a graph of it.
// levels: nightly
// stdout: lower 1 2 3 / 2 4 6, transposed 1 2 3 / 2 4 6, columns 1 2 3 / 2 4 6, list 1 2 3 / 2 4 6
// stdout: upper, one right side: 1 2 3, transposed 1 2 3
// stdout: batches 1 2 / 6 8, one for all 2 3 / 2 3
// stdout: sampled 3 7 / 6 14
// stdout: sorted rows 0 0 1 2, columns 1 3 0 2, places 3 1 2 0
// stdout: by columns 0 1 2 3 of 1 0 2 0
// stdout: captured 32
// stdout: wrong size 3
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
cusparseHandle_t h;
const auto narrow = CUSPARSE_INDEX_32I;
const auto zero = CUSPARSE_INDEX_BASE_ZERO;
const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE, turned = CUSPARSE_OPERATION_TRANSPOSE;
double one = 1, none = 0;

void solve(const char *name, cusparseSpMatDescr_t a, cusparseFillMode_t fill, cusparseOperation_t operation, std::vector<double> right) {
  cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
  double *x = upload<double>({0, 0, 0, 0, 0, 0});
  const int columns = right.size() / 3;
  size_t bytes;
  if (columns == 1) {
    cusparseDnVecDescr_t b, c;
    cusparseSpSVDescr_t system;
    cusparseCreateDnVec(&b, 3, upload(right), CUDA_R_64F);
    cusparseCreateDnVec(&c, 3, x, CUDA_R_64F);
    cusparseSpSV_createDescr(&system);
    cusparseSpSV_solve(h, operation, &one, a, b, c, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, system);
  } else {
    cusparseDnMatDescr_t b, c;
    cusparseSpSMDescr_t system;
    cusparseCreateDnMat(&b, 3, columns, 3, upload(right), CUDA_R_64F, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&c, 3, columns, 3, x, CUDA_R_64F, CUSPARSE_ORDER_COL);
    cusparseSpSM_createDescr(&system);
    cusparseSpSM_bufferSize(h, operation, plain, &one, a, b, c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, system, &bytes);
    cusparseSpSM_analysis(h, operation, plain, &one, a, b, c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, system, 0);
    cusparseSpSM_solve(h, operation, plain, &one, a, b, c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, system);
    cusparseSpSM_destroyDescr(system);
  }
  auto v = download(x, 6);
  printf("%s %g %g %g", name, v[0], v[1], v[2]);
  if (columns > 1) printf(" / %g %g %g", v[3], v[4], v[5]);
}

int main() {
  cusparseCreate(&h);
  // Rows 2 . . | 1 4 . | 3 0 5, and an element of the other triangle that does not count.
  int *offsets = upload<int>({0, 2, 4, 6}), *columns = upload<int>({0, 2, 0, 1, 0, 2}), *rows = upload<int>({0, 0, 1, 1, 2, 2});
  double *values = upload<double>({2, 9, 1, 4, 3, 5});
  cusparseSpMatDescr_t csr, csc, coo;
  cusparseCreateCsr(&csr, 3, 3, 6, offsets, columns, values, narrow, narrow, zero, CUDA_R_64F);
  cusparseCreateCsc(&csc, 3, 3, 6, offsets, columns, values, narrow, narrow, zero, CUDA_R_64F);
  cusparseCreateCoo(&coo, 3, 3, 6, rows, columns, values, narrow, zero, CUDA_R_64F);
  const auto lower = CUSPARSE_FILL_MODE_LOWER, upper = CUSPARSE_FILL_MODE_UPPER;
  solve("lower", csr, lower, plain, {2, 9, 18, 4, 18, 36});
  solve(", transposed", csr, lower, turned, {13, 8, 15, 26, 16, 30});
  solve(", columns", csc, upper, plain, {13, 8, 15, 26, 16, 30});
  solve(", list", coo, lower, plain, {2, 9, 18, 4, 18, 36});
  solve("\nupper, one right side:", csc, upper, plain, {13, 8, 15});
  solve(", transposed", csr, lower, turned, {13, 8, 15});

  // Two diagonal matrices of one pattern, and two vectors; then one matrix for both.
  cusparseSpMatDescr_t pair, single;
  cusparseDnMatDescr_t b, c;
  int *diagonal = upload<int>({0, 1, 2}), *places = upload<int>({0, 1, 0, 1});
  double *scales = upload<double>({1, 1, 2, 2}), *result = upload<double>({0, 0, 0, 0});
  cusparseCreateCsr(&pair, 2, 2, 2, diagonal, places, scales, narrow, narrow, zero, CUDA_R_64F);
  cusparseCreateCsr(&single, 2, 2, 2, diagonal, places, upload<double>({2, 1.5}), narrow, narrow, zero, CUDA_R_64F);
  cusparseCsrSetStridedBatch(pair, 2, 0, 2);
  cusparseCreateDnMat(&b, 2, 1, 2, upload<double>({1, 2, 3, 4}), CUDA_R_64F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&c, 2, 1, 2, result, CUDA_R_64F, CUSPARSE_ORDER_COL);
  cusparseDnMatSetStridedBatch(b, 2, 2);
  cusparseDnMatSetStridedBatch(c, 2, 2);
  cusparseSpMM(h, plain, plain, &one, pair, b, &none, c, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, 0);
  auto v = download(result, 4);
  printf("\nbatches %g %g / %g %g", v[0], v[1], v[2], v[3]);
  cusparseDnMatSetStridedBatch(b, 1, 0);
  cusparseSpMM(h, plain, plain, &one, single, b, &none, c, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, 0);
  v = download(result, 4);
  printf(", one for all %g %g / %g %g\n", v[0], v[1], v[2], v[3]);
  const int wrong = cusparseSpMM(h, plain, plain, &one, pair, b, &none, b, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, 0) == CUSPARSE_STATUS_INVALID_VALUE ? 3 : 0;

  // (1 1)(1 2 | 2 5) = 3 7 at two places, and twice that.
  cusparseDnMatDescr_t left, right;
  double *sampled = upload<double>({0, 0, 0, 0});
  cusparseSpMatDescr_t row;
  cusparseCreateCsr(&row, 1, 2, 2, upload<int>({0, 2}), places, sampled, narrow, narrow, zero, CUDA_R_64F);
  cusparseCsrSetStridedBatch(row, 2, 0, 2);
  cusparseCreateDnMat(&left, 1, 2, 2, upload<double>({1, 1, 2, 2}), CUDA_R_64F, CUSPARSE_ORDER_ROW);
  cusparseCreateDnMat(&right, 2, 2, 2, upload<double>({1, 2, 2, 5}), CUDA_R_64F, CUSPARSE_ORDER_ROW);
  cusparseDnMatSetStridedBatch(left, 2, 2);
  cusparseSDDMM(h, plain, plain, &one, left, right, &none, row, CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT, 0);
  v = download(sampled, 4);
  printf("sampled %g %g / %g %g\n", v[0], v[1], v[2], v[3]);

  int *r = upload<int>({2, 0, 1, 0}), *k = upload<int>({2, 3, 0, 1}), *p = upload<int>({0, 0, 0, 0});
  cusparseCreateIdentityPermutation(h, 4, p);
  cusparseXcoosortByRow(h, 3, 4, 4, r, k, p, 0);
  auto a = download(r, 4), d = download(k, 4), e = download(p, 4);
  printf("sorted rows %d %d %d %d, columns %d %d %d %d, places %d %d %d %d\n", a[0], a[1], a[2], a[3], d[0], d[1], d[2], d[3], e[0], e[1], e[2], e[3]);
  cusparseXcoosortByColumn(h, 3, 4, 4, r, k, nullptr, 0);
  a = download(r, 4), d = download(k, 4);
  printf("by columns %d %d %d %d of %d %d %d %d\n", d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3]);

  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  double inner = 0, *buffer = upload<double>({0});
  cusparseCreateSpVec(&x, 3, 2, upload<int>({0, 2}), upload<double>({2, 4}), narrow, zero, CUDA_R_64F);
  cusparseCreateDnVec(&y, 3, upload<double>({4, 5, 6}), CUDA_R_64F);
  cudaStreamCreate(&stream);
  cusparseSetStream(h, stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cusparseSpVV(h, plain, x, y, &inner, CUDA_R_64F, buffer);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  printf("captured %g\nwrong size %d\n", inner, wrong);
}
