/* A block's factors of a matrix, Q R, as reflectors below R: what cuSOLVER and cuBLAS's least squares share. Matrices are stored by columns. */
#ifndef WARPLENS_CUBLAS_REFLECTOR_KERNELS_H
#define WARPLENS_CUBLAS_REFLECTOR_KERNELS_H

#include <warplens/cublas_numbers.h>

namespace warplens {
constexpr int solverThreads = 128;

/* The sum of the block's values, in every thread. */
template <class T> __device__ T blockSum(T value) {
  __shared__ T sums[solverThreads];
  __syncthreads();
  sums[threadIdx.x] = value;
  for (int half = solverThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  __syncthreads();
  return sums[0];
}
/* |x|^2 */
template <class T> __device__ T squared(T x) { return x * x; }
template <class R> __device__ R squared(Complex<R> x) { return x.x * x.x + x.y * x.y; }

/* Reflectors I - tau v v' (v' conjugated), whose conjugates take A to R (LAPACK's larfg). */
template <class T> __device__ void factorQr(int m, int n, T *a, int lda, T *tau) {
  typedef RealOf<T> R;
  for (int k = 0; k < (m < n ? m : n); k++) {
    T *column = a + k * lda;
    R sum = 0;
    for (int i = k + 1 + threadIdx.x; i < m; i += blockDim.x) sum += squared(column[i]);
    sum = blockSum(sum);
    T alpha = column[k], factor = 0;
    R beta = realPart(alpha);
    if (sum != 0 || alpha != T(beta)) {
      beta = sqrt(squared(alpha) + sum);
      if (realPart(alpha) > 0) beta = -beta;
      factor = (T(beta) - alpha) / T(beta);
      for (int i = k + 1 + threadIdx.x; i < m; i += blockDim.x) column[i] = column[i] / (alpha - T(beta));
    }
    __syncthreads();
    if (threadIdx.x == 0) column[k] = T(beta), tau[k] = factor;
    for (int j = k + 1 + threadIdx.x; j < n; j += blockDim.x) {
      T product = a[j * lda + k];
      for (int i = k + 1; i < m; i++) product += conjugate(column[i], true) * a[j * lda + i];
      product = conjugate(factor, true) * product;
      a[j * lda + k] -= product;
      for (int i = k + 1; i < m; i++) a[j * lda + i] -= column[i] * product;
    }
    __syncthreads();
  }
}
/* x = H(0) H(1) ... x (or the other way round, conjugated) along one line of a matrix, elements `step` apart; `fromRight`: x H(0) ... */
template <class T>
__device__ void reflect(bool fromRight, bool conjugates, bool firstLast, int size, int count, const T *a, int lda, const T *tau, T *x,
                        int step) {
  for (int at = 0; at < count; at++) {
    int k = firstLast ? count - 1 - at : at;
    T product = x[k * step];
    for (int i = k + 1; i < size; i++) product += conjugate(a[k * lda + i], !fromRight) * x[i * step];
    product = conjugate(tau[k], conjugates) * product;
    x[k * step] -= product;
    for (int i = k + 1; i < size; i++) x[i * step] -= conjugate(a[k * lda + i], fromRight) * product;
  }
}
} // namespace warplens

#endif
