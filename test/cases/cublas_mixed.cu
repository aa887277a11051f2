// cuBLAS's products of half, bfloat16 and 8-bit integers.
// levels: nightly
// stdout: half 0 0, to float 0, bfloat16 0, bytes 0, two 0 0, not together 15, of 8 bits 15
#include <cublas_api.h>
#include <cstdio>
#include <vector>

constexpr int n = 24;
float valueA(int i) { return i % 7 - 3; }
float valueB(int i) { return i % 5 - 2; }

template <class T> T *filled(float (*value)(int), int count) {
  T *p;
  cudaMallocManaged(&p, count * sizeof(T));
  for (int i = 0; i < count; i++) p[i] = (T)value(i);
  return p;
}
/* How many elements of alpha A B + beta C, with C of ones before, are not what they should be; the numbers are exact. */
template <class T> int wrong(const T *c, float alpha, float beta, int first = 0) {
  int found = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += valueA(first + k * n + i) * valueB(first + j * n + k);
      found += (float)c[first + j * n + i] != (float)(T)(alpha * sum + beta);
    }
  return found;
}
float one(int) { return 1; }

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const cublasOperation_t N = CUBLAS_OP_N;
  __half half2 = 2, half1 = 1;
  float two = 2, single = 1;
  int whole2 = 2, whole1 = 1;
  auto a = filled<__half>(valueA, 2 * n * n), b = filled<__half>(valueB, 2 * n * n);
  auto c = filled<__half>(one, 2 * n * n), d = filled<__half>(one, 2 * n * n);
  auto e = filled<float>(one, n * n);
  cublasHgemm(h, N, N, n, n, n, &half2, a, n, b, n, &half1, c, n);
  cublasGemmEx(h, N, N, n, n, n, &two, a, CUDA_R_16F, n, b, CUDA_R_16F, n, &single, d, CUDA_R_16F, n, CUBLAS_COMPUTE_32F,
               CUBLAS_GEMM_DEFAULT);
  cublasGemmEx(h, N, N, n, n, n, &two, a, CUDA_R_16F, n, b, CUDA_R_16F, n, &single, e, CUDA_R_32F, n, CUDA_R_32F,
               CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  auto a2 = filled<__nv_bfloat16>(valueA, n * n), b2 = filled<__nv_bfloat16>(valueB, n * n), c2 = filled<__nv_bfloat16>(one, n * n);
  cublasGemmEx(h, N, N, n, n, n, &two, a2, CUDA_R_16BF, n, b2, CUDA_R_16BF, n, &single, c2, CUDA_R_16BF, n, CUBLAS_COMPUTE_32F,
               CUBLAS_GEMM_ALGO23);
  auto a3 = filled<signed char>(valueA, n * n), b3 = filled<signed char>(valueB, n * n);
  auto c3 = filled<int>(one, n * n);
  cublasGemmEx(h, N, N, n, n, n, &whole2, a3, CUDA_R_8I, n, b3, CUDA_R_8I, n, &whole1, c3, CUDA_R_32I, n, CUBLAS_COMPUTE_32I,
               CUBLAS_GEMM_ALGO7_TENSOR_OP);
  cudaDeviceSynchronize();
  printf("half %d %d, to float %d, bfloat16 %d, bytes %d, ", wrong(c, 2, 1), wrong(d, 2, 1), wrong(e, 2, 1), wrong(c2, 2, 1),
         wrong(c3, 2, 1));
  auto f = filled<__half>(one, 2 * n * n);
  cublasHgemmStridedBatched(h, N, N, n, n, n, &half1, a, n, n * n, b, n, n * n, &half1, f, n, n * n, 2);
  cudaDeviceSynchronize();
  int status = cublasGemmEx(h, N, N, n, n, n, &two, a, CUDA_R_16F, n, b, CUDA_R_16BF, n, &single, d, CUDA_R_16F, n,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  int narrow = cublasGemmEx(h, N, N, n, n, n, &two, a, CUDA_R_8F_E4M3, n, b, CUDA_R_8F_E4M3, n, &single, d, CUDA_R_16F, n,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  printf("two %d %d, not together %d, of 8 bits %d\n", wrong(f, 1, 1), wrong(f, 1, 1, n * n), status, narrow);
}
