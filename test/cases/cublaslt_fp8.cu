// cuBLASLt's products of floats of 8 bits: scales, the largest value, bias and types of C and D, and what there is not.
// levels: nightly
// stdout: to E4M3 0, largest 1; to bfloat16 0; with E5M2 and bias to float 0; relu to half 0
// stdout: refused: 15 15 15 0
// stdout: scales of matrices 0, of blocks 15
// stderr: warning: cublasLt: scales by blocks or rows, cublasLtMatmulMatrixScale_t (2) is not supported
// stderr: warning: cublasLt: a pointer to a scale or largest value where A has not floats of 8 bits, cudaDataType of A (2)
#include <cublasLt.h>
#include <cuda_fp8.h>
#include <cmath>
#include <cstdio>

constexpr int m = 32, n = 16, k = 48;
cublasLtHandle_t handle;

template <class T> T *managed(int count) {
  T *p;
  cudaMallocManaged(&p, count * sizeof(T));
  return p;
}
float *scale(float value) {
  float *p = managed<float>(1);
  *p = value;
  return p;
}

struct Product {
  cudaDataType a = CUDA_R_8F_E4M3, b = CUDA_R_8F_E4M3, c = CUDA_R_16BF, d = CUDA_R_16BF;
  cublasOperation_t ta = CUBLAS_OP_T;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void *bias = nullptr;
  float *scaleA = nullptr, *scaleB = nullptr, *scaleD = nullptr, *largest = nullptr;
};
cublasStatus_t multiply(const Product &p, float alpha, float beta, const void *a, const void *b, const void *c, void *d) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t la, lb, lc, ld;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t result;
  int found = 0;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &p.ta, sizeof p.ta);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &p.epilogue, sizeof p.epilogue);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &p.bias, sizeof p.bias);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &p.scaleA, sizeof p.scaleA);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &p.scaleB, sizeof p.scaleB);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, &p.scaleD, sizeof p.scaleD);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, &p.largest, sizeof p.largest);
  bool isTransposed = p.ta != CUBLAS_OP_N;
  cublasLtMatrixLayoutCreate(&la, p.a, isTransposed ? k : m, isTransposed ? m : k, isTransposed ? k : m);
  cublasLtMatrixLayoutCreate(&lb, p.b, k, n, k);
  cublasLtMatrixLayoutCreate(&lc, p.c, m, n, m);
  cublasLtMatrixLayoutCreate(&ld, p.d, m, n, m);
  cublasLtMatmulPreferenceCreate(&preference);
  auto status = cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, ld, preference, 1, &result, &found);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmul(handle, desc, &alpha, a, la, b, lb, &beta, c, lc, d, ld, &result.algo, nullptr, 0, 0);
  cudaDeviceSynchronize();
  return status;
}

float valueA(int i) { return (i * 7 % 13 - 6) * 0.25f; }
float valueB(int i) { return (i * 5 % 9 - 4) * 0.5f; }
float relu(float x) { return x > 0 ? x : 0; }
float same(float x) { return x; }

/* How many elements are not D's; the largest value goes to `most`. C is ones, the bias is twos. */
template <class A, class B, class C, class D>
int wrong(const Product &p, float scaling, float scaleD, float (*epilogue)(float), float *most = nullptr) {
  A *a = managed<A>(m * k);
  B *b = managed<B>(k * n);
  C *c = managed<C>(m * n);
  D *d = managed<D>(m * n);
  for (int i = 0; i < m * k; i++) a[i] = (A)valueA(i);
  for (int i = 0; i < k * n; i++) b[i] = (B)valueB(i);
  for (int i = 0; i < m * n; i++) c[i] = (C)1.0f;
  if (multiply(p, 0.5f, 3, a, b, c, d) != CUBLAS_STATUS_SUCCESS) return -1;
  int bad = 0;
  float largest = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++) sum += valueA(i * k + l) * valueB(j * k + l);
      float wanted = epilogue(0.5f * scaling * sum + 3 + (p.bias ? 2 : 0));
      largest = std::fmax(largest, std::fabs(wanted));
      bad += (float)d[j * m + i] != (float)(D)(wanted * scaleD);
    }
  if (most) *most = largest;
  return bad;
}

int main() {
  cublasLtCreate(&handle);
  Product narrow, plain, biased, half;
  narrow.d = CUDA_R_8F_E4M3;
  narrow.scaleA = scale(2), narrow.scaleB = scale(0.25f), narrow.scaleD = scale(4), narrow.largest = scale(1000);
  float most;
  int bad = wrong<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_fp8_e4m3>(narrow, 0.5f, 4, same, &most);
  printf("to E4M3 %d, largest %d; ", bad, *narrow.largest == most);
  printf("to bfloat16 %d; ", wrong<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_bfloat16>(plain, 1, 1, same));
  biased.b = CUDA_R_8F_E5M2, biased.c = biased.d = CUDA_R_32F, biased.epilogue = CUBLASLT_EPILOGUE_BIAS;
  __nv_bfloat16 *bias = managed<__nv_bfloat16>(m);
  for (int i = 0; i < m; i++) bias[i] = 2.0f;
  biased.bias = bias;
  printf("with E5M2 and bias to float %d; ", wrong<__nv_fp8_e4m3, __nv_fp8_e5m2, float, float>(biased, 1, 1, same));
  half.c = half.d = CUDA_R_16F, half.epilogue = CUBLASLT_EPILOGUE_RELU;
  printf("relu to half %d\n", wrong<__nv_fp8_e4m3, __nv_fp8_e4m3, __half, __half>(half, 1, 1, relu));

  Product both, upright, wide;
  void *any = managed<float>(m * k);
  both.a = both.b = CUDA_R_8F_E5M2;
  upright.ta = CUBLAS_OP_N;
  wide.a = wide.b = wide.c = wide.d = CUDA_R_16F, wide.scaleA = narrow.scaleA;
  printf("refused: %d %d %d", multiply(both, 1, 0, any, any, any, any), multiply(upright, 1, 0, any, any, any, any),
         multiply(wide, 1, 0, any, any, any, any));
  wide.scaleA = nullptr;
  printf(" %d\n", multiply(wide, 1, 0, any, any, any, any));
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulMatrixScale_t one = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, many = CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
  cublasLtMatmulTile_t tile = CUBLASLT_MATMUL_TILE_128x128;
  if (tile != 20 || CUBLASLT_REDUCTION_SCHEME_MASK != 7) return 1;
  printf("scales of matrices %d, of blocks %d\n",
         cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &one, sizeof one),
         cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &many, sizeof many));
}
