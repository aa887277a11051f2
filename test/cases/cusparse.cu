// cuSPARSE: products of a sparse matrix in each format, transposed too, with vectors and dense matrices; triangular systems; the
// first interface; what is refused. The kernels are ours and are named so.
// levels: nightly
// stdout: csr 7 6 43 -1, transposed 13 11 12 27
// stdout: csc 7 6 43 -1, transposed 13 11 12 27
// stdout: coo 7 6 43 -1, transposed 13 11 12 27
// stdout: wide 7 6 43 -1, transposed 13 11 12 27
// stdout: half 7 6 43 -1, transposed 13 11 12 27
// stdout: matrix by columns 7 6 43 -1 14 12 86 -2, by rows 7 14 6 12 43 86 -1 -2
// stdout: lower 1 2 3, upper 1 2 3
// stdout: csrmv 7 6 43 -1, on the device 14 12 86 -1
// stdout: wrong size 3, short indices 10 CUSPARSE_STATUS_NOT_SUPPORTED, mixed types 10
// stderr: cuSPARSE: indices of 16 bits are not supported
// stderr: cuSPARSE: other types than float and double, and mixed ones, are not supported
#include <cstdio>
#include <vector>
#include <cusparse.h>
template <class T> T *upload(std::vector<T> v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> void show(const char *name, const T *d, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (T x : v) printf(" %g", (double)x);
}
int main() {
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  const auto zero = CUSPARSE_INDEX_BASE_ZERO, one = CUSPARSE_INDEX_BASE_ONE;
  const auto narrow = CUSPARSE_INDEX_32I;
  // 1 0 2 0 / 0 3 0 0 / 4 5 3 5 / 0 0 0 0
  float *values = upload<float>({1, 2, 3, 4, 5, 3, 5}), *byColumns = upload<float>({1, 4, 3, 5, 2, 3, 5});
  cusparseSpMatDescr_t a[5];
  const auto wide = CUSPARSE_INDEX_64I;
  cusparseCreateCsr(&a[0], 4, 4, 7, upload<int>({0, 2, 3, 7, 7}), upload<int>({0, 2, 1, 0, 1, 2, 3}), values, narrow, narrow, zero, CUDA_R_32F);
  cusparseCreateCsc(&a[1], 4, 4, 7, upload<int>({1, 3, 5, 7, 8}), upload<int>({1, 3, 2, 3, 1, 3, 3}), byColumns, narrow, narrow, one, CUDA_R_32F);
  cusparseCreateCoo(&a[2], 4, 4, 7, upload<int>({0, 0, 1, 2, 2, 2, 2}), upload<int>({0, 2, 1, 0, 1, 2, 3}), values, narrow, zero, CUDA_R_32F);
  int64_t *wideColumns = upload<int64_t>({1, 3, 2, 1, 2, 3, 4}), *wideOffsets = upload<int64_t>({0, 2, 3, 7, 7});
  cusparseCreateCoo(&a[3], 4, 4, 7, upload<int64_t>({1, 1, 2, 3, 3, 3, 3}), wideColumns, values, wide, one, CUDA_R_32F);
  cusparseCreateCsr(&a[4], 4, 4, 7, wideOffsets, upload<int>({0, 2, 1, 0, 1, 2, 3}), values, wide, narrow, zero, CUDA_R_32F);
  float *x = upload<float>({1, 2, 3, 4}), alpha = 1, beta = -1;
  const char *names[] = {"csr", "csc", "coo", "wide", "half"};
  for (int format = 0; format < 5; format++) {
    for (auto operation : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
      const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
      float *y = upload<float>(plain ? std::vector<float>{0, 0, 0, 1} : std::vector<float>{0, 10, -1, -12});
      cusparseDnVecDescr_t vx, vy;
      cusparseCreateDnVec(&vx, 4, x, CUDA_R_32F);
      cusparseCreateDnVec(&vy, 4, y, CUDA_R_32F);
      size_t bytes;
      cusparseSpMV_bufferSize(handle, operation, &alpha, a[format], vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
      cusparseSpMV(handle, operation, &alpha, a[format], vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
      show(plain ? names[format] : ", transposed", y, 4);
      cusparseDestroyDnVec(vx);
      cusparseDestroyDnVec(vy);
    }
    printf("\n");
  }

  // Two columns, the second twice the first, in both orders.
  for (auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
    const bool isByColumns = order == CUSPARSE_ORDER_COL;
    std::vector<float> both = isByColumns ? std::vector<float>{1, 2, 3, 4, 2, 4, 6, 8} : std::vector<float>{1, 2, 2, 4, 3, 6, 4, 8};
    float *result = upload<float>(isByColumns ? std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2} : std::vector<float>{0, 0, 0, 0, 0, 0, 1, 2});
    cusparseDnMatDescr_t b, c;
    cusparseCreateDnMat(&b, 4, 2, isByColumns ? 4 : 2, upload(both), CUDA_R_32F, order);
    cusparseCreateDnMat(&c, 4, 2, isByColumns ? 4 : 2, result, CUDA_R_32F, order);
    cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a[0], b, &beta, c, CUDA_R_32F,
                 CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
    show(isByColumns ? "matrix by columns" : ", by rows", result, 8);
  }

  // 2 9 9 / 1 4 9 / 3 2 5: the lower triangle with its diagonal, the upper one with ones there.
  cusparseSpMatDescr_t t;
  cusparseCreateCsr(&t, 3, 3, 9, upload<int>({0, 3, 6, 9}), upload<int>({0, 1, 2, 0, 1, 2, 0, 1, 2}),
                    upload<double>({2, 9, 9, 1, 4, 9, 3, 2, 5}), narrow, narrow, zero, CUDA_R_64F);
  cusparseSpSVDescr_t solver;
  cusparseSpSV_createDescr(&solver);
  cusparseFillMode_t upper = CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t unit = CUSPARSE_DIAG_TYPE_UNIT;
  printf("\n");
  for (int form = 0; form < 2; form++) {
    if (form == 1) {
      cusparseSpMatSetAttribute(t, CUSPARSE_SPMAT_FILL_MODE, &upper, sizeof upper);
      cusparseSpMatSetAttribute(t, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit);
    }
    double *solution = upload<double>({0, 0, 0}), two = 2;
    cusparseDnVecDescr_t right, left;
    cusparseCreateDnVec(&right, 3, upload(form == 0 ? std::vector<double>{1, 4.5, 11} : std::vector<double>{23, 14.5, 1.5}), CUDA_R_64F);
    cusparseCreateDnVec(&left, 3, solution, CUDA_R_64F);
    cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, t, right, left, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver, nullptr);
    cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, t, right, left, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver);
    show(form == 0 ? "lower" : ", upper", solution, 3);
  }

  cusparseMatDescr_t general;
  cusparseCreateMatDescr(&general);
  cusparseSetMatType(general, CUSPARSE_MATRIX_TYPE_GENERAL);
  cusparseSetMatIndexBase(general, one);
  int *offsets = upload<int>({1, 3, 4, 8, 8}), *columns = upload<int>({1, 3, 2, 1, 2, 3, 4});
  float *y = upload<float>({0, 0, 0, 1}), *scalars = upload<float>({1, 1});
  cusparseScsrmv(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, 4, 4, 7, &alpha, general, values, offsets, columns, x, &beta, y);
  show("\ncsrmv", y, 4);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
  cudaMemcpy(y + 3, &beta, 4, cudaMemcpyHostToDevice);
  cusparseScsrmv(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, 4, 4, 7, scalars, general, values, offsets, columns, x, scalars + 1, y);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
  show(", on the device", y, 4);

  cusparseDnVecDescr_t small, whole;
  cusparseCreateDnVec(&small, 3, x, CUDA_R_32F);
  cusparseCreateDnVec(&whole, 4, y, CUDA_R_32F);
  printf("\nwrong size %d", cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a[0], small, &beta, whole, CUDA_R_32F,
                                       CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  cusparseSpMatDescr_t few;
  cusparseCreateCsr(&few, 4, 4, 7, offsets, columns, values, narrow, CUSPARSE_INDEX_16U, one, CUDA_R_32F);
  cusparseStatus_t status = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, few, whole, &beta, whole, CUDA_R_32F,
                                         CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  printf(", short indices %d %s", status, cusparseGetErrorName(status));
  cusparseDnVecDescr_t mixed;
  cusparseCreateDnVec(&mixed, 4, y, CUDA_R_64F);
  printf(", mixed types %d\n", cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a[0], whole, &beta, mixed, CUDA_R_32F,
                                          CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  cusparseDestroySpMat(few);
  cusparseDestroy(handle);
  return 0;
}
