/* The kernels of cuBLAS for triangular, symmetric and Hermitian matrices, and for lists of small matrices. Matrices are stored by
   columns; of triangles and symmetric matrices only one half is read. Operations are numbered as CUBLAS_OP_... are. */
#ifndef WARPLENS_CUBLAS_STRUCTURED_KERNELS_H
#define WARPLENS_CUBLAS_STRUCTURED_KERNELS_H

#include <warplens/cublas_numbers.h>

namespace warplens {

/* op(A)(i, j). */
template <class T> __device__ T element(const T *a, int lda, int operation, int i, int j) {
  return operation == 0 ? a[j * lda + i] : conjugate(a[i * lda + j], operation == 2);
}
/* A(i, j) of a symmetric (or Hermitian) matrix of which one triangle is stored. */
template <class T> __device__ T symmetricElement(const T *a, int lda, bool lower, bool hermitian, int i, int j) {
  bool stored = lower ? i >= j : i <= j;
  T value = stored ? a[j * lda + i] : conjugate(a[i * lda + j], hermitian);
  return hermitian && i == j ? T(realPart(value)) : value;
}
/* op(A)(i, j) of a triangular matrix. */
template <class T>
__device__ T triangularElement(const T *a, int lda, bool lower, int operation, bool unit, int i, int j) {
  if (unit && i == j) return T(1);
  bool inside = lower == (operation == 0) ? i >= j : i <= j;
  return inside ? element(a, lda, operation, i, j) : T(0);
}

/* C = alpha A B + beta C, or B A on the right. */
template <class T>
__global__ void symm(bool left, bool lower, bool hermitian, int m, int n, T alpha, const T *alphaOnDevice, const T *a, int lda,
                     const T *b, int ldb, T beta, const T *betaOnDevice, T *c, int ldc) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= m) return;
  T sum = 0;
  for (int k = 0; k < (left ? m : n); k++)
    sum += left ? symmetricElement(a, lda, lower, hermitian, i, k) * b[j * ldb + k]
                : b[k * ldb + i] * symmetricElement(a, lda, lower, hermitian, k, j);
  c[j * ldc + i] = beta == 0 ? alpha * sum : alpha * sum + beta * c[j * ldc + i];
}
/* One triangle of C = alpha op(A) op(B)' + beta C, and with `both` of + alpha' op(B) op(A)'; ' conjugates if `hermitian`. */
template <class T>
__global__ void syrk(bool lower, int operation, bool hermitian, bool both, int n, int k, T alpha, const T *alphaOnDevice,
                     const T *a, int lda, const T *b, int ldb, T beta, const T *betaOnDevice, T *c, int ldc) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n || (lower ? i < j : i > j)) return;
  T sum = 0, turned = 0;
  for (int l = 0; l < k; l++) {
    sum += element(a, lda, operation, i, l) * conjugate(element(b, ldb, operation, j, l), hermitian);
    if (both) turned += element(b, ldb, operation, i, l) * conjugate(element(a, lda, operation, j, l), hermitian);
  }
  sum = alpha * sum + (both ? conjugate(alpha, hermitian) * turned : T(0));
  if (beta != 0) sum += beta * c[j * ldc + i];
  c[j * ldc + i] = hermitian && i == j ? T(realPart(sum)) : sum;
}
/* C = alpha op(A) B, or B op(A) on the right, with a triangular A. */
template <class T>
__global__ void trmm(bool left, bool lower, int operation, bool unit, int m, int n, T alpha, const T *alphaOnDevice, const T *a,
                     int lda, const T *b, int ldb, T *c, int ldc) {
  if (alphaOnDevice) alpha = *alphaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= m) return;
  T sum = 0;
  for (int k = 0; k < (left ? m : n); k++)
    sum += left ? triangularElement(a, lda, lower, operation, unit, i, k) * b[j * ldb + k]
                : b[k * ldb + i] * triangularElement(a, lda, lower, operation, unit, k, j);
  c[j * ldc + i] = alpha * sum;
}
/* Solves op(A) X = alpha B (each thread a column), or X op(A) = alpha B (each thread a row), over B; `lists` as for gemm. */
template <class T>
__global__ void trsm(bool left, bool lower, int operation, bool unit, int m, int n, T alpha, const T *alphaOnDevice,
                     const void *as, int lda, void *bs, int ldb, bool lists) {
  if (alphaOnDevice) alpha = *alphaOnDevice;
  const T *a = lists ? ((const T *const *)as)[blockIdx.y] : (const T *)as;
  T *b = lists ? ((T *const *)bs)[blockIdx.y] : (T *)bs;
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= (left ? n : m)) return;
  int size = left ? m : n, step = left ? 1 : ldb;
  T *x = left ? b + line * ldb : b + line;
  /* Unknowns in the order in which each needs only earlier ones. */
  bool forward = (lower == (operation == 0)) == left;
  for (int at = 0; at < size; at++) {
    int i = forward ? at : size - 1 - at;
    T value = alpha * x[i * step];
    for (int before = 0; before < at; before++) {
      int k = forward ? before : size - 1 - before;
      value -= (left ? element(a, lda, operation, i, k) : element(a, lda, operation, k, i)) * x[k * step];
    }
    x[i * step] = unit ? value : value / element(a, lda, operation, i, i);
  }
}
/* x = op(A) x by one block: a block's worth of rows at a time, those first that no later row reads. */
template <class T>
__global__ void trmv(bool lower, int operation, bool unit, int n, const T *a, int lda, T *x, int incx) {
  bool forward = lower != (operation == 0);
  for (int start = 0; start < n; start += blockDim.x) {
    int at = start + threadIdx.x, i = forward ? at : n - 1 - at;
    T sum = 0;
    if (at < n)
      for (int k = 0; k < n; k++) sum += triangularElement(a, lda, lower, operation, unit, i, k) * x[k * incx];
    __syncthreads();
    if (at < n) x[i * incx] = sum;
    __syncthreads();
  }
}
/* Solves op(A) x = b over b by one block. */
template <class T>
__global__ void trsv(bool lower, int operation, bool unit, int n, const T *a, int lda, T *x, int incx) {
  bool forward = lower == (operation == 0);
  for (int at = 0; at < n; at++) {
    int i = forward ? at : n - 1 - at;
    if (threadIdx.x == 0 && !unit) x[i * incx] = x[i * incx] / element(a, lda, operation, i, i);
    __syncthreads();
    for (int later = at + 1 + threadIdx.x; later < n; later += blockDim.x) {
      int k = forward ? later : n - 1 - later;
      x[k * incx] -= element(a, lda, operation, k, i) * x[i * incx];
    }
    __syncthreads();
  }
}
template <class T>
__global__ void symv(bool lower, bool hermitian, int n, T alpha, const T *alphaOnDevice, const T *a, int lda, const T *x, int incx,
                     T beta, const T *betaOnDevice, T *y, int incy) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = 0; k < n; k++) sum += symmetricElement(a, lda, lower, hermitian, i, k) * x[k * incx];
  y[i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * incy];
}
/* One triangle of A += alpha x x', and with `both` of alpha x y' + alpha' y x'. */
template <class T>
__global__ void syr(bool lower, bool hermitian, bool both, int n, T alpha, const T *alphaOnDevice, const T *x, int incx,
                    const T *y, int incy, T *a, int lda) {
  if (alphaOnDevice) alpha = *alphaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n || (lower ? i < j : i > j)) return;
  T sum = alpha * x[i * incx] * conjugate(y[j * incy], hermitian);
  if (both) sum += conjugate(alpha, hermitian) * y[i * incy] * conjugate(x[j * incx], hermitian);
  sum += a[j * lda + i];
  a[j * lda + i] = hermitian && i == j ? T(realPart(sum)) : sum;
}
/* C = A diag(x), or diag(x) A on the left. */
template <class T>
__global__ void dgmm(bool left, int m, int n, const T *a, int lda, const T *x, int incx, T *c, int ldc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < m) c[j * ldc + i] = a[j * lda + i] * x[(left ? i : j) * incx];
}

/* The block's threads find where |x| is largest among x[0], x[step], ... */
template <class T> __device__ int largest(const T *x, int count) {
  __shared__ int best;
  if (threadIdx.x == 0) {
    best = 0;
    for (int i = 1; i < count; i++)
      if (magnitude(x[i]) > magnitude(x[best])) best = i;
  }
  __syncthreads();
  int found = best;
  __syncthreads();
  return found;
}
/* P A = L U over A, by one block. Pivots are numbered from 1; none are sought where `pivots` is null. Returns 0, or the number
   of the first zero on U's diagonal. */
template <class T, class Pivot> __device__ int factorLu(int m, int n, T *a, int lda, Pivot *pivots) {
  int failed = 0;
  for (int k = 0; k < (m < n ? m : n); k++) {
    if (pivots) {
      int pivot = k + largest(a + k * lda + k, m - k);
      if (threadIdx.x == 0) pivots[k] = pivot + 1;
      if (pivot != k)
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
          T kept = a[j * lda + k];
          a[j * lda + k] = a[j * lda + pivot];
          a[j * lda + pivot] = kept;
        }
      __syncthreads();
    }
    T diagonal = a[k * lda + k];
    if (diagonal == 0) {
      if (!failed) failed = k + 1;
    } else
      for (int i = k + 1 + threadIdx.x; i < m; i += blockDim.x) a[k * lda + i] = a[k * lda + i] / diagonal;
    __syncthreads();
    int rows = m - k - 1, columns = n - k - 1;
    for (int at = threadIdx.x; at < rows * columns; at += blockDim.x) {
      int i = k + 1 + at % rows, j = k + 1 + at / rows;
      a[j * lda + i] -= a[k * lda + i] * a[j * lda + k];
    }
    __syncthreads();
  }
  return failed;
}
/* Solves op(A) X = B over B from A's factors: thread `first` of `threads`, each of which takes columns. */
template <class T, class Pivot>
__device__ void solveLu(int first, int threads, int operation, int n, int columns, const T *a, int lda, const Pivot *pivots, T *b,
                        int ldb) {
  for (int column = first; column < columns; column += threads) {
    T *x = b + column * ldb;
    if (operation == 0) {
      for (int i = 0; pivots && i < n; i++) {
        T kept = x[i];
        x[i] = x[pivots[i] - 1];
        x[pivots[i] - 1] = kept;
      }
      for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= a[k * lda + i] * x[k];
      for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= a[k * lda + i] * x[k];
        x[i] = x[i] / a[i * lda + i];
      }
    } else {
      bool conjugates = operation == 2;
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= conjugate(a[i * lda + k], conjugates) * x[k];
        x[i] = x[i] / conjugate(a[i * lda + i], conjugates);
      }
      for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++) x[i] -= conjugate(a[i * lda + k], conjugates) * x[k];
      for (int i = n - 1; pivots && i >= 0; i--) {
        T kept = x[i];
        x[i] = x[pivots[i] - 1];
        x[pivots[i] - 1] = kept;
      }
    }
  }
}
/* Lists of matrices, a block each. */
template <class T> __global__ void getrfBatched(int n, T *const *a, int lda, int *pivots, int *info) {
  int failed = factorLu(n, n, a[blockIdx.x], lda, pivots ? pivots + blockIdx.x * n : nullptr);
  if (threadIdx.x == 0) info[blockIdx.x] = failed;
}
/* C = inverse of A, of its factors or (`factors` false) of A itself, which then stays as it is. */
template <class T>
__global__ void getriBatched(bool factors, int n, const T *const *as, int lda, const int *pivots, T *const *cs, int ldc, T *copies,
                             int *copiedPivots, int *info) {
  const T *a = as[blockIdx.x];
  T *c = cs[blockIdx.x];
  if (pivots) pivots += blockIdx.x * n;
  int failed = 0;
  if (!factors) {
    T *copy = copies + blockIdx.x * n * n;
    int *own = copiedPivots + blockIdx.x * n;
    for (int at = threadIdx.x; at < n * n; at += blockDim.x) copy[at] = a[at / n * lda + at % n];
    __syncthreads();
    failed = factorLu(n, n, copy, n, own);
    a = copy, lda = n, pivots = own;
  } else
    for (int i = n - 1; i >= 0; i--)
      if (a[i * lda + i] == 0) failed = i + 1;
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) c[at / n * ldc + at % n] = at / n == at % n ? T(1) : T(0);
  __syncthreads();
  if (!failed) solveLu(threadIdx.x, blockDim.x, 0, n, n, a, lda, pivots, c, ldc);
  if (threadIdx.x == 0) info[blockIdx.x] = failed;
}
template <class T>
__global__ void getrsBatched(int operation, int n, int columns, const T *const *a, int lda, const int *pivots, T *const *b, int ldb) {
  solveLu(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, operation, n, columns, a[blockIdx.y], lda, pivots ? pivots + blockIdx.y * n : nullptr, b[blockIdx.y], ldb);
}

} // namespace warplens

#endif
