/* The kernels behind cublas_v2.h. Matrices are stored by columns. Each thread of a reduction adds in the same order whatever the
   machine, so results repeat. `trans` is 1 for a transposed operand, 2 for one that is
   conjugated too (a CUBLAS_OP_...). */
#ifndef WARPLENS_CUBLAS_KERNELS_H
#define WARPLENS_CUBLAS_KERNELS_H

#include <warplens/cublas_numbers.h>

namespace warplens {
constexpr int reduceThreads = 256;
constexpr int tile = 16;

template <class T> __global__ void axpy(int n, T a, const T *aOnDevice, const T *x, int incx, T *y, int incy) {
  if (aOnDevice) a = *aOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i * incy] += a * x[i * incx];
}
template <class T> __global__ void scal(int n, T a, const T *aOnDevice, T *x, int incx) {
  if (aOnDevice) a = *aOnDevice;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i * incx] *= a;
}
template <class T> __global__ void copy(int n, const T *x, int incx, T *y, int incy) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i * incy] = x[i * incx];
}
template <class T> __global__ void swap(int n, T *x, int incx, T *y, int incy) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    T kept = x[i * incx];
    x[i * incx] = y[i * incy];
    y[i * incy] = kept;
  }
}
/* Sums x*y, |x| or x*x over one block: mode 0 dot, 1 asum, 2 nrm2, 3 dot with the conjugates of x. */
template <class T, class Out = T>
__global__ void reduce(int mode, int n, const T *x, int incx, const T *y, int incy, Out *result) {
  __shared__ T sums[reduceThreads];
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += reduceThreads) {
    T value = x[i * incx];
    sum += mode == 0   ? value * y[i * incy]
           : mode == 1 ? T(magnitude(value))
           : mode == 2 ? value * conjugate(value, true)
                       : conjugate(value, true) * y[i * incy];
  }
  sums[threadIdx.x] = sum;
  for (int half = reduceThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) keep(result, mode == 2 ? root(sums[0]) : sums[0]);
}
/* The 1-based index of the first largest (sign 1) or smallest (-1) absolute value; 0 for none. */
template <class T> __global__ void extreme(int sign, int n, const T *x, int incx, int *result) {
  typedef RealOf<T> R;
  __shared__ R values[reduceThreads];
  __shared__ int places[reduceThreads];
  R best = 0;
  int place = -1;
  for (int i = threadIdx.x; i < n; i += reduceThreads) {
    R value = magnitude(x[i * incx]) * sign;
    if (place < 0 || value > best) best = value, place = i;
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  for (int half = reduceThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      R other = values[threadIdx.x + half];
      int there = places[threadIdx.x + half], here = places[threadIdx.x];
      bool better = there >= 0 && (here < 0 || other > values[threadIdx.x] || (other == values[threadIdx.x] && there < here));
      if (better) values[threadIdx.x] = other, places[threadIdx.x] = there;
    }
  }
  if (threadIdx.x == 0) *result = places[0] + 1;
}
template <class T>
__global__ void gemv(int trans, int m, int n, T alpha, const T *alphaOnDevice, const T *a, int lda, const T *x, int incx,
                     T beta, const T *betaOnDevice, T *y, int incy) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (trans ? n : m)) return;
  /* By parts of 32, so that rounding errors stay as small as those of a sum that many threads make. */
  T sum = 0;
  for (int start = 0, length = trans ? m : n; start < length; start += 32) {
    T part = 0;
    for (int k = start; k < length && k < start + 32; k++)
      part += (trans ? conjugate(a[i * lda + k], trans == 2) : a[k * lda + i]) * x[k * incx];
    sum += part;
  }
  y[i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * incy];
}
template <class T> __global__ void ger(int m, int n, T alpha, const T *alphaOnDevice, const T *x, int incx, const T *y, int incy, T *a, int lda,
                                        bool conjugates = false) {
  if (alphaOnDevice) alpha = *alphaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < m) a[j * lda + i] += alpha * x[i * incx] * conjugate(y[j * incy], conjugates);
}
/* C = alpha op(A) op(B) + beta C by square tiles; the strides lead from one matrix of a batch to the next. `lists` where a, b, c
   are arrays of pointers. A and B have elements of type In, C of type Out; T is computed in. */
template <class T, class In = T, class Out = T, class Scale = T>
__global__ void gemm(int transA, int transB, int m, int n, int k, T alpha, const Scale *alphaOnDevice, const void *as, int lda,
                     long long strideA, const void *bs, int ldb, long long strideB, T beta, const Scale *betaOnDevice, void *cs,
                     int ldc, long long strideC, bool lists) {
  __shared__ T tileA[tile][tile + 1], tileB[tile][tile + 1];
  if (alphaOnDevice) alpha = (T)*alphaOnDevice, beta = (T)*betaOnDevice;
  const In *a = lists ? ((const In *const *)as)[blockIdx.z] : (const In *)as + blockIdx.z * strideA;
  const In *b = lists ? ((const In *const *)bs)[blockIdx.z] : (const In *)bs + blockIdx.z * strideB;
  Out *c = lists ? ((Out *const *)cs)[blockIdx.z] : (Out *)cs + blockIdx.z * strideC;
  int row = blockIdx.x * tile + threadIdx.x, column = blockIdx.y * tile + threadIdx.y;
  T sum = 0;
  for (int start = 0; start < k; start += tile) {
    int alongA = start + threadIdx.y, alongB = start + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] = row < m && alongA < k ? (T)(transA ? conjugate(a[row * lda + alongA], transA == 2) : a[alongA * lda + row]) : T(0);
    tileB[threadIdx.y][threadIdx.x] = column < n && alongB < k ? (T)(transB ? conjugate(b[alongB * ldb + column], transB == 2) : b[column * ldb + alongB]) : T(0);
    __syncthreads();
    for (int i = 0; i < tile; i++) sum += tileA[i][threadIdx.x] * tileB[threadIdx.y][i];
    __syncthreads();
  }
  if (row < m && column < n)
    c[column * ldc + row] = (Out)(beta == 0 ? alpha * sum : alpha * sum + beta * (T)c[column * ldc + row]);
}
/* C = alpha A + beta B, each transposed or not. */
template <class T>
__global__ void geam(int transA, int transB, int m, int n, T alpha, const T *alphaOnDevice, const T *a, int lda, T beta,
                     const T *betaOnDevice, const T *b, int ldb, T *c, int ldc) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= m) return;
  T value = alpha == 0 ? T(0) : alpha * (transA ? conjugate(a[i * lda + j], transA == 2) : a[j * lda + i]);
  if (beta != 0) value += beta * (transB ? conjugate(b[i * ldb + j], transB == 2) : b[j * ldb + i]);
  c[j * ldc + i] = value;
}
} // namespace warplens

#endif
