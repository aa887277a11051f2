// cuSPARSE: sparse vectors with dense ones, products of sparse matrices, dense products at the places of a sparse matrix, conversions.
// levels: nightly
// stdout: gather 3 1, scatter 7 0 8 0, axpby 24 20 46 40, rot 62 38 / 41 20 84 40, inner 6766 6766
// stdout: spgemm 5: offsets 0 2 3 5, columns 0 2 1 0 2, values 22 4 24 8 16
// stdout: spgemm 5: offsets 1 3 4 6, columns 1 3 2 1 3, values 22 4 24 8 16
// stdout: sddmm 7 5 9 23 21, turned 7 5 9 23 21
// stdout: csr 4: 0 1 1 3 4 / 1 0 2 2 / 1 2 3 4, dense 0 1 0 0 0 0 2 0 3 0 0 4
// stdout: csc 4: 1 2 3 5 / 3 1 3 4 / 2 1 3 4, dense 0 1 0 0 0 0 2 0 3 0 0 4
// stdout: coo 4: 0 2 2 3 / 1 0 2 2 / 1 2 3 4, dense 0 1 0 0 0 0 2 0 3 0 0 4
// stdout: wide csr 4: 1 2 2 4 5 / 2 1 3 3 / 1 2 3 4, coo 4: 1 3 3 4 / 2 1 3 3 / 1 2 3 4
// stdout: wide spgemm 5: 0 2 3 5 / 0 2 1 0 2 / 22 4 24 8 16
// stdout: places 1 3 3 4, back 1 2 2 4 5
// stdout: refused 10 10, wrong size 3
// stderr: cuSPARSE: SpGEMM with a beta other than 0, or scalars on the device, is not supported
// stderr: cuSPARSE: products of sparse matrices that are transposed or not compressed by rows are not supported
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
  cusparseHandle_t h;
  cusparseCreate(&h);
  const auto narrow = CUSPARSE_INDEX_32I;
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE, turned = CUSPARSE_OPERATION_TRANSPOSE;
  float *values = upload<float>({0, 0}), *y = upload<float>({1, 2, 3, 4}), *z = upload<float>({0, 0, 0, 0}), kept[] = {8, 7};
  float nothing = 0, unit = 1, two = 2, ten = 10, inner[2] = {};
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t dense, other;
  cusparseCreateSpVec(&x, 4, 2, upload<int>({3, 1}), values, narrow, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  cusparseCreateDnVec(&dense, 4, y, CUDA_R_32F);
  cusparseCreateDnVec(&other, 4, z, CUDA_R_32F);
  cusparseGather(h, dense, x);
  show("gather", values, 2);
  cudaMemcpy(values, kept, 8, cudaMemcpyHostToDevice);
  cusparseScatter(h, x, other);
  show(", scatter", z, 4);
  cusparseAxpby(h, &two, x, &ten, dense);
  show(", axpby", y, 4);
  cusparseRot(h, &two, &unit, x, dense);
  show(", rot", values, 2);
  show(" /", y, 4);
  size_t bytes;
  cusparseSpVV_bufferSize(h, plain, x, dense, inner, CUDA_R_32F, &bytes);
  void *buffer = upload<double>(std::vector<double>(64));
  cusparseSpVV(h, plain, x, dense, inner, CUDA_R_32F, buffer);
  cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE);
  cusparseSpVV(h, plain, x, dense, z, CUDA_R_32F, nullptr);
  cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST);
  cudaMemcpy(inner + 1, z, 4, cudaMemcpyDeviceToHost);
  printf(", inner %g %g\n", inner[0], inner[1]);

  cusparseSpMatDescr_t a, b, c;
  cusparseCreateCsr(&a, 3, 3, 4, upload<int>({0, 2, 3, 4}), upload<int>({0, 2, 1, 0}), upload<float>({1, 2, 3, 4}), narrow, narrow,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateCsr(&b, 3, 3, 4, upload<int>({1, 3, 4, 5}), upload<int>({1, 3, 2, 1}), upload<float>({1, 2, 4, 5}), narrow, narrow,
                    CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  for (auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
    int64_t rows, columns, nonzeros;
    int *offsets = upload<int>({9, 9, 9, 9}), *indices;
    float *found;
    size_t second;
    cusparseSpGEMMDescr_t product;
    cusparseSpGEMM_createDescr(&product);
    cusparseCreateCsr(&c, 3, 3, 0, nullptr, nullptr, nullptr, narrow, narrow, base, CUDA_R_32F);
    const auto how = CUSPARSE_SPGEMM_DEFAULT;
    cusparseSpGEMM_workEstimation(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &bytes, nullptr);
    cusparseSpGEMM_workEstimation(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &bytes, buffer);
    cusparseSpGEMM_compute(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &second, nullptr);
    cusparseSpGEMM_compute(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &second, buffer);
    cusparseSpMatGetSize(c, &rows, &columns, &nonzeros);
    cudaMalloc(&indices, nonzeros * 4);
    cudaMalloc(&found, nonzeros * 4);
    cusparseCsrSetPointers(c, offsets, indices, found);
    cusparseSpGEMM_copy(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product);
    printf("spgemm %d:", (int)nonzeros);
    show(" offsets", offsets, 4);
    show(", columns", indices, 5);
    show(", values", found, 5);
    printf("\n");
    cusparseSpGEMM_destroyDescr(product);
  }

  cusparseDnMatDescr_t left, right;
  for (auto operation : {plain, turned}) {
    // 1 2 / 3 4 / 5 6 and 1 0 2 / 1 1 0, by columns or, transposed, by rows.
    const bool is = operation == turned;
    float *sums = upload<float>({1, 1, 1, 1, 1});
    cusparseSpMatSetValues(c, sums);
    if (is) {
      cusparseCreateDnMat(&left, 2, 3, 2, upload<float>({1, 2, 3, 4, 5, 6}), CUDA_R_32F, CUSPARSE_ORDER_COL);
      cusparseCreateDnMat(&right, 3, 2, 2, upload<float>({1, 1, 0, 1, 2, 0}), CUDA_R_32F, CUSPARSE_ORDER_ROW);
    } else {
      cusparseCreateDnMat(&left, 3, 2, 3, upload<float>({1, 3, 5, 2, 4, 6}), CUDA_R_32F, CUSPARSE_ORDER_COL);
      cusparseCreateDnMat(&right, 2, 3, 2, upload<float>({1, 1, 0, 1, 2, 0}), CUDA_R_32F, CUSPARSE_ORDER_COL);
    }
    cusparseSDDMM_bufferSize(h, operation, operation, &two, left, right, &unit, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
    cusparseSDDMM(h, operation, operation, &two, left, right, &unit, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer);
    show(is ? ", turned" : "sddmm", sums, 5);
  }
  printf("\n");

  cusparseDnMatDescr_t m, back;
  cusparseCreateDnMat(&m, 4, 3, 3, upload<double>({0, 1, 0, 0, 0, 0, 2, 0, 3, 0, 0, 4}), CUDA_R_64F, CUSPARSE_ORDER_ROW);
  for (int format = 0; format < 3; format++) {
    int *first = upload<int>(std::vector<int>(5)), *second = upload<int>(std::vector<int>(4));
    double *found = upload<double>(std::vector<double>(4, -1)), *spread = upload<double>(std::vector<double>(12, -1));
    cusparseSpMatDescr_t s;
    if (format == 0)
      cusparseCreateCsr(&s, 4, 3, 0, first, nullptr, nullptr, narrow, narrow, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    else if (format == 1)
      cusparseCreateCsc(&s, 4, 3, 4, first, second, found, narrow, narrow, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    else cusparseCreateCoo(&s, 4, 3, 4, first, second, found, narrow, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseDenseToSparse_bufferSize(h, m, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
    cusparseDenseToSparse_analysis(h, m, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    int64_t rows, columns, nonzeros;
    cusparseSpMatGetSize(s, &rows, &columns, &nonzeros);
    if (format == 0) cusparseCsrSetPointers(s, first, second, found);
    cusparseDenseToSparse_convert(h, m, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    const char *names[] = {"csr", "csc", "coo"};
    printf("%s %d:", names[format], (int)nonzeros);
    show("", first, format == 0 ? 5 : 4);
    show(" /", second, 4);
    show(" /", found, 4);
    cusparseCreateDnMat(&back, 4, 3, 3, spread, CUDA_R_64F, CUSPARSE_ORDER_ROW);
    cusparseSparseToDense(h, s, back, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr);
    show(", dense", spread, 12);
    printf("\n");
  }
  // Indices of 64 bits, over memory that is not zero.
  printf("wide");
  for (bool isList : {false, true}) {
    int64_t *first = upload(std::vector<int64_t>(5, -1)), *second = upload(std::vector<int64_t>(4, -1)), size[3];
    double *found = upload<double>({0, 0, 0, 0});
    const auto wide = CUSPARSE_INDEX_64I;
    cusparseSpMatDescr_t s;
    if (isList) cusparseCreateCoo(&s, 4, 3, 4, first, second, found, wide, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    else cusparseCreateCsr(&s, 4, 3, 4, first, second, found, wide, wide, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    cusparseDenseToSparse_analysis(h, m, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    cusparseSpMatGetSize(s, size, size + 1, size + 2);
    cusparseDenseToSparse_convert(h, m, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    printf(isList ? ", coo %d:" : " csr %d:", (int)size[2]);
    show("", first, isList ? 4 : 5);
    show(" /", second, 4);
    show(" /", found, 4);
  }
  {
    int64_t *first = upload(std::vector<int64_t>(4, -1)), *second = upload(std::vector<int64_t>(5, -1)), size[3];
    float *found = upload(std::vector<float>(5));
    const auto wide = CUSPARSE_INDEX_64I;
    const auto how = CUSPARSE_SPGEMM_DEFAULT;
    cusparseSpGEMMDescr_t product;
    cusparseSpGEMM_createDescr(&product);
    cusparseCreateCsr(&c, 3, 3, 0, first, nullptr, nullptr, wide, wide, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseSpGEMM_workEstimation(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &bytes, buffer);
    cusparseSpGEMM_compute(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product, &bytes, buffer);
    cusparseSpMatGetSize(c, size, size + 1, size + 2);
    cusparseCsrSetPointers(c, first, second, found);
    cusparseSpGEMM_copy(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, how, product);
    printf("\nwide spgemm %d:", (int)size[2]);
    show("", first, 4);
    show(" /", second, 5);
    show(" /", found, 5);
  }
  printf("\n");
  int *places = upload<int>({0, 0, 0, 0}), *offsets = upload<int>({0, 0, 0, 0, 0});
  cusparseXcsr2coo(h, upload<int>({1, 2, 2, 4, 5}), 4, 4, places, CUSPARSE_INDEX_BASE_ONE);
  cusparseXcoo2csr(h, places, 4, 4, offsets, CUSPARSE_INDEX_BASE_ONE);
  show("places", places, 4);
  show(", back", offsets, 5);
  cusparseSpGEMMDescr_t product;
  cusparseSpGEMM_createDescr(&product);
  int wrong[3];
  wrong[0] = cusparseSpGEMM_compute(h, plain, plain, &two, a, b, &two, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &bytes, buffer);
  wrong[1] = cusparseSpGEMM_compute(h, turned, plain, &two, a, b, &nothing, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &bytes, buffer);
  cusparseCreateCsr(&c, 3, 2, 0, nullptr, nullptr, nullptr, narrow, narrow, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  wrong[2] = cusparseSpGEMM_compute(h, plain, plain, &two, a, b, &nothing, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &bytes, buffer);
  printf("\nrefused %d %d, wrong size %d\n", wrong[0], wrong[1], wrong[2]);
}
