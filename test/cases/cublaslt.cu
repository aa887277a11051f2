// cuBLASLt's product: types, orders, transposes, batches, epilogues, and what it refuses.
// levels: nightly
// stdout: float 0, transposed 0, rows 0, bias 0, relu 0, gelu 0, aux 0, dgelu 0, half 0, bfloat16 0, bytes 0, batch 0, found 1
// stdout: bytes to floats 0
// stdout: refused 15 15 15 7
// stderr: warning: cublasLt: this cublasLtEpilogue_t (512) is not supported: the call returns CUBLAS_STATUS_NOT_SUPPORTED
#include <cublasLt.h>
#include <cmath>
#include <cstdio>

constexpr int m = 20, n = 18, k = 21;
float valueA(int i) { return i % 7 - 3; }
float valueB(int i) { return i % 5 - 2; }
float one(int) { return 1; }
float biasOf(int i) { return i % 3 - 1; }

template <class T> T *filled(float (*value)(int), int count) {
  T *p;
  cudaMallocManaged(&p, count * sizeof(T));
  for (int i = 0; i < count; i++) p[i] = (T)value(i);
  return p;
}
float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))); }
float same(float x) { return x; }
float relu(float x) { return x > 0 ? x : 0; }

/* How a matrix of rows x columns lies. */
struct Shape {
  int rows, columns;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  int at(int i, int j) const { return order == CUBLASLT_ORDER_COL ? j * rows + i : i * columns + j; }
};
struct Product {
  Shape a{m, k}, b{k, n}, d{m, n};
  cublasOperation_t ta = CUBLAS_OP_N, tb = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  int count = 1;
  void *bias = nullptr, *aux = nullptr;
};
cublasLtHandle_t handle;
int found;

cublasLtMatrixLayout_t layout(Shape s, cudaDataType type, int count) {
  cublasLtMatrixLayout_t l;
  cublasLtMatrixLayoutCreate(&l, type, s.rows, s.columns, s.order == CUBLASLT_ORDER_COL ? s.rows : s.columns);
  cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &s.order, sizeof s.order);
  int64_t offset = s.rows * s.columns;
  cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
  cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset, sizeof offset);
  return l;
}
cublasStatus_t multiply(const Product &p, cublasComputeType_t compute, cudaDataType scale, cudaDataType in, cudaDataType out,
                        const void *alpha, const void *beta, const void *a, const void *b, void *d) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, compute, scale);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &p.ta, sizeof p.ta);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &p.tb, sizeof p.tb);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &p.epilogue, sizeof p.epilogue);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &p.bias, sizeof p.bias);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &p.aux, sizeof p.aux);
  int64_t ld = m;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld);
  auto la = layout(p.a, in, p.count), lb = layout(p.b, in, p.count), ld_ = layout(p.d, out, p.count);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t result;
  auto status = cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, ld_, ld_, preference, 1, &result, &found);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmul(handle, desc, alpha, a, la, b, lb, beta, d, ld_, d, ld_, &result.algo, nullptr, 0, 0);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatmulDescDestroy(desc);
  for (auto l : {la, lb, ld_}) cublasLtMatrixLayoutDestroy(l);
  cudaDeviceSynchronize();
  return status;
}
/* How many elements of D (ones before) are not epilogue(2 op(A) op(B) + C + bias); within `error` of it. */
template <class In, class Out, class Scale>
int wrong(const Product &p, cublasComputeType_t compute, cudaDataType scaleType, cudaDataType in, cudaDataType out,
          float (*epilogue)(float) = same, float error = 0) {
  In *a = filled<In>(valueA, p.count * m * k), *b = filled<In>(valueB, p.count * k * n);
  Out *d = filled<Out>(one, p.count * m * n);
  Scale alpha = (Scale)2, beta = (Scale)1;
  if (multiply(p, compute, scaleType, in, out, &alpha, &beta, a, b, d) != CUBLAS_STATUS_SUCCESS) return -1;
  int bad = 0;
  for (int z = 0; z < p.count; z++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int l = 0; l < k; l++)
          sum += valueA(z * m * k + (p.ta ? p.a.at(l, i) : p.a.at(i, l))) * valueB(z * k * n + (p.tb ? p.b.at(j, l) : p.b.at(l, j)));
        float wanted = epilogue(2 * sum + 1 + (p.bias ? biasOf(i) : 0)), got = (float)d[z * m * n + p.d.at(i, j)];
        bad += !(std::fabs(got - (float)(Out)wanted) <= error);
      }
  return bad;
}
int wrongFloat(const Product &p, float (*epilogue)(float) = same, float error = 0) {
  return wrong<float, float, float>(p, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, epilogue, error);
}

int main() {
  cublasLtCreate(&handle);
  Product plain, transposed, rows, batch, biased, aux, gradient;
  transposed.a = {k, m}, transposed.b = {n, k}, transposed.ta = transposed.tb = CUBLAS_OP_T;
  rows.a.order = rows.b.order = rows.d.order = CUBLASLT_ORDER_ROW;
  batch.count = 3;
  biased.bias = filled<float>(biasOf, m);
  printf("float %d, transposed %d, rows %d, ", wrongFloat(plain), wrongFloat(transposed), wrongFloat(rows));
  biased.epilogue = CUBLASLT_EPILOGUE_BIAS;
  printf("bias %d, ", wrongFloat(biased));
  biased.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  printf("relu %d, ", wrongFloat(biased, relu));
  biased.epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
  printf("gelu %d, ", wrongFloat(biased, gelu, 1e-4f));

  float *before = filled<float>(one, m * n);
  aux.epilogue = CUBLASLT_EPILOGUE_GELU_AUX, aux.aux = before;
  int bad = wrongFloat(aux, gelu, 1e-4f);
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int l = 0; l < k; l++) sum += valueA(l * m + i) * valueB(l);
    bad += before[i] != 2 * sum + 1;
  }
  printf("aux %d, ", bad);
  for (int i = 0; i < m * n; i++) before[i] = 0.7f;
  gradient.epilogue = CUBLASLT_EPILOGUE_DGELU, gradient.aux = before;
  printf("dgelu %d, ", wrongFloat(gradient, [](float x) { return x * (gelu(0.701f) - gelu(0.699f)) / 0.002f; }, 0.05f));

  printf("half %d, ", wrong<__half, __half, __half>(plain, CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F));
  printf("bfloat16 %d, ", wrong<__nv_bfloat16, __nv_bfloat16, float>(plain, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF));
  printf("bytes %d, ", wrong<signed char, int, int>(plain, CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I));
  printf("batch %d, found %d\n", wrongFloat(batch), found);
  printf("bytes to floats %d\n", wrong<signed char, float, float>(plain, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F));

  float alpha = 1, beta = 0;
  Product blocked, summed, odd;
  blocked.a.order = CUBLASLT_ORDER_COL32;
  summed.epilogue = CUBLASLT_EPILOGUE_BGRADB;
  odd.b.rows = k - 1;
  auto refused = [&](const Product &p, cudaDataType in) {
    return multiply(p, CUBLAS_COMPUTE_32F, CUDA_R_32F, in, CUDA_R_32F, &alpha, &beta, before, before, before);
  };
  printf("refused %d %d %d %d\n", refused(blocked, CUDA_R_32F), refused(summed, CUDA_R_32F), refused(plain, CUDA_R_8U),
         refused(odd, CUDA_R_32F));
  cublasLtDestroy(handle);
}
