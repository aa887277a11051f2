// cuSPARSE: compressed by rows to by columns, numbers of elements that are not zero, indices of rows and columns in order.
// levels: nightly
// stdout: columns 1 3 5 5 7, rows 2 3 1 2 2 3, values 10 21 2 30 5 8
// stdout: symbolic 1 3 5 5 7, rows 2 3 1 2 2 3
// stdout: halves 30 10 20
// stdout: by rows 2 0 1 of 3, by columns 1 2 of 3, complex 1 1 of 2
// stdout: sorted 0 2 1 3, places 1 0 3 2
// stdout: sorted columns 0 1 2 0, places 2 1 0 3
#include <cstdio>
#include <vector>
#include <cuda_fp16.h>
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
template <class T> void show(const char *name, const T *d, int n) {
  printf("%s", name);
  for (T value : download(d, n)) printf(" %g", (double)value);
}

int main() {
  cusparseHandle_t h;
  cusparseCreate(&h);
  // From 1: rows (. 2 . .) (10 30 . 5) (21 . . 8), the second one out of order.
  int *offsets = upload<int>({1, 2, 5, 7}), *columns = upload<int>({2, 4, 1, 2, 1, 4});
  double *values = upload<double>({2, 5, 10, 30, 21, 8}), *turned = upload<double>({0, 0, 0, 0, 0, 0});
  int *starts = upload<int>({9, 9, 9, 9, 9}), *rows = upload<int>({9, 9, 9, 9, 9, 9});
  size_t bytes = 0;
  const auto one = CUSPARSE_INDEX_BASE_ONE, zero = CUSPARSE_INDEX_BASE_ZERO;
  const auto usual = CUSPARSE_CSR2CSC_ALG1;
  cusparseCsr2cscEx2_bufferSize(h, 3, 4, 6, values, offsets, columns, turned, starts, rows, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, one, usual, &bytes);
  cusparseCsr2cscEx2(h, 3, 4, 6, values, offsets, columns, turned, starts, rows, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, one, usual, 0);
  show("columns", starts, 5);
  show(", rows", rows, 6);
  show(", values", turned, 6);
  cudaMemset(starts, 1, 20);
  cusparseCsr2cscEx2(h, 3, 4, 6, nullptr, offsets, columns, nullptr, starts, rows, CUDA_R_64F, CUSPARSE_ACTION_SYMBOLIC, one, usual, 0);
  show("\nsymbolic", starts, 5);
  show(", rows", rows, 6);
  __half *halves = upload<__half>({10, 20, 30}), *turnedHalves = upload<__half>({0, 0, 0});
  cusparseCsr2cscEx2(h, 2, 40, 3, halves, upload<int>({0, 2, 3}), upload<int>({38, 39, 0}), turnedHalves, upload(std::vector<int>(41)), rows,
                     CUDA_R_16F, CUSPARSE_ACTION_NUMERIC, zero, usual, 0);
  printf("\nhalves");
  for (__half value : download(turnedHalves, 3)) printf(" %g", (double)__half2float(value));

  // Rows (1 2) (. .) (. 3) in columns 4 apart.
  cusparseMatDescr_t general;
  cusparseCreateMatDescr(&general);
  float *dense = upload<float>({1, 0, 0, 7, 2, 0, 3, 7});
  int *counts = upload<int>({9, 9, 9}), total = 0, *onDevice = upload<int>({0});
  cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 3, 2, general, dense, 4, counts, &total);
  show("\nby rows", counts, 3);
  printf(" of %d", total);
  cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE);
  cusparseSnnz(h, CUSPARSE_DIRECTION_COLUMN, 3, 2, general, dense, 4, counts, onDevice);
  show(", by columns", counts, 2);
  show(" of", onDevice, 1);
  cusparseCnnz(h, CUSPARSE_DIRECTION_COLUMN, 2, 2, general, upload<cuComplex>({{0, 1}, {0, 0}, {0, 0}, {2, 0}}), 2, counts, onDevice);
  show(", complex", counts, 2);
  show(" of", onDevice, 1);

  int *start = upload<int>({0, 2, 4}), *index = upload<int>({2, 0, 3, 1}), *places = upload<int>({0, 1, 2, 3});
  cusparseXcsrsort_bufferSizeExt(h, 2, 4, 4, start, index, &bytes);
  cusparseXcsrsort(h, 2, 4, 4, general, start, index, places, 0);
  show("\nsorted", index, 4);
  show(", places", places, 4);
  int *ofColumns = upload<int>({0, 3, 4}), *rowIndex = upload<int>({2, 1, 0, 0});
  cusparseCreateIdentityPermutation(h, 4, places);
  cusparseXcscsort(h, 3, 2, 4, general, ofColumns, rowIndex, places, 0);
  show("\nsorted columns", rowIndex, 4);
  show(", places", places, 4);
  printf("\n");
}
